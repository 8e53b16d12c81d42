/** The forms of what passes between the worker and its ports: plain data, no vendor's types. */
import type { Commit, Head } from '../thread/commit.ts';
import type { Asking, FollowUps } from '../thread/decide/command.ts';
import type { EventOf, Facts, Json, Scope } from '../thread/events.ts';
import type { CardEvidence } from '../thread/evidence.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  LogKey,
  MessageTs,
  QuestionId,
  UserId,
} from '../thread/ids.ts';
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
  /** What was open when the entry was written; absent where the reader did not ask for it. */
  readonly open?: readonly OpenItem[];
}

/** What people call a request, and where it stands: put once, beside the log. */
export interface Mark {
  /** `7F3K`: the short id without its `A-`. */
  readonly short: string;
  readonly approval: ApprovalId;
  readonly key: LogKey;
  /** Who asked and who decided; each finds it among what happened lately. */
  readonly people: readonly UserId[];
  readonly atMs: number;
  /** `asked` when it was put to people, `over` when it has come to an end. */
  readonly when: 'asked' | 'over';
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
  /** Hears the answer grow: the whole text so far, at most a few times a second. Decoration; never the answer itself. */
  readonly onText?: (text: string) => void;
}

/** What the model is shown, in order; each call of a reply is followed by exactly one result. */
export type Turn =
  | { readonly kind: 'message'; readonly author: UserId; readonly name: string; readonly text: string }
  | {
      readonly kind: 'reply';
      readonly text: string;
      readonly calls: readonly { readonly id: CallId; readonly tool: string; readonly args: string }[];
    }
  | {
      readonly kind: 'result';
      readonly call: CallId;
      readonly outcome: Outcome;
      /** The arguments that ran, where a person had changed them. */
      readonly editedTo?: Json;
    }
  /** What a nested run was given to do. */
  | { readonly kind: 'task'; readonly text: string }
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
  readonly agent: string;
  readonly signal: AbortSignal;
  readonly endsByMs: number;
  /** What it was told before, by the names that its author gave. */
  readonly told: Readonly<Record<string, Told>>;
  /** Results of its steps that are done. */
  readonly steps: Readonly<Record<string, Json>>;
  /** Both resolve when it stands in the log; until then the step must not begin, or go on. */
  beginStep(name: string): Promise<void>;
  stepDone(name: string, value: Json): Promise<void>;
  /** How far the work is, in one line. */
  progress(line: string): void;
}

/** What came of something that a tool waited for. `answered` may still not be taken: the tool's own check says why. */
export type Told =
  | {
      readonly is: 'answered';
      readonly question: QuestionId;
      readonly value: Json;
      readonly by: UserId;
      readonly name: string;
    }
  /** A request that was approved (`option`: the way that was chosen), or was not (`why`, one sentence). */
  | { readonly is: 'approved'; readonly option: string | null; readonly by: readonly UserId[] }
  | { readonly is: 'not_approved'; readonly why: string }
  /** A nested run that succeeded with this answer. */
  | { readonly is: 'done'; readonly text: string }
  /** Nobody answered in time, or the nested run failed (`why`, one sentence). */
  | { readonly is: 'over'; readonly why: string };

export type ToolOutcome =
  /** Waits from inside, under a name; nothing of it runs meanwhile. */
  | { readonly how: 'suspended'; readonly name: string; readonly asking: Asking }
  /** Does not take the answer to a question. */
  | { readonly how: 'answer_refused'; readonly question: QuestionId; readonly why: string }
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
    /** True for what only people may decide: an allow rule or nothing that matches makes it ask. */
    readonly mustAsk?: boolean;
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

/** People about whom something may be other than before. */
export type PeopleChange = { readonly group: string } | { readonly user: UserId };

/** Whom an agent listens to, and what it works with. */
export interface Agent {
  readonly name: string;
  /** Null: every member of this organisation. */
  readonly requesters: readonly Scope[] | null;
  readonly followUps: FollowUps;
  /** Null: the model of the environment. */
  readonly model: string | null;
  /** Null: the built-in instructions. */
  readonly instructions: string | null;
  /** Patterns of tool names; null: every tool that is not another agent. */
  readonly tools: readonly string[] | null;
  readonly handOffs: readonly HandOff[];
}

/** To which agent another may hand its work, and whose review the draft passes. */
export interface HandOff {
  readonly to: string;
  readonly review: readonly Scope[];
  readonly channel: ChannelId | null;
  readonly expiresInMs: number;
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
