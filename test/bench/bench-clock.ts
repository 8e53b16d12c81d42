/** Owns a clock that runs like the machine's and can be put forward between steps: people take minutes, the bench does not. */
import { systemClock } from '../../src/compose/clock.ts';
import type { Clock } from '../../src/worker/ports.ts';

export class BenchClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  /** Some time passes in which nothing happens. */
  pass(ms: number): void {
    this.#aheadMs += ms;
  }
}
