/**
 * Owns the way of a request out of a process and back: it is sent, takes effect somewhere in the world, and its answer comes
 * home, each at a moment of its own.
 *
 * 1. Once sent, a request takes effect whether its sender still lives, is paused, or not. 2. An answer reaches a process only
 * while it lives and is not paused. 3. Of the requests of a process that crashes, some are on their way and arrive, also
 * a while later; the others were never sent.
 */
import type { Dice } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** What the network does with one request. */
export interface Fate {
  readonly thereMs: number;
  readonly backMs: number;
  /** What the sender is told instead of the answer. */
  readonly error?: Error;
  /** With `error`: whether, and how long after the sender was told, it takes effect all the same. */
  readonly effect?: 'never' | 'before' | { readonly laterMs: number };
}

export class Wire {
  readonly #scheduler: Scheduler;
  readonly #dice: Dice;
  readonly #owner: Owner;
  /** What is on its way; it outlives the process. */
  readonly #way: Owner;

  constructor(scheduler: Scheduler, dice: Dice, owner: Owner) {
    this.#scheduler = scheduler;
    this.#dice = dice;
    this.#owner = owner;
    this.#way = { name: `${owner.name}~`, alive: true, pausedUntilMs: 0 };
  }

  /** Sends a request; `effect` happens in one piece, at its own moment. */
  send<T>(what: string, fate: Fate, effect: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { error } = fate;
      if (error === undefined) {
        this.#scheduler.after(this.#way, fate.thereMs, what, () => {
          this.#answer(effect, what, fate.backMs, resolve, reject);
        });
        return;
      }
      const told = fate.thereMs + fate.backMs;
      const swallow = (): void => undefined;
      if (fate.effect === 'before')
        this.#scheduler.after(this.#way, fate.thereMs, what, () =>
          this.#answer(effect, `${what} (unsure)`, fate.backMs, swallow, swallow),
        );
      else if (typeof fate.effect === 'object')
        this.#scheduler.after(this.#way, told + fate.effect.laterMs, `${what} (late)`, () =>
          this.#answer(effect, `${what} (late)`, 0, swallow, swallow),
        );
      this.#scheduler.after(this.#owner, told, `${what} failed`, () => {
        this.#scheduler.say(this.#owner, () => `${what} → ${error.message}`);
        reject(error);
      });
    });
  }

  /** What becomes of the requests of a process that crashed just now. */
  cut(): void {
    this.#scheduler.scatter(this.#way, () => (this.#dice.chance(0.5) ? this.#dice.spread(25_000) : null));
  }

  #answer<T>(
    effect: () => T | Promise<T>,
    what: string,
    backMs: number,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    this.#scheduler.say(this.#way, () => what);
    Promise.resolve()
      .then(effect)
      .then(
        value => this.#scheduler.after(this.#owner, backMs, `${what} ✓`, () => resolve(value)),
        (error: unknown) => this.#scheduler.after(this.#owner, backMs, `${what} ✗`, () => reject(error)),
      );
  }
}
