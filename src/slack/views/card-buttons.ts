/** Owns the buttons of a card: what they are called, ask back and carry. */
import type { Button } from '@slack/web-api';
import { ACTIONS, buttonValue, encodeDoubt } from './actions.ts';
import * as block from './blocks.ts';
import type { Approved, Scene } from './scene.ts';
import { shorten } from './text/escape.ts';

const value = ({ thread, approval }: Approved): string => buttonValue(thread, approval);

/** Approve (or Review to approve, when the card does not show everything) and Reject. */
export function decideButtons(scene: Approved, whole: boolean): Button[] {
  const { control, confirm } = scene.pen.texts;
  const { terms } = scene.approval;
  const asked = {
    title: confirm.approve.title,
    text: confirm.approve.text(shorten(scene.summary, 180), terms.quorum > 1),
    yes: confirm.approve.yes,
    back: control.back,
  };
  return [
    whole
      ? block.button(ACTIONS.approve, control.approve, value(scene), {
          style: 'primary',
          ...(terms.confirm ? { confirm: asked } : {}),
        })
      : block.button(ACTIONS.review, control.review, value(scene), { style: 'primary' }),
    block.button(ACTIONS.reject, control.reject, value(scene), { style: 'danger' }),
  ];
}

/** The answers to "did it run?"; in a run that is over nothing runs again, so that "run it now" is left out. */
export function doubtButtons(scene: Scene, runAgain = scene.run.end === null): Button[] {
  const { control, confirm } = scene.pen.texts;
  const { call, thread, approval } = scene;
  const answer = encodeDoubt(thread.key, call.id, call.attempts);
  const asks = approval !== null && approval.terms.quorum > 1;
  const back = control.back;
  return [
    block.button(ACTIONS.doubtRan, control.ran, answer, { confirm: { ...confirm.ran, back } }),
    ...(runAgain
      ? [
          block.button(ACTIONS.doubtNotRun, asks ? control.notRunAsk : control.notRunNow, answer, {
            confirm: { ...(asks ? confirm.notRunAsk : confirm.notRunNow), back },
          }),
        ]
      : []),
    block.button(ACTIONS.doubtAbandon, control.abandon, answer, {
      style: 'danger',
      confirm: { ...confirm.abandon, back },
    }),
  ];
}
