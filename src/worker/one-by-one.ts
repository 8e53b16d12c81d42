/** Owns the order of work that must not overlap. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins `work` when everything that came before is over, failed or not; gives what it gives. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
