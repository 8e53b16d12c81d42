/** Owns the shape of a run: what the agent does in answer to messages, or inside a call of another run. Plain JSON. */
import type { EventOf, OnReject } from './events.ts';
import type { CallId, Digest, MessageTs, RunId, UserId } from './ids.ts';

export interface RunEnd {
  readonly how: EventOf<'run.ended'>['how'];
  readonly code: string | null;
  readonly by: UserId | null;
  readonly detail: string | null;
  readonly atMs: number;
  readonly number: number;
}

export interface Run {
  readonly id: RunId;
  readonly agent: string;
  readonly requesters: UserId[];
  readonly messages: MessageTs[];
  readonly startedAtMs: number;
  readonly repeats: CallId | null;
  /** The call whose answer this run works out, under the name that its tool gave it; null for a run of the thread itself. */
  readonly within: { readonly call: CallId; readonly name: string } | null;
  /** What a nested run was given to do. */
  readonly task: string | null;
  /** What a nested run's model is told again at each turn; the thread's own runs share `conversation`. */
  items: Item[];
  /** Model replies so far. */
  turn: number;
  tokens: number;
  /** The calls of the latest turn; the model is asked again when each has its result. */
  turnCalls: CallId[];
  calls: CallId[];
  /** Time spent waiting for people, which no budget counts; `waitingSinceMs` while it waits. */
  waitedMs: number;
  waitingSinceMs: number | null;
  /** What the latest rejection asked for, whether any asked for reading only, and requests since the first; null before any. */
  rejected: { readonly then: OnReject; readonly readOnly: boolean; readonly requestsSince: number } | null;
  /** Digests of calls that a person rejected in this run. */
  rejectedDigests: Digest[];
  away: { readonly code: string; readonly untilMs: number } | null;
  answer: string | null;
  cancelled: {
    readonly by: UserId;
    readonly source: EventOf<'cancel.requested'>['source'];
    readonly name: string;
    readonly key: string;
  } | null;
  end: RunEnd | null;
}

/** A run that begins: nothing has come of it yet. */
export const begunRun = (
  run: Pick<Run, 'id' | 'agent' | 'requesters' | 'messages' | 'startedAtMs' | 'repeats' | 'within' | 'task'>,
): Run => ({
  ...run,
  items: run.within === null ? [] : [{ kind: 'task', text: run.task ?? '' }],
  turn: 0,
  tokens: 0,
  turnCalls: [],
  calls: [],
  waitedMs: 0,
  waitingSinceMs: null,
  rejected: null,
  rejectedDigests: [],
  away: null,
  answer: null,
  cancelled: null,
  end: null,
});

/** One thing that the model is told again at each turn. */
export type Item =
  | { readonly kind: 'message'; readonly ts: MessageTs }
  | { readonly kind: 'reply'; readonly run: RunId; readonly text: string; readonly calls: readonly CallId[] }
  /** A run that ended before the model said anything, so that its messages are not taken as still to be done. */
  | { readonly kind: 'unanswered'; readonly how: RunEnd['how'] }
  | { readonly kind: 'summary'; readonly text: string }
  /** What a nested run was given to do. */
  | { readonly kind: 'task'; readonly text: string };
