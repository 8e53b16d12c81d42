/**
 * Owns when a thread must be found again if no signal reaches a worker: the wake that a commit carries.
 *
 * 1. After every commit something stands in the index that is due no later than the thread next needs attention, unless it
 * needs none. 2. Entries are never moved; a commit carries one only where the standing ones do not do.
 */
import type { ThreadEvent } from './events.ts';
import { restsAfter } from './fold.ts';
import { at, currentRun, isSettled, type Thread } from './thread.ts';

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
  const times: number[] = waitingUntil(thread);
  for (const event of events) {
    rests = restsAfter(rests, event);
    if (event.type === 'lease.taken') lease = nowMs + event.lengthMs;
    if (event.type === 'lease.released') lease = null;
    if (event.type === 'approval.requested') times.push(event.expiresAtMs);
    if (event.type === 'model.away') times.push(event.untilMs);
  }
  if (lease !== null) times.push(Math.max(lease, nowMs) + LAPSE_GRACE_MS);
  else if (!rests || hasWork(thread)) times.push(nowMs + SWEEP_MS);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Expiries of what waits. */
function waitingUntil(thread: Thread): number[] {
  return thread.live
    .flatMap(id => at(thread.runs, id)?.calls ?? [])
    .flatMap(id => {
      const call = at(thread.calls, id);
      const approval = call?.approval ? at(thread.approvals, call.approval) : undefined;
      const waits = call?.state.is === 'waiting' || call?.state.is === 'approved';
      return approval && waits ? [approval.expiresAtMs] : [];
    });
}

/** True when a worker could go on now. */
function hasWork(thread: Thread): boolean {
  const run = currentRun(thread);
  if (!run) return thread.queue.length > 0;
  const open = run.turnCalls.flatMap(id => at(thread.calls, id) ?? []).filter(call => !isSettled(call));
  return open.length === 0 || open.some(call => call.state.is !== 'waiting' && call.state.is !== 'in_doubt');
}

/**
 * True when an entry due at `standing` does for a need at `needed`. One that is due, or nearly, does not: whoever tends it
 * may have read the log before the commit that relies on it lands, and then it is gone.
 */
export const covers = (standingMs: number, neededMs: number, nowMs: number): boolean =>
  standingMs <= neededMs && standingMs >= Math.max(neededMs - EARLY_MS, nowMs + LANDS_WITHIN_MS);
