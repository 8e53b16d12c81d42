/**
 * Owns what is to be done next for a thread. Pure; called by the worker after every commit. Each effect has a stable key: the
 * worker starts none whose key is in flight. When a thread must be found again by itself is said in `wake.ts`.
 *
 * 1. Effects and posts need the lease; expiry does not. 2. A claim that this process is not executing is recovered, never
 * executed. 3. Budgets are checked before the model is asked, never in the middle of a call.
 */
import type { Limits } from './decide/command.ts';
import type { ApprovalId, CallId, Digest, ExecutionId, GrantId, QuestionId, RunId, WriterId } from './ids.ts';
import { at, currentRun, isSettled, type Approval, type Call, type Run, type Thread } from './thread.ts';

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
  /** Executions that this process is performing now. */
  readonly executing: ReadonlySet<ExecutionId>;
}

/** What to do now; what needs the lease is absent while it is others'. */
export function next(thread: Thread, situation: Situation): { readonly effects: readonly Effect[] } {
  const calls = openCalls(thread);
  const expired = openApprovals(thread, calls)
    .filter(approval => approval.expiresAtMs <= situation.nowMs)
    .map(({ id, round }): Effect => ({ do: 'expire', key: `expire.${id}.${round}`, approval: id }));
  if (expired.length > 0 || situation.lease === 'others') return { effects: expired };
  return { effects: withLease(thread, calls, situation) };
}

/** Calls of live runs that are not settled; those of ended runs may still be running or in doubt. */
function openCalls(thread: Thread): Call[] {
  return thread.live
    .flatMap(id => at(thread.runs, id)?.calls ?? [])
    .flatMap(id => at(thread.calls, id) ?? [])
    .filter(call => !isSettled(call));
}

function openApprovals(thread: Thread, calls: readonly Call[]): Approval[] {
  return calls
    .filter(call => call.state.is === 'waiting' || call.state.is === 'approved')
    .flatMap(call => (call.approval === null ? [] : (at(thread.approvals, call.approval) ?? [])));
}

function withLease(thread: Thread, calls: readonly Call[], situation: Situation): Effect[] {
  const run = currentRun(thread);
  const effects = calls.flatMap(call => ofCall(thread, call, situation));
  if (!run)
    return thread.queue.length > 0 ? [...effects, { do: 'start', key: `start.r${thread.runCount + 1}` }] : effects;
  const waits = run.turnCalls.some(id => {
    const call = at(thread.calls, id);
    return call !== undefined && !isSettled(call);
  });
  if (waits) return effects;
  const spent = exhausted(run, situation);
  if (spent) return [...effects, { do: 'exhaust', key: `exhaust.${run.id}`, run: run.id, code: spent }];
  return [...effects, { do: 'ask_model', key: `model.${run.id}.${run.turn + 1}`, run: run.id, turn: run.turn + 1 }];
}

function ofCall(thread: Thread, call: Call, situation: Situation): Effect[] {
  const { state } = call;
  const over = at(thread.runs, call.run)?.end !== null;
  switch (state.is) {
    case 'proposed':
      return over ? [] : [{ do: 'judge', key: `judge.${call.id}`, call: call.id }];
    case 'allowed':
    case 'approved':
      return over || situation.frozen
        ? []
        : [{ do: 'claim', key: `claim.${call.id}.${call.attempts + 1}`, call: call.id }];
    case 'claimed': {
      const { execution } = state.claim;
      if (situation.executing.has(execution)) return [];
      return [{ do: 'recover', key: `recover.${execution}`, call: call.id, execution }];
    }
    case 'waiting':
    case 'in_doubt':
    case 'refused':
    case 'ended':
    case 'settled':
    case 'closed':
      return [];
  }
}

/** The budget that a run has used up; waiting for people does not count as time. */
function exhausted(run: Run, situation: Pick<Situation, 'nowMs' | 'limits'>): Budget | undefined {
  const { limits, nowMs } = situation;
  if (run.turn >= limits.steps) return 'steps';
  if (run.tokens >= limits.tokens) return 'tokens';
  const waiting = run.waitedMs + (run.waitingSinceMs === null ? 0 : nowMs - run.waitingSinceMs);
  return nowMs - run.startedAtMs - waiting >= limits.wallMs ? 'wall' : undefined;
}
