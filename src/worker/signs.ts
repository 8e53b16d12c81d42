/**
 * Owns what executions of this process say about their progress, until each is over, and when that is put on record.
 *
 * 1. A tool that says something waits for nothing. 2. A sign stands in the log soon after it was said: a few seconds, or a
 * tenth of the time that its execution has run, so that a long execution with much to say costs few commits.
 */
import type { CallId, ExecutionId } from '../thread/ids.ts';
import { liveCalls, type Call, type Thread } from '../thread/thread.ts';

/** Characters of a line that are kept. */
const MAX_SIGN = 200;
/** At least so long from one sign of an execution that is put on record to the next. */
const EVERY_MS = 4_000;
/** The share of the time that it has run after which a sign on record is old. */
const OLD_AFTER = 0.1;

/** The latest that an execution has said. */
interface Sign {
  readonly call: CallId;
  readonly execution: ExecutionId;
  readonly line: string;
  readonly atMs: number;
}

export class Signs {
  readonly #said = new Map<ExecutionId, Sign>();

  said(call: CallId, execution: ExecutionId, line: string, atMs: number): void {
    this.#said.set(execution, { call, execution, line: line.slice(0, MAX_SIGN).toWellFormed(), atMs });
  }

  of(execution: ExecutionId): Sign | undefined {
    return this.#said.get(execution);
  }

  /** Nothing more is wanted of it. */
  over(execution: ExecutionId): void {
    this.#said.delete(execution);
  }

  /** What of the thread's running calls is to be put on record now. */
  due(thread: Thread, nowMs: number): Sign[] {
    if (this.#said.size === 0) return [];
    return liveCalls(thread).flatMap(call => this.#dueOf(call, nowMs));
  }

  #dueOf({ state, signed }: Call, nowMs: number): Sign[] {
    if (state.is !== 'claimed') return [];
    const { execution, atMs: sinceMs } = state.claim;
    const sign = this.#said.get(execution);
    if (!sign) return [];
    const before = signed?.execution === execution ? signed : null;
    if (before === null) return [sign];
    const pauseMs = Math.max(EVERY_MS, (nowMs - sinceMs) * OLD_AFTER);
    return sign.line !== before.line && nowMs - before.atMs >= pauseMs ? [sign] : [];
  }
}
