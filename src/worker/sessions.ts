/** Owns the threads that this process keeps folded in memory: those used last, and those that something is under way in. */
import { threadLog, type LogKey, type ThreadKey } from '../thread/ids.ts';
import type { Thread } from '../thread/thread.ts';
import type { Ports } from './ports.ts';
import { Session } from './session.ts';

export class Sessions {
  readonly #ports: Ports;
  readonly #most: number;
  readonly #isBusy: (log: LogKey) => boolean;
  readonly #unsure: (key: ThreadKey) => void;
  readonly #sessions = new Map<LogKey, Session>();

  /** Keeps `most` threads; `unsure` hears of a thread in which a commit's outcome could not be learnt. */
  constructor(ports: Ports, most: number, isBusy: (log: LogKey) => boolean, unsure: (key: ThreadKey) => void) {
    this.#ports = ports;
    this.#most = most;
    this.#isBusy = isBusy;
    this.#unsure = unsure;
  }

  /** The thread's session; a new one knows nothing yet. */
  of(key: ThreadKey): Session {
    const log = threadLog(key);
    const session = this.#sessions.get(log) ?? new Session(this.#ports, key, () => this.#unsure(key));
    this.#sessions.delete(log);
    this.#sessions.set(log, session);
    for (const [other, old] of this.#sessions) {
      if (this.#sessions.size <= this.#most) break;
      if (other !== log && !this.#isBusy(other) && !old.hasDeferred) this.#sessions.delete(other);
    }
    return session;
  }

  /** The thread with what the log has now. Throws LogUnavailable and LogDamaged. */
  async read(key: ThreadKey): Promise<Thread> {
    const session = this.of(key);
    await session.refresh();
    return session.thread;
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Forgets what is known of a thread. */
  forget(log: LogKey): void {
    this.#sessions.delete(log);
  }
}
