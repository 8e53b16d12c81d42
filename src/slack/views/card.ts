/**
 * Owns the card: the request put to people, in every state it can come to.
 *
 * 1. Same blocks in the same order in every state: header, how bad, status, arguments, facts, words, buttons, small print;
 * what a state does not have is left out. 2. Buttons only while somebody can act. 3. A plain Approve only if the card shows
 * everything. 4. The status section holds our own words, ids and times only.
 */
import type { KnownBlock } from '@slack/web-api';
import { shortId, type UserId } from '../../thread/ids.ts';
import type { ClosedCard } from '../../thread/thread.ts';
import type { Content, Message } from '../message.ts';
import { linkTo } from '../message.ts';
import { cutLines } from './arguments.ts';
import * as block from './blocks.ts';
import { decideButtons, doubtButtons, stopButtons, waysFit, type Showing } from './card-buttons.ts';
import { ringing, type Pen } from './context.ts';
import { editedArguments } from './differences.ts';
import { hasFile } from './file.ts';
import { ROOM } from './limits.ts';
import { cardKey } from './keys.ts';
import { linkToMessage } from './links.ts';
import { joined, lengthOf, link, nobody, person, pushText, t, words, type Line, type Quiet } from './line.ts';
import { faceOf } from './seen.ts';
import { quoted } from './quotes.ts';
import { cardPlace } from './place.ts';
import { factValue, fit, headerOf, type Fitted, type ShownFact } from './room.ts';
import { changesLine, hasApproval, votes, type Approved, type Scene } from './scene.ts';
import { cut, escapedLength, shorten } from './text/escape.ts';

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

function factsBlock(scene: Approved, fitted: Fitted): KnownBlock[] {
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
function editedText({ pen, approval, call }: Scene, room: number): string {
  if (!approval?.editedBy) return '';
  const order = pen.context.argumentOrder(call.tool);
  const lines = editedArguments(pen, approval.editedBy.was, call.args, order).split('\n');
  return cutLines(
    lines.map(line => cut(line, ROOM.value)),
    lines.length,
    room,
    pen.texts.card.moreChanges,
  );
}

/** The arguments, and below them what changed. */
function argumentsText(scene: Scene, fitted: Fitted): string {
  const room = ROOM.arguments + ROOM.changed - escapedLength(fitted.arguments.text);
  const own = fitted.arguments.text === '' ? scene.pen.texts.card.noArguments : fitted.arguments.text;
  const edited = editedText(scene, room);
  const changes = changesText(scene, room - escapedLength(edited));
  return [own, edited, changes].filter(text => text !== '').join('\n\n');
}

/** The last lines of what came out, or the error. */
function resultBlock(scene: Scene): KnownBlock[] {
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

/** Other people's words: who asked and why, reasons, last signs. */
function quoteBlock(scene: Scene, quiet: Quiet): KnownBlock[] {
  const lines = quoted(scene);
  return lines.length === 0 ? [] : [block.quote(lines, quiet)];
}

const foot = (scene: Scene, last: string): Line => {
  const { pen, approval, thread } = scene;
  const direct = thread.key.channel.startsWith('D');
  const open = link(linkToMessage(thread.key.channel, thread.key.ts), pen.texts.card.openThread);
  return joined(
    [
      ...(direct || last !== '' ? [] : [[open]]),
      ...(approval === null ? [] : [t`${shortId(approval.id)}`]),
      t`${shorten(pen.context.environment, ROOM.label)}`,
      ...(last === '' ? [] : [t`${last}`]),
    ],
    ' · ',
  );
};

/** The small print under a request that waits. */
function finePrint(scene: Approved): KnownBlock {
  const { pen, approval, clock } = scene;
  const { card } = pen.texts;
  const why = approval.why === null ? null : cut(pen.show.text(approval.why), ROOM.why);
  const digest = `${approval.digest.slice(0, 4)}…${approval.digest.slice(-2)}`;
  return block.fine(
    [
      joined(
        [card.ifRejected[approval.terms.onReject](scene.requester), card.ifNobody(clock.at(approval.expiresAtMs))],
        pen.texts.list.sentence,
      ),
      approval.rule === null ? card.noRule(why) : card.rule(cut(pen.show.line(approval.rule), ROOM.label * 2), why),
      ...(approval.agentWords === null || approval.agentWords.trim() === ''
        ? []
        : [card.agentWords(cut(pen.show.line(approval.agentWords), ROOM.agentWords))]),
      foot(scene, digest),
    ],
    new Set(approval.requesters),
  );
}

/** How much of the request the card shows, and what else there is. */
function showingOf(scene: Approved, fitted: Fitted): Showing {
  const { thread, approval } = scene;
  if (approval.room === 'file') return hasFile(thread, approval) ? 'form' : 'pending';
  return fitted.whole && approval.room === 'card' && waysFit(scene) ? 'whole' : 'form';
}

function lessThanAll({ pen, approval }: Approved, showing: Showing, fitted: Fitted): Line[] {
  const { card } = pen.texts;
  if (showing === 'whole') return [];
  if (approval.room === 'file') return [showing === 'pending' ? card.filePending : card.inFile];
  return [fitted.faithful ? card.tooLong : card.unfaithful];
}

function waitingBlocks(scene: Approved, status: Line[], quiet: Quiet): KnownBlock[] {
  const { pen, approval, call } = scene;
  const fitted = fit(pen, { ...approval, tool: call.tool, args: call.args });
  const showing = showingOf(scene, fitted);
  return [
    block.header(headerOf('⏳', scene.summary).text),
    block.plainSection(fitted.impact, ROOM.impact),
    block.ownSection([...status, ...lessThanAll(scene, showing, fitted)], quiet),
    block.preformatted(argumentsText(scene, fitted)),
    ...factsBlock(scene, fitted),
    ...quoteBlock(scene, quiet),
    block.actions(decideButtons(scene, showing)),
    finePrint(scene),
  ];
}

/** What each answer leads to. */
const doubtMeaning = ({ pen, run, approval }: Scene): Line =>
  run.end === null
    ? pen.texts.card.ifInDoubt(approval !== null && approval.terms.quorum > 1)
    : pen.texts.card.ifInDoubtOver;

/** The card of a call that waits for nobody's approval any more: running, in doubt, or over. */
function laterBlocks(scene: Scene, status: Line[]): KnownBlock[] {
  const { pen, call, approval, outcome } = scene;
  const facts = approval ?? { summary: scene.summary, impact: null, risk: 'low' as const, bind: {}, note: {} };
  const fitted = fit(pen, { ...facts, tool: call.tool, args: call.args });
  const head = headerOf(faceOf(scene).sign, scene.summary);
  const doubt = outcome.is === 'in_doubt';
  const buttons = doubt ? doubtButtons(scene) : stopButtons(scene);
  return [
    block.header(head.text),
    ...(head.whole ? [] : [block.plainSection(scene.summary, ROOM.impact)]),
    block.ownSection(status),
    block.preformatted(argumentsText(scene, fitted)),
    ...resultBlock(scene),
    ...quoteBlock(scene, nobody),
    ...(buttons.length === 0 ? [] : [block.actions(buttons)]),
    doubt ? block.fine([doubtMeaning(scene), foot(scene, '')]) : block.fine([foot(scene, '')]),
  ];
}

/** The blocks of a call's present card. */
export const cardBlocks = (scene: Scene, status: Line[], quiet: Quiet = nobody): KnownBlock[] =>
  hasApproval(scene) && scene.outcome.is === 'waiting'
    ? waitingBlocks(scene, status, quiet)
    : laterBlocks(scene, status);

export const statusLines = (scene: Scene): Line[] => faceOf(scene).card();

const isPending = ({ thread, approval }: Approved): boolean => approval.room === 'file' && !hasFile(thread, approval);

/** For when Slack refuses the whole card: never a plain Approve, never an answer that lets something run. */
export function shortCard(scene: Scene, status: Line[]): Content {
  const { pen, outcome } = scene;
  const face = faceOf(scene);
  const waits = hasApproval(scene) && outcome.is === 'waiting';
  const buttons = waits
    ? decideButtons(scene, isPending(scene) ? 'pending' : 'form')
    : outcome.is === 'in_doubt'
      ? doubtButtons(scene, false)
      : [];
  return {
    text: pushText(face.push()),
    blocks: [
      block.header(headerOf(face.sign, scene.summary).text),
      block.ownSection([...status, waits ? pen.texts.card.short : pen.texts.card.shortClosed]),
      ...(buttons.length === 0 ? [] : [block.actions(buttons)]),
      block.fine([foot(scene, '')]),
    ],
  };
}

/** Whom the first posting rings: the rule's `notify`, or who had decided on the card that this one replaces. */
function rings(scene: Approved): Line {
  const { approval } = scene;
  const { notify } = approval.terms;
  const before = approval.closedCards.at(-1)?.votes ?? [];
  const again = before
    .filter(vote => !approval.requesters.includes(vote.by))
    .map(vote => [person(vote.by, '')])
    .slice(0, ROOM.people);
  return joined([notify === null ? [] : ringing([notify], approval.requesters), ...again], ' ');
}

/** The mention stands at the end of the status, and only in the first posting. */
const ringAtEnd = (status: Line[], ring: Line): Line[] =>
  ring.length === 0 ? status : [...status.slice(0, -1), t`${status.at(-1) ?? []}  ${ring}`];

function present(scene: Approved): Message {
  const status = statusLines(scene);
  const text = pushText(faceOf(scene).push());
  const quiet: ReadonlySet<UserId> = new Set(scene.approval.requesters);
  const ring = rings(scene);
  return {
    key: cardKey(scene.approval, scene.approval.card),
    rank: 'card',
    place: cardPlace(scene),
    content: { text, blocks: cardBlocks(scene, status) },
    ...(scene.outcome.is === 'waiting'
      ? {
          first: {
            text,
            blocks: cardBlocks(scene, ringAtEnd(status, ring), quiet),
          },
        }
      : {}),
    short: shortCard(scene, status),
    evidence: true,
  };
}

/** A card that a re-ask closed: it says why, and where the new one is. */
function replaced(scene: Approved, closed: ClosedCard): Message {
  const { pen, approval, clock } = scene;
  const { card } = pen.texts;
  const summary = pen.show.line(closed.summary);
  const head = headerOf('🔁', summary);
  const given = votes(
    scene,
    closed.votes.filter(vote => vote.verdict === 'approve'),
  );
  const status = [
    closed.changes.length === 0 && closed.code === 'not_run'
      ? card.replacedAfterDoubt(clock.at(closed.atMs))
      : card.replaced(clock.at(closed.atMs), changesLine(pen, closed.changes)),
    ...(given.count === 0 ? [] : [card.noLongerCounts(given.withTimes)]),
    t`→ ${link(linkTo(cardKey(approval, closed.card + 1)), card.newCard)}`,
  ];
  const content: Content = {
    text: pushText(pen.texts.push.replaced(words(summary))),
    blocks: [
      block.header(head.text),
      ...(head.whole ? [] : [block.plainSection(summary, ROOM.impact)]),
      block.ownSection(status),
      block.fine([foot(scene, '')]),
    ],
  };
  return { key: cardKey(approval, closed.card), rank: 'card', place: cardPlace(scene), content, evidence: true };
}

/** Every card of a request: the present one first, so that those that it replaced can link to it. */
export const cards = (scene: Approved): Message[] => [
  present(scene),
  ...scene.approval.closedCards.map(closed => replaced(scene, closed)).toReversed(),
];
