/** Owns the shape of a question, choice or review in a folded thread, and its states. */
import type { AnswerForm } from './answer-form.ts';
import type { Json, Scope } from './events.ts';
import type { ApprovalId, CallId, ChannelId, MessageTs, QuestionId, RunId, UserId } from './ids.ts';

export type QuestionState =
  | { readonly is: 'open' }
  | { readonly is: 'answered'; readonly by: UserId; readonly name: string; readonly value: Json; readonly atMs: number }
  | { readonly is: 'expired'; readonly atMs: number }
  | { readonly is: 'withdrawn'; readonly atMs: number };

export interface Question {
  readonly id: QuestionId;
  readonly run: RunId;
  /** The call that waits for the answer; null for an approver's question about a request. */
  readonly call: CallId | null;
  /** The request that an approver asks about; null otherwise. */
  readonly about: ApprovalId | null;
  readonly kind: 'question' | 'choice' | 'review';
  /** Who may answer by being named. */
  readonly to: readonly UserId[];
  /** Who may answer by belonging to a scope (experts); never a requester. */
  readonly scopes: readonly Scope[];
  /** Where it stands; null: in the thread. */
  readonly channel: ChannelId | null;
  /** The approver who asks; null when the agent or a tool does. */
  readonly askedBy: { readonly by: UserId; readonly name: string } | null;
  readonly prompt: string;
  readonly form: AnswerForm;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  state: QuestionState;
  /** The latest answer that was not taken: what was given (as text), and why not in the tool's own words, or as a code. */
  wrong: {
    readonly by: UserId;
    readonly given: string;
    readonly why: string;
    readonly atMs: number;
    /** Of the form, click or message that it came by; absent in folds kept before it was. */
    readonly key?: string;
  } | null;
  /** Counts answers that were given and not taken: a control of an earlier count is stale. */
  asked: number;
  /** The message that was taken as the answer. */
  message: MessageTs | null;
}

/** Why a message was not taken as an answer that may answer several questions: their controls stay as they are. */
export const WHICH_QUESTION = 'which_question';

/** True while it can be answered. */
export const isOpenQuestion = (question: Question): boolean => question.state.is === 'open';
