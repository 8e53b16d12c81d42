/**
 * Owns what is to be done next for a thread. Pure; called by the worker after every commit. Each effect has a stable key: the
 * worker starts none whose key is in flight. When a thread must be found again by itself is said in `wake.ts`.
 *
 * 1. Effects and posts need the lease; expiry does not. 2. A claim that this process is not executing is recovered, never
 * executed. 3. Budgets are checked before the model is asked, never in the middle of a call.
 */
import type { Limits } from './decide/command.ts';
import { NO_DEFINITION } from './digest.ts';
import type { ApprovalId, CallId, Digest, ExecutionId, GrantId, QuestionId, RunId, WriterId } from './ids.ts';
import {
  activeRuns,
  approvalOf,
  at,
  currentRun,
  isOver,
  isSettled,
  liveCalls,
  nextRunId,
  openQuestions,
  remindersDue,
  remindersSent,
  type Approval,
  type Call,
  type Claim,
  type Run,
  type Thread,
} from './thread.ts';

export type Effect =
  | { readonly do: 'expire'; readonly key: string; readonly approval: ApprovalId }
  | { readonly do: 'start'; readonly key: string }
  | { readonly do: 'judge'; readonly key: string; readonly call: CallId }
  | { readonly do: 'ask_model'; readonly key: string; readonly run: RunId; readonly turn: number }
  | { readonly do: 'exhaust'; readonly key: string; readonly run: RunId; readonly code: Budget }
  | { readonly do: 'claim'; readonly key: string; readonly call: CallId }
  | { readonly do: 'close_question'; readonly key: string; readonly question: QuestionId }
  | { readonly do: 'remind'; readonly key: string; readonly approval: ApprovalId; readonly n: number }
  | { readonly do: 'escalate'; readonly key: string; readonly approval: ApprovalId; readonly step: number }
  /** Policy or a tool's definition is another than when the request was put to people. */
  | { readonly do: 'recheck'; readonly key: string; readonly approval: ApprovalId }
  /** Ask the tool itself whether an execution in doubt happened. */
  | { readonly do: 'check'; readonly key: string; readonly call: CallId; readonly execution: ExecutionId }
  | { readonly do: 'give_grant'; readonly key: string; readonly grant: GrantId }
  | { readonly do: 'recover'; readonly key: string; readonly call: CallId; readonly execution: ExecutionId };

/** The limit that ended a run. */
type Budget = 'steps' | 'tokens' | 'wall';

export interface Situation {
  readonly nowMs: number;
  readonly me: WriterId;
  /** `mine`: held by this process; `free`: nobody's, or lapsed; `others`: somebody else's, alive as far as we know. */
  readonly lease: 'mine' | 'free' | 'others';
  readonly frozen: boolean;
  readonly limits: Limits;
  /** The policy in force. */
  readonly policy: Digest;
  /** A tool's definition in force; null when it is gone. */
  readonly definition: (tool: string) => Digest | null;
  /** True for a tool that can say whether a call of its happened. */
  readonly checks: (tool: string) => boolean;
  /** Executions that this process is performing now. */
  readonly executing: ReadonlySet<ExecutionId>;
}

/** What to do now; what needs the lease is absent while it is others'. */
export function next(thread: Thread, situation: Situation): { readonly effects: readonly Effect[] } {
  const calls = liveCalls(thread).filter(call => !isSettled(call));
  const over = [...expired(thread, calls, situation.nowMs), ...unanswered(thread, situation.nowMs)];
  if (over.length > 0 || situation.lease === 'others') return { effects: over };
  return { effects: withLease(thread, calls, situation) };
}

/** Requests whose time is over. */
const expired = (thread: Thread, calls: readonly Call[], nowMs: number): Effect[] =>
  calls
    .filter(call => call.state.is === 'waiting' || call.state.is === 'approved')
    .flatMap(call => approvalOf(thread, call) ?? [])
    .filter(approval => approval.expiresAtMs <= nowMs)
    .map(({ id, round }): Effect => ({ do: 'expire', key: `expire.${id}.${round}`, approval: id }));

/** Questions whose time is over. */
const unanswered = (thread: Thread, nowMs: number): Effect[] =>
  openQuestions(thread)
    .filter(question => question.expiresAtMs <= nowMs)
    .map(({ id }): Effect => ({ do: 'close_question', key: `close.${id}`, question: id }));

function withLease(thread: Thread, calls: readonly Call[], situation: Situation): Effect[] {
  const effects: Effect[] = [
    ...thread.grants.map(({ grant }): Effect => ({ do: 'give_grant', key: `grant.${grant}`, grant })),
    ...calls.flatMap(call => ofCall(thread, call, situation)),
  ];
  const run = currentRun(thread);
  if (run) return [...effects, ...activeRuns(thread, run).flatMap(each => ofRun(thread, each, situation))];
  return thread.queue.length > 0 ? [...effects, { do: 'start', key: `start.${nextRunId(thread)}` }] : effects;
}

/** Asks the model once every call of its latest turn has a result, within the run's budget. */
function ofRun(thread: Thread, run: Run, situation: Situation): Effect[] {
  const waits = run.turnCalls.some(id => {
    const call = at(thread.calls, id);
    return call !== undefined && !isSettled(call);
  });
  if (waits) return [];
  const spent = exhausted(run, situation);
  if (spent) return [{ do: 'exhaust', key: `exhaust.${run.id}`, run: run.id, code: spent }];
  return [{ do: 'ask_model', key: `model.${run.id}.${run.turn + 1}`, run: run.id, turn: run.turn + 1 }];
}

function ofCall(thread: Thread, call: Call, situation: Situation): Effect[] {
  const { state } = call;
  const over = at(thread.runs, call.run)?.end !== null;
  const claim: Effect = { do: 'claim', key: `claim.${call.id}.${call.attempts + 1}`, call: call.id };
  switch (state.is) {
    case 'proposed':
      return over ? [] : [{ do: 'judge', key: `judge.${call.id}`, call: call.id }];
    case 'allowed':
    case 'approved':
      return over || situation.frozen ? [] : [claim];
    case 'suspended':
      return over || situation.frozen || !isOver(thread, state.wait) ? [] : [claim];
    case 'claimed': {
      const { execution } = state.claim;
      if (situation.executing.has(execution)) return [];
      return [{ do: 'recover', key: `recover.${execution}`, call: call.id, execution }];
    }
    case 'in_doubt':
      return ofDoubt(call, state.claim, situation);
    case 'waiting':
      return ofRequest(thread, call, situation);
    case 'refused':
    case 'ended':
    case 'settled':
    case 'closed':
      return [];
  }
}

/** Once the execution cannot be running any more, the tool itself is asked whether it happened; once. */
function ofDoubt(call: Call, { execution, endsByMs }: Claim, { nowMs, checks }: Situation): Effect[] {
  const asked = call.checked?.execution === execution && call.checked.atMs >= endsByMs;
  if (asked || nowMs < endsByMs || !checks(call.tool)) return [];
  return [{ do: 'check', key: `check.${execution}`, call: call.id, execution }];
}

/** What a request that waits needs by itself: a new look when the rules have changed, people called again. */
function ofRequest(thread: Thread, call: Call, { nowMs, policy, definition }: Situation): Effect[] {
  const approval = approvalOf(thread, call);
  const { judgement } = call;
  if (!approval || !judgement) return [];
  const isOld = judgement.policy !== policy || judgement.tool !== (definition(call.tool) ?? NO_DEFINITION);
  const key = `recheck.${approval.id}.${approval.round}.${policy}`;
  // People are called all the same: the look may fail for as long as the world cannot be read.
  return [
    ...(isOld ? [{ do: 'recheck', key, approval: approval.id } as const] : []),
    ...reminderDue(approval, nowMs),
    ...escalationsDue(approval, nowMs),
  ];
}

/** The latest reminder whose time has come, if neither it nor a later one was sent on this card. */
function reminderDue(approval: Approval, nowMs: number): Effect[] {
  const { id, card } = approval;
  const n = remindersDue(approval, nowMs);
  const sent = remindersSent(approval);
  return n > sent ? [{ do: 'remind', key: `remind.${id}.${card}.${n}`, approval: id, n }] : [];
}

/** The further steps of the ladder whose time has come, each once. */
const escalationsDue = ({ id, card, escalations, requestedAtMs, terms }: Approval, nowMs: number): Effect[] =>
  terms.ladder.flatMap(({ afterMs }, step): Effect[] => {
    const isDue = step > 0 && requestedAtMs + afterMs <= nowMs;
    if (!isDue || escalations.some(each => each.step === step)) return [];
    return [{ do: 'escalate', key: `escalate.${id}.${card}.${step}`, approval: id, step }];
  });

/** The budget that a run has used up; waiting for people does not count as time. */
function exhausted(run: Run, situation: Pick<Situation, 'nowMs' | 'limits'>): Budget | undefined {
  const { limits, nowMs } = situation;
  if (run.turn >= limits.steps) return 'steps';
  if (run.tokens >= limits.tokens) return 'tokens';
  const waiting = run.waitedMs + (run.waitingSinceMs === null ? 0 : nowMs - run.waitingSinceMs);
  return nowMs - run.startedAtMs - waiting >= limits.wallMs ? 'wall' : undefined;
}
