/** Owns the forms with one text: a question to the requester, one about a message, and why everything is frozen. */
import type { ModalView } from '@slack/web-api';
import type { Approval, Thread } from '../../thread/thread.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { plain } from './line.ts';
import { modal, short, textInput } from './modal.ts';
import { opened } from './scene.ts';

/** What an approver asks the requester before deciding; read it by `readText`. */
export function askForm(thread: Thread, approval: Approval, context: RenderContext): ModalView {
  const scene = opened(thread, approval, context);
  const { form, control } = scene.pen.texts;
  const who = plain([scene.requester]);
  return modal(
    form.ask(who),
    control.back,
    [block.plainSection(scene.summary, ROOM.impact), textInput(FORMS.text, form.askLabel(who), { max: ROOM.inquiry })],
    { callback_id: FORMS.ask, submit: short(form.send) },
  );
}

/** What a person wants of the agent about a message; read it by `readText`. */
export function askAboutForm(context: RenderContext): ModalView {
  const { form, control } = penOf(context).texts;
  return modal(form.askAbout, control.back, [textInput(FORMS.text, form.askAboutLabel, { max: ROOM.inquiry * 2 })], {
    callback_id: FORMS.askAbout,
    submit: short(form.send),
  });
}

/** Why everything is frozen; read it by `readText`. `why` is what was written behind the command already. */
export function freezeForm(context: RenderContext, why = ''): ModalView {
  const { form, control } = penOf(context).texts;
  return modal(form.freeze, control.back, [textInput(FORMS.text, form.freezeWhy, { max: ROOM.reason, initial: why })], {
    callback_id: FORMS.freeze,
    submit: short(form.freezeNow),
  });
}
