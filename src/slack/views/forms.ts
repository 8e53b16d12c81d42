/**
 * Owns the forms: reject with a reason, review to approve, and the two plain views around them.
 *
 * 1. The review form shows everything that would run, whole; there is no shorter one. 2. A form is opened with the loading
 * view and filled after; whoever fills it puts into `private_metadata` where it came from.
 */
import type { KnownBlock, ModalView, PlainTextElement } from '@slack/web-api';
import type { OnReject } from '../../thread/events.ts';
import type { Approval, Thread } from '../../thread/thread.ts';
import { at } from '../../thread/thread.ts';
import { shortId } from '../../thread/ids.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { ROOM, SLACK } from './limits.ts';
import { plain, t, type Line } from './line.ts';
import { quoted } from './quotes.ts';
import { fit, formFacts, formPieces } from './room.ts';
import { areSeveral, deciders, missing, sceneOf, type Scene } from './scene.ts';
import { cut, pieces, shorten } from './text/escape.ts';

const short = (text: string): PlainTextElement => ({
  type: 'plain_text',
  text: shorten(text, SLACK.title),
  emoji: false,
});

function modal(title: string, close: string, blocks: KnownBlock[], more: Partial<ModalView>): ModalView {
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

function reasonInput(label: string, optional: boolean): KnownBlock {
  return {
    type: 'input',
    block_id: FORMS.reason.block,
    label: block.plainText(label, SLACK.label),
    optional,
    element: {
      type: 'plain_text_input',
      action_id: FORMS.reason.action,
      multiline: true,
      max_length: ROOM.reason,
    },
  };
}

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
  const options = CHOICES.map(value => ({ text: block.plainText(labels[value], SLACK.option), value }));
  const initial = options.find(option => option.value === preset);
  return {
    type: 'input',
    block_id: FORMS.then.block,
    label: block.plainText(form.then, SLACK.label),
    element: {
      type: 'radio_buttons',
      action_id: FORMS.then.action,
      options,
      ...(initial ? { initial_option: initial } : {}),
    },
  };
}

function opened(thread: Thread, approval: Approval, context: RenderContext): Scene & { approval: Approval } {
  const call = at(thread.calls, approval.call);
  const scene = call && sceneOf(penOf(context), thread, { ...call, approval: approval.id }, null);
  if (!scene) throw new Error('A form was asked for an approval whose call or run is not in its thread.');
  return { ...scene, approval };
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

/**
 * Everything that would run, then what follows, and Approve. `own` when whoever opened it asked for the call themself (a
 * reason is then needed). Undefined when it is more than a form can hold.
 */
export function reviewForm(
  thread: Thread,
  approval: Approval,
  context: RenderContext,
  own = false,
): ModalView | undefined {
  const scene = opened(thread, approval, context);
  const { pen, call, clock } = scene;
  const { form, control, card } = pen.texts;
  const shown = { ...approval, tool: call.tool, args: call.args };
  const fitted = fit(pen, shown);
  const parts = formPieces(fitted.all);
  if (parts === undefined) return undefined;
  const impact = card.impact(
    card.risk[approval.risk],
    approval.impact === null ? null : pen.show.text(approval.impact),
  );
  const facts = formFacts(pen, shown).filter(text => text !== '');
  // A form's links are not resolved when it is posted, and its reader comes from the card.
  const said = quoted(scene).map(line => line.filter(part => part.is !== 'link'));
  const blocks: KnownBlock[] = [
    ...pieces(`${scene.summary}\n${impact}`, ROOM.formBlock).map(text => block.plainSection(text)),
    block.ownSection([
      card.waiting(approval.terms.quorum, deciders(scene), approval.eligible, clock.at(approval.expiresAtMs)),
      ...(missing(scene) < approval.terms.quorum
        ? [pen.texts.row.decide(deciders(scene), areSeveral(scene), missing(scene), clock.at(approval.expiresAtMs))]
        : []),
    ]),
    block.plainSection(`${form.tool(cut(pen.show.line(call.tool), ROOM.why))}\n${form.arguments}`),
    ...(fitted.all.length === 0 ? [block.preformatted(card.noArguments)] : parts.map(block.preformatted)),
    ...facts.map(block.preformatted),
    ...(said.length === 0 ? [] : [block.quote(said)]),
    block.fine([
      card.ifRejected[approval.terms.onReject](scene.requester),
      approval.rule === null
        ? card.noRule(approval.why === null ? null : cut(pen.show.text(approval.why), ROOM.why))
        : card.rule(
            cut(pen.show.line(approval.rule), ROOM.label * 2),
            approval.why === null ? null : cut(pen.show.text(approval.why), ROOM.why),
          ),
      t`${shortId(approval.id)} · ${shorten(context.environment, ROOM.label)}`,
    ]),
    ...(own ? [reasonInput(form.selfReason, false)] : []),
  ];
  return modal(form.review, control.back, blocks, {
    callback_id: FORMS.review,
    submit: short(control.approve),
  });
}

/** A form's state as Slack sends it. */
export type FormValues = Readonly<
  Record<
    string,
    Readonly<
      Record<string, { readonly value?: string | null; readonly selected_option?: { readonly value: string } | null }>
    >
  >
>;

/** What a person filled in; an unknown choice counts as none, an empty reason too. */
export function readForm(values: FormValues): { readonly reason: string | null; readonly then: OnReject | null } {
  const reason = values[FORMS.reason.block]?.[FORMS.reason.action]?.value?.trim() ?? '';
  const chosen = values[FORMS.then.block]?.[FORMS.then.action]?.selected_option?.value;
  const then = CHOICES.find(one => one === chosen);
  return { reason: reason === '' ? null : reason, then: then ?? null };
}
