/** Owns calls with the thread and the run that they stand in, as lists for people need them. */
import type { ActorEvidence } from '../thread/evidence.ts';
import type { Scope } from '../thread/events.ts';
import { entitlement, mayReconcile, type Rights } from '../thread/decide/rights.ts';
import { scopesAt } from '../thread/digest.ts';
import type { UserId } from '../thread/ids.ts';
import { allVotes, approvalOf, at, liveCalls, type Call, type Thread } from '../thread/thread.ts';
import { scopesOf } from './evidence.ts';
import type { OpenCall } from './ports.ts';

/** The call with its run; undefined when the run is not known. */
export function openCall(thread: Thread, call: Call): OpenCall | undefined {
  const run = at(thread.runs, call.run);
  return run ? { thread, run, call } : undefined;
}

/** The calls of the thread's live runs, each with its run. */
export const liveOf = (thread: Thread): readonly OpenCall[] =>
  liveCalls(thread).flatMap(call => openCall(thread, call) ?? []);

/** Calls that are being executed. */
export const runningIn = (thread: Thread): readonly OpenCall[] =>
  liveOf(thread).filter(({ call }) => call.state.is === 'claimed');

/** Every scope that has a say about the call, now or later; `defaults` where no rule asked. */
export function scopesAbout({ thread, call }: OpenCall, defaults: readonly Scope[]): readonly Scope[] {
  const approval = approvalOf(thread, call);
  return approval ? scopesOf(approval) : defaults;
}

/** Whether this person can bring the call on now: decide its request, or say what became of it. */
export function waitsFor(
  { thread, run, call }: OpenCall,
  actor: ActorEvidence,
  defaults: readonly Scope[],
  nowMs: number,
): boolean | 'unknown' {
  const approval = approvalOf(thread, call);
  if (call.state.is === 'waiting' && approval) {
    if (approval.votes.some(vote => vote.by === actor.user)) return false;
    return known(entitlement(approval, actor, nowMs));
  }
  if (call.state.is !== 'in_doubt') return false;
  const scopes = approval ? scopesAt(approval.terms, approval.requestedAtMs, nowMs) : defaults;
  return known(mayReconcile(actor, run.requesters, scopes, approval?.terms.selfApproval === 'with_reason'));
}

const known = (rights: Rights): boolean | 'unknown' => (rights === 'lookup_failed' ? 'unknown' : rights === 'ok');

/** Everybody who has decided about the call, in any round or on any card. */
export function decidersOf({ thread, call }: OpenCall): readonly UserId[] {
  const approval = approvalOf(thread, call);
  if (!approval) return [];
  const rejecter = approval.state.is === 'rejected' ? [approval.state.by] : [];
  const editor = approval.editedBy ? [...(approval.editedBy.before ?? []), approval.editedBy].map(each => each.by) : [];
  return [...allVotes(approval).map(vote => vote.by), ...rejecter, ...editor];
}
