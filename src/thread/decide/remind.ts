/**
 * Owns what time alone brings to a request that waits: reminders, and further steps of its ladder. Who may decide follows
 * from the ladder and the time; what is recorded here is that people were called.
 *
 * 1. Each once per card, in order, never before its time, and none once it is decided or over.
 */
import { at, remindersDue, remindersSent, type Approval, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';

/** A request that can still be decided; undefined otherwise. */
function waiting(thread: Thread, id: string, nowMs: number): Approval | undefined {
  const approval = at(thread.approvals, id);
  return approval?.state.is === 'open' && nowMs < approval.expiresAtMs ? approval : undefined;
}

/** Records the `n`-th reminder (from 1); one that was missed is made up for by the next. */
export function remind(thread: Thread, command: Extract<Command, { type: 'remind' }>, nowMs: number): Decision {
  const { n } = command;
  const approval = waiting(thread, command.approval, nowMs);
  if (!approval) return nothing;
  const due = remindersDue(approval, nowMs);
  const sent = remindersSent(approval);
  if (!Number.isInteger(n) || n <= sent || n > due) return nothing;
  return decided({ type: 'reminder.sent', approval: approval.id, round: approval.round, n, body: {} });
}

/** Records that the ladder's `step`-th step (from 1) was reached, and its people called. */
export function escalate(thread: Thread, command: Extract<Command, { type: 'escalate' }>, nowMs: number): Decision {
  const { step } = command;
  const approval = waiting(thread, command.approval, nowMs);
  const rung = step > 0 ? approval?.terms.ladder[step] : undefined;
  if (!approval || !rung || approval.requestedAtMs + rung.afterMs > nowMs) return nothing;
  const reached = new Set(approval.escalations.map(each => each.step));
  const before = approval.terms.ladder.slice(1, step).filter(({ afterMs }) => afterMs <= rung.afterMs);
  if (reached.has(step) || before.some((_, index) => !reached.has(index + 1))) return nothing;
  return decided({ type: 'escalated', approval: approval.id, round: approval.round, step, body: {} });
}
