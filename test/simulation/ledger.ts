/** Owns what people really did: what they wrote, what they saw when they clicked, and what they were told. */
import type { ApprovalId, CallId, LogKey, MessageTs, QuestionId, UserId } from '../../src/thread/ids.ts';

/** A click or form, as its author meant it. */
export interface Clicked {
  readonly by: UserId;
  readonly approval: ApprovalId;
  readonly round: number;
  readonly verdict: 'approve' | 'reject';
  readonly key: string;
  /** Everything that stood on the message, or in the form, when they looked. */
  readonly seen: string;
  readonly form: boolean;
  /** The way that was chosen, where there were several. */
  readonly option?: string;
  readonly atMs: number;
}

export interface Settled {
  readonly by: UserId;
  readonly call: CallId;
  readonly attempt: number;
  readonly as: 'ran' | 'not_run' | 'abandoned';
}

export interface Said {
  readonly log: LogKey;
  readonly ts: MessageTs;
  readonly author: UserId;
  readonly text: string;
  readonly mention: boolean;
  /** True once some process said that it has it. */
  acked: boolean;
}

/** An answer to a question, as its author meant it. */
export interface Answered {
  readonly by: UserId;
  readonly question: QuestionId;
}

export class Ledger {
  readonly answers: Answered[] = [];
  readonly clicks: Clicked[] = [];
  readonly settled: Settled[] = [];
  readonly said: Said[] = [];
}
