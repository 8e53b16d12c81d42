/** Owns the closed list of what can be asked of a thread. Evidence travels inside a command; time comes beside it. */
import type { ActorEvidence, CallEvidence, CardEvidence, WorkspaceEvidence } from '../evidence.ts';
import type { EventOf, Json, Scope, ThreadEvent } from '../events.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  GrantId,
  MessageTs,
  QuestionId,
  RunId,
  TeamId,
  UserId,
  WriterId,
} from '../ids.ts';
import type { Refusal } from '../refusal.ts';
import type { Answer, Asking, Cancel, Decide, Edit, Settle, Take } from './acts.ts';

export type * from './acts.ts';

/** A message as Slack delivered it. */
export interface Incoming {
  readonly ts: MessageTs;
  readonly channel: ChannelId;
  readonly author: UserId;
  readonly team: TeamId;
  readonly name: string;
  readonly text: string;
  readonly files: readonly { readonly id: string; readonly name: string }[];
  readonly mention: boolean;
  readonly direct: boolean;
  /** Whose messages without a mention are listened to in a thread that the agent is in. */
  readonly followUps: FollowUps;
}

/** `requester`: people who have written to the agent in this thread; `everyone`: anybody in it; `never`: mentions only. */
export type FollowUps = 'requester' | 'everyone' | 'never';

/** How many requests may wait in a thread, and what one run may use; waiting for people does not count. */
export interface Limits {
  readonly steps: number;
  readonly tokens: number;
  readonly wallMs: number;
  readonly openRequests: number;
  /** Requests of one person that may wait at once, over all threads. */
  readonly personOpenRequests: number;
}

/** The outcome of one execution as the worker saw it. */
export interface Ended {
  readonly how: 'succeeded' | 'failed';
  readonly effect: 'none' | 'done' | 'possible';
  readonly code: string | null;
  readonly result: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly digest: Digest;
  readonly bytes: number;
  readonly blob: string | null;
  /** The last that it said about its progress, where it has not succeeded. */
  readonly lastSign?: string;
}

export type Command =
  | {
      readonly type: 'receive';
      readonly messages: readonly Incoming[];
      readonly salt: string;
      readonly lease?: Take;
    }
  | Take
  | { readonly type: 'release'; readonly holder: WriterId; readonly synced: boolean }
  | {
      readonly type: 'start';
      readonly agent: string;
      /** What waited when the authors were looked up; what has come since waits on. */
      readonly messages: readonly MessageTs[];
      readonly authors: readonly ActorEvidence[];
      /** Whom the agent answers; null: every member of this organisation. Guests and others only where they are named. */
      readonly requesters: readonly Scope[] | null;
    }
  | {
      readonly type: 'reply';
      readonly holder: WriterId;
      readonly run: RunId;
      readonly turn: number;
      readonly model: string;
      /** Of the agent's own instructions; absent where it has none. */
      readonly instructions?: Digest;
      readonly text: string;
      readonly calls: readonly { readonly tool: string; readonly args: string }[];
      readonly usage: { readonly input: number; readonly output: number };
      readonly evidence: readonly CallEvidence[];
      readonly limits: Limits;
    }
  | { readonly type: 'judge'; readonly call: CallId; readonly evidence: CallEvidence; readonly limits: Limits }
  | { readonly type: 'away'; readonly run: RunId; readonly code: string; readonly patienceMs: number }
  | {
      readonly type: 'end';
      readonly run: RunId;
      readonly how: 'failed' | 'exhausted';
      readonly code: string;
      readonly detail: string | null;
    }
  | {
      readonly type: 'claim';
      readonly call: CallId;
      readonly evidence: CallEvidence;
      readonly approvers: readonly ActorEvidence[];
      readonly requesters: readonly ActorEvidence[];
      /** Whom the agent answers now; null: every member. */
      readonly answers: readonly Scope[] | null;
      readonly workspace: WorkspaceEvidence;
      readonly holder: WriterId;
      readonly limits: Limits;
    }
  | {
      readonly type: 'notStarted';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly why: NotStarted;
    }
  | { readonly type: 'ended'; readonly call: CallId; readonly execution: ExecutionId; readonly outcome: Ended }
  | {
      readonly type: 'recover';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly again: boolean;
      /** The last that it said about its progress, as far as this process knows. */
      readonly lastSign?: { readonly line: string; readonly atMs: number };
    }
  | {
      readonly type: 'sign';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly line: string;
      /** When the tool said it. */
      readonly atMs: number;
    }
  | {
      readonly type: 'posted';
      readonly holder: WriterId;
      readonly records: readonly Omit<EventOf<'message.posted'>, 'type'>[];
    }
  | { readonly type: 'expire'; readonly approval: ApprovalId }
  /** The tool waits from inside; for `call` the evidence says what policy makes of it. */
  | {
      readonly type: 'suspend';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly name: string;
      readonly asking: Asking;
      readonly evidence: CallEvidence | null;
      readonly limits: Limits;
    }
  /** The tool does not take the answer that it was given. */
  | {
      readonly type: 'answerRefused';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly question: QuestionId;
      readonly why: string;
    }
  | { readonly type: 'beginStep'; readonly call: CallId; readonly execution: ExecutionId; readonly step: string }
  | {
      readonly type: 'stepDone';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly step: string;
      readonly value: Json;
    }
  | { readonly type: 'closeQuestion'; readonly question: QuestionId }
  | { readonly type: 'remind'; readonly approval: ApprovalId; readonly n: number }
  | { readonly type: 'escalate'; readonly approval: ApprovalId; readonly step: number }
  | {
      readonly type: 'recheck';
      readonly approval: ApprovalId;
      readonly evidence: CallEvidence;
      readonly approvers: readonly ActorEvidence[];
    }
  | {
      readonly type: 'countPeople';
      readonly approval: ApprovalId;
      /** Who could decide, the requesters left out, by each step of the request's ladder. */
      readonly steps: readonly (readonly UserId[])[];
    }
  | {
      readonly type: 'checked';
      readonly call: CallId;
      readonly execution: ExecutionId;
      readonly found: 'ran' | 'not_run' | 'unknown';
    }
  | { readonly type: 'grantSettled'; readonly grant: GrantId; readonly given: boolean }
  | {
      readonly type: 'amend';
      readonly message: MessageTs;
      readonly author: UserId;
      readonly text: string;
      readonly salt: string;
    }
  | { readonly type: 'remove'; readonly message: MessageTs }
  | {
      readonly type: 'stop';
      readonly call: CallId;
      readonly actor: ActorEvidence;
      /** Who stops a call that no rule asked about. */
      readonly defaults: readonly Scope[];
      readonly key: string;
    }
  | {
      readonly type: 'inquire';
      readonly approval: ApprovalId;
      readonly round: number;
      readonly text: string;
      readonly key: string;
      readonly actor: ActorEvidence;
      readonly card: CardEvidence;
    }
  | Decide
  | Edit
  | Answer
  | Settle
  | Cancel
  | { readonly type: 'keep'; readonly message: MessageTs; readonly actor: ActorEvidence }
  | { readonly type: 'askAgain'; readonly call: CallId; readonly actor: ActorEvidence; readonly agent: string };

/** Why a claimed call was not started. */
export type NotStarted = Extract<ThreadEvent, { type: 'call.notStarted' }>['why'];

/**
 * What a command leads to. No events and no refusal: there is nothing (left) to do. A refusal may come with events that
 * put it on record; `repeated` marks the same resume command again, whose first result stands.
 */
export interface Decision {
  readonly events: readonly ThreadEvent[];
  readonly refusal?: Refusal;
  readonly repeated?: boolean;
}

/** There is nothing (left) to do. */
export const nothing: Decision = { events: [] };
/** The same resume command again: its first result stands. */
export const repeated: Decision = { events: [], repeated: true };
export const decided = (...events: readonly ThreadEvent[]): Decision => ({ events });
export const refused = (refusal: Refusal, ...events: readonly ThreadEvent[]): Decision => ({ events, refusal });
