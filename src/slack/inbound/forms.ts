/**
 * Owns what a form that somebody sends asks of the worker.
 *
 * 1. A form that was opened on an earlier round is refused like a click on it: its round travels with it. 2. Forms that only
 * ask for something are acknowledged at once. Those that are answered in the form itself (an edit, an answer, a freeze) wait
 * for the worker at most `ANSWER_MS`; what takes longer is shown when it is known. 3. Who may do it is the worker's to say.
 */
import type { ModalView } from '@slack/web-api';
import type { Given } from '../../thread/decide/command.ts';
import { decodeButton, executionId } from '../../thread/ids.ts';
import { at, type Question } from '../../thread/thread.ts';
import { decodeDoubt, decodeQuestion, FORMS } from '../views/actions.ts';
import { frozenLines, linesForm } from '../views/commands.ts';
import { readAnswerForm, readForm, readOption, readText } from '../views/forms.ts';
import { readSettle } from '../views/home-forms.ts';
import { plain } from '../views/line.ts';
import { refusalLine } from '../views/refusals.ts';
import { Edits } from './editing.ts';
import { submitGrant } from './granting.ts';
import type { Submission } from './interactions.ts';
import { decodeOrigin, type Origin } from './origin.ts';
import type { Parts } from './performing.ts';
import type { Listener } from './privately.ts';
import { actOf, closeAnd, type Reply } from './replies.ts';
import { submitAskAbout } from './shortcuts.ts';

/** What Slack takes as the answer to a form. */
export type FormAck =
  | undefined
  | { readonly response_action: 'update'; readonly view: ModalView }
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> };

type Handler = (submission: Submission, origin: Origin, to: Listener) => Promise<Reply | undefined>;

/** Slack waits 3 s for the acknowledgement. */
const ANSWER_MS = 2_000;

export class Forms {
  readonly #parts: Parts;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const edits = new Edits(parts);
    this.#handlers = {
      [FORMS.review]: (...sent) => this.#decide('approve', ...sent),
      [FORMS.reject]: (...sent) => this.#decide('reject', ...sent),
      [FORMS.grant]: (...sent) => submitGrant(parts, ...sent),
      [FORMS.ask]: (...sent) => this.#inquire(...sent),
      [FORMS.edit]: (submission, origin) => edits.first(submission, origin),
      [FORMS.editConfirm]: (submission, origin) => edits.second(submission, origin),
      [FORMS.answer]: (submission, origin) =>
        this.#answer(submission, origin, question => readAnswerForm(submission.values, question)),
      [FORMS.draft]: (submission, origin) =>
        this.#answer(submission, origin, () => ({ value: { action: 'edit', text: readText(submission.values) } })),
      [FORMS.returned]: (submission, origin) =>
        this.#answer(submission, origin, () => ({ value: { action: 'return', why: readText(submission.values) } })),
      [FORMS.settle]: (...sent) => this.#settle(...sent),
      [FORMS.freeze]: submission => this.#freeze(submission),
      [FORMS.askAbout]: (...sent) => submitAskAbout(parts, ...sent),
    };
  }

  /** Acknowledges a form within Slack's time and carries it out. Never throws but what `ack` throws. */
  async submitted(submission: Submission, ack: (answer: FormAck) => Promise<void>): Promise<void> {
    const { acts, clock, environment, modals } = this.#parts;
    const origin = decodeOrigin(submission.metadata);
    const handler = Object.hasOwn(this.#handlers, submission.form) ? this.#handlers[submission.form] : undefined;
    if (!origin || !handler) return ack(undefined);
    const { place, threadTs } = origin;
    const { user } = submission.by;
    const to: Listener = {
      user,
      channel: place?.channel ?? null,
      threadTs,
      respond: null,
      trigger: submission.trigger,
    };
    const isOurs = acts.isOurs(submission.installed);
    if (!isOurs || origin.environment !== environment) {
      await ack(undefined);
      return acts.refuse(to, { code: isOurs ? 'other_environment' : 'not_found' }, null);
    }
    const work = this.#handled(handler, submission, origin, to);
    const patience = new AbortController();
    const inTime = await Promise.race([work, clock.sleep(ANSWER_MS, patience.signal).then(() => undefined)]);
    patience.abort();
    await ack(inTime === undefined ? { response_action: 'update', view: modals.loading } : ackOf(inTime));
    const reply = inTime ?? (await work);
    if (inTime === undefined) await modals.replace(submission.view, this.#late(reply));
    if (reply.is === 'close') await reply.after?.();
  }

  async #handled(handler: Handler, submission: Submission, origin: Origin, to: Listener): Promise<Reply> {
    const { acts, modals } = this.#parts;
    try {
      return (await handler(submission, origin, to)) ?? { is: 'close' };
    } catch (error) {
      return { is: 'view', view: modals.notice(acts.failure(error)) };
    }
  }

  /** What an answer looks like that came after the acknowledgement. */
  #late(reply: Reply): ModalView {
    const { context } = this.#parts;
    if (reply.is === 'view') return reply.view;
    if (reply.is === 'errors') return linesForm(Object.values(reply.errors), context);
    return linesForm([], context);
  }

  async #decide(
    verdict: 'approve' | 'reject',
    submission: Submission,
    origin: Origin,
    to: Listener,
  ): Promise<Reply | undefined> {
    const { inbox, acts } = this.#parts;
    const value = decodeButton(origin.value);
    if (!value) return undefined;
    const { reason, then } = readForm(submission.values);
    const { approval, round } = value;
    return closeAnd(() =>
      acts.perform(to, async () => {
        const act = await actOf(this.#parts, submission, origin, value, { approval });
        const chose = verdict === 'approve' && submission.values[FORMS.choice.block] !== undefined;
        const request = chose ? at((await inbox.read(act.thread)).approvals, approval) : undefined;
        const option = request ? readOption(submission.values, request) : null;
        return inbox.decide(act, {
          approval,
          round,
          verdict,
          reason,
          then: verdict === 'reject' ? then : null,
          origin: 'form',
          ...(option === null ? {} : { option }),
        });
      }),
    );
  }

  async #inquire(submission: Submission, origin: Origin, to: Listener): Promise<Reply | undefined> {
    const value = decodeButton(origin.value);
    if (!value) return undefined;
    const { approval, round } = value;
    const text = readText(submission.values);
    return closeAnd(() =>
      this.#parts.acts.perform(to, async () => {
        const act = await actOf(this.#parts, submission, origin, value, { approval });
        return this.#parts.inbox.inquire(act, { approval, round, text });
      }),
    );
  }

  async #answer(
    submission: Submission,
    origin: Origin,
    read: (question: Question) => Given,
  ): Promise<Reply | undefined> {
    const { inbox, modals, context } = this.#parts;
    const value = decodeQuestion(origin.value);
    if (!value) return undefined;
    const act = await actOf(this.#parts, submission, origin, value.thread, null);
    const question = at((await inbox.read(act.thread)).questions, value.question);
    if (!question) return { is: 'view', view: modals.refusal({ code: 'not_found' }, null) };
    const answer = await inbox.answer(act, {
      question: value.question,
      asked: value.asked,
      given: read(question),
      origin: 'form',
    });
    if (answer.refusal === null) return { is: 'close' };
    const sentence = refusalLine(answer.refusal, answer.thread, context, answer.workspace);
    const block = Object.keys(submission.values)[0];
    return answer.refusal.code === 'bad_answer' && block !== undefined
      ? { is: 'errors', errors: { [block]: plain(sentence) } }
      : { is: 'view', view: modals.notice(sentence) };
  }

  async #settle(submission: Submission, origin: Origin, to: Listener): Promise<Reply | undefined> {
    const doubt = decodeDoubt(origin.value);
    const as = readSettle(submission.values);
    if (!doubt || !as) return undefined;
    const { call, attempt } = doubt;
    return closeAnd(() =>
      this.#parts.acts.perform(to, async () => {
        const about = { execution: executionId(call, attempt) };
        const act = await actOf(this.#parts, submission, origin, doubt.thread, about);
        return this.#parts.inbox.settle(act, { call, attempt, as });
      }),
    );
  }

  async #freeze(submission: Submission): Promise<Reply> {
    const { inbox, modals, context } = this.#parts;
    const frozen = await inbox.freeze(submission.by, readText(submission.values).trim());
    if (frozen.refusal !== null)
      return { is: 'view', view: modals.notice(refusalLine(frozen.refusal, null, context, frozen.workspace)) };
    return { is: 'view', view: linesForm(frozenLines(frozen, context), context) };
  }
}

function ackOf(reply: Reply): FormAck {
  switch (reply.is) {
    case 'close':
      return undefined;
    case 'errors':
      return { response_action: 'errors', errors: { ...reply.errors } };
    case 'view':
      return { response_action: 'update', view: reply.view };
  }
}
