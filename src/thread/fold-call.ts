/**
 * Owns how a call's own events change it: judged, claimed, given back, ended, reconciled.
 *
 * 1. An execution that is over is spent. Its true outcome counts whenever it comes: it ends a call that has not started
 *    again, and is kept as a contradiction where people had said something else.
 */
import type { EventOf } from './events.ts';
import type { Standing } from './commit.ts';
import { decisionContent } from './digest.ts';
import { at, isIdle, isSettled, type Call, type Claim, type Ending, type Thread } from './thread.ts';

type CallEvent = EventOf<
  'call.judged' | 'call.claimed' | 'call.notStarted' | 'call.suspended' | 'step.done' | 'call.ended' | 'call.reconciled'
>;

/** Folds an event about one call, in place. */
export function foldCallEvent(thread: Thread, event: CallEvent, commit: Standing): void {
  const call = at(thread.calls, event.call);
  if (!call) return;
  switch (event.type) {
    case 'call.judged':
      return judged(call, event, commit);
    case 'call.claimed':
      if (call.state.is !== 'allowed' && call.state.is !== 'approved') return;
      call.attempts = event.attempt;
      call.state = { is: 'claimed', claim: claimOf(event, commit) };
      return;
    case 'call.notStarted':
      return notStarted(thread, call, event);
    case 'call.ended':
      return ended(thread, call, event, commit);
    case 'call.reconciled':
      return reconciled(thread, call, event, commit);
    case 'call.suspended':
    case 'step.done':
      return;
  }
}

const claimOf = (event: EventOf<'call.claimed'>, commit: Standing): Claim => ({
  execution: event.execution,
  attempt: event.attempt,
  holder: event.holder,
  atMs: commit.atMs,
  startByMs: event.startByMs,
  endsByMs: event.endsByMs,
  workspace: event.workspace,
});

function judged(call: Call, event: EventOf<'call.judged'>, commit: Standing): void {
  if (call.state.is !== 'proposed' && call.state.is !== 'allowed') return;
  call.judgement = {
    verdict: event.verdict,
    rule: event.rule,
    ruleDigest: event.ruleDigest,
    policy: event.policy,
    tool: event.tool,
    effect: event.effect,
    callDigest: event.callDigest,
    summary: event.body?.summary ?? call.tool,
    impact: event.body?.impact ?? null,
    why: event.body?.why ?? null,
    bind: event.body?.bind ?? {},
    note: event.body?.note ?? {},
  };
  if (event.verdict === 'allow') call.state = { is: 'allowed' };
  else if (event.verdict === 'deny' || event.verdict === 'refuse')
    call.state = {
      is: 'refused',
      code: event.code ?? 'denied',
      detail: event.body?.detail ?? null,
      atMs: commit.atMs,
    };
}

/** The claim in force, running or in doubt, if it is this execution's. */
function openClaim(call: Call, execution: string): Claim | undefined {
  const { state } = call;
  return (state.is === 'claimed' || state.is === 'in_doubt') && state.claim.execution === execution
    ? state.claim
    : undefined;
}

function notStarted(thread: Thread, call: Call, event: EventOf<'call.notStarted'>): void {
  if (!openClaim(call, event.execution)) return;
  call.spent.push(event.execution);
  if (event.why === 'too_late') call.tooLate += 1;
  const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
  call.state = approval === undefined ? { is: 'allowed' } : { is: 'approved' };
}

function ended(thread: Thread, call: Call, event: EventOf<'call.ended'>, commit: Standing): void {
  const claim = openClaim(call, event.execution);
  if (event.how === 'in_doubt') {
    if (claim && call.state.is === 'claimed')
      call.state = { is: 'in_doubt', claim, sinceMs: commit.atMs, lastSign: event.body?.lastSign ?? null };
    return;
  }
  const ending: Ending = {
    execution: event.execution,
    how: event.how,
    code: event.code ?? null,
    effect: event.effect,
    startedAtMs: event.startedAtMs,
    endedAtMs: event.endedAtMs,
    result: event.body?.result ?? null,
    blob:
      event.result?.blob === undefined
        ? null
        : { id: event.result.blob, digest: event.result.digest, bytes: event.result.bytes },
  };
  if (!claim && !call.spent.includes(event.execution)) return;
  if (call.recorded.includes(event.execution)) return;
  call.recorded.push(event.execution);
  if (claim) {
    call.spent.push(event.execution);
    call.state = { is: 'ended', ending };
  } else if (contradicts(call, ending)) {
    call.contradiction ??= ending;
    if (isIdle(call)) endAfterAll(thread, call, ending, commit.atMs);
    reopenViews(thread, call);
  }
}

/** Whether a late outcome is not what a person said of its execution; what is news to "given up" counts as well. */
function contradicts(call: Call, ending: Ending): boolean {
  if (call.saidNotRun.includes(ending.execution)) return ending.how === 'succeeded' || ending.effect !== 'none';
  const { state } = call;
  if (state.is !== 'settled' || state.claim.execution !== ending.execution) return false;
  return state.as === 'abandoned' || ending.how !== 'succeeded';
}

/** It had run after all: it must not run again, and nobody need decide about it any more. */
function endAfterAll(thread: Thread, call: Call, ending: Ending, atMs: number): void {
  call.state = { is: 'ended', ending };
  const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
  if (approval?.state.is === 'open') approval.state = { is: 'refused', code: 'ran_after_all', detail: null, atMs };
}

function reconciled(thread: Thread, call: Call, event: EventOf<'call.reconciled'>, commit: Standing): void {
  if (call.state.is !== 'in_doubt' || call.state.claim.execution !== event.execution) return;
  call.spent.push(event.execution);
  thread.decisions[event.key] = { by: event.by, content: decisionContent({ verdict: event.as }), of: call.id };
  if (event.as === 'not_run') {
    call.saidNotRun.push(event.execution);
    call.state = call.approval === null ? { is: 'allowed' } : { is: 'approved' };
    return;
  }
  call.state = {
    is: 'settled',
    as: event.as,
    by: event.by,
    name: event.body?.name ?? '',
    atMs: commit.atMs,
    claim: call.state.claim,
  };
}

/** A sealed run whose card must change again is live again. */
function reopenViews(thread: Thread, call: Call): void {
  if (isSettled(call) && !thread.live.includes(call.run)) thread.live.push(call.run);
}
