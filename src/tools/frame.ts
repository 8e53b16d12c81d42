/**
 * Owns one attempt of a tool that may wait from inside: what it is told, how it is left, which steps it has done.
 *
 * 1. A frame that waits is left: `left` resolves with what it waits for, its signal aborts with a private reason, and the
 * promise of the wait never settles, so that nothing in the tool's code can take waiting for an error. 2. Steps that run
 * while something is asked end first, so that their results are kept. 3. A frame that is being left begins nothing more.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import { canonical } from '../thread/digest.ts';
import type { Json } from '../thread/events.ts';
import type { Execution, Told, ToolOutcome } from '../worker/ports.ts';

/** How a frame is left before its tool is through. */
export type Left = Extract<ToolOutcome, { how: 'suspended' | 'answer_refused' }>;

/** A step's result is kept in the log as it is, so it must be small (bytes of JSON). */
const MAX_STEP_BYTES = 32 * 1024;
/** Names of waits and steps; never one that means something to an object. */
const NAME = /^[a-z0-9][a-z0-9_.-]{0,59}$/;

/** Why the signal of a frame that was left aborts: nobody waits for the tool any more, and nothing is wrong. */
class FrameLeft extends Error {
  override readonly name = 'FrameLeft';
  constructor() {
    super('This attempt waits for people and was left.');
  }
}

const never = (): Promise<never> => new Promise(() => {});
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function checkName(name: string): void {
  if (!NAME.test(name))
    throw new TypeError(`A wait or step is named by a-z, 0-9, _, . and -, at most 60, not "${name}".`);
}

export class Frame {
  /** Resolves when the tool waits, or does not take an answer. */
  readonly left: Promise<Left>;
  /** For the tool: aborts when its time is over, when it is stopped, and when the frame is left. */
  readonly signal: AbortSignal;
  readonly #execution: Pick<Execution, 'told' | 'steps' | 'beginStep' | 'stepDone'>;
  readonly #outer: AbortSignal;
  readonly #leaving = new AbortController();
  readonly #resolveLeft: (left: Left) => void;
  readonly #steps = new Map<string, Promise<Json>>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #inside = new AsyncLocalStorage<string>();
  #ends = false;

  constructor(execution: Pick<Execution, 'told' | 'steps' | 'beginStep' | 'stepDone'>, outer: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<Left>();
    this.left = promise;
    this.#resolveLeft = resolve;
    this.#execution = execution;
    this.#outer = outer;
    this.signal = AbortSignal.any([outer, this.#leaving.signal]);
  }

  /** True once whatever the tool still does is dropped. */
  get isLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** True once a step has begun to change something, in this attempt or an earlier one. */
  get hasSteps(): boolean {
    return this.#steps.size > 0 || Object.keys(this.#execution.steps).length > 0;
  }

  /** What it was told under a name; undefined: nothing yet. */
  known(name: string): Told | undefined {
    checkName(name);
    return own(this.#execution.told, name);
  }

  /** The same, on the way to asking; throws inside a step, where nothing may be asked. */
  told(name: string): Told | undefined {
    const step = this.#inside.getStore();
    if (step === undefined) return this.known(name);
    throw new Error(
      `"${name}" was asked inside the step "${step}". A step cannot wait for people: ask before or after it.`,
    );
  }

  /** Leaves the frame once its running steps have ended; never settles, unless it was stopped meanwhile: then it rejects. */
  async leave(left: Left): Promise<never> {
    this.#outer.throwIfAborted();
    if (this.#ends) return never();
    this.#ends = true;
    await Promise.allSettled(this.#running);
    if (this.#outer.aborted) {
      this.#ends = false;
      this.#outer.throwIfAborted();
    }
    this.#resolveLeft(left);
    this.#leaving.abort(new FrameLeft());
    return never();
  }

  /** The result of a step, from an earlier attempt or now. A step that fails keeps nothing and is done again next time. */
  async step(name: string, work: () => unknown): Promise<Json> {
    checkName(name);
    const known = own(this.#execution.steps, name);
    if (known !== undefined) return known;
    this.#outer.throwIfAborted();
    if (this.#ends) return never();
    const begun = this.#steps.get(name);
    if (begun) return begun;
    const running = this.#inside.run(name, () => this.#run(name, work));
    this.#steps.set(name, running);
    this.#running.add(running);
    const over = (): void => void this.#running.delete(running);
    running.then(over, over);
    return running;
  }

  async #run(name: string, work: () => unknown): Promise<Json> {
    await this.#execution.beginStep(name);
    const value = resultOf(name, await work());
    await this.#execution.stepDone(name, value);
    return value;
  }
}

/** A step's result as it will be given again; nothing counts as null. */
function resultOf(name: string, given: unknown): Json {
  const parsed = z.json().safeParse(given === undefined ? null : given);
  if (!parsed.success || !isStorable(parsed.data))
    throw new TypeError(`The step "${name}" did not return JSON, so its result cannot be kept.`);
  const text = JSON.stringify(parsed.data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_STEP_BYTES)
    throw new TypeError(`The step "${name}" returned ${bytes} bytes; at most ${MAX_STEP_BYTES} can be kept.`);
  return z.json().parse(JSON.parse(text));
}

/** False for text that is not valid Unicode, which has no canonical form. */
function isStorable(value: Json): boolean {
  try {
    canonical(value);
    return true;
  } catch {
    return false;
  }
}
