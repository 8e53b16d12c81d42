/** Owns the shape of a call in a folded thread, and its states. */
import type { Facts, Json, Option } from './events.ts';
import type { ApprovalId, CallId, Digest, ExecutionId, GrantId, QuestionId, RunId, UserId, WriterId } from './ids.ts';

/** What a tool waits for from inside: an answer, a request of its own, or a nested run. */
export type Wait =
  | { readonly on: 'question'; readonly id: QuestionId }
  | { readonly on: 'call'; readonly id: CallId }
  | { readonly on: 'run'; readonly id: RunId };

/** The commit that lets one attempt start. */
export interface Claim {
  readonly execution: ExecutionId;
  readonly attempt: number;
  readonly holder: WriterId;
  readonly atMs: number;
  readonly startByMs: number;
  readonly endsByMs: number;
  readonly workspace: number;
  /** What the tool had waited for, where this claim lets it go on. */
  readonly resumes: Suspension | null;
}

/** Why a call waits from inside, and since when. */
interface Suspension {
  readonly name: string;
  readonly wait: Wait;
  readonly sinceMs: number;
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

/** The last that an execution said about its progress; no time where only its end tells of it. */
export interface Sign {
  readonly line: string;
  readonly atMs: number | null;
}

/** How a doubt about an execution ended: somebody said it, the tool's own check found it, or its process reported it late. */
export interface DoubtEnd {
  readonly execution: ExecutionId;
  readonly how: 'said' | 'checked' | 'reported';
  readonly as: 'ran' | 'not_run' | 'abandoned';
  /** Who said it; null where nobody did. */
  readonly by: { readonly id: UserId; readonly name: string } | null;
  readonly atMs: number;
}

/** The states of a call that it can leave, and those that end it. */
export type CallState =
  | { readonly is: 'proposed' }
  | { readonly is: 'allowed' }
  | { readonly is: 'waiting' }
  | { readonly is: 'approved' }
  | { readonly is: 'claimed'; readonly claim: Claim }
  /** Claimed once and waiting from inside; claimed again when what it waits for is over. Nothing runs meanwhile. */
  | ({ readonly is: 'suspended'; readonly claim: Claim } & Suspension)
  | { readonly is: 'in_doubt'; readonly claim: Claim; readonly sinceMs: number; readonly lastSign: Sign | null }
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
  /** The standing permission under which it is allowed. */
  readonly grant: GrantId | null;
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
  /** Doubts that are over, oldest first; left out before the first, and by checkpoints that did not keep them. */
  doubtEnds?: readonly DoubtEnd[];
  /** A true outcome that is not what people had said of its execution. */
  contradiction: Ending | null;
  /** The run that asked for it again after an expiry or a refusal. */
  repeatedBy: RunId | null;
  /** The call whose tool put this request to people from inside, under the name its author gave it; null for the model's. */
  readonly within: { readonly call: CallId; readonly name: string } | null;
  /** The ways that deciders choose among; empty for a plain approval. */
  readonly options: readonly Option[];
  /** What its tool has asked for from inside, by the names that its author gave. */
  waits: Record<string, Wait>;
  /** Results of its steps that are done, by name. */
  steps: Record<string, Json>;
  /** Steps that have begun. */
  stepsBegun: string[];
  /** Who asked to stop the execution that runs. */
  stopped: {
    readonly by: UserId;
    readonly name: string;
    readonly execution: ExecutionId;
    readonly atMs: number;
  } | null;
  /** The last that an execution of it said about its progress. */
  signed: { readonly execution: ExecutionId; readonly line: string; readonly atMs: number } | null;
  /** What its tool's own check found of an execution in doubt. */
  checked: {
    readonly execution: ExecutionId;
    readonly found: 'ran' | 'not_run' | 'unknown';
    readonly atMs: number;
  } | null;
}

/** True when a call has its one result for the model. */
export const isSettled = (call: Call): boolean =>
  call.state.is === 'refused' || call.state.is === 'ended' || call.state.is === 'settled' || call.state.is === 'closed';

/** True while nothing has started under a call and nothing has ended it. */
export const isIdle = (call: Call): boolean =>
  !isSettled(call) && call.state.is !== 'claimed' && call.state.is !== 'suspended' && call.state.is !== 'in_doubt';

/** True when only people can bring a call on. */
export const needsPeople = (call: Call): boolean => call.state.is === 'waiting' || call.state.is === 'in_doubt';

/** A call as the model proposed it: nothing is known of it yet. */
export const proposedCall = (
  call: Pick<Call, 'id' | 'run' | 'turn' | 'tool' | 'args' | 'raw'> & Partial<Pick<Call, 'within' | 'options'>>,
): Call => ({
  within: null,
  options: [],
  waits: {},
  steps: {},
  stepsBegun: [],
  stopped: null,
  signed: null,
  checked: null,
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
