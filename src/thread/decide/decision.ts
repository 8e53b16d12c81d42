/**
 * Owns the resume command: one person's approve or reject on a round of an approval.
 *
 * 1. The order is: tenant (the thread was found by team), same key, state, expiry, card, rights. 2. The same key with the
 * same content is answered by the first result and changes nothing. 3. A refused command consumes nothing and is on record
 * once per person, round and code. 4. A reject is a veto, also of one's own approval while it waits; approvals count distinct
 * people, of a choice those who chose the same way.
 */
import { decisionContent } from '../digest.ts';
import type { EventOf, ThreadEvent } from '../events.ts';
import { refusalKey } from '../fold-approval.ts';
import { grantPattern, grantPlace } from '../grants.ts';
import { grantId, type Digest, type UserId } from '../ids.ts';
import type { Problem, Refusal } from '../refusal.ts';
import { approvers, at, requestOf, rootOf } from '../thread.ts';
import type { Approval, Call, Requested, Run, Thread, Vote } from '../thread.ts';
import { decided, nothing, refused, repeated, type Decide, type Decision } from './command.ts';
import { endWriting } from './ending.ts';
import { entitlement } from './rights.ts';
import { stopRun } from './run.ts';
import { sameKey } from './same-key.ts';

/** Applies a resume command, or refuses it with a code. */
export function decideApproval(thread: Thread, command: Decide, nowMs: number): Decision {
  const found = requestOf(thread, command.approval);
  if (!found) return refused({ code: 'not_found', actor: command.actor.user });
  const { approval, call } = found;
  const again = sameKey(thread, command, () => contentOf(command), approval.id);
  if (again === 'repeated') return repeated;
  const problem =
    again ??
    stateRefusal(approval, command.round, nowMs) ??
    cardRefusal(command) ??
    rightsRefusal(approval, command, nowMs) ??
    contentRefusal(call, approval, command);
  if (problem) return refuse(thread, approval, command, problem);
  return record(thread, found, command, nowMs);
}

const contentOf = ({
  verdict,
  reason,
  then,
  option,
  grant,
}: Pick<Decide, 'verdict' | 'reason' | 'then' | 'option' | 'grant'>): Digest =>
  decisionContent({ verdict, reason: reason ?? undefined, then: then ?? undefined, option, grant });

/** Why nothing can change an approval in this state any more; undefined while it is open and in time. */
export const stateRefusal = (approval: Approval, round: number, nowMs: number): Problem | undefined =>
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

/** Why a card is none on which this approval can be decided. */
export function cardRefusal({ card }: Pick<Decide, 'card'>): Problem | undefined {
  if (card.is === 'ours') return undefined;
  return { code: card.is === 'other_environment' ? 'other_environment' : 'wrong_card' };
}

/** Why nobody can approve now: everything is frozen, or nobody knows whether it is. */
export function frozenRefusal({ workspace: { frozen } }: Pick<Decide, 'workspace'>): Problem | undefined {
  if (frozen === 'unknown') return { code: 'lookup_failed' };
  return frozen === null ? undefined : { code: 'frozen', atMs: frozen.sinceMs };
}

function rightsRefusal(approval: Approval, command: Decide, nowMs: number): Problem | undefined {
  const rights = entitlement(approval, command.actor, nowMs);
  if (rights !== 'ok') return { code: rights };
  return command.verdict === 'reject' ? undefined : frozenRefusal(command);
}

/** Why this word cannot be counted as it is; a reject always can. */
function contentRefusal(call: Call, approval: Approval, command: Decide): Problem | undefined {
  if (command.verdict === 'reject') return undefined;
  const way = optionRefusal(approval, command.option);
  if (way) return way;
  const own = approval.votes.find(other => other.by === command.actor.user && other.verdict === 'approve');
  if (own && own.option === (command.option ?? null)) return { code: 'already_counted', atMs: own.atMs };
  if (approval.requesters.includes(command.actor.user) && !command.reason) return { code: 'reason_needed' };
  if (approval.room !== 'card' && command.origin !== 'form') return { code: 'review_needed' };
  return command.grant === undefined ? undefined : grantRefusal(call, approval, command.grant, command.actor.user);
}

function optionRefusal({ options }: Approval, option: string | undefined): Problem | undefined {
  if (options.length === 0) return option === undefined ? undefined : { code: 'unknown_control' };
  return options.some(each => each.value === option) ? undefined : { code: 'option_needed' };
}

/**
 * What a rule does not offer, or nothing in the call would hold within bounds, nobody can allow; nor, where it takes several,
 * beside an approval that others have given without it; nor where the card does not show all of the call: the form of a grant
 * does not show it either.
 */
function grantRefusal(
  call: Call,
  approval: Approval,
  grant: NonNullable<Decide['grant']>,
  by: UserId,
): Problem | undefined {
  const offered = approval.terms.grants;
  const fits =
    offered !== undefined &&
    approvers(approval).every(other => other.by === by) &&
    call.within === null &&
    approval.options.length === 0 &&
    approval.room === 'card' &&
    Number.isInteger(grant.forMs) &&
    grant.forMs > 0 &&
    grant.forMs <= offered.maxMs &&
    Number.isInteger(grant.uses) &&
    grant.uses >= 1 &&
    grant.uses <= offered.uses &&
    grantPattern(call.args, offered) !== null;
  return fits ? undefined : { code: 'no_grant' };
}

/** Refuses an act on a round of an approval; on record once per person, round and code. */
export function refuse(
  thread: Thread,
  approval: Pick<Approval, 'id'>,
  act: Pick<Decide, 'round' | 'key' | 'actor'> & Partial<Pick<Decide, 'verdict'>>,
  problem: Problem,
): Decision {
  const by = act.actor.user;
  const refusal: Refusal = { ...problem, approval: approval.id, actor: by };
  if (at(thread.refusals, refusalKey(approval.id, act.round, by, problem.code, act.verdict))) return refused(refusal);
  return refused(refusal, {
    type: 'decision.refused',
    approval: approval.id,
    round: act.round,
    by,
    code: problem.code,
    key: act.key,
    ...(act.verdict ? { verdict: act.verdict } : {}),
    body: {},
  });
}

type Word = Pick<Decide, 'verdict' | 'reason' | 'then' | 'key' | 'origin' | 'actor' | 'card'> &
  Partial<Pick<Decide, 'option' | 'grant'>>;

/** The recorded vote, for a round and digest that the person was shown. */
export const vote = (
  command: Word,
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
  ...(command.option === undefined ? {} : { option: command.option }),
  body: { name: command.actor.name, ...(command.reason ? { reason: command.reason } : {}) },
});

function record(thread: Thread, { approval, call, run }: Requested, command: Decide, nowMs: number): Decision {
  const recorded = vote(command, approval);
  if (command.verdict === 'reject') return reject(thread, run, approval, command, recorded, nowMs);
  // Nothing but the word itself approves, whatever a caller was made to pass.
  if (command.verdict !== 'approve') return nothing;
  const given = withGrant(thread, call, approval, command, recorded, nowMs);
  const by = agreeing(approval, command);
  if (by.length >= approval.terms.quorum)
    return decided(given, settledAs(approval, 'approved', by, command.option ?? null));
  return isOutOfReach(approval, command)
    ? refused({ code: 'quorum_impossible', approval: approval.id, actor: command.actor.user }, given)
    : decided(given);
}

/** Who has approved, with this person; of a choice, who chose the same way. */
function agreeing(approval: Approval, { actor, option }: Decide): UserId[] {
  const same = (other: Vote): boolean => other.by !== actor.user && other.option === (option ?? null);
  return [
    ...approvers(approval)
      .filter(same)
      .map(other => other.by),
    actor.user,
  ];
}

/** True when all who could still approve, with all who have, are fewer than are needed. */
function isOutOfReach(approval: Approval, { eligible, actor }: Decide): boolean {
  if (eligible === undefined || eligible === 'unknown') return false;
  return new Set([...eligible, ...approvers(approval).map(other => other.by), actor.user]).size < approval.terms.quorum;
}

/** The vote with what the person allows for a while, as far as the rule offers it. */
function withGrant(
  thread: Thread,
  call: Call,
  approval: Approval,
  { grant, key }: Decide,
  recorded: EventOf<'decision.recorded'>,
  nowMs: number,
): EventOf<'decision.recorded'> {
  const offered = approval.terms.grants;
  const pattern = offered === undefined ? null : grantPattern(call.args, offered);
  const who = approval.requesters[0];
  if (grant === undefined || offered === undefined || pattern === null || who === undefined) return recorded;
  return {
    ...recorded,
    grant: {
      grant: grantId(thread.key, approval.id, key),
      tool: call.tool,
      toolDigest: approval.tool,
      ruleDigest: approval.ruleDigest,
      who,
      where: grantPlace(offered.scope, thread.key),
      untilMs: nowMs + grant.forMs,
      uses: grant.uses,
      ...(offered.where.length > 0 ? { othersFree: true } : {}),
    },
    body: {
      name: recorded.body?.name ?? '',
      ...recorded.body,
      grant: { sentence: grant.sentence, pattern },
    },
  };
}

/** `approval.settled` as approved or rejected, by these people; of a choice, with the way that was chosen. */
export const settledAs = (
  approval: Pick<Approval, 'id' | 'round'>,
  how: 'approved' | 'rejected',
  by: readonly UserId[],
  option: string | null = null,
): EventOf<'approval.settled'> => ({
  type: 'approval.settled',
  approval: approval.id,
  round: approval.round,
  how,
  by: [...by],
  ...(option === null ? {} : { option }),
  body: {},
});

/** A rejection that stops, stops the whole run, also when it was asked for by one nested in it. */
function reject(
  thread: Thread,
  run: Run,
  approval: Approval,
  command: Decide,
  recorded: ThreadEvent,
  nowMs: number,
): Decision {
  const then = command.then ?? approval.terms.onReject;
  const settled: ThreadEvent = { ...settledAs(approval, 'rejected', [command.actor.user]), then };
  const root = rootOf(thread, run);
  if (then === 'read_only') return decided(recorded, settled, ...endWriting(thread, root, nowMs));
  if ((then !== 'stop' && then !== 'requester') || root.end !== null) return decided(recorded, settled);
  const code = then === 'stop' ? 'stopped_by_rejection' : 'change_asked';
  const stop = { how: 'failed', code, closing: 'stopped' } as const;
  return decided(recorded, settled, ...stopRun(thread, root, stop, nowMs, approval.call));
}
