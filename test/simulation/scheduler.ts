/**
 * Owns time and order in a simulated world: everything that waits for something outside waits here, and the dice say who
 * goes on.
 *
 * 1. Time moves only when nothing is ready. 2. Of what is ready at a moment, the dice choose one; all that follows from it
 * runs before the next choice. 3. What belongs to a process that is gone never happens; what belongs to one that is paused
 * happens after the pause.
 */
import type { Dice } from './random.ts';

/** Whoever things are scheduled for: a process, or the world itself. */
export interface Owner {
  readonly name: string;
  alive: boolean;
  pausedUntilMs: number;
}

interface Task {
  readonly owner: Owner;
  readonly dueMs: number;
  readonly what: string;
  readonly run: () => void;
}

/** The world outside of all processes. */
export const WORLD: Owner = { name: 'world', alive: true, pausedUntilMs: 0 };

/** Lets everything run that is ready to run. */
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

export class Scheduler {
  readonly #dice: Dice;
  readonly #trace: ((line: () => string) => void) | undefined;
  #tasks: Task[] = [];
  #nowMs = 0;
  /** Choices made so far. */
  steps = 0;

  constructor(dice: Dice, trace?: (line: () => string) => void) {
    this.#dice = dice;
    this.#trace = trace;
  }

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Says something in the trace of a replay. */
  say(owner: Owner, line: () => string): void {
    this.#trace?.(() => `${(this.#nowMs / 1000).toFixed(3).padStart(9)}s  ${owner.name.padEnd(6)} ${line()}`);
  }

  /** Lets `run` happen after a delay; returns how to call it off. */
  after(owner: Owner, delayMs: number, what: string, run: () => void): () => void {
    const task = { owner, dueMs: this.#nowMs + Math.max(0, delayMs), what, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter(other => other !== task);
    };
  }

  /** Takes out what waits for an owner, without letting it happen. */
  drop(owner: Owner): void {
    this.#tasks = this.#tasks.filter(task => task.owner !== owner);
  }

  /** Lets fate decide on each thing that waits for an owner: dropped (null), or so much later. */
  scatter(owner: Owner, fate: () => number | null): void {
    this.#tasks = this.#tasks.flatMap(task => {
      if (task.owner !== owner) return [task];
      const laterMs = fate();
      return laterMs === null ? [] : [{ ...task, dueMs: task.dueMs + laterMs }];
    });
  }

  /** What is scheduled, for the report about a world that does not come to rest. */
  get waiting(): readonly string[] {
    return this.#tasks.map(task => `${task.owner.name} ${task.what} at ${task.dueMs}`);
  }

  /** Lets things happen until `done` says so or the time is over; false when the time was over first. */
  async run(untilMs: number, done: () => boolean): Promise<boolean> {
    for (;;) {
      await settle();
      if (done()) return true;
      const task = this.#choose(untilMs);
      if (!task) return false;
      this.steps += 1;
      task.run();
    }
  }

  #choose(untilMs: number): Task | undefined {
    const ready: Task[] = [];
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const task of this.#tasks) {
      if (!task.owner.alive) continue;
      const atMs = Math.max(task.dueMs, task.owner.pausedUntilMs);
      if (atMs <= this.#nowMs) ready.push(task);
      else soonestMs = Math.min(soonestMs, atMs);
    }
    if (ready.length === 0) {
      if (soonestMs > untilMs) {
        this.#nowMs = Math.max(this.#nowMs, Number.isFinite(untilMs) ? untilMs : this.#nowMs);
        return undefined;
      }
      this.#nowMs = soonestMs;
      return this.#choose(untilMs);
    }
    const task = this.#dice.pick(ready);
    this.#tasks = this.#tasks.filter(other => other !== task && other.owner.alive);
    return task;
  }
}
