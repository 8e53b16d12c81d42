/** The forms of what passes between the worker and its ports: plain data, no vendor's types. */
import type { Commit, Head } from '../thread/commit.ts';
import type { EventOf, Facts, Json } from '../thread/events.ts';
import type { CardEvidence } from '../thread/evidence.ts';
import type { ApprovalId, CallId, ChannelId, Digest, ExecutionId, LogKey, MessageTs, UserId } from '../thread/ids.ts';
import type { Outcome } from '../thread/outcome.ts';

/** A point of time at which a thread must be looked at, and what is open in it (≤ 1 KB, for lists of what waits). */
export interface Wake {
  readonly dueAtMs: number;
  readonly open: readonly OpenItem[];
}

export interface OpenItem {
  readonly id: string;
  readonly kind: 'approval' | 'in_doubt' | 'question';
  readonly summary: string;
  readonly by: UserId;
  readonly untilMs: number;
}

/** An entry of the wake index: the commit that carries it. */
export interface WakeEntry {
  readonly key: LogKey;
  readonly number: number;
  readonly nonce: string;
  readonly dueAtMs: number;
}

export interface Loaded {
  readonly snapshot: { readonly state: Json; readonly head: Head } | null;
  /** In order; only those behind `after` (or behind the snapshot). Their chain has been verified. */
  readonly commits: readonly Commit[];
  readonly wakes: readonly WakeEntry[];
}

export interface ModelRequest {
  readonly agent: string;
  readonly conversation: readonly Turn[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: Json }[];
  readonly signal: AbortSignal;
}

/** What the model is shown, in order; each call of a reply is followed by exactly one result. */
export type Turn =
  | { readonly kind: 'message'; readonly author: UserId; readonly name: string; readonly text: string }
  | {
      readonly kind: 'reply';
      readonly text: string;
      readonly calls: readonly { readonly id: CallId; readonly tool: string; readonly args: string }[];
    }
  | { readonly kind: 'result'; readonly call: CallId; readonly outcome: Outcome }
  | { readonly kind: 'summary'; readonly text: string };

export interface ModelReply {
  readonly model: string;
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: string }[];
  readonly usage: { readonly input: number; readonly output: number };
}

/** `away`: worth another try later; `refused`: it will not answer this (`code` says why). */
export type ModelAnswer =
  { readonly reply: ModelReply } | { readonly away: string } | { readonly refused: string; readonly detail: string };

/** A claimed call on its way to `execute`; made only by the worker's gate. */
export interface Execution {
  readonly execution: ExecutionId;
  readonly call: CallId;
  readonly tool: string;
  readonly args: Json;
  readonly bind: Facts;
  readonly requester: UserId;
  readonly signal: AbortSignal;
  readonly endsByMs: number;
}

export type ToolOutcome =
  | { readonly how: 'succeeded'; readonly effect: 'none' | 'done'; readonly result: string }
  | { readonly how: 'failed'; readonly effect: 'none' | 'possible'; readonly code: string; readonly result: string };

/** A tool's full definition, to be kept by content. */
export interface ToolDefinition {
  readonly tool: string;
  readonly server: string;
  readonly digest: Digest;
  readonly definition: Json;
}

/** A call as policy sees it. */
export interface PolicyQuestion {
  readonly tool: {
    readonly name: string;
    readonly server: string;
    readonly effect: 'read' | 'write';
    readonly risk: 'low' | 'medium' | 'high';
  };
  readonly args: Json;
  readonly facts: Facts;
  readonly requester: {
    readonly id: UserId;
    /** Names of `people:`; unknown when a look-up failed. */
    readonly groups: readonly string[] | 'unknown';
  };
  readonly channel: ChannelId;
  readonly thread: { readonly tainted: boolean };
}

/** The record of a message that was posted, updated, found, closed or refused. */
export type Posted = Omit<EventOf<'message.posted'>, 'type'>;

/** What came of one pass over a thread's messages; `retryAtMs` (epoch ms) when something has to wait. */
export interface Reconciled {
  readonly posted: readonly Posted[];
  readonly retryAtMs: number | null;
}

/** Where a message stands. */
export interface Place {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
}

/** What the buttons of a card decide: a request, or what became of an execution that no rule asked about. */
export type Deciding = { readonly approval: ApprovalId } | { readonly execution: ExecutionId };

/** Whether a card is ours; `found` is the record of a copy that had none. */
export interface CardSeen {
  readonly is: CardEvidence['is'];
  readonly found: Posted | null;
}
