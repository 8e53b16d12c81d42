/**
 * Owns the way from an approved or allowed call to a claim.
 *
 * 1. No claim without a fresh look: rights of every voter, freeze, expiry, arguments, definition, rule and binding facts.
 * 2. What a claim binds is what was shown: the stored approval digest is computed anew from what would run. 3. One claim per
 * call and attempt; a spent execution never starts again.
 */
import { approvalDigest } from '../digest.ts';
import type { ActorEvidence, CallEvidence } from '../evidence.ts';
import type { Terms, ThreadEvent } from '../events.ts';
import { executionId } from '../ids.ts';
import { approvers, at, type Approval, type Call, type Run, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { changesBetween, digestsOf, judge, openCallsOf, request, cannotBeAsked } from './judge.ts';
import { entitlement, standing, type Rights } from './rights.ts';

/** A claim that has not started this long after it was made never starts (a late write must start nothing). */
export const START_WITHIN_MS = 2_000;
/** Times that a claim may come too late before the call is given up. */
const MAX_TOO_LATE = 3;
/** Times that a request may be put to people again because something changed. */
const MAX_REASKS = 2;

type Claiming = Extract<Command, { type: 'claim' }>;

/** `approval.settled` without anybody's name. */
export const close = (approval: Approval, how: 'expired' | 'refused', code?: string, detail?: string): ThreadEvent => ({
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
  if (nowMs >= approval.expiresAtMs) return decided(close(approval, 'expired'));
  if (workspace.frozen !== null) return nothing;
  const { tool, inspection, judged } = evidence;
  if (tool === null) return decided(close(approval, 'refused', 'incompatible'));
  if (!inspection.ok)
    return inspection.code === 'inspect_failed' && evidence.eligible === 'unknown'
      ? nothing
      : decided(close(approval, 'refused', inspection.code, inspection.detail));
  if (judged.verdict === 'deny') return decided(close(approval, 'refused', 'denied', judged.why));
  const requester = requesterNow(command.requesters, run);
  if (requester === 'lookup_failed') return nothing;
  if (requester !== 'ok') return decided(close(approval, 'refused', 'requester_gone'));
  const votes = checkVotes(approval, command.approvers, nowMs);
  if (votes === 'unknown') return nothing;
  if (votes.fallen.length > 0) return decided(...votes.fallen);
  if (call.tooLate >= MAX_TOO_LATE) return decided(close(approval, 'refused', 'too_late'));
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
  if (now !== approval.digest) return decided(close(approval, 'refused', 'altered'));
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
  if (approval.reasks >= MAX_REASKS) return decided(close(approval, 'refused', 'changed_too_often'));
  if (evidence.eligible === 'unknown') return nothing;
  const nobody = cannotBeAsked(evidence, terms);
  if (nobody !== undefined) return decided(close(approval, 'refused', nobody));
  return decided(
    request(thread, run, call, tool, evidence, terms, nowMs, {
      agentWords: approval.agentWords,
      earlier: approval,
      changes,
      why: 'changed',
      newCard: true,
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
