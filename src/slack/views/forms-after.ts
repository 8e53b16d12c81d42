/** Owns the views that follow a form: that it takes longer, that it is over, or why it was not taken while what was filled in is still there. */
import type { ModalView } from '@slack/web-api';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { linesForm } from './commands.ts';
import { penOf, type RenderContext } from './context.ts';
import type { Line } from './line.ts';
import { modal, short } from './modal.ts';

/** What stands above a form that Slack does not wait for any longer; to be filled with what came of it. */
export function workingForm(context: RenderContext): ModalView {
  const { form, control } = penOf(context).texts;
  return modal(form.loading, control.back, [block.plainSection(form.working)], { callback_id: FORMS.loading });
}

/** What came of a form; closing it closes every form below it. Without lines it says that it is done. */
export const overForm = (lines: readonly Line[], context: RenderContext): ModalView => ({
  ...linesForm(lines, context),
  clear_on_close: true,
});

/** Why a form was not taken, to stand above it: Back leads to it as it was filled in (`filled`: it has fields). */
export function keptForm(lines: readonly (Line | string)[], filled: boolean, context: RenderContext): ModalView {
  const { form, control } = penOf(context).texts;
  return { ...linesForm([...lines, ...(filled ? [form.kept] : [])], context), close: short(control.back) };
}
