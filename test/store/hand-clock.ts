/** A clock that a test moves: pauses shorter than a second pass by themselves, everything longer waits for `advance`. */
import type { Clock } from '../../src/worker/ports.ts';

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

export class HandClock implements Clock {
  wallMs = Date.UTC(2026, 10, 30, 14, 0);
  #monotonicMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  nowMs(): number {
    return this.wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    if (ms < 1000) {
      this.advance(ms);
      await new Promise(resolve => setImmediate(resolve));
      return;
    }
    await new Promise<void>(resolve => {
      const sleeper: Sleeper = { untilMs: this.#monotonicMs + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  /** Moves both clocks and wakes who has slept long enough. */
  advance(ms: number): void {
    this.wallMs += ms;
    this.#monotonicMs += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.untilMs > this.#monotonicMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** How many wait for time to pass. */
  get sleeping(): number {
    return this.#sleepers.size;
  }
}
