/** Owns work that nobody waits for: its failures are written down, and a stop waits for it. */
import type { Journal } from './troubles.ts';

export class Background {
  readonly #journal: Pick<Journal, 'error'>;
  readonly #work = new Set<Promise<void>>();

  constructor(journal: Pick<Journal, 'error'>) {
    this.#journal = journal;
  }

  /** Begins the work at once; a failure of it is only logged, under `what`. */
  run(what: string, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#journal.error({ what, error }, 'work in the background failed'))
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  /** Resolves when everything begun so far, and what that began, is over. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }
}
