/**
 * Owns the shape of a folded thread: what `fold` builds, `decide` and `next` read, a snapshot stores. It is plain JSON.
 *
 * 1. Only `fold` writes it. 2. Every step of the core looks at what is open (`live`, `queue`, the current run's turn), never
 * at the whole past, so that a step costs the same whatever the thread's age.
 */
import type { Head } from './commit.ts';
import type { Approval } from './approval.ts';
import { isSettled, type Call, type Wait } from './call.ts';
import type { Post } from './post.ts';
import type { Question } from './question.ts';
import type { Item, Run } from './run.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  GrantId,
  MessageTs,
  QuestionId,
  RunId,
  ThreadKey,
  UserId,
  WriterId,
} from './ids.ts';
import type { GrantFacts, Json } from './terms.ts';

export * from './approval.ts';
export * from './call.ts';
export type { Post } from './post.ts';
export * from './question.ts';
export * from './run.ts';

/** Changes when the shape below changes; a snapshot of another version is ignored. */
export const FOLD_VERSION = 2;

/** Who performs effects and posts; judged by others by the holder's silence for `lengthMs` after commit `lastCommit`. */
interface Lease {
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
  text: string;
  /** When its author last changed it; null when never. */
  editedAtMs: number | null;
  /** True once its author took it back before a run had taken it in. */
  deleted: boolean;
  readonly atMs: number;
  readonly direct: boolean;
  readonly mention: boolean;
  /** The run that has taken it in; null while it waits in the queue. */
  run: RunId | null;
  /** The run during which it arrived, when a request was waiting then. */
  meanwhile: RunId | null;
  /** True once its author chose to keep the waiting request. */
  kept: boolean;
}

/** What became of a resume command, so that the same key gets the first result again. */
interface Remembered {
  readonly by: UserId;
  readonly content: Digest;
  readonly of: ApprovalId | CallId | QuestionId;
}

/** A permission that a decision gave and that the workspace's log may not have yet. */
export interface PendingGrant extends Readonly<GrantFacts> {
  readonly grant: GrantId;
  readonly by: UserId;
  readonly name: string;
  readonly approval: ApprovalId;
  readonly sentence: string;
  readonly pattern: Readonly<Record<string, Json>>;
}

export interface Thread {
  readonly version: number;
  readonly key: ThreadKey;
  head: Head & { atMs: number };
  lease: Lease | null;
  /** The last holder left every message in line and nothing to do, and nothing has changed since. */
  rests: boolean;
  messages: Record<string, Message>;
  queue: MessageTs[];
  runs: Record<string, Run>;
  runCount: number;
  current: RunId | null;
  /** Runs whose messages may still have to change: not ended, or not yet in line with their end. */
  live: RunId[];
  calls: Record<string, Call>;
  approvals: Record<string, Approval>;
  questions: Record<string, Question>;
  /** Questions that are open, oldest first. */
  open: QuestionId[];
  /** Tools of whose calls the model has been shown a result, each once. */
  heard: string[];
  /** Permissions that decisions gave, until the workspace's log has them. */
  grants: PendingGrant[];
  conversation: Item[];
  decisions: Record<string, Remembered>;
  /** `<approval>.<round>.<user>.<code>` of refusals that are on record. */
  refusals: Record<string, true>;
  posts: Record<string, Post>;
  /** Keys of those posts that are copies which still look alive. */
  copies: string[];
  /** A process that left or lost the lease while its calls to Slack may have been on their way; null once all is in line. */
  loose: { readonly writer: WriterId; readonly atMs: number } | null;
}

/** A thread of which nothing is known yet. */
export const emptyThread = (key: ThreadKey): Thread => ({
  version: FOLD_VERSION,
  key,
  head: { number: 0, hash: '', atMs: 0 },
  lease: null,
  rests: true,
  messages: {},
  queue: [],
  runs: {},
  runCount: 0,
  current: null,
  live: [],
  calls: {},
  approvals: {},
  questions: {},
  open: [],
  heard: [],
  grants: [],
  conversation: [],
  decisions: {},
  refusals: {},
  posts: {},
  copies: [],
  loose: null,
});

/** The run in progress that answers the thread's messages; undefined between runs. */
export const currentRun = (thread: Thread): Run | undefined =>
  thread.current === null ? undefined : thread.runs[thread.current];

/** A run and the runs nested in it that have not ended, outermost first. */
export function activeRuns(thread: Thread, run: Run | undefined = currentRun(thread)): Run[] {
  if (!run) return [];
  const inner = liveRuns(thread).filter(other => other.within !== null && run.calls.includes(other.within.call));
  return [run, ...inner.flatMap(other => (other.end === null ? activeRuns(thread, other) : []))];
}

/** Runs whose messages may still have to change, in the order in which they began. */
export const liveRuns = (thread: Thread): Run[] => thread.live.flatMap(id => at(thread.runs, id) ?? []);

/** The calls of live runs, each call before those that its tool put to people from inside. */
export const liveCalls = (thread: Thread): Call[] =>
  liveRuns(thread).flatMap(run => run.calls.flatMap(id => at(thread.calls, id) ?? []));

/** The approval of a call, if there is one. */
export const approvalOf = (thread: Thread, call: Pick<Call, 'approval'>): Approval | undefined =>
  call.approval === null ? undefined : at(thread.approvals, call.approval);

/** A request with its call, and the run that the call is of. */
export interface Requested {
  readonly approval: Approval;
  readonly call: Call;
  readonly run: Run;
}

/** The request of this id; undefined when the thread knows none. */
export function requestOf(thread: Thread, id: string): Requested | undefined {
  const approval = at(thread.approvals, id);
  const call = approval && at(thread.calls, approval.call);
  const run = call && at(thread.runs, call.run);
  return approval && call && run ? { approval, call, run } : undefined;
}

/** Everybody who asked for what a run does: its own requesters, and those of the run that it is nested in. */
export const requestersOf = (thread: Thread, run: Run): UserId[] => [
  ...new Set([...run.requesters, ...rootOf(thread, run).requesters]),
];

/** The id of the run that begins next. */
export const nextRunId = (thread: Thread): RunId => `r${thread.runCount + 1}` as RunId;

/** The open questions, oldest first. */
export const openQuestions = (thread: Thread): Question[] => thread.open.flatMap(id => at(thread.questions, id) ?? []);

/** A run and those that it is nested in, innermost first. */
export function ancestry(thread: Thread, run: Run): Run[] {
  const outer = run.within === null ? undefined : at(thread.calls, run.within.call);
  const above = outer && at(thread.runs, outer.run);
  return above ? [run, ...ancestry(thread, above)] : [run];
}

/** The run that answers the thread's own messages: the run itself, or the outermost that it is nested in. */
export const rootOf = (thread: Thread, run: Run): Run => ancestry(thread, run).at(-1) ?? run;

/** How many runs a run is nested in. */
export const depthOf = (thread: Thread, run: Run): number => ancestry(thread, run).length - 1;

/** True when what a tool waits for from inside is over: answered, decided, ended. */
export function isOver(thread: Thread, wait: Wait): boolean {
  switch (wait.on) {
    case 'question':
      return at(thread.questions, wait.id)?.state.is !== 'open';
    case 'call': {
      const call = at(thread.calls, wait.id);
      return call === undefined || isSettled(call);
    }
    case 'run':
      return at(thread.runs, wait.id)?.end !== null;
  }
}

/** Own look-up, so that a name such as `__proto__` finds nothing. */
export const at = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
