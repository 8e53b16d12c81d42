/**
 * Owns the shape of a folded thread: what `fold` builds, `decide` and `next` read, a snapshot stores. It is plain JSON.
 *
 * 1. Only `fold` writes it. 2. Every step of the core looks at what is open (`live`, `queue`, the current run's turn), never
 * at the whole past, so that a step costs the same whatever the thread's age.
 */
import type { Head } from './commit.ts';
import type { EventOf, Facts, Json, OnReject, Risk, Terms } from './events.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  MessageTs,
  RunId,
  ThreadKey,
  UserId,
  WriterId,
} from './ids.ts';

/** Changes when the shape below changes; a snapshot of another version is ignored. */
export const FOLD_VERSION = 1;

/** Who performs effects and posts; judged by others by the holder's silence for `lengthMs` after commit `lastCommit`. */
export interface Lease {
  readonly holder: WriterId;
  readonly lengthMs: number;
  readonly lastCommit: number;
  readonly lastAtMs: number;
}

/** A message that a person wrote to the agent. */
export interface Message {
  readonly ts: MessageTs;
  readonly channel: ChannelId;
  readonly author: UserId;
  readonly name: string;
  readonly text: string;
  readonly atMs: number;
  readonly direct: boolean;
  /** The run that has taken it in; null while it waits in the queue. */
  run: RunId | null;
  /** The run during which it arrived, when a request was waiting then. */
  meanwhile: RunId | null;
  /** True once its author chose to keep the waiting request. */
  kept: boolean;
}

export interface RunEnd {
  readonly how: EventOf<'run.ended'>['how'];
  readonly code: string | null;
  readonly by: UserId | null;
  readonly detail: string | null;
  readonly atMs: number;
  readonly number: number;
}

export interface Run {
  readonly id: RunId;
  readonly agent: string;
  readonly requesters: UserId[];
  readonly messages: MessageTs[];
  readonly startedAtMs: number;
  readonly repeats: CallId | null;
  /** Model replies so far. */
  turn: number;
  tokens: number;
  /** The calls of the latest turn; the model is asked again when each has its result. */
  turnCalls: CallId[];
  calls: CallId[];
  /** Time spent waiting for people, which no budget counts; `waitingSinceMs` while it waits. */
  waitedMs: number;
  waitingSinceMs: number | null;
  /** What the latest rejection asked for, and the call that it ended; null before any. */
  rejected: { readonly then: OnReject; readonly requestsSince: number } | null;
  /** Digests of calls that a person rejected in this run. */
  rejectedDigests: Digest[];
  away: { readonly code: string; readonly untilMs: number } | null;
  answer: string | null;
  cancelled: {
    readonly by: UserId;
    readonly source: EventOf<'cancel.requested'>['source'];
    readonly name: string;
  } | null;
  end: RunEnd | null;
}

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
  /** Executions whose outcome is recorded, or that a person settled; nothing can start under them again. */
  spent: ExecutionId[];
  /** A true outcome that arrived after people had settled the doubt. */
  contradiction: Ending | null;
}

export interface Vote {
  readonly by: UserId;
  readonly name: string;
  readonly verdict: 'approve' | 'reject';
  readonly reason: string | null;
  readonly atMs: number;
  readonly scopes: readonly string[];
}

export type ApprovalState =
  | { readonly is: 'open' }
  | { readonly is: 'approved'; readonly atMs: number }
  | {
      readonly is: 'rejected';
      readonly by: UserId;
      readonly name: string;
      readonly reason: string | null;
      readonly then: OnReject;
      readonly atMs: number;
    }
  | { readonly is: 'expired'; readonly atMs: number }
  | { readonly is: 'withdrawn'; readonly by: UserId | null; readonly instead: boolean; readonly atMs: number }
  | { readonly is: 'refused'; readonly code: string; readonly detail: string | null; readonly atMs: number };

/** A card that a re-ask closed. */
export interface ClosedCard {
  readonly card: number;
  readonly atMs: number;
  readonly changes: readonly Change[];
  readonly votes: readonly Vote[];
  readonly code: string;
}

export interface Change {
  readonly fact: string;
  readonly was: Json;
  readonly is: Json;
}

export interface Approval {
  readonly id: ApprovalId;
  readonly call: CallId;
  readonly run: RunId;
  round: number;
  /** Counts cards: 1, and +1 for each re-ask. */
  card: number;
  digest: Digest;
  callDigest: Digest;
  rule: string | null;
  ruleDigest: Digest;
  tool: Digest;
  terms: Terms;
  requesters: UserId[];
  eligible: number;
  requestedAtMs: number;
  expiresAtMs: number;
  risk: Risk;
  summary: string;
  impact: string | null;
  why: string | null;
  agentWords: string | null;
  salt: string;
  bind: Facts;
  note: Facts;
  noteAtMs: number;
  changes: readonly Change[];
  /** Votes of this round; a person's latest counts. */
  votes: Vote[];
  state: ApprovalState;
  closedCards: ClosedCard[];
  /** Re-asks because something had changed. */
  reasks: number;
  /** Messages that the requester wrote while it waited. */
  meanwhile: MessageTs[];
  editedBy: { readonly by: UserId; readonly was: Json } | null;
  remindersSent: number;
}

/** What is known of a posted message. */
export interface Post {
  readonly key: string;
  readonly channel: ChannelId;
  readonly ts: MessageTs | null;
  readonly hash: string;
  readonly state: EventOf<'message.posted'>['state'];
  readonly code: string | null;
  readonly atMs: number;
}

/** One thing that the model is told again at each turn. */
export type Item =
  | { readonly kind: 'message'; readonly ts: MessageTs }
  | { readonly kind: 'reply'; readonly run: RunId; readonly text: string; readonly calls: readonly CallId[] }
  | { readonly kind: 'summary'; readonly text: string };

/** What became of a resume command, so that the same key gets the first result again. */
export interface Remembered {
  readonly by: UserId;
  readonly content: Digest;
  readonly approval: ApprovalId;
}

export interface Thread {
  readonly version: number;
  readonly key: ThreadKey;
  head: Head & { atMs: number };
  lease: Lease | null;
  messages: Record<string, Message>;
  queue: MessageTs[];
  runs: Record<string, Run>;
  runCount: number;
  current: RunId | null;
  /** Runs whose messages may still have to change: not ended, or not yet in line with their end. */
  live: RunId[];
  calls: Record<string, Call>;
  approvals: Record<string, Approval>;
  conversation: Item[];
  decisions: Record<string, Remembered>;
  /** `<approval>.<round>.<user>.<code>` of refusals that are on record. */
  refusals: Record<string, true>;
  posts: Record<string, Post>;
}

/** A thread of which nothing is known yet. */
export const emptyThread = (key: ThreadKey): Thread => ({
  version: FOLD_VERSION,
  key,
  head: { number: 0, hash: '', atMs: 0 },
  lease: null,
  messages: {},
  queue: [],
  runs: {},
  runCount: 0,
  current: null,
  live: [],
  calls: {},
  approvals: {},
  conversation: [],
  decisions: {},
  refusals: {},
  posts: {},
});

/** The run in progress; undefined between runs. */
export const currentRun = (thread: Thread): Run | undefined =>
  thread.current === null ? undefined : thread.runs[thread.current];

/** Own look-up, so that a name such as `__proto__` finds nothing. */
export const at = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** True when a call has its one result for the model. */
export const isSettled = (call: Call): boolean =>
  call.state.is === 'refused' || call.state.is === 'ended' || call.state.is === 'settled' || call.state.is === 'closed';

/** True when only people can bring a call on. */
export const needsPeople = (call: Call): boolean => call.state.is === 'waiting' || call.state.is === 'in_doubt';

/** The approve votes of the present round, one per person. */
export const approvers = (approval: Approval): Vote[] => approval.votes.filter(vote => vote.verdict === 'approve');
