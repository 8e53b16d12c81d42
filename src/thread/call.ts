/** Owns the shape of a call in a folded thread, and its states. */
import type { Facts, Json } from './events.ts';
import type { ApprovalId, CallId, Digest, ExecutionId, RunId, UserId, WriterId } from './ids.ts';

/** The commit that lets one attempt start. */
export interface Claim {
  readonly execution: ExecutionId;
  readonly attempt: number;
  readonly holder: WriterId;
  readonly atMs: number;
  readonly startByMs: number;
  readonly endsByMs: number;
  readonly workspace: number;
}

export interface Ending {
  readonly execution: ExecutionId;
  readonly how: 'succeeded' | 'failed';
  readonly code: string | null;
  readonly effect: 'none' | 'done' | 'possible';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly result: string | null;
  readonly blob: { readonly id: string; readonly digest: Digest; readonly bytes: number } | null;
}

/** The states of a call that it can leave, and those that end it. */
export type CallState =
  | { readonly is: 'proposed' }
  | { readonly is: 'allowed' }
  | { readonly is: 'waiting' }
  | { readonly is: 'approved' }
  | { readonly is: 'claimed'; readonly claim: Claim }
  | { readonly is: 'in_doubt'; readonly claim: Claim; readonly sinceMs: number; readonly lastSign: string | null }
  | { readonly is: 'refused'; readonly code: string; readonly detail: string | null; readonly atMs: number }
  | { readonly is: 'ended'; readonly ending: Ending }
  | {
      readonly is: 'settled';
      readonly as: 'ran' | 'abandoned';
      readonly by: UserId;
      readonly name: string;
      readonly atMs: number;
      readonly claim: Claim;
    }
  /** The approval ended it: rejected, expired, withdrawn or refused; the approval knows the rest. */
  | { readonly is: 'closed' };

export interface Judgement {
  readonly verdict: 'allow' | 'ask' | 'deny' | 'refuse';
  readonly rule: string | null;
  readonly ruleDigest: Digest;
  readonly policy: Digest;
  readonly tool: Digest;
  readonly effect: 'read' | 'write';
  readonly callDigest: Digest;
  readonly summary: string;
  readonly impact: string | null;
  readonly why: string | null;
  readonly bind: Facts;
  readonly note: Facts;
}

export interface Call {
  readonly id: CallId;
  readonly run: RunId;
  /** The reply of its run that asked for it; 0 for a repeated call. */
  readonly turn: number;
  readonly tool: string;
  args: Json;
  /** What the model wrote when it is not JSON. */
  readonly raw: string | null;
  state: CallState;
  judgement: Judgement | null;
  approval: ApprovalId | null;
  attempts: number;
  /** Claims given back because they came too late to start. */
  tooLate: number;
  /** Executions that are over: given back, with an outcome, or settled by a person; nothing can start under them again. */
  spent: ExecutionId[];
  /** Executions whose true outcome is on record, also if it came late. */
  recorded: ExecutionId[];
  /** Executions of which a person said that they did not run. */
  saidNotRun: ExecutionId[];
  /** A true outcome that is not what people had said of its execution. */
  contradiction: Ending | null;
  /** The run that asked for it again after an expiry or a refusal. */
  repeatedBy: RunId | null;
}

/** True when a call has its one result for the model. */
export const isSettled = (call: Call): boolean =>
  call.state.is === 'refused' || call.state.is === 'ended' || call.state.is === 'settled' || call.state.is === 'closed';

/** True while nothing has started under a call and nothing has ended it. */
export const isIdle = (call: Call): boolean =>
  !isSettled(call) && call.state.is !== 'claimed' && call.state.is !== 'in_doubt';

/** True when only people can bring a call on. */
export const needsPeople = (call: Call): boolean => call.state.is === 'waiting' || call.state.is === 'in_doubt';

/** A call as the model proposed it: nothing is known of it yet. */
export const proposedCall = (call: Pick<Call, 'id' | 'run' | 'turn' | 'tool' | 'args' | 'raw'>): Call => ({
  ...call,
  state: { is: 'proposed' },
  judgement: null,
  approval: null,
  attempts: 0,
  tooLate: 0,
  spent: [],
  recorded: [],
  saidNotRun: [],
  contradiction: null,
  repeatedBy: null,
});
