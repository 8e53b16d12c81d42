/**
 * What the app shows about its work in a thread: the status line ("is reading notes/"), the session's state and
 * suggested prompts. A status line goes away by itself after two minutes, and with the app's next message in its thread.
 */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceClock } from './time.ts';

export type SessionState = 'active' | 'processing' | 'suspended' | 'closed';

interface StatusLine {
  readonly channel: string;
  readonly threadTs: string;
  readonly text: string;
  readonly setAtMs: number;
}

export interface Session {
  readonly channel: string;
  readonly threadTs: string;
  readonly state: SessionState;
  readonly title: string;
}

export interface SuggestedPrompts {
  readonly channel: string;
  readonly threadTs?: string;
  readonly title?: string;
  readonly prompts: readonly JsonObject[];
}

export class Statuses {
  readonly #clock: WorkspaceClock;
  readonly #lines = new Map<string, StatusLine>();
  readonly #sessions: Collection<Session>;
  readonly #prompts: Collection<SuggestedPrompts>;

  constructor(storage: Storage, clock: WorkspaceClock) {
    this.#clock = clock;
    this.#sessions = storage.collection<Session>('session');
    this.#prompts = storage.collection<SuggestedPrompts>('prompts');
  }

  /** Sets a thread's status line; an empty text takes it away. */
  setLine(channel: string, threadTs: string, text: string): void {
    const at = place(channel, threadTs);
    if (text === '') this.#lines.delete(at);
    else this.#lines.set(at, { channel, threadTs, text, setAtMs: this.#clock.nowMs() });
  }

  /** Takes a thread's status line away; says whether there was one. */
  clearLine(channel: string, threadTs: string): boolean {
    return this.#lines.delete(place(channel, threadTs));
  }

  lines(): StatusLine[] {
    const oldest = this.#clock.nowMs() - limits.status.livesMs;
    for (const [at, line] of this.#lines) if (line.setAtMs < oldest) this.#lines.delete(at);
    return [...this.#lines.values()];
  }

  session(channel: string, threadTs: string): Session | undefined {
    return this.#sessions.get(place(channel, threadTs));
  }

  putSession(session: Session): void {
    this.#sessions.put(place(session.channel, session.threadTs), session);
  }

  sessions(): Session[] {
    return this.#sessions.list();
  }

  putPrompts(prompts: SuggestedPrompts): void {
    this.#prompts.put(place(prompts.channel, prompts.threadTs ?? ''), prompts);
  }

  prompts(): SuggestedPrompts[] {
    return this.#prompts.list();
  }
}

function place(channel: string, threadTs: string): string {
  return `${channel}/${threadTs}`;
}
