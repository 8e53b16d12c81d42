/** Owns the forms of what people do about what waits: decide, edit, answer, settle, cancel; and what a tool asks for. */
import type { ActorEvidence, CallEvidence, CardEvidence, WorkspaceEvidence } from '../evidence.ts';
import type { AnswerForm } from '../answer-form.ts';
import type { EventOf, Facts, Json, OnReject, Option, Scope } from '../events.ts';
import type { ApprovalId, CallId, ChannelId, Digest, QuestionId, RunId, UserId, WriterId } from '../ids.ts';

/** A decision as it arrives: the resume command of the protocol. */
export interface Decide {
  readonly type: 'decide';
  readonly approval: ApprovalId;
  readonly round: number;
  readonly verdict: 'approve' | 'reject';
  readonly reason: string | null;
  readonly then: OnReject | null;
  /** `<approval>.<round>.<user>.<action_ts>` for clicks, `<view_id>.<hash>` for forms. */
  readonly key: string;
  readonly origin: 'click' | 'form';
  /** The way that was chosen, where the request offers several. */
  readonly option?: string;
  /** What is allowed from here on beside this call, within the rule's limits. */
  readonly grant?: GivenGrant;
  readonly actor: ActorEvidence;
  readonly card: CardEvidence;
  readonly workspace: WorkspaceEvidence;
  /** Who could decide now, the requesters left out: an impossible quorum is told at once. Absent: not looked up. */
  readonly eligible?: readonly UserId[] | 'unknown';
  readonly lease?: Take;
}

/** What a decider allows for a while, as it was shown in `sentence`. */
export interface GivenGrant {
  readonly forMs: number;
  readonly uses: number;
  readonly sentence: string;
}

/** Changed arguments, and the decider's word on them; one commit. */
export interface Edit {
  readonly type: 'edit';
  readonly approval: ApprovalId;
  readonly round: number;
  readonly args: Json;
  readonly key: string;
  readonly actor: ActorEvidence;
  readonly card: CardEvidence;
  readonly workspace: WorkspaceEvidence;
  /** The edited call, as the world is now. */
  readonly evidence: CallEvidence;
  /** Digest of what the second view showed (`editDigest`): if the world is another now, it is shown again. */
  readonly shown: Digest;
  readonly lease?: Take;
}

/** What a tool waits for from inside. */
export type Asking =
  | {
      readonly on: 'question';
      readonly kind: 'question' | 'choice' | 'review';
      readonly prompt: string;
      readonly form: AnswerForm;
      /** Experts who answer; empty: the requesters do. */
      readonly scopes: readonly Scope[];
      readonly channel: ChannelId | null;
      readonly expiresInMs: number;
    }
  | {
      readonly on: 'call';
      readonly summary: string;
      readonly impact: string | null;
      readonly args: Json;
      readonly bind: Facts;
      readonly options: readonly Option[];
    }
  | { readonly on: 'run'; readonly agent: string; readonly task: string };

/** An answer as it arrives. `text`: a message or a field, read by the question's form; `value`: already JSON. */
export type Given = { readonly text: string } | { readonly value: Json };

export interface Answer {
  readonly type: 'answer';
  readonly question: QuestionId;
  readonly given: Given;
  /** The count of answers that were not taken which the person saw; null for a message. */
  readonly asked: number | null;
  readonly origin: 'click' | 'form';
  readonly key: string;
  readonly actor: ActorEvidence;
  readonly workspace: WorkspaceEvidence;
  readonly lease?: Take;
}

/** An answer to "did it run?". */
export interface Settle {
  readonly type: 'settle';
  readonly call: CallId;
  readonly attempt: number;
  readonly as: 'ran' | 'not_run' | 'abandoned';
  readonly key: string;
  readonly actor: ActorEvidence;
  readonly card: CardEvidence;
  readonly workspace: WorkspaceEvidence;
  /** Who settles a call that no rule asked about. */
  readonly defaults: readonly Scope[];
  /** The world as it is now, for `not_run`; null otherwise. */
  readonly evidence: CallEvidence | null;
}

export interface Cancel {
  readonly type: 'cancel';
  readonly run: RunId;
  readonly actor: ActorEvidence;
  readonly key: string;
  readonly source: EventOf<'cancel.requested'>['source'];
}

/** The lease, in the same commit as what the process begins with. */
export interface Take {
  readonly type: 'take';
  readonly holder: WriterId;
  readonly lengthMs: number;
  /** The `lastCommit` of somebody else's lease that the taker knows to have lapsed. */
  readonly lapsed?: number;
}
