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
import * as block from './blocks.ts';
import { argumentsText, factsBlock, resultBlock } from './card-parts.ts';
import {
  decideButtons,
  doubtButtons,
  notRunMeans,
  rejectLabel,
  reviewLabel,
  stopButtons,
  waysFit,
  type Showing,
} from './card-buttons.ts';
import { ringing } from './context.ts';
import { isAfterDoubt, notRunAt } from './doubt-ends.ts';
import { hasFile } from './file.ts';
import { ROOM } from './limits.ts';
import { cardKey } from './keys.ts';
import { linkToMessage } from './links.ts';
import { joined, link, nobody, person, pushText, t, words, type Line, type Quiet } from './line.ts';
import { faceOf } from './seen.ts';
import { quoted } from './quotes.ts';
import { cardPlace } from './place.ts';
import { fit, headerOf, type Fitted } from './room.ts';
import { changesLine, hasApproval, partOf, votes, type Approved, type Scene } from './scene.ts';
import { cut, shorten } from './text/escape.ts';

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
  const part = partOf(scene);
  const digest = `${approval.digest.slice(0, 4)}…${approval.digest.slice(-2)}`;
  return block.fine(
    [
      joined(
        [
          card.ifRejected[approval.terms.onReject](scene.requester, rejectLabel(scene)),
          card.ifNobody(clock.at(approval.expiresAtMs)),
        ],
        pen.texts.list.sentence,
      ),
      approval.rule === null ? card.noRule(why) : card.rule(cut(pen.show.line(approval.rule), ROOM.label * 2), why),
      ...(part === null ? [] : [part]),
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

function lessThanAll(scene: Approved, showing: Showing, fitted: Fitted): Line[] {
  const { pen, approval } = scene;
  const { card } = pen.texts;
  if (showing === 'whole') return [];
  if (approval.room === 'file') return [showing === 'pending' ? card.filePending : card.inFile];
  const review = reviewLabel(scene);
  return [fitted.faithful ? card.tooLong(review) : card.unfaithful(review)];
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
const doubtMeaning = (scene: Scene): Line => scene.pen.texts.card.ifInDoubt[notRunMeans(scene)];

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
    // With Stop alone there is nothing on it that anybody decides.
    evidence: stopButtons(scene).length === 0,
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
    isAfterDoubt(closed)
      ? card.replacedAfterDoubt(clock.at(closed.atMs), notRunAt(scene, closed.atMs))
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
