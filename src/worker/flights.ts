/**
 * Owns the effects of one drive that are under way, and what ends them early.
 *
 * 1. None whose key is in flight is started again. 2. A flight that fails fails the drive, after all have landed. 3. An
 * execution is not aborted because its drive ends: it has its outcome first.
 */
import type { Effect } from '../thread/next.ts';
import type { CallId } from '../thread/ids.ts';
import { at, type Thread } from '../thread/thread.ts';

interface Flight {
  readonly effect: Effect;
  readonly abort: AbortController;
  readonly landed: Promise<void>;
}

export class Flights {
  readonly #flights = new Map<string, Flight>();
  readonly #bell = new Bell();
  #failure: Error | undefined;

  get isEmpty(): boolean {
    return this.#flights.size === 0;
  }

  /** True while some call is being claimed or executed. */
  get isExecuting(): boolean {
    return this.calls.size > 0;
  }

  /** Calls that are being claimed or executed. */
  get calls(): ReadonlySet<CallId> {
    return new Set([...this.#flights.values()].flatMap(({ effect }) => (effect.do === 'claim' ? [effect.call] : [])));
  }

  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Starts an effect. `work` must not throw for what is tried again later; what it throws fails the drive. */
  launch(effect: Effect, until: AbortSignal, work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const landed = work(AbortSignal.any([abort.signal, until]))
      .catch((error: unknown) => void (this.#failure = error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        this.#flights.delete(effect.key);
        this.#bell.ring();
      });
    this.#flights.set(effect.key, { effect, abort, landed });
  }

  /** Throws what failed a flight. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Something has changed in the thread: what need not go on any more is aborted. */
  changed(thread: Thread): void {
    for (const { effect, abort } of this.#flights.values()) if (isOverFor(thread, effect)) abort.abort();
    this.#bell.ring();
  }

  /** Aborts what is being claimed or executed. */
  abortExecutions(): void {
    for (const { effect, abort } of this.#flights.values()) if (effect.do === 'claim') abort.abort();
  }

  /** Resolves at the next change; a change that came before is not missed. */
  change(): Promise<void> {
    return this.#bell.wait();
  }

  /** Ends what has no effect outside, and resolves when everything has landed. */
  async land(): Promise<void> {
    for (const { effect, abort } of this.#flights.values()) if (effect.do !== 'claim') abort.abort();
    await Promise.all([...this.#flights.values()].map(flight => flight.landed));
  }
}

/** True when its run is over, or when somebody has stopped the execution that it is. */
function isOverFor(thread: Thread, effect: Effect): boolean {
  const call = 'call' in effect ? at(thread.calls, effect.call) : undefined;
  const run = 'run' in effect ? effect.run : call?.run;
  if (run !== undefined && at(thread.runs, run)?.end) return true;
  const running = effect.do === 'claim' && call?.state.is === 'claimed' ? call.state.claim.execution : undefined;
  return running !== undefined && call?.stopped?.execution === running;
}

/** Wakes whoever waits; a ring that comes before is kept. */
class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>(resolve => (this.#wake = resolve));
    this.#rung = false;
    this.#wake = undefined;
  }
}
