/**
 * Owns the second look at a request that waits, when policy or its tool is another than when it was put to people: at start,
 * after a reload, or while people think.
 *
 * 1. What is forbidden now is closed. 2. What is other than shown is asked again, on a new card. 3. What policy would let
 * through now still needs the people that it was put to, and as it was shown to them.
 */
import { changesBetween } from '../changes.ts';
import type { CallEvidence } from '../evidence.ts';
import type { ThreadEvent } from '../events.ts';
import { requestOf, type Approval, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { close } from './ending.ts';
import { judgedAs } from './judge.ts';
import { reask } from './reask.ts';
import { fallenVotes } from './votes.ts';

type Recheck = Extract<Command, { type: 'recheck' }>;

/** Looks at an open or approved request again; no events when it is over, or the world could not be read. */
export function recheck(thread: Thread, command: Recheck, nowMs: number): Decision {
  const found = requestOf(thread, command.approval);
  if (!found || found.run.end !== null || nowMs >= found.approval.expiresAtMs) return nothing;
  const { approval, call, run } = found;
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
  const changed = reask(approval, { thread, run, call, tool, evidence, terms: judged.terms, nowMs });
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
function fallen(approval: Approval, { approvers }: Recheck, nowMs: number): readonly ThreadEvent[] {
  const votes = fallenVotes(approval, approvers, nowMs);
  return votes === 'unknown' ? [] : votes;
}
