/** Everything that the worker knows of the world outside. Adapters implement these; no vendor's type passes through. */
import type { Commit, Head } from '../thread/commit.ts';
import type { ActorEvidence, CallEvidence, Judged, ToolFacts, WorkspaceEvidence } from '../thread/evidence.ts';
import type { Event, EventOf, Facts, Json, Scope } from '../thread/events.ts';
import type {
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  LogKey,
  TeamId,
  ThreadKey,
  UserId,
  WriterId,
} from '../thread/ids.ts';
import type { Outcome } from '../thread/outcome.ts';
import type { Call, Thread } from '../thread/thread.ts';

/** Wall time for records, monotonic time for deadlines, timers; ids and salts for what must be fresh. All driven by hand in tests. */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** Resolves after `ms`; an abort resolves it at once. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
/** Fresh random text of at least 128 bits, `[A-Za-z0-9]`. */
export type Fresh = () => string;

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
export interface Log {
  /** Strongly consistent. Cold without `after`. Throws LogUnavailable, or LogDamaged where the chain does not fit. */
  load(key: LogKey, after?: Head): Promise<Loaded>;
  /** One conditional put; `lost` when another writer has the number. Throws LogUnavailable only if the outcome could not be learnt. */
  append(key: LogKey, after: Head, events: readonly Event[], wake?: Wake): Promise<{ won: Commit } | { lost: true }>;
  /** Keeps what a loader folded; never on the write path, never throws. */
  offerSnapshot(key: LogKey, head: Head, state: Json): Promise<void>;
  putBlob(key: LogKey, bytes: Uint8Array): Promise<string>;
  /** Throws LogDamaged when the bytes do not have the digest. */
  getBlob(key: LogKey, id: string, digest: Digest): Promise<Uint8Array>;
  /** Entries due by then, oldest first. */
  due(team: TeamId, byMs: number): Promise<readonly WakeEntry[]>;
  clearWake(entry: WakeEntry): Promise<void>;
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
export interface Model {
  reply(request: ModelRequest): Promise<ModelAnswer>;
}

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
export interface Tools {
  /** What the model may call. */
  offered(agent: string): ModelRequest['tools'];
  /** Undefined when there is no such tool (any more). */
  facts(name: string): ToolFacts | undefined;
  /** Every tool's full definition, to be kept by content. */
  definitions(): readonly {
    readonly tool: string;
    readonly server: string;
    readonly digest: Digest;
    readonly definition: Json;
  }[];
  /** Validates arguments and reads the world; never changes anything. */
  inspect(
    name: string,
    args: Json,
    context: { requester: UserId; signal: AbortSignal },
  ): Promise<CallEvidence['inspection']>;
  execute(execution: Execution): Promise<ToolOutcome>;
}

export interface PolicyQuestion {
  readonly tool: {
    readonly name: string;
    readonly server: string;
    readonly effect: 'read' | 'write';
    readonly risk: 'low' | 'medium' | 'high';
  };
  readonly args: Json;
  readonly facts: Facts;
  readonly requester: { readonly id: UserId; readonly groups: readonly string[] };
  readonly channel: ChannelId;
  readonly thread: { readonly tainted: boolean };
}
export interface Policy {
  judge(question: PolicyQuestion): Judged;
  /** Digest and text of what is in force. */
  readonly loaded: { readonly digest: Digest; readonly text: string };
  /** Who settles what no rule asks about (in doubt of an allowed call). */
  readonly defaults: { readonly scopes: readonly Scope[]; readonly channel: ChannelId | null };
  readonly admins: readonly Scope[];
  readonly limits: {
    readonly steps: number;
    readonly tokens: number;
    readonly wallMs: number;
    readonly openRequests: number;
  };
}

export interface Directory {
  /** One person as they are now (≤ 60 s old); a failed look-up is a value, never an exception. */
  actor(user: UserId, scopes: readonly Scope[]): Promise<ActorEvidence>;
  /** Who could decide now, flags checked; undefined when it could not be learnt. */
  deciders(scopes: readonly Scope[]): Promise<readonly UserId[] | undefined>;
}

export type Posted = Omit<EventOf<'message.posted'>, 'type' | 'body'> & {
  readonly body: EventOf<'message.posted'>['body'];
};
export interface Views {
  /** Whether a request can be shown in full: on the card, in the form, or not at all. */
  room(call: Pick<Call, 'tool' | 'args'>, evidence: CallEvidence): 'card' | 'form' | 'too_long';
  /** True when some message differs from what was last posted. */
  behind(thread: Thread, workspace: WorkspaceEvidence): boolean;
  /** Posts what differs, cards and decisions first; `retryAtMs` when something has to wait. Never throws for Slack's refusals. */
  /** Cosmetic: shows or clears "is working" under the thread; never fails. */
  working(thread: Thread): void;
  reconcile(
    thread: Thread,
    workspace: WorkspaceEvidence,
    signal: AbortSignal,
  ): Promise<{ posted: readonly Posted[]; retryAtMs: number | null }>;
}

/** Tells workers (this process's first) that a thread has something new. */
export interface Signals {
  notify(thread: ThreadKey): void;
  listen(listener: (thread: ThreadKey) => void): void;
}
/** What an operator must know; one open message per cause. */
export interface Operators {
  report(cause: string, code: string, detail: string): void;
  resolved(cause: string): void;
}

export interface Ports {
  readonly team: TeamId;
  readonly writer: WriterId;
  readonly log: Log;
  readonly model: Model;
  readonly tools: Tools;
  readonly policy: Policy;
  readonly directory: Directory;
  readonly views: Views;
  readonly signals: Signals;
  readonly operators: Operators;
  readonly clock: Clock;
  readonly fresh: Fresh;
}

/** The store could not say what is in the log; nothing was decided. */
export class LogUnavailable extends Error {}
/** What is stored does not fit together; the thread is stopped. */
export class LogDamaged extends Error {}
