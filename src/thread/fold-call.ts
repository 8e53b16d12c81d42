/**
 * Owns how a call's own events change it: judged, claimed, given back, ended, reconciled.
 *
 * 1. An execution that is over is spent. Its true outcome counts whenever it comes: it ends a call that has not started
 *    again, and is kept as a contradiction where people had said something else. 2. Of each doubt it is kept who or what ended it.
 */
import type { EventOf } from './events.ts';
import type { Standing } from './commit.ts';
import { decisionContent } from './digest.ts';
import type { ExecutionId, GrantId } from './ids.ts';
import {
  approvalOf,
  at,
  isIdle,
  isSettled,
  type Call,
  type Claim,
  type DoubtEnd,
  type Ending,
  type Sign,
  type Thread,
  type Wait,
} from './thread.ts';

type CallEvent = EventOf<
  | 'call.judged'
  | 'call.claimed'
  | 'call.notStarted'
  | 'call.suspended'
  | 'call.stopRequested'
  | 'call.checked'
  | 'call.signed'
  | 'step.claimed'
  | 'step.done'
  | 'call.ended'
  | 'call.reconciled'
>;

/** Folds an event about one call, in place. */
export function foldCallEvent(thread: Thread, event: CallEvent, commit: Standing): void {
  const call = at(thread.calls, event.call);
  if (!call) return;
  switch (event.type) {
    case 'call.judged':
      return judged(call, event, commit);
    case 'call.claimed':
      return claimed(call, event, commit);
    case 'call.notStarted':
      return notStarted(thread, call, event, commit);
    case 'call.ended':
      return ended(thread, call, event, commit);
    case 'call.reconciled':
      return reconciled(thread, call, event, commit);
    case 'call.suspended':
      return suspended(call, event, commit);
    case 'call.stopRequested':
      call.stopped = { by: event.by, name: event.body?.name ?? '', execution: event.execution, atMs: commit.atMs };
      return;
    case 'call.checked':
      call.checked = { execution: event.execution, found: event.found, atMs: event.atMs };
      return;
    case 'call.signed':
      return signed(call, event);
    case 'step.claimed':
      if (!call.stepsBegun.includes(event.step)) call.stepsBegun.push(event.step);
      return;
    case 'step.done':
      call.steps[event.step] = event.body?.value ?? null;
      return;
  }
}

function claimed(call: Call, event: EventOf<'call.claimed'>, commit: Standing): void {
  const { state } = call;
  if (state.is !== 'allowed' && state.is !== 'approved' && state.is !== 'suspended') return;
  const resumes = state.is === 'suspended' ? { name: state.name, wait: state.wait, sinceMs: state.sinceMs } : null;
  call.attempts = event.attempt;
  call.state = { is: 'claimed', claim: { ...claimOf(event, commit), resumes } };
}

/** The frame is gone: nothing runs under this execution any more, and the next attempt is told what it waited for. */
function suspended(call: Call, event: EventOf<'call.suspended'>, commit: Standing): void {
  const { state } = call;
  if (state.is !== 'claimed' || state.claim.execution !== event.execution) return;
  const name = event.name ?? event.question;
  const wait = { on: event.on ?? 'question', id: event.question } as Wait;
  call.waits[name] = wait;
  call.spent.push(event.execution);
  call.state = { is: 'suspended', claim: state.claim, name, wait, sinceMs: commit.atMs };
}

const claimOf = (event: EventOf<'call.claimed'>, commit: Standing): Omit<Claim, 'resumes'> => ({
  execution: event.execution,
  attempt: event.attempt,
  holder: event.holder,
  atMs: commit.atMs,
  startByMs: event.startByMs,
  endsByMs: event.endsByMs,
  workspace: event.workspace,
});

function judged(call: Call, event: EventOf<'call.judged'>, commit: Standing): void {
  // `waiting`: an edited call is judged anew.
  if (call.state.is !== 'proposed' && call.state.is !== 'allowed' && call.state.is !== 'waiting') return;
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
    grant: (event.grant ?? null) as GrantId | null,
  };
  if (call.state.is === 'waiting') return;
  if (event.verdict === 'allow') call.state = { is: 'allowed' };
  else if (event.verdict === 'deny' || event.verdict === 'refuse')
    call.state = {
      is: 'refused',
      code: event.code ?? 'denied',
      detail: event.body?.detail ?? null,
      atMs: commit.atMs,
    };
}

/** The claim in force, running, waiting from inside or in doubt, if it is this execution's. */
function openClaim(call: Call, execution: string): Claim | undefined {
  const { state } = call;
  const open = state.is === 'claimed' || state.is === 'in_doubt' || state.is === 'suspended';
  return open && state.claim.execution === execution ? state.claim : undefined;
}

/** Only while a doubt about this execution stands; `lost` is what a check leads to, every other word is its process's own. */
function endDoubt(call: Call, execution: ExecutionId, end: Omit<DoubtEnd, 'execution'>): void {
  if (call.state.is !== 'in_doubt' || call.state.claim.execution !== execution) return;
  call.doubtEnds = [...(call.doubtEnds ?? []), { execution, ...end }];
}

function notStarted(thread: Thread, call: Call, event: EventOf<'call.notStarted'>, { atMs }: Standing): void {
  const claim = openClaim(call, event.execution);
  if (!claim) return;
  const how = event.why === 'lost' ? 'checked' : 'reported';
  endDoubt(call, event.execution, { how, as: 'not_run', by: null, atMs });
  call.spent.push(event.execution);
  if (event.why === 'too_late') call.tooLate += 1;
  if (claim.resumes !== null) {
    call.state = { is: 'suspended', claim, ...claim.resumes };
    return;
  }
  call.state = approvalOf(thread, call) === undefined ? { is: 'allowed' } : { is: 'approved' };
}

/** An execution says how far it is; one that is thought lost may still say something. */
function signed(call: Call, { execution, atMs, body }: EventOf<'call.signed'>): void {
  if (!openClaim(call, execution) || !body) return;
  call.signed = { execution, line: body.line, atMs };
  if (call.state.is === 'in_doubt') call.state = { ...call.state, lastSign: { line: body.line, atMs } };
}

/** What is on record of its progress; else what its end tells. */
function lastSign({ signed: sign }: Call, { execution, body }: EventOf<'call.ended'>): Sign | null {
  if (sign?.execution === execution) return { line: sign.line, atMs: sign.atMs };
  return body?.lastSign === undefined ? null : { line: body.lastSign, atMs: null };
}

function ended(thread: Thread, call: Call, event: EventOf<'call.ended'>, commit: Standing): void {
  const claim = openClaim(call, event.execution);
  if (event.how === 'in_doubt') {
    if (claim && call.state.is === 'claimed')
      call.state = { is: 'in_doubt', claim, sinceMs: commit.atMs, lastSign: lastSign(call, event) };
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
  const checked = event.code === 'checked';
  // What a check has found is no outcome: its process may still report the true one.
  if (!checked) call.recorded.push(event.execution);
  else if (!claim) return;
  endDoubt(call, event.execution, {
    how: checked ? 'checked' : 'reported',
    as: 'ran',
    by: null,
    atMs: commit.atMs,
  });
  if (claim) {
    if (!call.spent.includes(event.execution)) call.spent.push(event.execution);
    end(thread, call, ending);
  } else if (contradicts(call, ending)) {
    call.contradiction ??= ending;
    if (isIdle(call)) endAfterAll(thread, call, ending, commit.atMs);
    reopenViews(thread, call);
  } else if (isOnlyChecked(call, ending.execution)) {
    end(thread, call, ending);
    reopenViews(thread, call);
  }
}

/** True while nothing is known of this execution but what its tool's own check found: that it ran. */
const isOnlyChecked = ({ state }: Call, execution: ExecutionId): boolean =>
  state.is === 'ended' && state.ending.execution === execution && state.ending.code === 'checked';

/** The model is shown what came of it. */
function end(thread: Thread, call: Call, ending: Ending): void {
  call.state = { is: 'ended', ending };
  if (!thread.heard.includes(call.tool)) thread.heard.push(call.tool);
}

/** Whether a late outcome is not what a person or a check said of its execution; what is news to "given up" counts as well. */
function contradicts(call: Call, ending: Ending): boolean {
  const { execution } = ending;
  const foundNotRun = call.doubtEnds?.some(
    end => end.execution === execution && end.how === 'checked' && end.as === 'not_run',
  );
  if (foundNotRun || call.saidNotRun.includes(execution)) return ending.how === 'succeeded' || ending.effect !== 'none';
  if (isOnlyChecked(call, execution)) return ending.how !== 'succeeded';
  const { state } = call;
  if (state.is !== 'settled' || state.claim.execution !== ending.execution) return false;
  return state.as === 'abandoned' || ending.how !== 'succeeded';
}

/** It had run after all: it must not run again, and nobody need decide about it any more. */
function endAfterAll(thread: Thread, call: Call, ending: Ending, atMs: number): void {
  end(thread, call, ending);
  const approval = approvalOf(thread, call);
  if (approval?.state.is === 'open') approval.state = { is: 'refused', code: 'ran_after_all', detail: null, atMs };
}

function reconciled(thread: Thread, call: Call, event: EventOf<'call.reconciled'>, commit: Standing): void {
  if (call.state.is !== 'in_doubt' || call.state.claim.execution !== event.execution) return;
  const by = { id: event.by, name: event.body?.name ?? '' };
  endDoubt(call, event.execution, { how: 'said', as: event.as, by, atMs: commit.atMs });
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
