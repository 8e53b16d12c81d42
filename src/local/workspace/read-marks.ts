/** How far each person has read each channel. */
import type { Collection, Storage } from './storage.ts';

export class ReadMarks {
  readonly #marks: Collection<string>;

  constructor(storage: Storage) {
    this.#marks = storage.collection<string>('read');
  }

  /** The newest message that the person has seen; the beginning of time if none. */
  get(user: string, channel: string): string {
    return this.#marks.get(`${user}/${channel}`) ?? '0';
  }

  /** Moves the mark forward; a mark never goes back. */
  set(user: string, channel: string, ts: string): void {
    if (ts > this.get(user, channel)) this.#marks.put(`${user}/${channel}`, ts);
  }
}
