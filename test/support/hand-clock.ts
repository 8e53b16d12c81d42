/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/worker/ports.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export interface HandClock extends Clock {
  /** Moves time on; who sleeps is woken in order, each at its own moment. */
  advance(ms: number): Promise<void>;
  /** Resolves when the monotonic clock is read the next time. */
  read(): Promise<void>;
  /** How many sleep. */
  sleeping(): number;
}

/** Lets everything run that is ready to run. */
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A clock that shows 2026-11-30 14:00 UTC and 0 monotonic milliseconds. */
export function handClock(startMs = Date.UTC(2026, 10, 30, 14)): HandClock {
  let passedMs = 0;
  let sleepers: Sleeper[] = [];
  let readers: (() => void)[] = [];
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => {
      for (const reader of readers.splice(0)) reader();
      return passedMs;
    },
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers = sleepers.filter(other => other !== sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { dueMs: passedMs + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    advance: async ms => {
      const untilMs = passedMs + ms;
      for (;;) {
        await settle();
        const next = sleepers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
        if (!next || next.dueMs > untilMs) break;
        passedMs = next.dueMs;
        next.wake();
      }
      passedMs = untilMs;
      await settle();
    },
    read: () => new Promise(resolve => (readers = [...readers, resolve])),
    sleeping: () => sleepers.length,
  };
}
