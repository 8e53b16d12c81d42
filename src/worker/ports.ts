/** Everything that the worker knows of the world outside. Adapters implement these; no vendor's type passes through. */
import type { Commit, Head } from '../thread/commit.ts';
import type { Limits } from '../thread/decide/command.ts';
import type {
  ActorEvidence,
  CallEvidence,
  Inspection,
  Judged,
  ToolFacts,
  WorkspaceEvidence,
} from '../thread/evidence.ts';
import type { Event, Json, Scope } from '../thread/events.ts';
import type { CallId, ChannelId, Digest, LogKey, RunId, TeamId, ThreadKey, UserId, WriterId } from '../thread/ids.ts';
import type { Call, Thread } from '../thread/thread.ts';
import type { TroubleAbout, Workspace } from '../thread/workspace.ts';
import type {
  Agent,
  CardSeen,
  Execution,
  Loaded,
  Mark,
  ModelAnswer,
  ModelRequest,
  PolicyQuestion,
} from './exchange.ts';
import type {
  Deciding,
  PeopleChange,
  Place,
  Posted,
  Reconciled,
  ToolDefinition,
  ToolOutcome,
  Wake,
  WakeEntry,
} from './exchange.ts';

export type * from './exchange.ts';
export type * from './inbox-port.ts';
export * from './log-errors.ts';

/** Wall time (epoch ms) for records, monotonic time for deadlines, and timers. Driven by hand in tests. */
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
  /** Keeps where a request stands; the same mark again changes nothing. */
  putMark(team: TeamId, mark: Mark): Promise<void>;
  /** Requests with this short id; several only by chance. */
  marksOf(team: TeamId, short: string): Promise<readonly Mark[]>;
  /** The latest marks of a person, newest first. */
  lately(team: TeamId, person: UserId, count: number): Promise<readonly Mark[]>;
}
export interface Model {
  reply(request: ModelRequest): Promise<ModelAnswer>;
}
export interface Tools {
  /** What the model may call. */
  offered(agent: string): ModelRequest['tools'];
  /** Undefined when there is no such tool (any more), or the agent that is named is not offered it. */
  facts(name: string, agent?: string): ToolFacts | undefined;
  /** Every tool's full definition, to be kept by content. */
  definitions(): readonly ToolDefinition[];
  /** Validates arguments and reads the world; never changes anything. */
  inspect(name: string, args: Json, context: { requester: UserId; signal: AbortSignal }): Promise<Inspection>;
  execute(execution: Execution): Promise<ToolOutcome>;
  /** After a crash: whether the call happened. `unknown` when the tool cannot tell, is gone, fails or takes too long. */
  check(name: string, key: CallId, signal: AbortSignal): Promise<'ran' | 'not_run' | 'unknown'>;
}
export interface Policy {
  judge(question: PolicyQuestion): Judged;
  /** Whether a rule that asks still stands as this digest has it; absent where nobody keeps count: then every rule may. */
  stands?(rule: Digest): boolean;
  /** Digest and text of what is in force; `instructions`: the texts of those that agents have of their own, by agent. */
  readonly loaded: {
    readonly digest: Digest;
    readonly text: string;
    readonly instructions?: Readonly<Record<string, string>>;
  };
  /** Who settles what no rule asks about (in doubt of an allowed call). */
  readonly defaults: { readonly scopes: readonly Scope[]; readonly channel: ChannelId | null };
  readonly admins: readonly Scope[];
  /** Every scope of `people:`, for conditions about the requester's groups. */
  readonly people: readonly Scope[];
  readonly limits: Limits;
  /** Who may open any record. */
  readonly auditors: readonly Scope[];
  /** Who may pull the brake; null: everybody of this organisation. Only admins lift it. */
  readonly freeze: readonly Scope[] | null;
  /** The agent that listens there; null when none does. */
  agentFor(place: { readonly channel: ChannelId; readonly direct: boolean }): Agent | null;
  /** Undefined when it is gone. */
  agent(name: string): Agent | undefined;
}
export interface Directory {
  /** One person as they are now (≤ 60 s old); a failed look-up is a value, never an exception. */
  actor(user: UserId, scopes: readonly Scope[]): Promise<ActorEvidence>;
  /** Who could decide now, flags checked; undefined when it could not be learnt. */
  deciders(scopes: readonly Scope[]): Promise<readonly UserId[] | undefined>;
  /** Tells when a group, or what somebody is, has changed; absent where nobody says so. */
  listen?(listener: (change: PeopleChange) => void): void;
}
export interface Views {
  /** Whether a request can be shown in full: on the card, in the form, or not at all. */
  room(call: Pick<Call, 'tool' | 'args'>, evidence: CallEvidence): CallEvidence['room'];
  /** True when some message differs from what was last posted. */
  behind(thread: Thread, workspace: WorkspaceEvidence): boolean;
  /** Whether a click came from our card for this approval or execution; a copy that is not recorded is adopted (`found`). Never throws. */
  card(thread: Thread, of: Deciding, place: Place): Promise<CardSeen>;
  /** Says in a thread whose record does not fit together that nothing more runs there; once, whoever says it. Never throws for Slack's refusals. */
  damaged(key: ThreadKey, signal: AbortSignal): Promise<void>;
  /** Posts what operators must know, one message per cause. Never throws for Slack's refusals. */
  announce(workspace: Workspace, signal: AbortSignal): Promise<readonly Posted[]>;
  /** Posts what differs, cards and decisions first. Never throws for Slack's refusals. */
  reconcile(thread: Thread, workspace: WorkspaceEvidence, signal: AbortSignal): Promise<Reconciled>;
  /** Cosmetic: shows or clears "is working" under the thread; never fails. */
  working(thread: Thread): void;
  /** Cosmetic: lets the answer be read while it grows; null: it comes to nothing, and will be begun anew. Never fails. */
  writing(thread: Thread, run: RunId, text: string | null): void;
}
/** Tells workers (this process's first) that a thread has something new. */
export interface Signals {
  notify(thread: ThreadKey): void;
  listen(listener: (thread: ThreadKey) => void): void;
}
/** What an operator must know; one open message per cause. */
export interface Operators {
  report(cause: string, code: string, detail: string, about?: TroubleAbout): void;
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
