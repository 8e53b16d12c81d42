/** Owns what has been opened: closed in the opposite order, also when a later part cannot be opened. */
export class Opened {
  readonly #closing: (() => Promise<unknown> | void)[] = [];

  add(close: () => Promise<unknown> | void): void {
    this.#closing.unshift(close);
  }

  /** Closes everything, whatever fails on the way; then throws the first failure. A second time it does nothing. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closing.splice(0)) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
