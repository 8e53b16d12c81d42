/**
 * Owns the pace of posting: one lane per channel and process, three ranks. Slack takes about one message a second in a
 * channel, with short bursts.
 *
 * 1. Who waits is served by rank, then by arrival. 2. Nobody waits longer than the patience of their rank; who would have to
 * gets a time to come back, so that a thread's lease is not held for it. 3. After Slack's "too many" the lane is closed
 * until the time it named; cards come back first.
 */
import type { Clock } from '../worker/ports.ts';
import type { Message } from './message.ts';

export type Rank = Message['rank'];
const RANKS: Readonly<Record<Rank, number>> = { card: 0, final: 1, progress: 2 };

export type Turn = 'go' | { readonly retryAtMs: number };

interface Lane {
  /** When the lane is empty again, on the monotonic clock. */
  busyUntilMs: number;
  closedUntilMs: number;
  waiting: { readonly rank: number; readonly order: number }[];
}

export interface Pace {
  /** One message in this time, on average. */
  readonly everyMs: number;
  /** How many may go at once after a rest. */
  readonly burst: number;
  /** How long a call waits here before it is told to come back; progress never waits. */
  readonly patienceMs: number;
}

const PACE: Pace = { everyMs: 1_000, burst: 5, patienceMs: 2_500 };

export class PacedQueue {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #lanes = new Map<string, Lane>();
  #order = 0;

  constructor(clock: Clock, pace: Partial<Pace> = {}) {
    this.#clock = clock;
    this.#pace = { ...PACE, ...pace };
  }

  /** Resolves when a call may be made in this channel, or at once with the time at which to come back. */
  async turn(channel: string, rank: Rank, signal: AbortSignal): Promise<Turn> {
    const lane = this.#lane(channel);
    const me = { rank: RANKS[rank], order: (this.#order += 1) };
    lane.waiting.push(me);
    try {
      let patienceMs = rank === 'progress' ? 0 : this.#pace.patienceMs;
      for (;;) {
        const waitMs = this.#waitMs(lane, me);
        if (waitMs <= 0) {
          lane.busyUntilMs = Math.max(lane.busyUntilMs, this.#clock.monotonicMs()) + this.#pace.everyMs;
          return 'go';
        }
        if (waitMs > patienceMs || signal.aborted) return { retryAtMs: this.#clock.nowMs() + waitMs };
        patienceMs -= waitMs;
        await this.#clock.sleep(waitMs, signal);
      }
    } finally {
      lane.waiting.splice(lane.waiting.indexOf(me), 1);
    }
  }

  /** Closes a channel's lane after Slack's "too many"; returns when a call of this rank may come back. */
  throttled(channel: string, rank: Rank, retryAfterMs: number): number {
    const lane = this.#lane(channel);
    lane.closedUntilMs = Math.max(lane.closedUntilMs, this.#clock.monotonicMs() + retryAfterMs);
    return this.#clock.nowMs() + retryAfterMs + RANKS[rank] * this.#pace.everyMs;
  }

  #waitMs(lane: Lane, me: Lane['waiting'][number]): number {
    const nowMs = this.#clock.monotonicMs();
    const ahead = lane.waiting.filter(
      other => other.rank < me.rank || (other.rank === me.rank && other.order < me.order),
    ).length;
    // The lower ranks leave room in a burst, and keep behind the higher ones when a closed lane opens again.
    const room = this.#pace.everyMs * Math.max(0, this.#pace.burst - 1 - me.rank);
    const free = lane.busyUntilMs - room + ahead * this.#pace.everyMs - nowMs;
    const closed = lane.closedUntilMs - nowMs;
    return Math.max(free, closed > 0 ? closed + (me.rank + ahead) * this.#pace.everyMs : 0);
  }

  #lane(channel: string): Lane {
    const known = this.#lanes.get(channel);
    if (known) return known;
    const lane: Lane = { busyUntilMs: 0, closedUntilMs: 0, waiting: [] };
    this.#lanes.set(channel, lane);
    return lane;
  }
}
