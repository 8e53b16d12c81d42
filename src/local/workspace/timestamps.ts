/** Message timestamps: `seconds.micros`, unique in the workspace and never going back, whatever the clock does. */
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceClock } from './time.ts';

export class Timestamps {
  readonly #clock: WorkspaceClock;
  readonly #marks: Collection<number>;

  constructor(storage: Storage, clock: WorkspaceClock) {
    this.#clock = clock;
    this.#marks = storage.collection<number>('mark');
  }

  /** The next timestamp, e.g. `1796040000.000100`. */
  next(): string {
    const micros = Math.max(Math.floor(this.#clock.nowMs()) * 1_000, (this.#marks.get('ts') ?? 0) + 100);
    this.#marks.put('ts', micros);
    return `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
  }
}
