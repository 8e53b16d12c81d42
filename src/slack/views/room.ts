/** Owns what of a request fits where: on the card, only in the review form, or nowhere. */
import type { CallEvidence } from '../../thread/evidence.ts';
import type { Facts, Json, Risk } from '../../thread/events.ts';
import type { Call } from '../../thread/thread.ts';
import { argumentsOf, cardText, wholeText, type Argument, type ShortText } from './arguments.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { ROOM, SLACK } from './limits.ts';
import { escape, escapedLength, pieces, take } from './text/escape.ts';
import { depthOf, isUnfaithfulJson } from './text/show.ts';
import { isUnfaithful } from '../../thread/text/visible.ts';

/** What an approver has to see before they may approve. */
export interface Shown {
  readonly tool: string;
  readonly args: Json;
  readonly summary: string;
  readonly impact: string | null;
  readonly risk: Risk;
  readonly bind: Facts;
  readonly note: Facts;
}

/** One fact of the world, masked and on one line. */
export interface ShownFact {
  readonly name: string;
  readonly value: string;
  readonly binding: boolean;
}

/** Arguments, facts and impact as the card has room for them. */
export interface Fitted {
  readonly all: readonly Argument[];
  readonly arguments: ShortText;
  readonly facts: readonly ShownFact[];
  readonly factsLeft: number;
  /** Summary (when it does not fit into the header) and impact. */
  readonly impact: string;
  /** False when control characters or broken encoding cannot be shown as they are. */
  readonly faithful: boolean;
  /** True when the card shows everything that Approve needs. */
  readonly whole: boolean;
}

export const headerOf = (sign: string, summary: string): { readonly text: string; readonly whole: boolean } =>
  escapedLength(`${sign} ${summary}`) <= SLACK.header
    ? { text: `${sign} ${summary}`, whole: true }
    : { text: `${sign} ${take(summary, ROOM.header - sign.length - 1).head.trimEnd()}…`, whole: false };

/** A SHA-256 in hex: nobody compares 64 digits, so its ends are shown, and the record has the whole. */
const DIGEST = /^[0-9a-f]{64}$/;

/** A fact's value on one line, masked. */
export function factValue(pen: Pen, name: string, value: Json): string {
  if (typeof value !== 'string') return pen.show.json(value, name);
  const shown = pen.show.line(pen.show.named(name, value));
  return DIGEST.test(shown) ? `${shown.slice(0, 4)}…${shown.slice(-4)}` : shown;
}

const factsOf = (pen: Pen, facts: Facts, binding: boolean): ShownFact[] =>
  Object.keys(facts)
    .sort()
    .map(name => ({ name: pen.show.line(name), value: factValue(pen, name, facts[name] ?? null), binding }));

/** Every fact that an approval binds, then the notes. */
const shownFacts = (pen: Pen, shown: Pick<Shown, 'bind' | 'note'>): ShownFact[] => [
  ...factsOf(pen, shown.bind, true),
  ...factsOf(pen, shown.note, false),
];

/** Summary and impact where the header has no room for the summary. */
function impactText(pen: Pen, shown: Shown): string {
  const { card } = pen.texts;
  const impact = card.impact(card.risk[shown.risk], shown.impact === null ? null : pen.show.text(shown.impact));
  const summary = pen.show.line(shown.summary);
  return headerOf('⏳', summary).whole ? impact : `${summary}\n${impact}`;
}

/** What of a request a card shows, and whether that is everything. */
export function fit(pen: Pen, shown: Shown): Fitted {
  const all = argumentsOf(shown.args, pen.context.argumentOrder(shown.tool), pen.show);
  const short = cardText(all, ROOM.arguments, pen.texts.card.moreArguments);
  const facts: ShownFact[] = [];
  const every = shownFacts(pen, shown);
  let left: number = ROOM.facts;
  for (const fact of every) {
    left -= escapedLength(fact.name) + escapedLength(fact.value) + pen.texts.card.asksAgain.length + 10;
    if (left < 0 || escapedLength(fact.value) > ROOM.value) break;
    facts.push(fact);
  }
  const impact = impactText(pen, shown);
  const faithful = !isUnfaithfulJson(shown.args) && !isUnfaithful(shown.summary);
  const whole = short.whole && facts.length === every.length && faithful && escapedLength(impact) <= ROOM.impact;
  return { all, arguments: short, facts, factsLeft: every.length - facts.length, impact, faithful, whole };
}

const bytes = (text: string): number => Buffer.byteLength(JSON.stringify(escape(text)));

/** True when a form has room for these texts, each in a block of its own. */
export const holds = (parts: readonly string[]): boolean =>
  parts.length <= ROOM.formBlocks && parts.reduce((sum, part) => sum + bytes(part) + 120, 0) <= ROOM.formBytes;

/** The arguments in blocks of the review form; undefined when they are more than a form can hold. */
export function formPieces(all: readonly Argument[]): string[] | undefined {
  const parts = pieces(wholeText(all), ROOM.formBlock);
  return holds(parts) ? parts : undefined;
}

/** Everything of the world and the impact, in blocks of the review form. */
export const formFacts = (pen: Pen, shown: Shown): string[] =>
  pieces(
    shownFacts(pen, shown)
      .map(fact => `${fact.binding ? pen.texts.card.now : ''}${fact.name} ${fact.value}`)
      .join('\n'),
    ROOM.formBlock,
  );

/** Whether a request can be shown in full: on the card, in the review form, in a file, or not at all. */
export function roomOf(shown: Shown, context: RenderContext): CallEvidence['room'] {
  const pen = penOf(context);
  if (depthOf(shown.args, ROOM.depth + 1) > ROOM.depth) return 'too_long';
  const fitted = fit(pen, shown);
  if (fitted.whole) return 'card';
  const form = formPieces(fitted.all);
  const facts = formFacts(pen, shown);
  if (form !== undefined && facts.length + pieces(fitted.impact, ROOM.formBlock).length <= ROOM.formRest) return 'form';
  return bytes([wholeText(fitted.all), fitted.impact, ...facts].join('')) <= ROOM.fileBytes ? 'file' : 'too_long';
}

/** The `room` of the worker's port: what a call needs, judged by the evidence about it. */
export const room = (
  call: Pick<Call, 'tool' | 'args'>,
  evidence: CallEvidence,
  context: RenderContext,
): CallEvidence['room'] =>
  roomOf(
    {
      tool: call.tool,
      args: call.args,
      summary: evidence.inspection.ok ? evidence.inspection.summary : call.tool,
      impact: evidence.inspection.ok ? evidence.inspection.impact : null,
      risk: evidence.tool?.risk ?? 'high',
      bind: evidence.inspection.ok ? evidence.inspection.bind : {},
      note: evidence.inspection.ok ? evidence.inspection.note : {},
    },
    context,
  );
