/** Owns the buttons of a card: what they are called, ask back and carry. */
import type { ActionsBlockElement, Button } from '@slack/web-api';
import { takesMoreThanAClick } from '../../thread/thread.ts';
import { ACTIONS, buttonValue, encodeCall, encodeDoubt, encodeMore, MORE, nth, optionValue } from './actions.ts';
import * as block from './blocks.ts';
import { editableFields } from './forms-edit.ts';
import { canGrant } from './forms-grant.ts';
import { plain } from './line.ts';
import { ROOM, SLACK } from './limits.ts';
import { listed, option } from './modal.ts';
import type { Approved, Scene } from './scene.ts';
import { escapedLength, shorten } from './text/escape.ts';

/** What a card shows of a request: all of it, less than a form does, or less than a file that is not there yet. */
export type Showing = 'whole' | 'form' | 'pending';

/** So many ways stand as buttons; more are a select. */
const WAYS = 4;

const value = ({ thread, approval }: Approved): string => buttonValue(thread, approval);

/** What Approve asks back where the rule wants it; undefined otherwise. */
function asksBack(scene: Approved): block.ConfirmWords | undefined {
  const { control, confirm } = scene.pen.texts;
  const { terms } = scene.approval;
  return terms.confirm
    ? {
        title: confirm.approve.title,
        text: confirm.approve.text(shorten(scene.summary, 180), terms.quorum > 1),
        yes: confirm.approve.yes,
        back: control.back,
      }
    : undefined;
}

/** The ways among which deciders choose: buttons, or a select. */
function ways(scene: Approved): ActionsBlockElement[] {
  const { pen, approval, thread } = scene;
  const confirm = asksBack(scene);
  const labels = approval.options.map(way => pen.show.line(way.label));
  if (labels.length <= WAYS)
    return labels.map((label, index) =>
      block.button(
        nth(ACTIONS.option, index),
        shorten(label, SLACK.button),
        optionValue(thread, approval, index),
        confirm ? { confirm } : {},
      ),
    );
  return [
    {
      type: 'static_select',
      action_id: ACTIONS.optionSelect,
      placeholder: block.plainText(pen.texts.control.choose, ROOM.placeholder),
      ...listed(labels.map((label, index) => option(label, optionValue(thread, approval, index)))),
      ...(confirm ? { confirm: block.confirmation(confirm) } : {}),
    },
  ];
}

/** True when the card has room for all ways; the form always has. */
export const waysFit = ({ pen, approval }: Approved): boolean =>
  approval.options.length <= SLACK.options &&
  approval.options.reduce((sum, way) => sum + escapedLength(shorten(pen.show.line(way.label), SLACK.button)), 0) <=
    ROOM.ways;

/** What opens the whole request; while everything is frozen it can be looked at, and nothing approved. */
export const reviewLabel = ({ pen, frozen }: Approved): string =>
  frozen === null ? pen.texts.control.review : pen.texts.home.review;

function approveButtons(scene: Approved, showing: Showing): ActionsBlockElement[] {
  const { control } = scene.pen.texts;
  if (showing === 'pending') return [];
  if (showing === 'form') return [block.button(ACTIONS.review, reviewLabel(scene), value(scene), { style: 'primary' })];
  if (scene.approval.options.length > 0) return ways(scene);
  const confirm = asksBack(scene);
  return [
    block.button(ACTIONS.approve, control.approve, value(scene), {
      style: 'primary',
      ...(confirm ? { confirm } : {}),
    }),
  ];
}

/** Ask the requester, show everything, allow for a while, show the record. */
function moreMenu(scene: Approved): ActionsBlockElement {
  const { pen, approval, call } = scene;
  const { control } = pen.texts;
  const entry = (more: (typeof MORE)[keyof typeof MORE], text: string) => option(text, encodeMore(more, value(scene)));
  return {
    type: 'overflow',
    action_id: ACTIONS.more,
    options: [
      entry(MORE.ask, control.ask(plain([scene.requester]))),
      entry(MORE.everything, control.everything),
      ...(canGrant(approval, call) ? [entry(MORE.grant, control.allow)] : []),
      entry(MORE.record, control.record),
    ],
  };
}

/** True when the rule lets some argument be edited that a field can hold; what a tool asks from inside is its own. */
const canEdit = ({ pen, approval, call }: Approved): boolean =>
  call.within === null && approval.options.length === 0 && editableFields(pen, call, approval.terms).length > 0;

/** What rejecting is called among several ways; null where it is just that. */
export const rejectLabel = ({ pen, approval }: Approved): string | null =>
  approval.options.length > 0 ? pen.texts.control.none : null;

/** Approve (or the ways, or Review to approve when the card does not show everything), Reject, Edit and ⋯. */
export function decideButtons(scene: Approved, showing: Showing): ActionsBlockElement[] {
  const { control } = scene.pen.texts;
  const reject = rejectLabel(scene) ?? control.reject;
  return [
    ...approveButtons(scene, showing),
    block.button(ACTIONS.reject, reject, value(scene), { style: 'danger' }),
    ...(canEdit(scene) ? [block.button(ACTIONS.edit, control.edit, value(scene))] : []),
    moreMenu(scene),
  ];
}

/** Stop, while the call runs and neither it nor its run has been stopped; nothing otherwise. */
export function stopButtons(
  scene: Scene,
  label = scene.pen.texts.control.stop,
  action: string = ACTIONS.stop,
): Button[] {
  const { call, run, thread, outcome, pen } = scene;
  const isOver = run.end !== null || run.cancelled !== null;
  if (outcome.is !== 'running' || isOver || isStopping(scene)) return [];
  const { confirm, control } = pen.texts;
  return [
    block.button(action, label, encodeCall(thread.key, call.id), {
      style: 'danger',
      confirm: { ...confirm.stop, back: control.back },
    }),
  ];
}

/** True when somebody has asked to stop what runs now. */
const isStopping = ({ call }: Pick<Scene, 'call'>): boolean =>
  call.state.is === 'claimed' && call.stopped?.execution === call.state.claim.execution;

/** What "it did not run" leads to: it runs now, people are asked again, or, in a run that is over, nothing. */
export function notRunMeans({
  run,
  approval,
}: Pick<Scene, 'run' | 'approval'>): 'notRunNow' | 'notRunAsk' | 'notRunOver' {
  if (run.end !== null) return 'notRunOver';
  return approval !== null && takesMoreThanAClick(approval) ? 'notRunAsk' : 'notRunNow';
}

/** The answers to "did it run?"; on a card that does not show all of the call none that lets it run. */
export function doubtButtons(scene: Scene, showsAll = true): Button[] {
  const { control, confirm } = scene.pen.texts;
  const { call, thread } = scene;
  const answer = encodeDoubt(thread.key, call.id, call.attempts);
  const means = notRunMeans(scene);
  const isOver = means === 'notRunOver';
  const back = control.back;
  return [
    block.button(ACTIONS.doubtRan, control.ran, answer, {
      confirm: { ...(isOver ? confirm.ranOver : confirm.ran), back },
    }),
    ...(showsAll || isOver
      ? [block.button(ACTIONS.doubtNotRun, control[means], answer, { confirm: { ...confirm[means], back } })]
      : []),
    block.button(ACTIONS.doubtAbandon, control.abandon, answer, {
      style: 'danger',
      confirm: { ...(isOver ? confirm.abandonOver : confirm.abandon), back },
    }),
  ];
}
