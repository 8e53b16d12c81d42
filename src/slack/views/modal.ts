/** Owns what all forms are made of: the frame, inputs, and the two plain views (loading, a notice). */
import type { InputBlock, KnownBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/web-api';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type RenderContext } from './context.ts';
import { ROOM, SLACK } from './limits.ts';
import type { Line } from './line.ts';
import { shorten } from './text/escape.ts';

/** A title, submit or close. */
export const short = (text: string): PlainTextElement => ({
  type: 'plain_text',
  text: shorten(text, SLACK.title),
  emoji: false,
});

/** The frame of a form; without `submit` in `more` there is nothing to send. */
export function modal(title: string, close: string, blocks: KnownBlock[], more: Partial<ModalView>): ModalView {
  return { type: 'modal', title: short(title), close: short(close), blocks, ...more };
}

/** What is opened at once, before anything is read. */
export function loadingForm(context: RenderContext): ModalView {
  const { form, control } = penOf(context).texts;
  return modal(form.loading, control.close, [block.plainSection(form.loadingText)], { callback_id: FORMS.loading });
}

/** One sentence of ours and nothing to do: a refusal where a form was asked for. */
export function noticeForm(line: Line, context: RenderContext): ModalView {
  const { form, control } = penOf(context).texts;
  return modal(form.notice, control.close, [block.paragraph(line)], { callback_id: FORMS.notice });
}

interface Field {
  readonly block: string;
  readonly action: string;
}

interface TextMore {
  readonly optional?: boolean;
  readonly max?: number;
  readonly initial?: string;
  readonly multiline?: boolean;
  readonly hint?: string;
}

/** A text field; at most 3,000 characters, several lines unless told otherwise. */
export const textInput = (field: Field, label: string, more: TextMore = {}): InputBlock => ({
  type: 'input',
  block_id: field.block,
  label: block.plainText(label, SLACK.label),
  optional: more.optional ?? false,
  ...(more.hint === undefined ? {} : { hint: block.plainText(more.hint, SLACK.label) }),
  element: {
    type: 'plain_text_input',
    action_id: field.action,
    multiline: more.multiline ?? true,
    max_length: more.max ?? SLACK.input,
    ...(more.initial === undefined || more.initial === '' ? {} : { initial_value: more.initial }),
  },
});

/** One choice of a field; `value` is what comes back. */
export const option = (text: string, value: string): PlainTextOption => ({
  text: { type: 'plain_text', text: shorten(text === '' ? ' ' : text, SLACK.option), emoji: false },
  value,
});

/** Options as a select takes them: in groups where there are more than one list holds. */
export const listed = (options: readonly PlainTextOption[]) =>
  options.length <= SLACK.options
    ? { options: [...options] }
    : {
        option_groups: Array.from({ length: Math.ceil(options.length / SLACK.options) }, (_, index) => {
          const from = index * SLACK.options;
          const some = options.slice(from, from + SLACK.options);
          return { label: block.plainText(`${from + 1}–${from + some.length}`, SLACK.option), options: some };
        }),
      };

const initial = (options: readonly PlainTextOption[], value: string | null) =>
  options.filter(one => one.value === value).slice(0, 1);

/** One of a few, all of them in sight; `preset` is an option's value. */
export function radioInput(
  field: Field,
  label: string,
  options: readonly PlainTextOption[],
  preset: string | null = null,
  optional = false,
): InputBlock {
  const [first] = initial(options, preset);
  return {
    type: 'input',
    block_id: field.block,
    label: block.plainText(label, SLACK.label),
    optional,
    element: {
      type: 'radio_buttons',
      action_id: field.action,
      options: [...options],
      ...(first ? { initial_option: first } : {}),
    },
  };
}

/** One of many; `tells` when a change is sent at once. */
export function selectInput(
  field: Field,
  label: string,
  options: readonly PlainTextOption[],
  more: { readonly preset?: string; readonly optional?: boolean; readonly tells?: boolean } = {},
): InputBlock {
  const [first] = initial(options, more.preset ?? null);
  return {
    type: 'input',
    block_id: field.block,
    label: block.plainText(label, SLACK.label),
    optional: more.optional ?? false,
    ...(more.tells ? { dispatch_action: true } : {}),
    element: {
      type: 'static_select',
      action_id: field.action,
      ...listed(options),
      ...(first ? { initial_option: first } : {}),
    },
  };
}

/** Several of many. */
export const severalInput = (
  field: Field,
  label: string,
  options: readonly PlainTextOption[],
  optional: boolean,
): InputBlock => ({
  type: 'input',
  block_id: field.block,
  label: block.plainText(label, SLACK.label),
  optional,
  element: { type: 'multi_static_select', action_id: field.action, ...listed(options) },
});

/** Why somebody decides as they do. */
export const reasonInput = (label: string, optional: boolean): InputBlock =>
  textInput(FORMS.reason, label, { optional, max: ROOM.reason });
