/** Owns the forms that only Home opens: what became of a call of which nobody knows whether it ran. */
import type { ModalView } from '@slack/web-api';
import { approvalOf, takesMoreThanAClick, type Call, type Thread } from '../../thread/thread.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type RenderContext } from './context.ts';
import { chosenOf, type FormValues } from './form-values.ts';
import { ROOM } from './limits.ts';
import { statusLines } from './card.ts';
import { modal, option, radioInput, short } from './modal.ts';
import { sceneOf } from './scene.ts';

/** What a person says of an execution in doubt. */
export type Doubt = 'ran' | 'not_run' | 'abandoned';
const DOUBTS: readonly Doubt[] = ['ran', 'not_run', 'abandoned'];

/** Did it run? Undefined when nobody is in doubt about that attempt (any more). */
export function settleForm(thread: Thread, call: Call, attempt: number, context: RenderContext): ModalView | undefined {
  const scene = sceneOf(penOf(context), thread, call, null);
  if (!scene || call.state.is !== 'in_doubt' || call.state.claim.attempt !== attempt) return undefined;
  const { settleWords, control } = scene.pen.texts;
  const isOver = scene.run.end !== null;
  const approval = approvalOf(thread, call);
  const asks = approval !== undefined && takesMoreThanAClick(approval);
  const again = isOver ? [] : [option(asks ? settleWords.notRunAsk : settleWords.notRunNow, 'not_run')];
  return modal(
    settleWords.title,
    control.back,
    [
      block.plainSection(scene.summary, ROOM.impact),
      block.ownSection(statusLines(scene)),
      radioInput(FORMS.choice, settleWords.label, [
        option(settleWords.ran, 'ran'),
        ...again,
        option(settleWords.abandon, 'abandoned'),
      ]),
    ],
    { callback_id: FORMS.settle, submit: short(settleWords.submit) },
  );
}

/** What was chosen; undefined when nothing was. */
export const readSettle = (values: FormValues): Doubt | undefined =>
  DOUBTS.find(each => each === chosenOf(values, FORMS.choice));
