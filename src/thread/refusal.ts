/** Owns the closed list of reasons for which a person's act is not carried out, and what a sentence about it needs. */
import type { ApprovalId, QuestionId, UserId } from './ids.ts';

/** Why a person's act was not counted; each has its sentence in `slack/views`. */
export type RefusalCode =
  | 'not_found'
  | 'other_environment'
  | 'wrong_card'
  | 'already_decided'
  | 'already_counted'
  | 'expired'
  | 'withdrawn'
  | 'superseded'
  | 'stale_round'
  | 'changed_since'
  | 'key_reused'
  | 'requester'
  | 'not_approver'
  | 'guest'
  | 'external'
  | 'deactivated'
  | 'bot'
  | 'lookup_failed'
  | 'frozen'
  | 'too_early'
  | 'not_yours'
  | 'nothing_to_do'
  | 'busy'
  | 'reason_needed'
  | 'review_needed'
  /** A question for somebody else. */
  | 'not_asked'
  /** An answer that does not fit the question. */
  | 'bad_answer'
  /** An edited call that does not fit, or is not allowed. */
  | 'bad_edit'
  | 'not_editable'
  | 'denied'
  | 'unchanged'
  | 'quorum_impossible'
  /** A choice needs one of its ways. */
  | 'option_needed'
  /** A grant beyond what the rule offers. */
  | 'no_grant'
  | 'not_admin'
  | 'may_not_freeze'
  | 'not_your_record'
  | 'thread_damaged'
  | 'unknown_control';

/** Why an act is not carried out, before it is said who acted on what. */
export type Problem = Omit<Refusal, 'approval' | 'question' | 'actor'>;

/** A refusal with what its sentence is made of. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly approval?: ApprovalId;
  readonly question?: QuestionId;
  /** A sentence or code that says more, by code. */
  readonly detail?: string;
  /** The person whom the refusal answers. */
  readonly actor?: UserId;
  /** When the thing happened that the sentence speaks of. */
  readonly atMs?: number;
  /** Who did it. */
  readonly by?: UserId;
  /** `too_early`: until when it may still be running. */
  readonly untilMs?: number;
}
