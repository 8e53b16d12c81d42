/**
 * Owns the second look at a request that waits, when policy or its tool is another than when it was put to people: at start,
 * after a reload, or while people think.
 *
 * 1. What is forbidden now is closed. 2. What is other than shown is asked again, on a new card. 3. What policy would let
 * through now still needs the people that it was put to, and as it was shown to them.
 */
import type { CallEvidence } from '../evidence.ts';
import type { ThreadEvent } from '../events.ts';
import { at, type Approval, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { close } from './ending.ts';
import { changesBetween, judgedAs } from './judge.ts';
import { reask } from './reask.ts';
import { lostRights } from './rights.ts';

type Recheck = Extract<Command, { type: 'recheck' }>;

/** Looks at an open or approved request again; no events when it is over, or the world could not be read. */
export function recheck(thread: Thread, command: Recheck, nowMs: number): Decision {
  const approval = at(thread.approvals, command.approval);
  const call = approval && at(thread.calls, approval.call);
  const run = call && at(thread.runs, call.run);
  if (!approval || !call || !run || run.end !== null || nowMs >= approval.expiresAtMs) return nothing;
  if (call.state.is !== 'waiting' && call.state.is !== 'approved') return nothing;
  const { tool, inspection, judged } = command.evidence;
  if (tool === null) return decided(close(approval, 'refused', 'incompatible'));
  if (judged.verdict === 'deny' && inspection.ok) return decided(close(approval, 'refused', 'denied', judged.why));
  if (!inspection.ok)
    return inspection.code === 'inspect_failed'
      ? nothing
      : decided(close(approval, 'refused', inspection.code, inspection.detail));
  const { evidence } = command;
  const still = (): Decision => decided(...fallen(approval, command, nowMs), looked(approval, evidence));
  if (judged.verdict !== 'ask') {
    const same = tool.digest === approval.tool && changesBetween(approval.bind, inspection.bind).length === 0;
    return same ? still() : decided(close(approval, 'refused', 'altered'));
  }
  const changed = reask(thread, run, call, approval, evidence, judged.terms, nowMs);
  if (!changed) return still();
  const again = changed.events.some(event => event.type === 'approval.requested');
  return again ? decided(...changed.events, judgedAs(thread, call, evidence, 'ask')) : changed;
}

const looked = ({ id, round, tool }: Approval, { policy }: CallEvidence): ThreadEvent => ({
  type: 'approval.rechecked',
  approval: id,
  round,
  policy,
  tool,
  body: {},
});

/** Votes of people who may no longer decide; those whom nobody could look up are looked at before the claim. */
function fallen(approval: Approval, { approvers }: Recheck, nowMs: number): ThreadEvent[] {
  const lost = lostRights(approval, approvers, nowMs);
  if (lost === 'unknown') return [];
  return lost.map(({ by, code }) => ({
    type: 'decision.voided',
    approval: approval.id,
    round: approval.round,
    by,
    code,
    body: {},
  }));
}
