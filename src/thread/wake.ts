/**
 * Owns when a thread must be found again if no signal reaches a worker: the wake that a commit carries.
 *
 * 1. After every commit something stands in the index that is due no later than the thread next needs attention, unless it
 * needs none. 2. Entries are never moved; a commit carries one only where the standing ones do not do.
 */
import type { EventOf, ThreadEvent } from './events.ts';
import { restsAfter } from './fold.ts';
import type { CallId } from './ids.ts';
import {
  activeRuns,
  approvalOf,
  at,
  currentRun,
  isOver,
  isSettled,
  liveCalls,
  needsPeople,
  openQuestions,
  remindersSent,
  type Approval,
  type Call,
  type Thread,
} from './thread.ts';

/** A thread that nobody holds and that may have something to do is looked at after this long. */
export const SWEEP_MS = 60_000;
/** Whoever cannot watch a lease lapse waits this much longer. */
export const LAPSE_GRACE_MS = 60_000;
/** A commit lands within this time after it was decided, or its writer looks after it. */
const LANDS_WITHIN_MS = 30_000;
/** An entry this much earlier than needed still does. */
const EARLY_MS = 10 * 60_000;

/** When the thread needs attention after these events (epoch ms); null when only people can bring it on. */
export function wakeAfter(thread: Thread, events: readonly ThreadEvent[], nowMs: number): number | null {
  let lease = thread.lease === null ? null : thread.lease.lastAtMs + thread.lease.lengthMs;
  let { rests } = thread;
  const times: number[] = waitingUntil(thread, nowMs);
  for (const event of events) {
    rests = restsAfter(rests, event);
    if (event.type === 'lease.taken') lease = nowMs + event.lengthMs;
    if (event.type === 'lease.released') lease = null;
    if (event.type === 'approval.requested') times.push(...timesAsked(event));
    if (event.type === 'question.asked') times.push(event.expiresAtMs);
    if (event.type === 'call.ended' && event.how === 'in_doubt') times.push(...endsLater(thread, event.call, nowMs));
    if (event.type === 'model.away') times.push(event.untilMs);
  }
  if (lease !== null) times.push(Math.max(lease, nowMs) + LAPSE_GRACE_MS);
  else if (!rests || hasWork(thread)) times.push(nowMs + SWEEP_MS);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Expiries, reminders and escalations of what waits, and the end of what may still be running. */
function waitingUntil(thread: Thread, nowMs: number): number[] {
  const questions = openQuestions(thread).map(question => question.expiresAtMs);
  const calls = liveCalls(thread).flatMap(call => {
    const { state } = call;
    const approval = approvalOf(thread, call);
    if (state.is === 'in_doubt') return state.claim.endsByMs > nowMs ? [state.claim.endsByMs] : [];
    if (state.is === 'approved') return approval ? [approval.expiresAtMs] : [];
    return state.is === 'waiting' && approval ? timesOf(approval) : [];
  });
  return [...questions, ...calls];
}

/** Until when a call that is claimed may still be running. */
function endsLater(thread: Thread, id: CallId, nowMs: number): number[] {
  const state = at(thread.calls, id)?.state;
  return state?.is === 'claimed' && state.claim.endsByMs > nowMs ? [state.claim.endsByMs] : [];
}

/** When people are called (again) about a request, and when its time is over. */
function timesOf(approval: Approval): number[] {
  const { expiresAtMs, requestedAtMs, terms, escalations } = approval;
  const remind = terms.remindMs.slice(remindersSent(approval)).map(afterMs => requestedAtMs + afterMs);
  const escalate = terms.ladder.flatMap(({ afterMs }, step) =>
    step === 0 || escalations.some(each => each.step === step) ? [] : [requestedAtMs + afterMs],
  );
  return [expiresAtMs, ...remind, ...escalate];
}

/** The same for a request that is only being put to people. */
const timesAsked = ({ expiresAtMs, requestedAtMs, terms }: EventOf<'approval.requested'>): number[] => [
  expiresAtMs,
  ...terms.remindMs.map(afterMs => requestedAtMs + afterMs),
  ...terms.ladder.slice(1).map(({ afterMs }) => requestedAtMs + afterMs),
];

/** True when a worker could go on now. */
function hasWork(thread: Thread): boolean {
  const run = currentRun(thread);
  if (!run) return thread.queue.length > 0 || thread.grants.length > 0;
  return activeRuns(thread, run).some(each => {
    const open = each.calls.flatMap(id => at(thread.calls, id) ?? []).filter(call => !isSettled(call));
    return open.length === 0 || open.some(call => goesOn(thread, call));
  });
}

/** True for a call that needs no people now. */
function goesOn(thread: Thread, call: Call): boolean {
  if (call.state.is === 'suspended') return isOver(thread, call.state.wait);
  return !needsPeople(call);
}

/**
 * True when an entry due at `standing` does for a need at `needed`. One that is due, or nearly, does not: whoever tends it
 * may have read the log before the commit that relies on it lands, and then it is gone.
 */
export const covers = (standingMs: number, neededMs: number, nowMs: number): boolean =>
  standingMs <= neededMs && standingMs >= Math.max(neededMs - EARLY_MS, nowMs + LANDS_WITHIN_MS);
