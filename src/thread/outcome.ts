/**
 * Owns the one record of what a call has come to. Card status, thread line, push line and the model's result are all
 * chosen from it, so that no two of them can disagree.
 */
import type { OnReject } from './events.ts';
import type { UserId } from './ids.ts';
import {
  approvalOf,
  approvers,
  at,
  rootOf,
  type Approval,
  type Call,
  type CallState,
  type Ending,
  type Sign,
  type Thread,
  type Wait,
} from './thread.ts';

interface Person {
  readonly id: UserId;
  readonly name: string;
}

/** By whom a request had been approved when it ended: by as many as it takes, by fewer, by nobody. */
type Approved = 'by_all' | 'by_some' | 'by_nobody';

export type Outcome =
  | { readonly is: 'waiting' }
  /** Approved or allowed, about to start. */
  | { readonly is: 'starting' }
  | { readonly is: 'running'; readonly sinceMs: number; readonly endsByMs: number }
  /** Waiting from inside for an answer, a request or another agent. */
  | { readonly is: 'suspended'; readonly wait: Wait; readonly sinceMs: number }
  | { readonly is: 'done'; readonly ending: Ending }
  | { readonly is: 'failed'; readonly ending: Ending }
  | {
      readonly is: 'in_doubt';
      readonly sinceMs: number;
      readonly startedAtMs: number;
      readonly endsByMs: number;
      readonly lastSign: Sign | null;
    }
  | { readonly is: 'said_done'; readonly by: Person; readonly atMs: number }
  | { readonly is: 'given_up'; readonly by: Person; readonly atMs: number }
  | {
      readonly is: 'rejected';
      readonly by: Person;
      readonly reason: string | null;
      readonly then: OnReject;
      readonly atMs: number;
    }
  | { readonly is: 'expired'; readonly approved: Approved; readonly atMs: number }
  | { readonly is: 'withdrawn'; readonly by: UserId | null; readonly instead: boolean; readonly atMs: number }
  /** Put to people, but what was checked afterwards did not hold; whether it had been approved by then, `approved` says. */
  | {
      readonly is: 'not_run';
      readonly approved: Approved;
      readonly code: string;
      readonly detail: string | null;
      readonly atMs: number;
    }
  /** Never put to people: denied, invalid, too long to be shown, nobody to ask. */
  | { readonly is: 'refused'; readonly code: string; readonly detail: string | null; readonly atMs: number };

/** How many more people have to approve; of a choice, how many for the way that most have chosen. */
export function missingApprovals(approval: Approval): number {
  const given = approvers(approval);
  const counts = given.map(vote => given.filter(other => other.option === vote.option).length);
  return Math.max(0, approval.terms.quorum - Math.max(0, ...counts));
}

const approvedBy = (approval: Approval): Approved =>
  approvers(approval).length === 0 ? 'by_nobody' : missingApprovals(approval) > 0 ? 'by_some' : 'by_all';

function ofApproval(approval: Approval | undefined): Outcome {
  if (approval === undefined) return { is: 'waiting' };
  const { state } = approval;
  switch (state.is) {
    case 'rejected':
      return {
        is: 'rejected',
        by: { id: state.by, name: state.name },
        reason: state.reason,
        then: state.then,
        atMs: state.atMs,
      };
    case 'expired':
      return { is: 'expired', approved: approvedBy(approval), atMs: state.atMs };
    case 'withdrawn':
      return { is: 'withdrawn', by: state.by, instead: state.instead, atMs: state.atMs };
    case 'refused':
      return {
        is: 'not_run',
        approved: approvedBy(approval),
        code: state.code,
        detail: state.detail,
        atMs: state.atMs,
      };
    case 'open':
    case 'approved':
      return { is: 'waiting' };
  }
}

function ofState(state: CallState, approval: Approval | undefined): Outcome {
  switch (state.is) {
    case 'proposed':
    case 'waiting':
      return { is: 'waiting' };
    case 'allowed':
    case 'approved':
      return { is: 'starting' };
    case 'claimed':
      return { is: 'running', sinceMs: state.claim.atMs, endsByMs: state.claim.endsByMs };
    case 'suspended':
      return { is: 'suspended', wait: state.wait, sinceMs: state.sinceMs };
    case 'in_doubt':
      return {
        is: 'in_doubt',
        sinceMs: state.sinceMs,
        startedAtMs: state.claim.atMs,
        endsByMs: state.claim.endsByMs,
        lastSign: state.lastSign,
      };
    case 'refused':
      return { is: 'refused', code: state.code, detail: state.detail, atMs: state.atMs };
    case 'ended':
      return state.ending.how === 'succeeded'
        ? { is: 'done', ending: state.ending }
        : { is: 'failed', ending: state.ending };
    case 'settled':
      return {
        is: state.as === 'ran' ? 'said_done' : 'given_up',
        by: { id: state.by, name: state.name },
        atMs: state.atMs,
      };
    case 'closed':
      return ofApproval(approval);
  }
}

/** What the call has come to; a late true outcome that contradicts what people said is on `call.contradiction`. */
export const outcomeOf = (thread: Thread, call: Call): Outcome =>
  cancelledBefore(thread, call) ?? ofState(call.state, approvalOf(thread, call));

/** Of a call that waited from inside and had done nothing when its run was cancelled nothing has failed. */
function cancelledBefore(thread: Thread, { state, run: id }: Call): Outcome | undefined {
  if (state.is !== 'ended') return undefined;
  const { how, code, effect, endedAtMs: atMs } = state.ending;
  if (how !== 'failed' || code !== 'cancelled' || effect !== 'none') return undefined;
  const run = at(thread.runs, id);
  const cancelled = run ? rootOf(thread, run).cancelled : null;
  return { is: 'withdrawn', by: cancelled?.by ?? null, instead: cancelled?.source === 'instead', atMs };
}
