/**
 * Owns how the events of a question, choice or review change it.
 *
 * 1. An answer that its tool did not take opens it again; what was given and why it was not taken stay on it. 2. A message
 * that was taken as an answer waits for no run.
 */
import { answerFormSchema, type AnswerForm } from './answer-form.ts';
import type { Standing } from './commit.ts';
import { digestOf } from './digest.ts';
import type { EventOf, Json } from './events.ts';
import type { MessageTs, QuestionId, RunId } from './ids.ts';
import { WHICH_QUESTION } from './question.ts';
import { at, type Question, type QuestionState, type Thread } from './thread.ts';

type QuestionEvent = EventOf<'question.asked' | 'question.answered' | 'question.refused' | 'question.closed'>;

/** Folds an event about one question, in place. */
export function foldQuestionEvent(thread: Thread, event: QuestionEvent, commit: Standing): void {
  if (event.type === 'question.asked') return asked(thread, event, commit);
  const question = at(thread.questions, event.question);
  if (!question) return;
  switch (event.type) {
    case 'question.answered':
      return answered(thread, question, event, commit);
    case 'question.refused':
      return refused(thread, question, event, commit);
    case 'question.closed':
      if (question.state.is === 'open') closeQuestion(thread, question, { is: event.how, atMs: commit.atMs });
  }
}

/** Nobody can answer it any more. */
export function closeQuestion(thread: Thread, question: Question, state: QuestionState): void {
  question.state = state;
  thread.open = thread.open.filter(id => id !== question.id);
}

/** The form of an answer; one that was erased, or that this version does not know, is a plain text. */
function formOf(schema: Json | undefined): AnswerForm {
  const form = answerFormSchema.safeParse(schema);
  return form.success ? form.data : { type: 'text' };
}

function asked(thread: Thread, event: EventOf<'question.asked'>, commit: Standing): void {
  if (at(thread.questions, event.question)) return;
  const question: Question = {
    id: event.question as QuestionId,
    run: event.run as RunId,
    call: event.call ?? null,
    about: event.about ?? null,
    kind: event.kind,
    to: event.to,
    scopes: event.scopes ?? [],
    channel: event.channel ?? null,
    askedBy: event.by === undefined ? null : { by: event.by, name: event.body?.name ?? '' },
    prompt: event.body?.prompt ?? '',
    form: formOf(event.body?.schema),
    askedAtMs: commit.atMs,
    expiresAtMs: event.expiresAtMs,
    state: { is: 'open' },
    wrong: null,
    asked: 0,
    message: null,
  };
  thread.questions[question.id] = question;
  // A name such as `__proto__` holds nothing.
  if (at(thread.questions, question.id)) thread.open.push(question.id);
  const approval = question.about === null ? undefined : at(thread.approvals, question.about);
  approval?.inquiries.push(question.id);
}

function answered(thread: Thread, question: Question, event: EventOf<'question.answered'>, commit: Standing): void {
  const value = event.body?.value ?? null;
  thread.decisions[event.key] = { by: event.by, content: event.content ?? digestOf(value), of: question.id };
  if (event.message !== undefined) consume(thread, question, event.message);
  if (question.state.is !== 'open') return;
  const name = event.body?.name ?? '';
  closeQuestion(thread, question, { is: 'answered', by: event.by, name, value, atMs: commit.atMs });
  question.message = event.message ?? null;
}

function refused(thread: Thread, question: Question, event: EventOf<'question.refused'>, commit: Standing): void {
  thread.refusals[`${question.id}.${question.asked}.${event.by}.${event.code}`] = true;
  if (event.body?.given === undefined) return;
  if (event.message !== undefined) consume(thread, question, event.message);
  if (question.state.is !== 'open' && question.state.is !== 'answered') return;
  if (question.state.is === 'answered') reopen(thread, question);
  if (event.code !== WHICH_QUESTION) question.asked += 1;
  question.wrong = {
    by: event.by,
    given: event.body.given,
    why: event.body.why ?? event.code,
    atMs: commit.atMs,
    key: event.key,
  };
}

function reopen(thread: Thread, question: Question): void {
  question.state = { is: 'open' };
  const asked = (id: QuestionId): number => at(thread.questions, id)?.askedAtMs ?? 0;
  thread.open = [...thread.open, question.id].sort((a, b) => asked(a) - asked(b));
}

/** The message was an answer, taken or not: no run begins with it. */
function consume(thread: Thread, question: Question, ts: MessageTs): void {
  thread.queue = thread.queue.filter(other => other !== ts);
  const message = at(thread.messages, ts);
  if (message) message.run ??= question.run;
}
