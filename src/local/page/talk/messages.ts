/**
 * Owns a scrolling list of messages: it follows the newest one unless the reader has scrolled away, brings a linked
 * message into view, and lets the arrow keys move from message to message.
 */
import { icon } from '../icons.ts';
import { openThread } from '../navigate.ts';
import { arrange, type Row } from '../text/arrange.ts';
import { dayLabel, tsToMs } from '../text/dates.ts';
import {
  html,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentChildren,
  type RefObject,
  type VNode,
} from '../ui.ts';
import type { Message, Workspace } from '../wire.ts';
import { MessageView } from './message.ts';

/** `messages` are in order; `privateTs` are those that only this person sees; `target` is the linked message. */
export interface MessagesProps {
  label: string;
  channel: string;
  messages: Message[];
  privateTs: ReadonlySet<string>;
  workspace: Workspace;
  unreadFrom: string | undefined;
  target: string | undefined;
  inThread: boolean;
  intro?: ComponentChildren;
  footer?: ComponentChildren;
  afterFirst?: ComponentChildren;
}

const NEAR_END_PX = 60;

/** The list itself. */
export function Messages(props: MessagesProps): VNode {
  const { label, channel, messages, unreadFrom, intro, footer, inThread, target } = props;
  const box = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd, scrolled } = useFollowing(box, messages.at(-1)?.ts, target);
  const rows = arrange(messages, unreadFrom, { nowMs: Date.now() });
  const replying = (event: KeyboardEvent): void => moveAmong(event, ts => !inThread && openThread(channel, ts));
  return html`<div class="messages-frame">
    <div
      class="messages"
      role="log"
      aria-label=${label}
      aria-live="polite"
      tabindex="0"
      ref=${box}
      onScroll=${scrolled}
      onKeyDown=${replying}
    >
      <div class="messages-inner">${intro} ${byDay(rows).map(day => drawDay(day, props))} ${footer}</div>
    </div>
    ${!atEnd && html`<button type="button" class="to-end" onClick=${toEnd}>${icon('down')} Newest messages</button>`}
  </div>`;
}

/** Cuts the rows before each day's divider, so that a divider stays in view as long as its day does. */
function byDay(rows: Row<Message>[]): Row<Message>[][] {
  const days: Row<Message>[][] = [];
  for (const row of rows) {
    if (row.kind === 'day') days.push([]);
    days.at(-1)?.push(row);
  }
  return days;
}

function drawDay(rows: Row<Message>[], props: MessagesProps): VNode {
  const first = rows[0];
  const key = first?.kind === 'day' ? first.ms : 0;
  return html`<section class="day-group" key=${key}>${rows.flatMap(row => drawRow(row, props))}</section>`;
}

function drawRow(row: Row<Message>, props: MessagesProps): ComponentChildren[] {
  const { channel, workspace, inThread, privateTs, target, messages, afterFirst } = props;
  if (row.kind === 'day') {
    if (inThread && messages[0] !== undefined && row.ms === tsToMs(messages[0].ts)) return [];
    const label = dayLabel(row.ms, { nowMs: Date.now() });
    return [
      html`<div class="day-line" key=${`line-${row.ms}`}></div>`,
      html`<div class="day" role="separator" aria-label=${label} key=${`day-${row.ms}`}><span>${label}</span></div>`,
    ];
  }
  if (row.kind === 'unread') {
    return [html`<div class="unread-mark" role="separator" key="unread"><span>New</span></div>`];
  }
  const { message, grouped } = row;
  const view = html`<${MessageView}
    key=${message.ts}
    message=${message}
    channel=${channel}
    workspace=${workspace}
    grouped=${grouped}
    inThread=${inThread}
    ephemeral=${privateTs.has(message.ts)}
    flash=${message.ts === target}
  />`;
  return message === messages[0] ? [view, afterFirst] : [view];
}

interface Following {
  atEnd: boolean;
  toEnd: () => void;
  scrolled: () => void;
}

/** Keeps the end in view while the reader is at the end; a linked message is brought to the middle once. */
function useFollowing(
  box: RefObject<HTMLDivElement | null>,
  newest: string | undefined,
  target: string | undefined,
): Following {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  const lastTop = useRef(0);
  const shownTarget = useRef<string | undefined>(undefined);
  const toEnd = (): void => {
    following.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  const scrolled = (): void => {
    const list = box.current;
    if (list === null) return;
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    // Only a reader scrolls up; where the end has merely moved away, it is followed.
    const wentUp = list.scrollTop < lastTop.current;
    lastTop.current = list.scrollTop;
    if (isNear || wentUp) following.current = isNear;
    setAtEnd(following.current);
  };
  useLayoutEffect(() => {
    if (target === undefined) shownTarget.current = undefined;
    const linked = target === undefined ? null : (box.current?.querySelector(`[data-message-ts="${target}"]`) ?? null);
    if (linked !== null && shownTarget.current !== target) {
      shownTarget.current = target;
      following.current = false;
      linked.scrollIntoView({ block: 'center' });
    } else if (following.current) toEnd();
  }, [newest, target]);
  useEffect(() => {
    const inner = box.current?.firstElementChild;
    if (!inner) return undefined;
    const observer = new ResizeObserver(() => following.current && toEnd());
    observer.observe(inner);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { atEnd, toEnd, scrolled };
}

function moveAmong(event: KeyboardEvent, open: (ts: string) => void): void {
  const list = event.currentTarget;
  const from = event.target;
  if (
    !(list instanceof HTMLElement) ||
    !(from instanceof HTMLElement) ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey
  )
    return;
  if (from !== list && !from.matches('.message')) return;
  const all = [...list.querySelectorAll<HTMLElement>('.message')];
  const at = all.indexOf(from);
  const next = { ArrowUp: at < 0 ? all.length - 1 : at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[
    event.key
  ];
  if (next !== undefined && all[next] !== undefined) {
    event.preventDefault();
    all[next].focus();
    all[next].scrollIntoView({ block: 'nearest' });
  }
  const ts = from.dataset['messageTs'];
  if (event.key === 'Enter' && ts !== undefined) open(ts);
}
