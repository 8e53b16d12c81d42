/**
 * Owns the three answers to "did it run?", what a tool's own check of it says, and expiry.
 *
 * 1. Only people settle a doubt, one person of the scope or an admin, never the requester alone. 2. Nobody says "did not
 * run" before the claim's `endsBy`. 3. "It did not run" is a fresh decision: the world is looked at again, and if anything
 * that was shown has changed, people are asked again; in a run that is over it runs nothing. 4. A check is believed where it is sure: that it ran at once, that it did
 * not only when it can be running no more; a call that people have settled stays as they said.
 */
import { changesBetween } from '../changes.ts';
import { decisionContent, scopesAt } from '../digest.ts';
import type { ThreadEvent } from '../events.ts';
import type { Problem } from '../refusal.ts';
import {
  approvalOf,
  at,
  requestOf,
  takesMoreThanAClick,
  type Approval,
  type Call,
  type Claim,
  type Run,
  type Thread,
} from '../thread.ts';
import { decided, nothing, refused, repeated, type Command, type Decision, type Settle } from './command.ts';
import { cardRefusal, frozenRefusal, refuse, settledAs, vote } from './decision.ts';
import { digestsOf } from './digests.ts';
import { close, closeGivenBack, lostAttempt } from './ending.ts';
import { request } from './request.ts';
import { entitlement, mayReconcile } from './rights.ts';
import { sameKey } from './same-key.ts';
import { asStillAsked, cannotStillBeAsked, eligibleStill } from './still-asked.ts';

/** Applies an answer about a call in doubt, or refuses it with a code. */
export function settleDoubt(thread: Thread, command: Settle, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  const actor = command.actor.user;
  if (!call || !run) return refused({ code: 'not_found', actor });
  const approval = approvalOf(thread, call);
  const again = sameKey(thread, command, () => decisionContent({ verdict: command.as }), call.id);
  if (again === 'repeated') return repeated;
  const problem = again ?? refusalOf(run, call, approval, command, nowMs);
  if (problem) return refuseTo(thread, approval, command, problem);
  if (call.state.is !== 'in_doubt') return nothing;
  const reconciled: ThreadEvent = {
    type: 'call.reconciled',
    call: call.id,
    execution: call.state.claim.execution,
    as: command.as,
    by: actor,
    team: command.actor.team,
    key: command.key,
    card: { channel: command.card.channel, ts: command.card.ts },
    body: { name: command.actor.name },
  };
  if (command.as !== 'not_run') return decided(reconciled);
  // In a run that is over nothing runs again: the call ends with it.
  if (run.end !== null) return decided(reconciled, ...closeGivenBack(thread, call, nowMs));
  return decided(reconciled, ...(approval ? decideAgain(thread, run, call, approval, command, nowMs) : []));
}

function refusalOf(
  run: Run,
  call: Call,
  approval: Approval | undefined,
  command: Settle,
  nowMs: number,
): Problem | undefined {
  const { state } = call;
  if (state.is === 'settled') return { code: 'already_decided', atMs: state.atMs, by: state.by };
  if (state.is !== 'in_doubt' || state.claim.attempt !== command.attempt) return { code: 'nothing_to_do' };
  const card = cardRefusal(command);
  if (card) return card;
  const scopes = approval ? scopesAt(approval.terms, approval.requestedAtMs, nowMs) : command.defaults;
  const requesterMay = approval?.terms.selfApproval === 'with_reason';
  const rights = mayReconcile(command.actor, run.requesters, scopes, requesterMay);
  if (rights !== 'ok') return { code: rights };
  return command.as === 'not_run' ? notYet(run, state.claim, command, nowMs) : undefined;
}

/** Why nobody can say yet that it did not run; where that runs nothing, it is enough that it has ended. */
function notYet(run: Run, claim: Claim, command: Settle, nowMs: number): Problem | undefined {
  if (nowMs < claim.endsByMs) return { code: 'too_early', untilMs: claim.endsByMs };
  if (run.end !== null) return undefined;
  if (command.evidence === null || command.evidence.eligible === 'unknown') return { code: 'lookup_failed' };
  return frozenRefusal(command);
}

/** On record where there is a request that the refusal can stand on. */
const refuseTo = (
  thread: Thread,
  approval: Approval | undefined,
  { key, actor }: Settle,
  problem: Problem,
): Decision =>
  approval
    ? refuse(thread, approval, { round: approval.round, key, actor }, problem)
    : refused({ ...problem, actor: actor.user });

/** A new round for the next attempt; counted as this person's approval where one is enough and nothing has changed. */
function decideAgain(
  thread: Thread,
  run: Run,
  call: Call,
  approval: Approval,
  command: Settle,
  nowMs: number,
): ThreadEvent[] {
  const { evidence: looked } = command;
  const givenUp = (code: string): ThreadEvent[] => [close(approval, 'refused', code)];
  if (looked === null || looked.tool === null) return givenUp('incompatible');
  if (!looked.inspection.ok) return givenUp(looked.inspection.code);
  if (looked.judged.verdict === 'deny') return givenUp('denied');
  const evidence = asStillAsked(approval, looked);
  const { terms } = evidence.judged;
  const digests = digestsOf(thread, call, evidence);
  const changes = changesBetween(approval.bind, looked.inspection.bind);
  const otherRule = looked.judged.verdict === 'ask' && digests.rule !== approval.ruleDigest;
  const changed = changes.length > 0 || otherRule || digests.tool !== approval.tool;
  if (changed && looked.judged.verdict === 'allow') return givenUp('altered');
  const counts = entitlement({ ...approval, terms, requestedAtMs: nowMs }, command.actor, nowMs) === 'ok';
  const more = looked.room === 'too_long' || takesMoreThanAClick({ terms, room: looked.room });
  const asks = changed || more || !counts || approval.requesters.includes(command.actor.user);
  const asked = request(
    { thread, run, call, tool: looked.tool, evidence, terms, nowMs },
    {
      agentWords: approval.agentWords,
      earlier: approval,
      changes,
      why: changed ? 'changed' : 'not_run',
      newCard: asks,
      ...eligibleStill(approval, looked),
    },
  );
  if (asks) {
    const nobody = cannotStillBeAsked(looked, terms);
    return nobody === undefined ? [asked] : givenUp(nobody);
  }
  const shown = { id: approval.id, round: asked.round, digest: asked.digest, rule: asked.rule };
  const { actor, card } = command;
  const approve = {
    verdict: 'approve',
    reason: null,
    then: null,
    key: `${command.key}.again`,
    origin: 'click',
  } as const;
  const option = approval.state.is === 'approved' ? approval.state.option : null;
  const recorded = vote({ ...approve, actor, card, ...(option === null ? {} : { option }) }, shown);
  return [asked, recorded, settledAs(shown, 'approved', [actor.user], option)];
}

/** Ends a request whose time is over; nobody's name stands on it. */
export function expire(thread: Thread, command: Extract<Command, { type: 'expire' }>, nowMs: number): Decision {
  const found = requestOf(thread, command.approval);
  if (!found || nowMs < found.approval.expiresAtMs) return nothing;
  const { approval, call } = found;
  if (call.state.is !== 'waiting' && call.state.is !== 'approved') return nothing;
  return decided(close(approval, 'expired'));
}

/** Records what a tool's own check found of an execution in doubt, and settles the doubt where it is sure. */
export function checked(thread: Thread, command: Extract<Command, { type: 'checked' }>, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  if (call?.state.is !== 'in_doubt' || call.state.claim.execution !== command.execution) return nothing;
  const { claim, sinceMs } = call.state;
  const found: ThreadEvent = {
    type: 'call.checked',
    call: call.id,
    execution: command.execution,
    found: command.found,
    atMs: nowMs,
    body: {},
  };
  if (command.found === 'ran')
    return decided(found, {
      type: 'call.ended',
      call: call.id,
      execution: command.execution,
      how: 'succeeded',
      code: 'checked',
      effect: 'done',
      startedAtMs: claim.atMs,
      endedAtMs: sinceMs,
      body: {},
    });
  if (command.found === 'unknown' || nowMs < claim.endsByMs) return decided(found);
  return decided(found, ...lostAttempt(thread, call, claim, nowMs));
}
