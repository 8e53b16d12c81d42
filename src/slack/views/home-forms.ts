/** Owns the forms that only Home opens: what became of a call of which nobody knows whether it ran. */
import type { ModalView } from '@slack/web-api';
import type { Call, Thread } from '../../thread/thread.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { notRunMeans } from './card-buttons.ts';
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
  const means = notRunMeans(scene);
  return modal(
    settleWords.title,
    control.back,
    [
      block.plainSection(scene.summary, ROOM.impact),
      block.ownSection(statusLines(scene)),
      radioInput(FORMS.choice, settleWords.label, [
        option(means === 'notRunOver' ? settleWords.ranOver : settleWords.ran, 'ran'),
        option(settleWords[means], 'not_run'),
        option(settleWords.abandon, 'abandoned'),
      ]),
    ],
    { callback_id: FORMS.settle, submit: short(settleWords.submit) },
  );
}

/** What was chosen; undefined when nothing was. */
export const readSettle = (values: FormValues): Doubt | undefined =>
  DOUBTS.find(each => each === chosenOf(values, FORMS.choice));
