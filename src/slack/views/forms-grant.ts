/**
 * Owns the form that allows the like of a call for a while, and the sentence that it shows and that is stored.
 *
 * 1. The sentence that stands in the form is what is stored. When another time or number of uses is chosen, the form is shown
 * again with its sentence (the selects tell at once; a submit with other choices than those shown must not be taken).
 */
import type { ModalView } from '@slack/web-api';
import type { Frozen } from '../../thread/evidence.ts';
import type { Json } from '../../thread/events.ts';
import type { GrantPattern } from '../../thread/grant.ts';
import { grantPattern } from '../../thread/grants.ts';
import { approvers, type Approval, type Call, type Thread } from '../../thread/thread.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import type { Pen, RenderContext } from './context.ts';
import { chosenOf, type FormValues } from './form-values.ts';
import { ROOM } from './limits.ts';
import { plain, type Line } from './line.ts';
import { modal, option, selectInput, short } from './modal.ts';
import { opened, type Approved } from './scene.ts';
import { oneLine } from './text/show.ts';
import { frozenLines } from './waiting-lines.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMES = [15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS];
const USES = [1, 2, 3, 5, 10, 20, 50, 100];

/** For how long, and how often. */
export interface GrantChoice {
  readonly forMs: number;
  readonly uses: number;
}

/** The arguments that would have to be equal; undefined when nothing would bind them. */
const pattern = ({ args }: Pick<Call, 'args'>, { terms }: Pick<Approval, 'terms'>): GrantPattern | undefined =>
  (terms.grants && grantPattern(args, terms.grants)) ?? undefined;

/**
 * True when the rule offers to allow the like of the call for a while, and something would bind it; not once others have
 * approved without it, nor for a call that the card does not show whole.
 */
export const canGrant = (approval: Approval, call: Pick<Call, 'args'>): boolean =>
  approval.room === 'card' &&
  approval.options.length === 0 &&
  approvers(approval).length === 0 &&
  sentenceFits(approval, call);

/** A pattern that no sentence can name in full is not offered. */
const MOST = 600;
const sentenceFits = (approval: Approval, call: Pick<Call, 'args'>): boolean => {
  const bound = pattern(call, approval);
  return bound !== undefined && JSON.stringify(bound).length <= MOST;
};

const within = (all: readonly number[], most: number): number[] => [...all.filter(one => one < most), most];

function chosenWithin(approval: Approval, chosen: Partial<GrantChoice>): GrantChoice {
  const { maxMs, uses } = approval.terms.grants ?? { maxMs: 0, uses: 1 };
  return { forMs: Math.min(chosen.forMs ?? maxMs, maxMs), uses: Math.min(chosen.uses ?? uses, uses) };
}

/** `namespace = staging and replicas = 2`: what has to be equal, masked, on one line. */
export const boundWords = (pen: Pen, bound: GrantPattern): string =>
  Object.entries(bound)
    .map(([name, value]) => `${pen.show.line(name)} = ${valueOf(pen, name, value)}`)
    .join(pen.texts.list.and);

/** The time in it is the reader's own; as text, it is in UTC. */
function sentenceOf(scene: Approved, untilMs: number, { uses }: GrantChoice): Line {
  const { pen, call, approval, clock } = scene;
  const { form } = pen.texts;
  const where = boundWords(pen, pattern(call, approval) ?? {});
  const words = approval.terms.grants?.where.length === 0 ? form.nothingElse(where) : where;
  return form.grantSentence({
    until: clock.at(untilMs),
    uses,
    scope: form.grantScope[approval.terms.grants?.scope ?? 'thread'],
    who: plain([scene.requester]),
    tool: pen.show.line(call.tool),
    where: words,
  });
}

const valueOf = (pen: Pen, name: string, value: Json): string =>
  typeof value === 'string' ? oneLine(pen.show.named(name, value)) : pen.show.json(value, name);

/** What the form shows for a choice: the sentence, and the minute until which it would hold (epoch ms). */
export function grantOf(
  thread: Thread,
  approval: Approval,
  context: RenderContext,
  nowMs: number,
  chosen: Partial<GrantChoice> = {},
): GrantChoice & { readonly untilMs: number; readonly sentence: string } {
  const scene = opened(thread, approval, context);
  const choice = chosenWithin(approval, chosen);
  const untilMs = Math.floor((nowMs + choice.forMs) / MINUTE_MS) * MINUTE_MS;
  return { ...choice, untilMs, sentence: plain(sentenceOf(scene, untilMs, choice)) };
}

/** Approve and allow; the rule's limits unless something less is `chosen`. */
export function grantForm(
  thread: Thread,
  approval: Approval,
  context: RenderContext,
  nowMs: number,
  chosen: Partial<GrantChoice> = {},
): ModalView {
  const scene = opened(thread, approval, context);
  const { pen } = scene;
  const { form, control } = pen.texts;
  const { maxMs, uses } = approval.terms.grants ?? { maxMs: 0, uses: 1 };
  const shown = grantOf(thread, approval, context, nowMs, chosen);
  const times = within(TIMES, maxMs).map(ms => option(form.forTime(Math.round(ms / MINUTE_MS)), String(ms)));
  const counts = within(USES, uses).map(count => option(form.usesTimes(count), String(count)));
  return modal(
    form.grant,
    control.back,
    [
      block.plainSection(scene.summary, ROOM.impact),
      block.paragraph(sentenceOf(scene, shown.untilMs, shown)),
      selectInput(FORMS.time, form.forHowLong, times, { preset: String(shown.forMs), tells: true }),
      selectInput(FORMS.uses, form.howOften, counts, { preset: String(shown.uses), tells: true }),
    ],
    { callback_id: FORMS.grant, submit: short(form.grant) },
  );
}

/** What is shown in its place while everything is frozen: why nothing can be approved, and nothing to send. */
export function frozenGrantForm(thread: Thread, approval: Approval, context: RenderContext, frozen: Frozen): ModalView {
  const scene = opened(thread, approval, context, frozen);
  const { form, control } = scene.pen.texts;
  return modal(
    form.grant,
    control.close,
    [block.plainSection(scene.summary, ROOM.impact), block.ownSection(frozenLines(scene))],
    { callback_id: FORMS.notice },
  );
}

/** What was chosen; undefined when it is no number of milliseconds and of uses. */
export function readGrantForm(values: FormValues): GrantChoice | undefined {
  const forMs = Number(chosenOf(values, FORMS.time));
  const uses = Number(chosenOf(values, FORMS.uses));
  return Number.isSafeInteger(forMs) && forMs > 0 && Number.isSafeInteger(uses) && uses > 0
    ? { forMs, uses }
    : undefined;
}
