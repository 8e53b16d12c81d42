/**
 * Owns the one answer to "may this person do this?": decide, edit, ask back, answer, stop, say what became of a doubt,
 * cancel.
 *
 * 1. Whatever could not be learnt refuses. 2. A requester never decides their own request, unless the rule says
 * `self_approval: with_reason` and they gave one.
 */
import { scopesAt } from '../digest.ts';
import type { ActorEvidence } from '../evidence.ts';
import type { Scope } from '../events.ts';
import type { UserId } from '../ids.ts';
import type { RefusalCode } from '../refusal.ts';
import type { Approval, Question } from '../thread.ts';

export type Rights = 'ok' | RefusalCode;

/** What Slack says the person is, as a refusal; `ok` for an active, human member of this organisation. */
export function standing(actor: ActorEvidence): Rights {
  switch (actor.standing) {
    case 'member':
      return 'ok';
    case 'unknown':
      return 'lookup_failed';
    case 'guest':
    case 'external':
    case 'deactivated':
    case 'bot':
      return actor.standing;
  }
}

/** True in a scope; `unknown` when a scope that could have held the person could not be read. */
function inScopes(actor: ActorEvidence, scopes: readonly Scope[]): boolean | 'unknown' {
  if (scopes.some(scope => actor.scopes.includes(scope.name))) return true;
  return scopes.some(scope => actor.unknownScopes.includes(scope.name)) ? 'unknown' : false;
}

/** May this person decide this approval at this time? */
export function entitlement(approval: Approval, actor: ActorEvidence, nowMs: number): Rights {
  const person = standing(actor);
  if (person !== 'ok') return person;
  if (approval.requesters.includes(actor.user) && approval.terms.selfApproval !== 'with_reason') return 'requester';
  const inside = inScopes(actor, scopesAt(approval.terms, approval.requestedAtMs, nowMs));
  if (inside === 'unknown') return 'lookup_failed';
  return inside ? 'ok' : 'not_approver';
}

/** May this person say what became of a call in doubt? One of the scopes, or an admin; not a requester. */
export function mayReconcile(
  actor: ActorEvidence,
  requesters: readonly UserId[],
  scopes: readonly Scope[],
  requesterMay: boolean,
): Rights {
  const person = standing(actor);
  if (person !== 'ok') return person;
  if (requesters.includes(actor.user) && !requesterMay) return 'requester';
  const inside = inScopes(actor, scopes);
  if (inside === true || actor.admin === true) return 'ok';
  return inside === 'unknown' || actor.admin === 'unknown' ? 'lookup_failed' : 'not_approver';
}

/** May this person answer a question: somebody who is named, or a member of its scopes who is none of those who asked for the work? */
export function mayAnswer(
  actor: ActorEvidence,
  question: Pick<Question, 'to' | 'scopes'>,
  requesters: readonly UserId[],
): Rights {
  if (question.to.includes(actor.user)) return 'ok';
  const person = standing(actor);
  if (person !== 'ok') return person;
  if (requesters.includes(actor.user) && question.scopes.length > 0) return 'requester';
  const inside = inScopes(actor, question.scopes);
  if (inside === 'unknown') return 'lookup_failed';
  return inside ? 'ok' : 'not_asked';
}

/** May this person act for the requester (cancel, use another message)? An author of the run, or an admin. */
export function mayCancel(actor: ActorEvidence, requesters: readonly UserId[]): Rights {
  if (requesters.includes(actor.user)) return 'ok';
  const person = standing(actor);
  if (person === 'guest' || person === 'external') return 'not_yours';
  if (person !== 'ok') return person;
  if (actor.admin === true) return 'ok';
  return actor.admin === 'unknown' ? 'lookup_failed' : 'not_yours';
}

/** May this person stop a call that runs? One of those who asked for it, or who may decide it, or an admin. */
export function mayStop(actor: ActorEvidence, requesters: readonly UserId[], scopes: readonly Scope[]): Rights {
  if (requesters.includes(actor.user)) return 'ok';
  const person = standing(actor);
  if (person !== 'ok') return person;
  const inside = inScopes(actor, scopes);
  if (inside === true || actor.admin === true) return 'ok';
  return inside === 'unknown' || actor.admin === 'unknown' ? 'lookup_failed' : 'not_yours';
}
