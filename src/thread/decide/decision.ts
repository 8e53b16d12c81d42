/**
 * Owns the resume command: one person's approve or reject on a round of an approval.
 *
 * 1. The order is: tenant (the thread was found by team), same key, state, expiry, card, rights. 2. The same key with the
 * same content is answered by the first result and changes nothing. 3. A refused command consumes nothing and is on record
 * once per person, round and code. 4. A reject is a veto; approvals count distinct people.
 */
import { decisionContent } from '../digest.ts';
import type { EventOf, ThreadEvent } from '../events.ts';
import type { Digest, UserId } from '../ids.ts';
import type { Refusal } from '../refusal.ts';
import { approvers, at, type Approval, type Call, type Run, type Thread } from '../thread.ts';
import { decided, nothing, refused, type Decide, type Decision } from './command.ts';
import { entitlement } from './rights.ts';
import { stopRun } from './run.ts';

/** Applies a resume command, or refuses it with a code. */
export function decideApproval(thread: Thread, command: Decide, nowMs: number): Decision {
  const approval = at(thread.approvals, command.approval);
  const call = approval && at(thread.calls, approval.call);
  const run = call && at(thread.runs, call.run);
  if (!approval || !call || !run) return refused({ code: 'not_found', actor: command.actor.user });
  const earlier = at(thread.decisions, command.key);
  if (earlier && earlier.by === command.actor.user) {
    if (earlier.content === contentOf(command) && earlier.of === approval.id) return { ...nothing, repeated: true };
    return refuse(thread, approval, command, { code: 'key_reused' });
  }
  const problem =
    stateRefusal(approval, command.round, nowMs) ?? cardRefusal(command) ?? rightsRefusal(approval, command, nowMs);
  if (problem) return refuse(thread, approval, command, problem);
  return record(thread, run, approval, command);
}

const contentOf = ({ verdict, reason, then }: Pick<Decide, 'verdict' | 'reason' | 'then'>): Digest =>
  decisionContent({ verdict, reason: reason ?? undefined, then: then ?? undefined });

type Problem = Pick<Refusal, 'code'> & Partial<Pick<Refusal, 'atMs' | 'by'>>;

/** Why a decision cannot change an approval in this state any more; undefined while it is open and in time. */
const stateRefusal = (approval: Approval, round: number, nowMs: number): Problem | undefined =>
  noLongerOpen(approval, round) ??
  (nowMs >= approval.expiresAtMs ? { code: 'expired', atMs: approval.expiresAtMs } : undefined);

/** Why a round of an approval is over, whatever time it is; undefined while it is open. */
export function noLongerOpen(approval: Approval, round: number): Problem | undefined {
  const { state } = approval;
  switch (state.is) {
    case 'approved':
      return { code: 'already_decided', atMs: state.atMs, ...latestApprover(approval) };
    case 'rejected':
      return { code: 'already_decided', atMs: state.atMs, by: state.by };
    case 'expired':
      return { code: 'expired', atMs: approval.expiresAtMs };
    case 'withdrawn':
      return { code: 'withdrawn', atMs: state.atMs, ...(state.by === null ? {} : { by: state.by }) };
    case 'refused':
      return { code: 'already_decided', atMs: state.atMs, ...latestApprover(approval) };
    case 'open':
      return round === approval.round ? undefined : staleRound(approval, round);
  }
}

/** The person whose vote completed the quorum. */
function latestApprover(approval: Approval): { by?: UserId } {
  const last = approvers(approval).at(-1);
  return last ? { by: last.by } : {};
}

/** A click of an earlier round: on a card that was replaced, or on this one before the requester wrote again. */
function staleRound(approval: Approval, round: number): Problem {
  const closed = approval.closedCards.at(-1);
  return closed && round < approval.cardRound ? { code: 'superseded', atMs: closed.atMs } : { code: 'stale_round' };
}

function cardRefusal(command: Decide): Problem | undefined {
  if (command.card.is === 'ours') return undefined;
  return { code: command.card.is === 'other_environment' ? 'other_environment' : 'wrong_card' };
}

function rightsRefusal(approval: Approval, command: Decide, nowMs: number): Problem | undefined {
  const rights = entitlement(approval, command.actor, nowMs);
  if (rights !== 'ok') return { code: rights };
  if (command.verdict === 'reject') return undefined;
  if (command.workspace.frozen === 'unknown') return { code: 'lookup_failed' };
  if (command.workspace.frozen !== null) return { code: 'frozen', atMs: command.workspace.frozen.sinceMs };
  const vote = approval.votes.find(other => other.by === command.actor.user && other.verdict === 'approve');
  if (vote) return { code: 'already_counted', atMs: vote.atMs };
  if (approval.requesters.includes(command.actor.user) && !command.reason) return { code: 'reason_needed' };
  if (approval.room === 'form' && command.origin !== 'form') return { code: 'review_needed' };
  return undefined;
}

function refuse(thread: Thread, approval: Approval, command: Decide, problem: Problem): Decision {
  const refusal: Refusal = { ...problem, approval: approval.id, actor: command.actor.user };
  const known = `${approval.id}.${command.round}.${command.actor.user}.${problem.code}`;
  if (at(thread.refusals, known)) return refused(refusal);
  return refused(refusal, {
    type: 'decision.refused',
    approval: approval.id,
    round: command.round,
    by: command.actor.user,
    code: problem.code,
    key: command.key,
    verdict: command.verdict,
    body: {},
  });
}

/** The recorded vote, for a round and digest that the person was shown. */
export const vote = (
  command: Pick<Decide, 'verdict' | 'reason' | 'then' | 'key' | 'origin' | 'actor' | 'card'>,
  approval: Pick<Approval, 'id' | 'round' | 'digest' | 'rule'>,
): EventOf<'decision.recorded'> => ({
  type: 'decision.recorded',
  approval: approval.id,
  round: approval.round,
  by: command.actor.user,
  team: command.actor.team,
  verdict: command.verdict,
  key: command.key,
  content: contentOf(command),
  digest: approval.digest,
  ...(command.then ? { then: command.then } : {}),
  origin: command.origin,
  card: { channel: command.card.channel, ts: command.card.ts },
  scopes: [...command.actor.scopes],
  lookedUpAtMs: command.actor.lookedUpAtMs,
  rule: approval.rule,
  body: { name: command.actor.name, ...(command.reason ? { reason: command.reason } : {}) },
});

function record(thread: Thread, run: Run, approval: Approval, command: Decide): Decision {
  const recorded = vote(command, approval);
  if (command.verdict === 'reject') return reject(thread, run, approval, command, recorded);
  // Nothing but the word itself approves, whatever a caller was made to pass.
  if (command.verdict !== 'approve') return nothing;
  const by = [...new Set([...approvers(approval).map(other => other.by), command.actor.user])];
  return by.length < approval.terms.quorum ? decided(recorded) : decided(recorded, settledAs(approval, 'approved', by));
}

/** `approval.settled` as approved or rejected, by these people. */
export const settledAs = (
  approval: Pick<Approval, 'id' | 'round'>,
  how: 'approved' | 'rejected',
  by: readonly UserId[],
): EventOf<'approval.settled'> => ({
  type: 'approval.settled',
  approval: approval.id,
  round: approval.round,
  how,
  by: [...by],
  body: {},
});

function reject(thread: Thread, run: Run, approval: Approval, command: Decide, recorded: ThreadEvent): Decision {
  const then = command.then ?? approval.terms.onReject;
  const settled: ThreadEvent = { ...settledAs(approval, 'rejected', [command.actor.user]), then };
  if (then !== 'stop' && then !== 'requester') return decided(recorded, settled);
  const code = then === 'stop' ? 'stopped_by_rejection' : 'change_asked';
  const others = run.calls.flatMap(id => {
    const call: Call | undefined = at(thread.calls, id);
    return call && call.id !== approval.call ? [call] : [];
  });
  return decided(recorded, settled, ...stopRun(thread, run, others, { how: 'failed', code, closing: 'stopped' }));
}
