/**
 * Owns answers to questions, choices and reviews.
 *
 * 1. The order of refusals: same key, state, time, who is asked, whether it fits. 2. An answer that does not fit says why and
 * leaves the question open. 3. A message is an answer only where exactly one question waits for its author; where several do,
 * that is said, and the message does nothing else.
 */
import { fitText, fitValue, type Fitted } from '../answer-form.ts';
import { digestOf } from '../digest.ts';
import type { EventOf } from '../events.ts';
import type { UserId } from '../ids.ts';
import type { Problem, Refusal } from '../refusal.ts';
import { withoutMentions } from '../text/mentions.ts';
import { WHICH_QUESTION } from '../question.ts';
import { at, openQuestions, type Question, type Thread } from '../thread.ts';
import {
  decided,
  nothing,
  repeated,
  refused,
  type Answer,
  type Command,
  type Decision,
  type Given,
  type Incoming,
} from './command.ts';
import { mayAnswer } from './rights.ts';
import { sameKey } from './same-key.ts';

/** What is kept of an answer that was not taken. */
const MAX_GIVEN = 300;

/** Applies an answer, or refuses it with a code. */
export function answer(thread: Thread, command: Answer, nowMs: number): Decision {
  const question = at(thread.questions, command.question);
  const actor = command.actor.user;
  if (!question) return refused({ code: 'not_found', actor });
  const content = digestOf(command.given);
  const again = sameKey(thread, command, () => content, question.id);
  if (again === 'repeated') return repeated;
  const problem = again ?? noLongerAsked(thread, question, nowMs) ?? staleAnswer(question, command);
  if (problem) return refuse(thread, question, command, problem);
  const rights = mayAnswer(command.actor, question, requestersOf(thread, question));
  if (rights !== 'ok') return refuse(thread, question, command, { code: rights });
  const fitted = fit(question, command.given);
  if (!fitted.ok) return refuse(thread, question, command, { code: 'bad_answer', detail: fitted.why }, command.given);
  return decided({
    ...answered(question, command.key),
    by: actor,
    team: command.actor.team,
    origin: command.origin,
    content,
    scopes: [...command.actor.scopes],
    body: { value: fitted.value, name: command.actor.name },
  });
}

const requestersOf = (thread: Thread, { run }: Question): readonly UserId[] => at(thread.runs, run)?.requesters ?? [];

const fit = (question: Question, given: Given): Fitted =>
  'text' in given ? fitText(question.form, given.text) : fitValue(question.form, given.value);

/** Why nobody can answer any more; undefined while somebody can. */
function noLongerAsked(thread: Thread, question: Question, nowMs: number): Problem | undefined {
  const over = questionOver(question);
  if (over) return over;
  if (nowMs >= question.expiresAtMs) return { code: 'expired', atMs: question.expiresAtMs };
  return isStillWanted(thread, question) ? undefined : { code: 'nothing_to_do' };
}

/** Why a question is over, whatever time it is; undefined while it is open. */
export function questionOver({ state, expiresAtMs }: Question): Problem | undefined {
  switch (state.is) {
    case 'answered':
      return { code: 'already_decided', atMs: state.atMs, by: state.by };
    case 'expired':
      return { code: 'expired', atMs: expiresAtMs };
    case 'withdrawn':
      return { code: 'withdrawn', atMs: state.atMs };
    case 'open':
      return undefined;
  }
}

/** A question of a run that is over, or about a request that is decided, changes nothing any more. */
const isStillWanted = (thread: Thread, { run, about }: Question): boolean =>
  about === null ? at(thread.runs, run)?.end === null : at(thread.approvals, about)?.state.is === 'open';

/** An answer to an earlier count is stale; but a form that was told what is wrong stays open, and is sent again as it is. */
function staleAnswer({ asked, wrong }: Question, command: Answer): Problem | undefined {
  const isCurrent = command.asked === null || command.asked === asked || command.key === wrong?.key;
  return isCurrent ? undefined : { code: 'changed_since' };
}

function refuse(thread: Thread, question: Question, command: Answer, problem: Problem, given?: Given): Decision {
  const actor = command.actor.user;
  const refusal: Refusal = { ...problem, question: question.id, actor };
  if (given === undefined && at(thread.refusals, `${question.id}.${question.asked}.${actor}.${problem.code}`))
    return refused(refusal);
  return refused(refusal, {
    type: 'question.refused',
    question: question.id,
    by: actor,
    code: problem.code,
    key: command.key,
    body: given === undefined ? {} : { given: textOf(given), why: problem.detail ?? problem.code },
  });
}

const textOf = (given: Given): string =>
  ('text' in given ? given.text : JSON.stringify(given.value)).slice(0, MAX_GIVEN).toWellFormed();

type Bare = Omit<EventOf<'question.answered'>, 'by' | 'body'>;

const answered = (question: Question, key: string): Bare => ({
  type: 'question.answered',
  question: question.id,
  key,
});

/** The questions that a message of this person in the thread may answer, oldest first; a review has buttons only. */
export const answerableBy = (thread: Thread, author: UserId, nowMs: number): Question[] =>
  openQuestions(thread).filter(
    question =>
      question.kind !== 'review' &&
      question.to.includes(author) &&
      noLongerAsked(thread, question, nowMs) === undefined,
  );

/**
 * What a message does as an answer; `waiting`: what it may answer. One that may answer several answers none: that stands at the
 * latest. Only its own text is read: what mentions us in it is left out.
 */
export function answeredBy(
  waiting: readonly Question[],
  message: Incoming,
): EventOf<'question.answered' | 'question.refused'>[] {
  const question = waiting.at(-1);
  if (!question) return [];
  const text = withoutMentions(message.text);
  const fitted = fitText(question.form, text);
  const several = waiting.length > 1;
  if (several || !fitted.ok)
    return [
      {
        type: 'question.refused',
        question: question.id,
        by: message.author,
        code: several ? WHICH_QUESTION : 'bad_answer',
        key: message.ts,
        message: message.ts,
        body: {
          given: text.slice(0, MAX_GIVEN).toWellFormed(),
          why: several || fitted.ok ? WHICH_QUESTION : fitted.why,
        },
      },
    ];
  return [
    {
      ...answered(question, message.ts),
      by: message.author,
      team: message.team,
      origin: 'message',
      message: message.ts,
      content: digestOf({ text }),
      body: { value: fitted.value, name: message.name },
    },
  ];
}

/** Ends a question whose time is over. */
export function closeQuestion(
  thread: Thread,
  command: Extract<Command, { type: 'closeQuestion' }>,
  nowMs: number,
): Decision {
  const question = at(thread.questions, command.question);
  if (question?.state.is !== 'open' || nowMs < question.expiresAtMs) return nothing;
  return decided({ type: 'question.closed', question: question.id, how: 'expired', body: {} });
}
