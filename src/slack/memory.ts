/**
 * Owns what a process remembers between passes over a log's messages. It is never needed for safety: a process that
 * remembers nothing looks before it posts.
 *
 * 1. A key is new when, under our own lease and less than `SURE_MS` before it was first wanted, it was not wanted yet. Within
 * that time nobody else can have taken the lease, posted it, died, and been given up.
 */
import type { Clock } from '../worker/ports.ts';
import type { Memory } from './job.ts';

/** Shorter than any lease. */
const SURE_MS = 8_000;
const KEPT = 2_000;

interface Notes {
  readonly unsure: Set<string>;
  readonly triedMs: Map<string, number>;
  readonly newAtMs: Map<string, number>;
  wanted: ReadonlySet<string>;
  seenAtMs: number | null;
  newest: number;
}

export class Memories {
  readonly #clock: Clock;
  readonly #notes = new Map<string, Notes>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what is wanted now; `ours` says that this process holds the log's lease. */
  observe(log: string, keys: readonly string[], ours: boolean): void {
    const notes = this.#of(log);
    const nowMs = this.#clock.monotonicMs();
    const sure = ours && notes.seenAtMs !== null && nowMs - notes.seenAtMs < SURE_MS;
    for (const key of keys) if (sure && !notes.wanted.has(key)) notes.newAtMs.set(key, nowMs);
    notes.wanted = new Set(keys);
    notes.seenAtMs = ours ? nowMs : null;
  }

  memory(log: string): Memory {
    const notes = this.#of(log);
    return {
      unsure: notes.unsure,
      triedMs: notes.triedMs,
      isNew: key => this.#clock.monotonicMs() - (notes.newAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < SURE_MS,
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
    const known = this.#notes.get(log);
    if (known) {
      this.#notes.delete(log);
      this.#notes.set(log, known);
      return known;
    }
    const notes: Notes = {
      unsure: new Set(),
      triedMs: new Map(),
      newAtMs: new Map(),
      wanted: new Set(),
      seenAtMs: null,
      newest: 0,
    };
    this.#notes.set(log, notes);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > KEPT && oldest !== undefined) this.#notes.delete(oldest);
    return notes;
  }
}
