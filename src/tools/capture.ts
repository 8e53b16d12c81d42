/** Owns what is kept of a stream of bytes: the first and the last ones, in bounded memory, and how many there were. */

/** Kept from the start of an output. */
export const HEAD_BYTES = 8 * 1024;
/** Kept from the end of an output. */
export const TAIL_BYTES = 24 * 1024;

/** `head` and `tail` are all there was when `total` is their common length. */
export interface Kept {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly total: number;
}

/** Takes chunks as they come and keeps at most `HEAD_BYTES + TAIL_BYTES` of them. */
export class Capture {
  readonly #head = new Uint8Array(HEAD_BYTES);
  /** A ring; `#seen` modulo its length is where the next byte goes. */
  readonly #ring = new Uint8Array(TAIL_BYTES);
  #total = 0;
  #seen = 0;

  add(chunk: Uint8Array): void {
    const toHead = Math.min(chunk.length, Math.max(0, HEAD_BYTES - this.#total));
    this.#head.set(chunk.subarray(0, toHead), Math.min(this.#total, HEAD_BYTES));
    this.#total += chunk.length;
    this.#addToRing(chunk.subarray(toHead));
  }

  #addToRing(bytes: Uint8Array): void {
    this.#seen += Math.max(0, bytes.length - TAIL_BYTES);
    const last = bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES));
    const at = this.#seen % TAIL_BYTES;
    const fits = Math.min(last.length, TAIL_BYTES - at);
    this.#ring.set(last.subarray(0, fits), at);
    this.#ring.set(last.subarray(fits), 0);
    this.#seen += last.length;
  }

  get kept(): Kept {
    const at = this.#seen % TAIL_BYTES;
    const tail =
      this.#seen <= TAIL_BYTES
        ? this.#ring.slice(0, this.#seen)
        : Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
    return { head: this.#head.slice(0, Math.min(this.#total, HEAD_BYTES)), tail, total: this.#total };
  }
}
