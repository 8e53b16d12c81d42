/** Owns the controls of questions, choices and reviews, and what they carry. */
import type { ActionsBlockElement } from '@slack/web-api';
import type { Question, Thread } from '../../thread/thread.ts';
import { ACTIONS, encodeQuestion, nth } from './actions.ts';
import * as block from './blocks.ts';
import type { Pen } from './context.ts';
import { canEditDraft } from './forms-question.ts';
import { ROOM, SLACK } from './limits.ts';
import { option } from './modal.ts';
import { shorten } from './text/escape.ts';

/** So many options stand as buttons; more are a select. */
const BUTTONS = 5;

function labels(pen: Pen, { form }: Question): string[] {
  if (form.type === 'yes_no') return [pen.texts.control.yes, pen.texts.control.no];
  return form.type === 'choice' ? form.options.map(one => pen.show.line(one.label)) : [];
}

/** Options as buttons or a select, then the form: for a text, for several options, or for something else. */
export function questionButtons(pen: Pen, thread: Thread, question: Question): ActionsBlockElement[] {
  const { control } = pen.texts;
  const value = (index?: number): string => encodeQuestion(thread.key, question.id, question.asked, index);
  const all = labels(pen, question);
  // What a message has no room for is chosen in the form.
  const isPlain = all.length === 0 || all.length > SLACK.options || all.join('').length > ROOM.options;
  const form = block.button(
    ACTIONS.answer,
    isPlain ? control.answer : control.other,
    value(),
    isPlain ? { style: 'primary' } : {},
  );
  if (isPlain) return [form];
  const other = question.form.type === 'choice' && question.form.other === true ? [form] : [];
  if (all.length <= BUTTONS)
    return [
      ...all.map((label, index) =>
        block.button(nth(ACTIONS.answer, index), shorten(label, SLACK.button), value(index)),
      ),
      ...other,
    ];
  return [
    {
      type: 'static_select',
      action_id: ACTIONS.answerSelect,
      placeholder: block.plainText(control.choose, ROOM.placeholder),
      options: all.map((label, index) => option(label, value(index))),
    },
    ...other,
  ];
}

/** Accept (once the whole draft can be read), Edit (where a form can hold it), Return. */
export function reviewButtons(pen: Pen, thread: Thread, question: Question, ready: boolean): ActionsBlockElement[] {
  const { control } = pen.texts;
  const value = encodeQuestion(thread.key, question.id, question.asked);
  const draft = question.form.type === 'review' ? question.form.draft : '';
  return [
    ...(ready ? [block.button(ACTIONS.accept, control.accept, value, { style: 'primary' })] : []),
    ...(canEditDraft(pen, draft) ? [block.button(ACTIONS.editDraft, control.editDraft, value)] : []),
    block.button(ACTIONS.returnDraft, control.returnDraft, value),
  ];
}
