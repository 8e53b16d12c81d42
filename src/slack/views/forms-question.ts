/** Owns the forms that answer a question, edit a draft or return it, and how an answer is read. */
import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Given } from '../../thread/decide/command.ts';
import type { Question, Thread } from '../../thread/thread.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { chosenOf, partOf, severalOf, textOf, type FormValues } from './form-values.ts';
import { ROOM, SLACK } from './limits.ts';
import { modal, option, radioInput, selectInput, severalInput, short, textInput } from './modal.ts';
import { visible } from '../../thread/text/visible.ts';
import { cut } from './text/escape.ts';

/** So many options stand as radio buttons; more are a select. */
const RADIOS = 8;

const promptOf = (pen: Pen, question: Question): KnownBlock =>
  block.plainSection(cut(pen.show.text(question.prompt), ROOM.formBlock));

function fields(pen: Pen, { form: wanted }: Question): KnownBlock[] {
  const { form } = pen.texts;
  const label = form.answerLabel;
  const options =
    'options' in wanted ? wanted.options.map((one, index) => option(pen.show.line(one.label), String(index))) : [];
  const other =
    'options' in wanted && wanted.other === true
      ? [textInput(FORMS.other, form.otherLabel, { optional: true, max: ROOM.reason * 2 })]
      : [];
  switch (wanted.type) {
    case 'text':
      return [
        textInput(FORMS.text, label, {
          optional: wanted.optional ?? false,
          max: Math.min(SLACK.input, Math.max(1, wanted.maxLength ?? SLACK.input)),
        }),
      ];
    case 'number':
      return [textInput(FORMS.text, label, { multiline: false, max: 60 })];
    case 'yes_no':
      return [radioInput(FORMS.choice, label, [option(form.yes, 'yes'), option(form.no, 'no')])];
    case 'choice': {
      const optional = other.length > 0;
      return [
        options.length <= RADIOS
          ? radioInput(FORMS.choice, label, options, null, optional)
          : selectInput(FORMS.choice, label, options, { optional }),
        ...other,
      ];
    }
    case 'choices':
      return [severalInput(FORMS.choice, label, options, other.length > 0 || (wanted.min ?? 0) === 0), ...other];
    case 'review':
      return [];
  }
}

/** The answer to a question, by the form that it asks for; an earlier answer that was not taken is said above. */
export function answerForm(_thread: Thread, question: Question, context: RenderContext): ModalView {
  const pen = penOf(context);
  const { form, control } = pen.texts;
  return modal(form.answer, control.back, [promptOf(pen, question), ...fields(pen, question)], {
    callback_id: FORMS.answer,
    submit: short(form.answerIt),
  });
}

/** What was answered; texts are read by the question's form, options are its values. */
export function readAnswerForm(values: FormValues, question: Pick<Question, 'form'>): Given {
  const wanted = question.form;
  const other = textOf(values, FORMS.other).trim();
  switch (wanted.type) {
    case 'text':
    case 'number':
    case 'review':
      return { text: textOf(values, FORMS.text) };
    case 'yes_no': {
      const chosen = chosenOf(values, FORMS.choice);
      return chosen === 'yes' ? { value: true } : chosen === 'no' ? { value: false } : { text: '' };
    }
    case 'choice': {
      if (wanted.other === true && other !== '') return { text: other };
      const chosen = chosenOf(values, FORMS.choice);
      const one = chosen === undefined ? undefined : wanted.options[Number(chosen)];
      return one === undefined ? { text: '' } : { value: one.value };
    }
    case 'choices': {
      const chosen = severalOf(values, FORMS.choice).flatMap(index => wanted.options[Number(index)] ?? []);
      return { value: [...chosen.map(one => one.value), ...(wanted.other === true && other !== '' ? [other] : [])] };
    }
  }
}

/** Cuts a draft at line ends into parts that a field holds, so that the parts joined by line ends are the draft again. */
function partsOf(draft: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (draft.length - from > SLACK.input) {
    const at = draft.lastIndexOf('\n', from + SLACK.input);
    if (at < from) return [];
    parts.push(draft.slice(from, at));
    from = at + 1;
  }
  return [...parts, draft.slice(from)];
}

/** True when a form can hold the draft and nothing in it is masked, since a mask must not come back as text. */
export function canEditDraft(pen: Pen, draft: string): boolean {
  const { length } = partsOf(draft);
  return length > 0 && length <= ROOM.draftParts && pen.show.text(draft) === visible(draft);
}

/** The draft to be changed, in as many fields as it needs; read it by `readText`. */
export function draftForm(_thread: Thread, question: Question, context: RenderContext): ModalView {
  const pen = penOf(context);
  const { form, control } = pen.texts;
  const parts = question.form.type === 'review' ? partsOf(question.form.draft) : [];
  const inputs = parts.map((part, index) =>
    textInput(partOf(index), parts.length === 1 ? form.draftLabel : form.draftPart(index + 1, parts.length), {
      initial: part,
      optional: parts.length > 1,
    }),
  );
  const fits = question.form.type === 'review' && canEditDraft(pen, question.form.draft);
  return modal(
    form.draft,
    control.back,
    fits ? [promptOf(pen, question), ...inputs] : [block.ownSection([form.draftTooLong])],
    {
      callback_id: FORMS.draft,
      ...(fits ? { submit: short(form.acceptEdited) } : {}),
    },
  );
}

/** Why a draft is returned; read it by `readText`. */
export function returnForm(_thread: Thread, question: Question, context: RenderContext): ModalView {
  const pen = penOf(context);
  const { form, control } = pen.texts;
  return modal(
    form.returned,
    control.back,
    [promptOf(pen, question), textInput(FORMS.text, form.returnWhy, { max: ROOM.reason * 2 })],
    { callback_id: FORMS.returned, submit: short(form.returnIt) },
  );
}
