/**
 * Owns who may perform effects for a thread, as this process sees it.
 *
 * 1. A lease of an earlier boot of this node has lapsed: only one process holds a node's lock. 2. Anybody else's has lapsed
 * when no commit of its holder was seen for its whole length on our own monotonic clock, or, by the wall clock, a minute
 * after that length for those who did not watch.
 */
import type { Take } from '../thread/decide/command.ts';
import type { LogKey, WriterId } from '../thread/ids.ts';
import type { Thread } from '../thread/thread.ts';
import { LAPSE_GRACE_MS } from '../thread/wake.ts';
import type { Clock } from './ports.ts';

export type LeaseView = 'mine' | 'free' | 'others';

const nodeOf = (writer: WriterId): string => writer.slice(0, Math.max(0, writer.indexOf('/')));

export class Leases {
  readonly #me: WriterId;
  readonly #clock: Clock;
  readonly #seen = new Map<LogKey, { readonly holder: WriterId; readonly commit: number; readonly sinceMs: number }>();

  constructor(me: WriterId, clock: Clock) {
    this.#me = me;
    this.#clock = clock;
  }

  /** Whose the thread is now. */
  of(log: LogKey, thread: Thread): LeaseView {
    const { lease } = thread;
    if (lease === null) {
      this.#seen.delete(log);
      return 'free';
    }
    if (lease.holder === this.#me) return 'mine';
    if (nodeOf(lease.holder) === nodeOf(this.#me)) return 'free';
    const nowMs = this.#clock.monotonicMs();
    const seen = this.#seen.get(log);
    if (seen?.holder !== lease.holder || seen.commit !== lease.lastCommit) {
      this.#seen.set(log, { holder: lease.holder, commit: lease.lastCommit, sinceMs: nowMs });
    } else if (nowMs - seen.sinceMs >= lease.lengthMs) return 'free';
    return this.#clock.nowMs() >= lease.lastAtMs + lease.lengthMs + LAPSE_GRACE_MS ? 'free' : 'others';
  }

  /** The command that takes the lease, if it is not somebody else's in the thread that it is decided on. */
  take(log: LogKey, thread: Thread, lengthMs: number): Take {
    const { lease } = thread;
    const lapsed = lease !== null && this.of(log, thread) === 'free' ? { lapsed: lease.lastCommit } : {};
    return { type: 'take', holder: this.#me, lengthMs, ...lapsed };
  }
}
