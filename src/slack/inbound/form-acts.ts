/**
 * Owns what each form asks of the worker, and how the worker's answer is an answer to the form.
 *
 * 1. A form that was opened on an earlier round is refused like a click on it: its round travels with it. 2. Who may do it is
 * the worker's to say.
 */
import type { Given } from '../../thread/decide/command.ts';
import { decodeButton, executionId } from '../../thread/ids.ts';
import { at, type Question } from '../../thread/thread.ts';
import { decodeDoubt, decodeQuestion, FORMS } from '../views/actions.ts';
import { frozenLines } from '../views/commands.ts';
import { readAnswerForm, readForm, readOption, readText } from '../views/forms.ts';
import { readSettle } from '../views/home-forms.ts';
import { Edits } from './editing.ts';
import { submitGrant } from './granting.ts';
import type { Submission } from './interactions.ts';
import type { Origin } from './origin.ts';
import type { Parts } from './performing.ts';
import { actOf, replyTo, type Reply } from './replies.ts';
import { submitAskAbout } from './shortcuts.ts';

/** Undefined when what the form carries is not ours, or nothing was chosen in it. Throws what the worker throws. */
export type FormAct = (submission: Submission, origin: Origin) => Promise<Reply | undefined>;

/** What the forms do, by callback id. */
export function formActs(parts: Parts): Readonly<Record<string, FormAct>> {
  const edits = new Edits(parts);
  return {
    [FORMS.review]: decide(parts, 'approve'),
    [FORMS.reject]: decide(parts, 'reject'),
    [FORMS.grant]: (...sent) => submitGrant(parts, ...sent),
    [FORMS.ask]: inquire(parts),
    [FORMS.edit]: (...sent) => edits.first(...sent),
    [FORMS.editConfirm]: (...sent) => edits.second(...sent),
    [FORMS.answer]: answer(parts, ({ values }, question) => readAnswerForm(values, question)),
    [FORMS.draft]: answer(parts, ({ values }) => ({ value: { action: 'edit', text: readText(values) } })),
    [FORMS.returned]: answer(parts, ({ values }) => ({ value: { action: 'return', why: readText(values) } })),
    [FORMS.settle]: settle(parts),
    [FORMS.freeze]: freeze(parts),
    [FORMS.askAbout]: (...sent) => submitAskAbout(parts, ...sent),
  };
}

function decide(parts: Parts, verdict: 'approve' | 'reject'): FormAct {
  return async (submission, origin) => {
    const { inbox } = parts;
    const value = decodeButton(origin.value);
    if (!value) return undefined;
    const { reason, then } = readForm(submission.values);
    const { approval, round } = value;
    const act = await actOf(parts, submission, origin, value, { approval });
    const chose = verdict === 'approve' && submission.values[FORMS.choice.block] !== undefined;
    const request = chose ? at((await inbox.read(act.thread)).approvals, approval) : undefined;
    const option = request ? readOption(submission.values, request) : null;
    const answered = await inbox.decide(act, {
      approval,
      round,
      verdict,
      reason,
      then: verdict === 'reject' ? then : null,
      origin: 'form',
      ...(option === null ? {} : { option }),
    });
    return replyTo(parts, submission, answered, 'in_place');
  };
}

function inquire(parts: Parts): FormAct {
  return async (submission, origin) => {
    const value = decodeButton(origin.value);
    if (!value) return undefined;
    const { approval, round } = value;
    const act = await actOf(parts, submission, origin, value, { approval });
    const asked = await parts.inbox.inquire(act, { approval, round, text: readText(submission.values) });
    return replyTo(parts, submission, asked, 'in_place');
  };
}

function answer(parts: Parts, read: (submission: Submission, question: Question) => Given): FormAct {
  return async (submission, origin) => {
    const { inbox } = parts;
    const value = decodeQuestion(origin.value);
    if (!value) return undefined;
    const act = await actOf(parts, submission, origin, value.thread, null);
    const thread = await inbox.read(act.thread);
    const question = at(thread.questions, value.question);
    if (!question) return replyTo(parts, submission, { refusal: { code: 'not_found' }, thread });
    const given = read(submission, question);
    const answered = await inbox.answer(act, {
      question: value.question,
      asked: value.asked,
      given,
      origin: 'form',
    });
    return replyTo(parts, submission, answered);
  };
}

function settle(parts: Parts): FormAct {
  return async (submission, origin) => {
    const doubt = decodeDoubt(origin.value);
    const as = readSettle(submission.values);
    if (!doubt || !as) return undefined;
    const { call, attempt } = doubt;
    const about = { execution: executionId(call, attempt) };
    const act = await actOf(parts, submission, origin, doubt.thread, about);
    return replyTo(parts, submission, await parts.inbox.settle(act, { call, attempt, as }), 'in_place');
  };
}

function freeze(parts: Parts): FormAct {
  return async submission => {
    const { inbox, context } = parts;
    const frozen = await inbox.freeze(submission.by, readText(submission.values).trim());
    return frozen.refusal === null
      ? { is: 'over', lines: frozenLines(frozen, context), told: 'in_form' }
      : replyTo(parts, submission, { ...frozen, thread: null });
  };
}
