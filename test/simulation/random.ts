/** Owns the dice of a simulated world: a small generator of its own, so that a seed means the same for ever. */

/** Numbers from a seed (sfc32); the same seed and the same questions give the same answers. */
export class Dice {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = (seed / 2 ** 32) | 0;
    this.#c = stream | 0;
    for (let warm = 0; warm < 16; warm += 1) this.next();
  }

  /** A whole number of 32 bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor((this.next() / 2 ** 32) * (high - low + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  /** One of these. */
  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.between(0, items.length - 1)];
  }

  /** One of these, by weight; the weights' sum is positive. */
  weighed<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries<number>(weights) as [T, number][];
    let left = (this.next() / 2 ** 32) * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0 && weight > 0) return name;
    }
    throw new RangeError('Nothing to choose from.');
  }

  /** Milliseconds, mostly short and sometimes long: each power of ten below `mostMs` is about as likely as the next. */
  spread(mostMs: number): number {
    const exponent = (this.next() / 2 ** 32) * Math.log(mostMs + 1);
    return Math.floor(Math.exp(exponent)) - 1;
  }
}
