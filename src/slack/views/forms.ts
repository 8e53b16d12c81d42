/**
 * Owns the forms: reject with a reason, review to approve, and the two plain views around them.
 *
 * 1. The review form shows everything that would run, whole; there is no shorter one. 2. A form is opened with the loading
 * view and filled after; whoever fills it puts into `private_metadata` where it came from.
 */
import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Frozen } from '../../thread/evidence.ts';
import type { OnReject } from '../../thread/events.ts';
import type { Approval, Thread } from '../../thread/thread.ts';
import { shortId } from '../../thread/ids.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { rejectLabel } from './card-buttons.ts';
import type { Pen, RenderContext } from './context.ts';
import { editedArguments } from './differences.ts';
import { hasFile } from './file.ts';
import { chosenOf, textOf, type FormValues } from './form-values.ts';
import { ROOM } from './limits.ts';
import { plain, t } from './line.ts';
import { modal, option, radioInput, reasonInput, selectInput, short } from './modal.ts';
import { quoted } from './quotes.ts';
import { fit, formFacts, formPieces } from './room.ts';
import { areSeveral, deciders, editOf, missing, opened, partOf, type Approved } from './scene.ts';
import { cut, pieces, shorten } from './text/escape.ts';
import { frozenLines } from './waiting-lines.ts';

export { readText, type FormValues } from './form-values.ts';
export { loadingForm, noticeForm } from './modal.ts';
export { fieldMust, readEdit } from './edit-fields.ts';
export { editConfirmForm, editForm, frozenEditForm } from './forms-edit.ts';
export { askAboutForm, askForm, freezeForm } from './forms-ask.ts';
export { canGrant, frozenGrantForm, grantForm, grantOf, readGrantForm, type GrantChoice } from './forms-grant.ts';
export { answerForm, draftForm, readAnswerForm, returnForm } from './forms-question.ts';

/** In the order in which they are offered. */
const CHOICES: readonly OnReject[] = ['replan', 'read_only', 'requester', 'stop'];

function thenInput(pen: Pen, preset: OnReject, requester: string): KnownBlock {
  const { form } = pen.texts;
  const labels: Record<OnReject, string> = {
    replan: form.thenOption.replan,
    read_only: form.thenOption.read_only,
    requester: form.thenOption.requester(requester),
    stop: form.thenOption.stop,
  };
  return radioInput(
    FORMS.then,
    form.then,
    CHOICES.map(value => option(labels[value], value)),
    preset,
  );
}

/** Reject with a reason that nobody has to give, and what shall happen then (preset by the rule). */
export function rejectForm(thread: Thread, approval: Approval, context: RenderContext): ModalView {
  const scene = opened(thread, approval, context);
  const { pen } = scene;
  const { form, control } = pen.texts;
  const requester = plain([scene.requester]);
  return modal(
    form.reject,
    control.back,
    [
      block.plainSection(scene.summary, ROOM.impact),
      reasonInput(form.reason(requester), true),
      thenInput(pen, approval.terms.onReject, requester),
    ],
    { callback_id: FORMS.reject, submit: short(control.reject) },
  );
}

/** Everything that would run, and what follows; undefined when it is more than a form can hold. */
function everything(scene: Approved): KnownBlock[] | undefined {
  const { pen, call, clock, approval } = scene;
  const { form, card } = pen.texts;
  const shown = { ...approval, tool: call.tool, args: call.args };
  const fitted = fit(pen, shown);
  const inFile = approval.room === 'file';
  const part = partOf(scene);
  const parts = inFile ? [] : formPieces(fitted.all);
  if (parts === undefined) return undefined;
  const impact = card.impact(
    card.risk[approval.risk],
    approval.impact === null ? null : pen.show.text(approval.impact),
  );
  const facts = formFacts(pen, shown).filter(text => text !== '');
  // A form's links are not resolved when it is posted, and its reader comes from the card.
  const said = quoted(scene).map(line => line.filter(part => part.is !== 'link'));
  const rule = approval.rule === null ? null : cut(pen.show.line(approval.rule), ROOM.label * 2);
  const why = approval.why === null ? null : cut(pen.show.text(approval.why), ROOM.why);
  const edit = editOf(scene);
  const changed = edit === null ? '' : editedArguments(pen, edit.was, call.args, pen.context.argumentOrder(call.tool));
  return [
    ...pieces(`${scene.summary}\n${impact}`, ROOM.formBlock)
      .slice(0, ROOM.formRest)
      .map(text => block.plainSection(text)),
    block.ownSection([
      card.waiting(approval.terms.quorum, deciders(scene), approval.eligible, clock.at(approval.expiresAtMs)),
      ...(missing(scene) < approval.terms.quorum
        ? [pen.texts.row.decide(deciders(scene), areSeveral(scene), missing(scene), clock.at(approval.expiresAtMs))]
        : []),
      ...frozenLines(scene),
      ...(inFile ? [form.inFile] : []),
    ]),
    block.plainSection(
      `${form.tool(cut(pen.show.line(call.tool), ROOM.why))}\n${inFile ? form.beginning : form.arguments}`,
    ),
    ...(inFile
      ? [block.preformatted(fitted.arguments.text)]
      : fitted.all.length === 0
        ? [block.preformatted(card.noArguments)]
        : parts.map(block.preformatted)),
    ...(changed === '' ? [] : pieces(changed, ROOM.formBlock).slice(0, 4).map(block.preformatted)),
    ...facts.slice(0, ROOM.factBlocks).map(block.preformatted),
    ...(said.length === 0 ? [] : [block.quote(said)]),
    block.fine([
      card.ifRejected[approval.terms.onReject](scene.requester, rejectLabel(scene)),
      rule === null ? card.noRule(why) : card.rule(rule, why),
      ...(part === null ? [] : [part]),
      t`${shortId(approval.id)} · ${shorten(pen.context.environment, ROOM.label)}`,
    ]),
  ];
}

/**
 * Everything that would run, then what follows, and Approve. `own` when whoever opened it asked for the call themself (a
 * reason is then needed). A request of several ways has a field for the way. What is beyond a form stands in the file under
 * the card, and Approve is there only once that file stands, and not while everything is frozen. Undefined when it is more
 * than a form can hold.
 */
export function reviewForm(
  thread: Thread,
  approval: Approval,
  context: RenderContext,
  { own = false, frozen = null }: { readonly own?: boolean; readonly frozen?: Frozen | null } = {},
): ModalView | undefined {
  const scene = opened(thread, approval, context, frozen);
  const { form, control } = scene.pen.texts;
  const shown = everything(scene);
  if (shown === undefined) return undefined;
  if (frozen !== null) return modal(form.everything, control.close, shown, { callback_id: FORMS.notice });
  const ready = approval.room !== 'file' || hasFile(thread, approval);
  const ways = approval.options.map((way, index) => option(scene.pen.show.line(way.label), String(index)));
  const way = ways.length === 0 ? [] : [selectInput(FORMS.choice, form.way, ways)];
  const reason = own ? [reasonInput(form.selfReason, false)] : [];
  return modal(
    form.review,
    control.back,
    [...shown, ...(ready ? [...way, ...reason] : [block.ownSection([form.noFile])])],
    {
      callback_id: FORMS.review,
      ...(ready ? { submit: short(control.approve) } : {}),
    },
  );
}

/** The same to read only; undefined when it is more than a form can hold. */
export function everythingForm(thread: Thread, approval: Approval, context: RenderContext): ModalView | undefined {
  const scene = opened(thread, approval, context);
  const shown = everything(scene);
  const { form, control } = scene.pen.texts;
  return shown && modal(form.everything, control.close, shown, { callback_id: FORMS.notice });
}

/** What a person filled in; an unknown choice counts as none, an empty reason too. */
export function readForm(values: FormValues): { readonly reason: string | null; readonly then: OnReject | null } {
  const reason = textOf(values, FORMS.reason).trim();
  const chosen = chosenOf(values, FORMS.then);
  const then = CHOICES.find(one => one === chosen);
  return { reason: reason === '' ? null : reason, then: then ?? null };
}

/** The way that was chosen in the review form, by its place among the request's options; null when none was. */
export function readOption(values: FormValues, approval: Pick<Approval, 'options'>): string | null {
  const chosen = chosenOf(values, FORMS.choice);
  return (chosen === undefined ? undefined : approval.options[Number(chosen)]?.value) ?? null;
}
