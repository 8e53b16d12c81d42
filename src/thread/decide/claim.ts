/**
 * Owns the way from an approved or allowed call to a claim.
 *
 * 1. No claim without a fresh look: rights of every voter, freeze, expiry, arguments, definition, rule and binding facts.
 * 2. What a claim binds is what was shown: the stored approval digest is computed anew from what would run. 3. One claim per
 * call and attempt; a spent execution never starts again.
 */
import { approvalDigest } from '../digest.ts';
import type { EventOf, ThreadEvent } from '../events.ts';
import { executionId } from '../ids.ts';
import { approvalOf, at, isOver, type Approval, type Call, type CallState, type Run, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { digestsOf } from './digests.ts';
import { close, endSuspended } from './ending.ts';
import { judge, openCallsOf } from './judge.ts';
import { reask } from './reask.ts';
import type { Rights } from './rights.ts';
import { closedCode, mayAsk } from './run.ts';
import { fallenVotes } from './votes.ts';

/** A claim that has not started this long after it was made never starts (a late write must start nothing). */
export const START_WITHIN_MS = 2_000;
/** Times that a claim may come too late before the call is given up. */
const MAX_TOO_LATE = 3;

type Claiming = Extract<Command, { type: 'claim' }>;

/** Re-checks an approved or allowed call and claims it; else says what it found instead. */
export function claim(thread: Thread, command: Claiming, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  if (!call || !run || run.end !== null || thread.lease?.holder !== command.holder) return nothing;
  if (call.state.is === 'suspended') return resume(thread, run, call, call.state, command, nowMs);
  if (call.state.is === 'allowed') return claimAllowed(thread, run, call, command, nowMs);
  if (call.state.is !== 'approved') return nothing;
  const approval = approvalOf(thread, call);
  return approval?.state.is === 'approved' ? claimApproved(thread, run, call, approval, command, nowMs) : nothing;
}

function claimAllowed(thread: Thread, run: Run, call: Call, command: Claiming, nowMs: number): Decision {
  const { frozen } = command.workspace;
  if (frozen !== null) return nothing;
  const judged = judge(thread, run, call, {
    evidence: command.evidence,
    limits: command.limits,
    nowMs,
    open: openCallsOf(thread),
    requested: 0,
    agentWords: null,
  });
  const first = judged[0];
  if (first?.type !== 'call.judged' || first.verdict !== 'allow') return decided(...judged);
  const requester = requesterNow(command, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return decided({ ...first, verdict: 'refuse', code: goneCode(requester, command) });
  if (call.tooLate >= MAX_TOO_LATE) return decided({ ...first, verdict: 'refuse', code: 'too_late' });
  const events =
    first.callDigest === call.judgement?.callDigest &&
    first.ruleDigest === call.judgement.ruleDigest &&
    (first.grant ?? null) === call.judgement.grant
      ? []
      : [first];
  return decided(...events, ...claimed(thread, call, null, command, nowMs));
}

function claimApproved(
  thread: Thread,
  run: Run,
  call: Call,
  approval: Approval,
  command: Claiming,
  nowMs: number,
): Decision {
  const { evidence, workspace } = command;
  if (nowMs >= approval.expiresAtMs) return decided(close(approval, 'expired'));
  if (workspace.frozen !== null) return nothing;
  const { tool, inspection, judged } = evidence;
  if (tool === null) return decided(close(approval, 'refused', 'incompatible'));
  if (!inspection.ok)
    return inspection.code === 'inspect_failed' && evidence.eligible === 'unknown'
      ? nothing
      : decided(close(approval, 'refused', inspection.code, inspection.detail));
  if (judged.verdict === 'deny') return decided(close(approval, 'refused', 'denied', judged.why));
  const requester = requesterNow(command, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return decided(close(approval, 'refused', goneCode(requester, command)));
  const fallen = fallenVotes(approval, command.approvers, nowMs);
  if (fallen === 'unknown') return nothing;
  if (fallen.length > 0) return decided(...fallen);
  if (call.tooLate >= MAX_TOO_LATE) return decided(close(approval, 'refused', 'too_late'));
  if (judged.verdict === 'ask') {
    const changed = reask(approval, { thread, run, call, tool, evidence, terms: judged.terms, nowMs });
    if (changed) return changed;
  }
  const digests = digestsOf(thread, call, evidence);
  const now = approvalDigest({
    callDigest: digests.call,
    requesters: approval.requesters,
    bind: inspection.bind,
    ruleDigest: approval.ruleDigest,
    expiresAtMs: approval.expiresAtMs,
    round: approval.round,
    salt: approval.salt,
    options: approval.options,
  });
  if (now !== approval.digest) return decided(close(approval, 'refused', 'altered'));
  return decided(...claimed(thread, call, approval, command, nowMs));
}

/**
 * Lets a tool that waited from inside go on. What was approved is under way: its expiry and facts, which its own steps may
 * have changed, are not looked at again; rights to ask, the definition, a deny and the freeze are.
 */
function resume(
  thread: Thread,
  run: Run,
  call: Call,
  state: Extract<CallState, { is: 'suspended' }>,
  command: Claiming,
  nowMs: number,
): Decision {
  if (!isOver(thread, state.wait) || command.workspace.frozen !== null) return nothing;
  const { tool, judged } = command.evidence;
  const ends = (code: string): Decision => decided(endSuspended(call, state, code, nowMs));
  if (tool === null || tool.digest !== call.judgement?.tool) return ends('incompatible');
  if (judged.verdict === 'deny') return ends('denied');
  const requester = requesterNow(command, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return ends(goneCode(requester, command));
  if (call.tooLate >= MAX_TOO_LATE) return ends('too_late');
  const approval = approvalOf(thread, call) ?? null;
  return decided(claimEvent(thread, call, approval, command, nowMs));
}

/** The claim; a request that a tool put to people from inside runs nothing and is over with it: its tool goes on. */
function claimed(
  thread: Thread,
  call: Call,
  approval: Approval | null,
  command: Claiming,
  nowMs: number,
): ThreadEvent[] {
  const claim = claimEvent(thread, call, approval, command, nowMs);
  if (call.within === null) return [claim];
  const option = approval?.state.is === 'approved' ? approval.state.option : null;
  return [
    claim,
    {
      type: 'call.ended',
      call: call.id,
      execution: claim.execution,
      how: 'succeeded',
      effect: 'none',
      startedAtMs: nowMs,
      endedAtMs: nowMs,
      body: { result: option ?? 'approved' },
    },
  ];
}

/** Whether everybody who asked may still have the agent work for them; the first of them who may not says why. */
function requesterNow({ requesters, answers }: Claiming, run: Run): Rights | 'agent_closed' {
  const rights = run.requesters.map(user => {
    const actor = requesters.find(other => other.user === user);
    return actor === undefined ? 'lookup_failed' : mayAsk(actor, answers);
  });
  return rights.find(each => each !== 'ok' && each !== 'lookup_failed') ?? rights.find(each => each !== 'ok') ?? 'ok';
}

/** Why nobody who asked for it may have it run: they have left, or the agent answers them no longer. */
const goneCode = (rights: Rights | 'agent_closed', { answers }: Claiming): string =>
  rights === 'agent_closed' ? closedCode(answers) : 'requester_gone';

function claimEvent(
  thread: Thread,
  call: Call,
  approval: Approval | null,
  command: Claiming,
  nowMs: number,
): EventOf<'call.claimed'> {
  const attempt = call.attempts + 1;
  const digests = digestsOf(thread, call, command.evidence);
  return {
    type: 'call.claimed',
    call: call.id,
    attempt,
    execution: executionId(call.id, attempt),
    ...(approval ? { approval: approval.id, round: approval.round } : {}),
    digest: approval ? approval.digest : digests.call,
    callDigest: digests.call,
    holder: command.holder,
    workspace: command.workspace.version,
    startByMs: nowMs + START_WITHIN_MS,
    endsByMs: nowMs + START_WITHIN_MS + (command.evidence.tool?.timeoutMs ?? 0),
    body: {},
  };
}
