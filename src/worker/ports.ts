/** Everything that the worker knows of the world outside. Adapters implement these; no vendor's type passes through. */
import type { Commit, Head } from '../thread/commit.ts';
import type { Decide, Incoming, Settle } from '../thread/decide/command.ts';
import type {
  ActorEvidence,
  CallEvidence,
  CardEvidence,
  Judged,
  ToolFacts,
  WorkspaceEvidence,
} from '../thread/evidence.ts';
import type { Event, Json, Scope } from '../thread/events.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  LogKey,
  MessageTs,
  RunId,
  TeamId,
  ThreadKey,
  UserId,
  WriterId,
} from '../thread/ids.ts';
import type { Call, Thread } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type {
  Wake,
  WakeEntry,
  Loaded,
  ModelRequest,
  ModelAnswer,
  Execution,
  ToolOutcome,
  PolicyQuestion,
  Posted,
  Act,
  Answer,
} from './exchange.ts';

export type * from './exchange.ts';

/** Wall time for records, monotonic time for deadlines, timers; ids and salts for what must be fresh. All driven by hand in tests. */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** Resolves after `ms`; an abort resolves it at once. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
/** Fresh random text of at least 128 bits, `[A-Za-z0-9]`. */
export type Fresh = () => string;
export interface Log {
  /** Strongly consistent. Cold without `after`. Throws LogUnavailable, or LogDamaged where the chain does not fit. */
  load(key: LogKey, after?: Head): Promise<Loaded>;
  /** One conditional put; `lost` when another writer has the number. Throws LogUnavailable only if the outcome could not be learnt. */
  append(key: LogKey, after: Head, events: readonly Event[], wake?: Wake): Promise<{ won: Commit } | { lost: true }>;
  /** Keeps what a loader folded; never on the write path, never throws. */
  offerSnapshot(key: LogKey, head: Head, state: unknown): Promise<void>;
  putBlob(key: LogKey, bytes: Uint8Array): Promise<string>;
  /** Throws LogDamaged when the bytes do not have the digest. */
  getBlob(key: LogKey, id: string, digest: Digest): Promise<Uint8Array>;
  /** Entries due by then, oldest first. */
  due(team: TeamId, byMs: number): Promise<readonly WakeEntry[]>;
  clearWake(entry: WakeEntry): Promise<void>;
}
export interface Model {
  reply(request: ModelRequest): Promise<ModelAnswer>;
}
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
export interface Policy {
  judge(question: PolicyQuestion): Judged;
  /** Digest and text of what is in force. */
  readonly loaded: { readonly digest: Digest; readonly text: string };
  /** Who settles what no rule asks about (in doubt of an allowed call). */
  readonly defaults: { readonly scopes: readonly Scope[]; readonly channel: ChannelId | null };
  readonly admins: readonly Scope[];
  /** Every scope of `people:`, for conditions about the requester's groups. */
  readonly people: readonly Scope[];
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
export interface Views {
  /** Whether a request can be shown in full: on the card, in the form, or not at all. */
  room(call: Pick<Call, 'tool' | 'args'>, evidence: CallEvidence): 'card' | 'form' | 'too_long';
  /** True when some message differs from what was last posted. */
  behind(thread: Thread, workspace: WorkspaceEvidence): boolean;
  /** Whether a click came from our card for this approval or execution; a copy that is not recorded is adopted (`found`). Never throws. */
  card(
    thread: Thread,
    of: { readonly approval: ApprovalId } | { readonly execution: ExecutionId },
    place: { readonly channel: ChannelId; readonly ts: MessageTs },
  ): Promise<{ readonly is: CardEvidence['is']; readonly found: Posted | null }>;
  /** Says in a thread whose record does not fit together that nothing more runs there; once, whoever says it. Never throws for Slack's refusals. */
  damaged(key: ThreadKey, signal: AbortSignal): Promise<void>;
  /** Posts what operators must know, one message per cause. Never throws for Slack's refusals. */
  announce(workspace: Workspace, signal: AbortSignal): Promise<readonly Posted[]>;
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
/** What Slack's side asks of the worker. Every method may throw LogUnavailable; then nothing was counted. */
export interface Inbox {
  /** In the log when this resolves; false when the message is not for us (dropped). */
  receive(thread: ThreadKey, message: Incoming): Promise<boolean>;
  decide(
    act: Act,
    decision: Pick<Decide, 'approval' | 'round' | 'verdict' | 'reason' | 'then' | 'origin'>,
  ): Promise<Answer>;
  settle(act: Act, doubt: Pick<Settle, 'call' | 'attempt' | 'as'>): Promise<Answer>;
  cancel(act: Act, run: RunId): Promise<Answer>;
  /** Cancels the run during which the message arrived; the message starts the next one. */
  useInstead(act: Act, message: MessageTs): Promise<Answer>;
  keepWaiting(act: Act, message: MessageTs): Promise<Answer>;
  askAgain(act: Act, call: CallId): Promise<Answer>;
  /** The thread as it is now, for forms; `readFor` throws nothing but LogUnavailable and LogDamaged. */
  read(thread: ThreadKey): Promise<Thread>;
}
/** The store could not say what is in the log; nothing was decided. */
export class LogUnavailable extends Error {}
/** What is stored does not fit together; the thread is stopped. */
export class LogDamaged extends Error {}
