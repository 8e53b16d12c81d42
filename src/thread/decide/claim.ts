/**
 * Owns the way from an approved or allowed call to a claim, and from a claim to what came of it.
 *
 * 1. No claim without a fresh look: rights of every voter, freeze, expiry, arguments, definition, rule and binding facts.
 * 2. What a claim binds is what was shown: the stored approval digest is computed anew from what would run. 3. One claim per
 * call and attempt; a spent execution never starts again.
 */
import { approvalDigest } from '../digest.ts';
import type { ActorEvidence, CallEvidence } from '../evidence.ts';
import type { Terms, ThreadEvent } from '../events.ts';
import { executionId, type ExecutionId } from '../ids.ts';
import { approvers, at, isSettled, type Approval, type Call, type Run, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { changesBetween, digestsOf, judge, openCallsOf, request, cannotBeAsked } from './judge.ts';
import { entitlement, standing, type Rights } from './rights.ts';

/** A claim that has not started this long after it was made never starts (a late write must start nothing). */
export const START_WITHIN_MS = 2_000;
/** Times that a claim may come too late before the call is given up. */
export const MAX_TOO_LATE = 3;
/** Times that a request may be put to people again because something changed. */
export const MAX_REASKS = 2;

type Claiming = Extract<Command, { type: 'claim' }>;

const settle = (approval: Approval, how: 'expired' | 'refused', code?: string, detail?: string): ThreadEvent => ({
  type: 'approval.settled',
  approval: approval.id,
  round: approval.round,
  how,
  ...(code ? { code } : {}),
  body: detail ? { detail } : {},
});

/** Re-checks an approved or allowed call and claims it; else says what it found instead. */
export function claim(thread: Thread, command: Claiming, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  if (!call || !run || run.end !== null || thread.lease?.holder !== command.holder) return nothing;
  if (call.state.is === 'allowed') return claimAllowed(thread, run, call, command, nowMs);
  if (call.state.is !== 'approved' || call.approval === null) return nothing;
  const approval = at(thread.approvals, call.approval);
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
  const requester = requesterNow(command.requesters, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return decided({ ...first, verdict: 'refuse', code: 'requester_gone' });
  if (call.tooLate >= MAX_TOO_LATE) return decided({ ...first, verdict: 'refuse', code: 'too_late' });
  const events =
    first.callDigest === call.judgement?.callDigest && first.ruleDigest === call.judgement.ruleDigest ? [] : [first];
  return decided(...events, claimEvent(thread, call, null, command, nowMs));
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
  if (nowMs >= approval.expiresAtMs) return decided(settle(approval, 'expired'));
  if (workspace.frozen !== null) return nothing;
  const { tool, inspection, judged } = evidence;
  if (tool === null) return decided(settle(approval, 'refused', 'incompatible'));
  if (!inspection.ok)
    return inspection.code === 'inspect_failed' && evidence.eligible === 'unknown'
      ? nothing
      : decided(settle(approval, 'refused', inspection.code, inspection.detail));
  if (judged.verdict === 'deny') return decided(settle(approval, 'refused', 'denied', judged.why));
  const requester = requesterNow(command.requesters, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return decided(settle(approval, 'refused', 'requester_gone'));
  const votes = checkVotes(approval, command.approvers, nowMs);
  if (votes === 'unknown') return nothing;
  if (votes.fallen.length > 0) return decided(...votes.fallen);
  if (call.tooLate >= MAX_TOO_LATE) return decided(settle(approval, 'refused', 'too_late'));
  if (judged.verdict === 'ask') {
    const changed = askAgain(thread, run, call, approval, evidence, judged.terms, nowMs);
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
  });
  if (now !== approval.digest) return decided(settle(approval, 'refused', 'altered'));
  return decided(claimEvent(thread, call, approval, command, nowMs));
}

/** Whether everybody who asked is still a member; the first of them who is not says why. */
function requesterNow(actors: readonly ActorEvidence[], run: Run): Rights {
  const standings = run.requesters.map(user => {
    const actor = actors.find(other => other.user === user);
    return actor === undefined ? 'lookup_failed' : standing(actor);
  });
  return (
    standings.find(each => each !== 'ok' && each !== 'lookup_failed') ?? standings.find(each => each !== 'ok') ?? 'ok'
  );
}

/** Votes whose people may no longer decide fall; `unknown` when somebody could not be looked up. */
function checkVotes(
  approval: Approval,
  actors: readonly ActorEvidence[],
  nowMs: number,
): 'unknown' | { fallen: ThreadEvent[] } {
  const fallen: ThreadEvent[] = [];
  for (const vote of approvers(approval)) {
    const actor = actors.find(other => other.user === vote.by);
    const rights = actor === undefined ? 'lookup_failed' : entitlement(approval, actor, nowMs);
    if (rights === 'lookup_failed') return 'unknown';
    if (rights !== 'ok')
      fallen.push({
        type: 'decision.voided',
        approval: approval.id,
        round: approval.round,
        by: vote.by,
        code: rights,
        body: {},
      });
  }
  return { fallen };
}

/** The request again as a new round, when binding facts, rule or definition differ from what was approved. */
function askAgain(
  thread: Thread,
  run: Run,
  call: Call,
  approval: Approval,
  evidence: CallEvidence,
  terms: Terms,
  nowMs: number,
): Decision | undefined {
  const { inspection, tool } = evidence;
  if (!inspection.ok || tool === null) return undefined;
  const digests = digestsOf(thread, call, evidence);
  const changes = changesBetween(approval.bind, inspection.bind);
  if (digests.rule !== approval.ruleDigest)
    changes.push({ fact: 'rule', was: approval.rule ?? 'defaults', is: evidence.judged.rule ?? 'defaults' });
  if (digests.tool !== approval.tool)
    changes.push({ fact: 'tool definition', was: approval.tool.slice(0, 8), is: digests.tool.slice(0, 8) });
  if (changes.length === 0) return undefined;
  if (approval.reasks >= MAX_REASKS) return decided(settle(approval, 'refused', 'changed_too_often'));
  if (evidence.eligible === 'unknown') return nothing;
  const nobody = cannotBeAsked(evidence, terms);
  if (nobody !== undefined) return decided(settle(approval, 'refused', nobody));
  return decided(
    request(thread, run, call, tool, evidence, terms, nowMs, {
      agentWords: approval.agentWords,
      earlier: approval,
      changes,
      why: 'changed',
    }),
  );
}

function claimEvent(
  thread: Thread,
  call: Call,
  approval: Approval | null,
  command: Claiming,
  nowMs: number,
): ThreadEvent {
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

/** Gives a claim back that has not started. */
export function notStarted(thread: Thread, command: Extract<Command, { type: 'notStarted' }>): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.spent.includes(command.execution)) return nothing;
  const given: ThreadEvent = {
    type: 'call.notStarted',
    call: call.id,
    execution: command.execution,
    why: command.why,
    body: {},
  };
  const run = at(thread.runs, call.run);
  const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
  if (command.why === 'expired' && approval) return decided(given, settle(approval, 'expired'));
  return decided(given, ...closeGivenBack(thread, call, run));
}

/** A call that is given back in a run that is over ends with it. */
const closeGivenBack = (thread: Thread, call: Call, run: Run | undefined): ThreadEvent[] =>
  run === undefined || run.end === null
    ? []
    : closeCall(thread, { ...call, state: { is: call.approval === null ? 'allowed' : 'approved' } });

/** Records what came of an execution; also late, also when people have settled it meanwhile; never twice. */
export function ended(thread: Thread, command: Extract<Command, { type: 'ended' }>): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.recorded.includes(command.execution) || !wasClaimed(call, command.execution)) return nothing;
  const { outcome } = command;
  return decided({
    type: 'call.ended',
    call: call.id,
    execution: command.execution,
    how: outcome.how,
    ...(outcome.code ? { code: outcome.code } : {}),
    effect: outcome.effect,
    startedAtMs: outcome.startedAtMs,
    endedAtMs: outcome.endedAtMs,
    result: { digest: outcome.digest, bytes: outcome.bytes, ...(outcome.blob ? { blob: outcome.blob } : {}) },
    body: { result: outcome.result },
  });
}

/** True for an execution that the log knows of. */
const wasClaimed = (call: Call, execution: ExecutionId): boolean =>
  call.spent.includes(execution) ||
  ((call.state.is === 'claimed' || call.state.is === 'in_doubt') && call.state.claim.execution === execution);

/** A claim whose process is gone: what is safe to run again is given back, everything else is in doubt. */
export function recover(thread: Thread, command: Extract<Command, { type: 'recover' }>, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.state.is !== 'claimed' || call.state.claim.execution !== command.execution) return nothing;
  const { claim: lost } = call.state;
  if (command.again)
    return decided(
      { type: 'call.notStarted', call: call.id, execution: lost.execution, why: 'lost', body: {} },
      ...closeGivenBack(thread, call, at(thread.runs, call.run)),
    );
  return decided({
    type: 'call.ended',
    call: call.id,
    execution: lost.execution,
    how: 'in_doubt',
    effect: 'possible',
    startedAtMs: lost.atMs,
    endedAtMs: nowMs,
    body: {},
  });
}

/** What ends a call of a run that is over, if nothing has started under it. */
export function closeCall(
  thread: Thread,
  call: Call,
  code?: 'instead' | 'stopped',
  by?: Run['requesters'][number],
): ThreadEvent[] {
  if (isSettled(call) || call.state.is === 'claimed' || call.state.is === 'in_doubt') return [];
  const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
  if (approval && (approval.state.is === 'open' || approval.state.is === 'approved'))
    return [
      {
        type: 'approval.settled',
        approval: approval.id,
        round: approval.round,
        how: 'withdrawn',
        ...(by ? { by: [by] } : {}),
        ...(code ? { code } : {}),
        body: {},
      },
    ];
  const judged = call.judgement;
  if (!judged) return [];
  return [
    {
      type: 'call.judged',
      call: call.id,
      verdict: 'refuse',
      code: 'cancelled',
      rule: judged.rule,
      ruleDigest: judged.ruleDigest,
      policy: judged.policy,
      tool: judged.tool,
      effect: judged.effect,
      callDigest: judged.callDigest,
      body: { summary: judged.summary, bind: judged.bind, note: judged.note },
    },
  ];
}
