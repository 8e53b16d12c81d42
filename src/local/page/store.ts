/**
 * Owns what the page knows at this moment. One immutable snapshot is replaced by patches; components read it with
 * `useDesk()`. Who loads it: refresh.ts. Who moves about in it: navigate.ts. Who acts on the workspace: act.ts.
 */
import { useEffect, useState } from './ui.ts';
import type { Confirm } from './blocks/shape.ts';
import type { Place } from './text/address.ts';
import type { Message, SharedFile, ThreadLog, View, Workspace } from './wire.ts';

/** A line that appears for a while in the corner: an error, or a message that rings elsewhere. */
export interface Notice {
  id: number;
  kind: 'error' | 'ring';
  title: string;
  text: string;
  place?: Place;
}

/** A question that waits for the person's yes or no before a control acts. */
export interface Asking {
  confirm: Confirm;
  answer: (yes: boolean) => void;
}

/** Everything the page shows. `messages` is keyed by channel, `threads` by `<channel>/<thread_ts>`. */
export interface Desk {
  workspace: Workspace | undefined;
  place: Place;
  /** The person whose eyes these are. */
  me: string;
  messages: Record<string, Message[]>;
  threads: Record<string, Message[]>;
  ephemerals: Message[];
  dismissed: ReadonlySet<string>;
  views: View[];
  home: View | undefined;
  notices: Notice[];
  asking: Asking | undefined;
  /** The first message that was unread when the channel on screen was opened. */
  unreadFrom: string | undefined;
  /** Whether the event stream stands. */
  live: boolean;
  phone: boolean;
  switching: boolean;
  /** The message whose author changes it in place, as `<channel>/<ts>`. */
  editing: string | undefined;
  file: SharedFile | undefined;
  /** The log beside the open thread, under the thread's key. */
  log: { key: string; log: ThreadLog } | undefined;
}

let desk: Desk = {
  workspace: undefined,
  place: { view: 'list' },
  me: '',
  messages: {},
  threads: {},
  ephemerals: [],
  dismissed: new Set(),
  views: [],
  home: undefined,
  notices: [],
  asking: undefined,
  unreadFrom: undefined,
  live: true,
  phone: false,
  switching: false,
  editing: undefined,
  file: undefined,
  log: undefined,
};
const listeners = new Set<(next: Desk) => void>();

/** The snapshot as it is now. */
export function readDesk(): Desk {
  return desk;
}

/** Replaces parts of the snapshot and tells every component that reads it. */
export function patchDesk(patch: Partial<Desk>): void {
  desk = { ...desk, ...patch };
  for (const listener of listeners) listener(desk);
}

/** The snapshot for a component, drawn again when it changes. */
export function useDesk(): Desk {
  const [snapshot, setSnapshot] = useState(desk);
  useEffect(() => {
    listeners.add(setSnapshot);
    setSnapshot(desk);
    return () => void listeners.delete(setSnapshot);
  }, []);
  return snapshot;
}

/** The key of a thread in `threads`. */
export function threadKey(channel: string, thread: string): string {
  return `${channel}/${thread}`;
}
