/**
 * Owns what a process remembers between passes over a log's messages. It is never needed for safety: a process that
 * remembers nothing looks before it posts.
 *
 * 1. A key is new when it was neither wanted nor tried yet under our own lease, less than a lease's length before it was first
 * wanted. In that time nobody else can have taken the lease, posted the message, died, and been given up.
 */
import type { Clock } from '../worker/ports.ts';
import type { Memory } from './job.ts';
import { keepLatest } from './latest.ts';

/** How much of a lease's length counts: the rest is for clocks that run unevenly. */
const SURE_PART = 0.8;
const KEPT = 2_000;

interface Notes {
  readonly unsure: Map<string, number>;
  readonly places: Memory['places'];
  readonly triedMs: Map<string, number>;
  /** Until when a key is known to be new, on the monotonic clock. */
  readonly newUntilMs: Map<string, number>;
  wanted: ReadonlySet<string>;
  seenAtMs: number | null;
  newest: number;
  mistrustedAtMs: number | null;
  leftStreams: Memory['leftStreams'];
}

export class Memories {
  readonly #clock: Clock;
  readonly #notes = new Map<string, Notes>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what is wanted now; `leaseMs` is the length of our lease, null while we do not hold it. */
  observe(log: string, keys: readonly string[], leaseMs: number | null): void {
    const notes = this.#of(log);
    const nowMs = this.#clock.monotonicMs();
    const sureMs = (leaseMs ?? 0) * SURE_PART;
    const sure = notes.seenAtMs !== null && nowMs - notes.seenAtMs < sureMs;
    const isFresh = (key: string): boolean => !notes.wanted.has(key) && !notes.triedMs.has(key);
    for (const key of keys) if (sure && isFresh(key)) notes.newUntilMs.set(key, nowMs + sureMs);
    notes.wanted = new Set(keys);
    notes.seenAtMs = leaseMs === null ? null : nowMs;
  }

  memory(log: string): Memory {
    const notes = this.#of(log);
    return {
      attempted: key => notes.newUntilMs.delete(key),
      unsure: notes.unsure,
      places: notes.places,
      mistrustedAtMs: notes.mistrustedAtMs,
      mistrusted: atMs => void (notes.mistrustedAtMs = atMs),
      leftStreams: notes.leftStreams,
      noteLeftStreams: left => void (notes.leftStreams = left),
      triedMs: notes.triedMs,
      isNew: key => this.#clock.monotonicMs() < (notes.newUntilMs.get(key) ?? Number.NEGATIVE_INFINITY),
    };
  }

  /** False when a later state of the log has been shown by this process. */
  isNewest(log: string, number: number): boolean {
    const notes = this.#of(log);
    if (number < notes.newest) return false;
    notes.newest = number;
    return true;
  }

  #of(log: string): Notes {
    const notes = this.#notes.get(log) ?? {
      unsure: new Map(),
      places: new Map(),
      triedMs: new Map(),
      newUntilMs: new Map(),
      wanted: new Set(),
      seenAtMs: null,
      newest: 0,
      mistrustedAtMs: null,
      leftStreams: null,
    };
    keepLatest(this.#notes, log, notes, KEPT);
    return notes;
  }
}
