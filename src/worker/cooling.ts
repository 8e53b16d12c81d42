/** Owns which effects must not be tried again before a time, over all drives of this process. */
import type { LogKey } from '../thread/ids.ts';
import type { Clock } from './ports.ts';

/** The longest pause between two tries. */
const MAX_PAUSE_MS = 60_000;

export class Cooling {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #until = new Map<LogKey, Map<string, { readonly untilMs: number; readonly times: number }>>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** An effect of this key came to something, or to nothing: then it is tried again after 2, 4, 8 … 60 s. */
  note(log: LogKey, key: string, done: boolean): void {
    const ofLog = this.#until.get(log) ?? new Map<string, { untilMs: number; times: number }>();
    const times = (ofLog.get(key)?.times ?? 0) + 1;
    const untilMs = this.#clock.monotonicMs() + Math.min(MAX_PAUSE_MS, 1_000 * 2 ** times);
    if (done) ofLog.delete(key);
    else ofLog.set(key, { untilMs, times });
    if (ofLog.size > 0) this.#until.set(log, ofLog);
    else this.#until.delete(log);
  }

  /** True when the effect may be tried now. */
  allows(log: LogKey, key: string): boolean {
    return (this.#until.get(log)?.get(key)?.untilMs ?? 0) <= this.#clock.monotonicMs();
  }

  /** In how many ms each effect that is still wanted may be tried; what is not wanted any more is forgotten. */
  delaysOf(log: LogKey, wanted: ReadonlySet<string>): number[] {
    const ofLog = [...(this.#until.get(log) ?? [])].filter(([key]) => wanted.has(key));
    if (ofLog.length > 0) this.#until.set(log, new Map(ofLog));
    else this.#until.delete(log);
    return ofLog.map(([, { untilMs }]) => untilMs - this.#clock.monotonicMs());
  }
}
