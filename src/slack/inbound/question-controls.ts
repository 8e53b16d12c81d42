/** Owns what the controls of questions, choices and reviews ask: an answer at once, or the form for one. */
import type { ModalView } from '@slack/web-api';
import { questionOver } from '../../thread/decide/answer.ts';
import type { Given } from '../../thread/decide/command.ts';
import type { Refusal } from '../../thread/refusal.ts';
import type { AnswerForm } from '../../thread/answer-form.ts';
import { at, type Question, type Thread } from '../../thread/thread.ts';
import type { Answer } from '../../worker/ports.ts';
import { ACTIONS, decodeQuestion } from '../views/actions.ts';
import type { RenderContext } from '../views/context.ts';
import { answerForm, draftForm, returnForm } from '../views/forms.ts';
import { openForm, perform, type Control, type Parts } from './performing.ts';

type FormOf = (thread: Thread, question: Question, context: RenderContext) => ModalView;

/** The option at a place; a form without it is answered by nothing that fits, and refused as such. */
function givenAt(form: AnswerForm | undefined, index: number): Given {
  if (form?.type === 'yes_no') return { value: index === 0 };
  const option = form !== undefined && 'options' in form ? form.options[index] : undefined;
  return option === undefined ? { text: '' } : { value: option.value };
}

/** Why a form for an answer is not opened any more; undefined while it is. */
function refusalOf(question: Question, asked: number): Refusal | undefined {
  const problem = questionOver(question);
  if (problem) return { ...problem, question: question.id };
  return question.asked === asked ? undefined : { code: 'changed_since', question: question.id };
}

/** The controls of questions. */
export function questionControls(parts: Parts): Readonly<Record<string, Control>> {
  const { inbox, acts, modals, context } = parts;
  const open =
    (form: FormOf): Control =>
    async (click, to) => {
      const value = decodeQuestion(click.value);
      if (!value) return false;
      return openForm(parts, click, to, async () => {
        const thread = await inbox.read(acts.thread(value.thread));
        const question = at(thread.questions, value.question);
        if (!question) return modals.refusal({ code: 'not_found' }, null);
        const refusal = refusalOf(question, value.asked);
        return refusal ? modals.refusal(refusal, thread) : form(thread, question, context);
      });
    };
  const give = (given: (question: Question | undefined, index: number | null) => Given): Control => {
    return async (click, to) => {
      const value = decodeQuestion(click.value);
      if (!value) return false;
      const { thread, question, asked, index } = value;
      const id = `${question}.${asked}${index === null ? '' : `.${index}`}`;
      await perform(parts, click, to, { thread, id, about: null }, async (act): Promise<Answer> => {
        const known = at((await inbox.read(act.thread)).questions, question);
        return inbox.answer(act, { question, asked, given: given(known, index), origin: 'click' });
      });
      return true;
    };
  };
  const choose = give((question, index) => (index === null ? { text: '' } : givenAt(question?.form, index)));
  const answer: Control = async (click, to) =>
    decodeQuestion(click.value)?.index === null ? open(answerForm)(click, to) : choose(click, to);
  return {
    [ACTIONS.answer]: answer,
    [ACTIONS.answerSelect]: choose,
    [ACTIONS.accept]: give(() => ({ value: { action: 'accept' } })),
    [ACTIONS.editDraft]: open(draftForm),
    [ACTIONS.returnDraft]: open(returnForm),
  };
}
