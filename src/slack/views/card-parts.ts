/** Owns the parts of a card that hold data: arguments, what changed in them and around them, facts, and the result. */
import type { KnownBlock } from '@slack/web-api';
import { cutLines } from './arguments.ts';
import * as block from './blocks.ts';
import type { Pen } from './context.ts';
import { editedArguments } from './differences.ts';
import { ROOM } from './limits.ts';
import { joined, lengthOf, t, words, type Line } from './line.ts';
import { factValue, type Fitted, type ShownFact } from './room.ts';
import { editOf, type Approved, type Scene } from './scene.ts';
import { cut, escapedLength } from './text/escape.ts';

/** Facts up to this many characters stand on one line. */
const FACTS_LINE = 240;

function factLine(pen: Pen, fact: ShownFact, first: boolean, noteAt: Line): Line {
  const { card } = pen.texts;
  const text = t`${words(fact.name)} ${words(fact.value)}`;
  return fact.binding ? t`${first ? card.now : ''}${text}${card.asksAgain}` : [...text, ...noteAt];
}

/** `Now: replicas 6 (if this changes, you are asked again) · healthy 6 at 14:02`. */
function factsInLine(pen: Pen, facts: readonly ShownFact[], noteAt: Line): Line {
  const { card } = pen.texts;
  const text = (binding: boolean): Line =>
    joined(
      facts.filter(fact => fact.binding === binding).map(fact => t`${words(fact.name)} ${words(fact.value)}`),
      ' · ',
    );
  const [bound, notes] = [text(true), text(false)];
  return joined(
    [
      bound.length === 0 ? [] : t`${card.now}${bound}${card.asksAgain}`,
      notes.length === 0 ? [] : [...notes, ...noteAt],
    ],
    ' · ',
  );
}

/** The facts of the world: on one line where they fit, else one below the other. */
export function factsBlock(scene: Approved, fitted: Fitted): KnownBlock[] {
  const { pen, approval, clock } = scene;
  const { facts, factsLeft } = fitted;
  if (facts.length === 0 && factsLeft === 0) return [];
  const noteAt = pen.texts.card.noteAt(clock.at(approval.noteAtMs));
  const together = factsInLine(pen, facts, noteAt);
  if (factsLeft === 0 && lengthOf(together) <= FACTS_LINE) return [block.paragraph(together)];
  const lines = facts.map((fact, index) => factLine(pen, fact, index === 0, noteAt));
  return [block.list([...lines, ...(factsLeft > 0 ? [t`${pen.texts.card.moreFacts(factsLeft)}`] : [])])];
}

/** What changed since people were asked before, two lines a change, as far as there is room. */
function changesText({ pen, approval }: Scene, room: number): string {
  const { card } = pen.texts;
  const all = approval?.changes ?? [];
  const shown = all
    .slice(0, ROOM.changes)
    .map(({ fact, was, is }) =>
      [
        card.diffWas(pen.show.line(fact), cut(factValue(pen, fact, was), ROOM.value)),
        card.diffIs(pen.show.line(fact), cut(factValue(pen, fact, is), ROOM.value)),
      ].join('\n'),
    );
  return cutLines(shown, all.length, room, card.moreChanges);
}

/** What a person has changed in the arguments, as far as there is room. */
function editedText(scene: Scene, room: number): string {
  const { pen, call } = scene;
  const edit = editOf(scene);
  if (edit === null) return '';
  const order = pen.context.argumentOrder(call.tool);
  const lines = editedArguments(pen, edit.was, call.args, order).split('\n');
  return cutLines(
    lines.map(line => cut(line, ROOM.value)),
    lines.length,
    room,
    pen.texts.card.moreChanges,
  );
}

/** The arguments, and below them what changed. */
export function argumentsText(scene: Scene, fitted: Fitted): string {
  const room = ROOM.arguments + ROOM.changed - escapedLength(fitted.arguments.text);
  const own = fitted.arguments.text === '' ? scene.pen.texts.card.noArguments : fitted.arguments.text;
  const edited = editedText(scene, room);
  const changes = changesText(scene, room - escapedLength(edited));
  return [own, edited, changes].filter(text => text !== '').join('\n\n');
}

/** The last lines of what came out, or the error. */
export function resultBlock(scene: Scene): KnownBlock[] {
  const { outcome, pen } = scene;
  if (outcome.is !== 'done' && outcome.is !== 'failed') return [];
  const { result, blob } = outcome.ending;
  if (result === null && blob !== null)
    return [block.preformatted(pen.texts.card.resultElsewhere(Math.ceil(blob.bytes / 1024)))];
  const lines = pen.show
    .text(result ?? '')
    .trimEnd()
    .split('\n');
  const last = lines.slice(-ROOM.resultLines);
  const text = last.map(line => cut(line, Math.floor(ROOM.result / ROOM.resultLines))).join('\n');
  if (text.trim() === '') return [];
  const count = lines.length > last.length ? `\n(${pen.texts.card.resultLines(last.length, lines.length)})` : '';
  return [block.preformatted(text + count)];
}
