/**
 * Owns what a person sees of what waits: the Home tab, and the same as a private message. Pure.
 *
 * 1. At most 100 blocks on Home, 50 in a message, all of them used before anything is left out; what is left out is counted.
 * 2. What only this person can bring on comes before what they asked; doubts first. Oldest first; what is over, newest first.
 * 3. A control carries the same value as on the card, and rights are checked the same when it is used.
 */
import type { KnownBlock } from '@slack/web-api';
import type { Grant } from '../../thread/grant.ts';
import type { ThreadKey } from '../../thread/ids.ts';
import { approvers, at, rootOf, type Question, type Thread } from '../../thread/thread.ts';
import type { OpenCall, OpenQuestion, Overview, Place } from '../../worker/ports.ts';
import { ACTIONS, buttonValue, encodeCall, encodeDoubt, encodeQuestion, encodeRun } from './actions.ts';
import * as block from './blocks.ts';
import { decider, penOf, type Pen, type RenderContext } from './context.ts';
import { cardKey } from './keys.ts';
import { boundWords } from './forms-grant.ts';
import { bold, channel, joined, link, person, t, words, type Line } from './line.ts';
import { ROOM, SLACK } from './limits.ts';
import { chosenWay } from './outcome-lines.ts';
import { questionKey } from './questions.ts';
import { deciders, editOf, sceneOf, type Scene } from './scene.ts';
import { faceOf } from './seen.ts';
import { sharing, spaceOf, without, type List, type Space } from './shared-room.ts';
import { cut, shorten } from './text/escape.ts';
import { clockFace } from './time.ts';

/** The address of a message; in Slack's own form. */
export type AddressOf = (place: Place) => string;

/** The room of a view, and how many of each are shown however many stand before them. */
interface Room extends Space {
  readonly least: {
    readonly questions: number;
    readonly asked: number;
    readonly grants: number;
    readonly lately: number;
  };
}
const ON_HOME: Room = {
  blocks: SLACK.formBlocks,
  text: ROOM.formBytes,
  least: { questions: 6, asked: 6, grants: 3, lately: 3 },
};
const IN_MESSAGE: Room = {
  blocks: SLACK.messageBlocks,
  text: SLACK.messageText,
  least: { questions: 2, asked: 2, grants: 1, lately: 2 },
};

interface Desk {
  readonly pen: Pen;
  readonly address: AddressOf;
  /** Characters of one title. */
  readonly title: number;
}

/** What a permission binds is whole on Home; all text of a message together is limited. */
const TITLE = { home: ROOM.impact, message: 400 } as const;
const DOT = ' · ';

/** What it is, with a control beside it, and the small print below. */
const item = (
  title: string,
  small: readonly Line[],
  control: ReturnType<typeof block.button>,
  max: number = ROOM.quote,
): KnownBlock[] => [
  { ...block.plainSection(title, max), accessory: control },
  ...(small.every(line => line.length === 0) ? [] : [block.fine([joined(small, DOT)])]),
];

function cardLink({ pen, address }: Desk, { thread, approval }: Scene): Line {
  const post = approval && at(thread.posts, cardKey(approval, approval.card));
  return post && post.ts !== null
    ? t`${link(address({ channel: post.channel, ts: post.ts }), pen.texts.row.card)}`
    : [];
}

const threadLink = ({ pen, address }: Desk, { key }: { readonly key: ThreadKey }): Line =>
  t`${link(address(key), pen.texts.home.thread)}`;

function questionLink(desk: Desk, thread: Thread, question: Question): Line {
  const post = at(thread.posts, questionKey(question));
  if (!post || post.ts === null) return threadLink(desk, thread);
  return t`${link(desk.address({ channel: post.channel, ts: post.ts }), desk.pen.texts.home.message)}`;
}

/** Whose decision is waited for: a doubt to be settled, or a request. */
function waitingItem(desk: Desk, scene: Scene): KnownBlock[] {
  const { pen, approval, clock, outcome, thread, call } = scene;
  const { home } = pen.texts;
  const summary = shorten(scene.summary, ROOM.summaryInRow);
  if (outcome.is === 'in_doubt' && call.state.is === 'in_doubt')
    return item(
      `❓ ${home.didItRun(summary)}`,
      [t`${scene.requester}`, home.started(clock.at(outcome.startedAtMs)), cardLink(desk, scene)],
      block.button(ACTIONS.settle, home.settle, encodeDoubt(thread.key, call.id, call.state.claim.attempt)),
    );
  if (approval === null) return [];
  const votes = approvers(approval).length;
  return item(
    `⏳ ${summary}`,
    [
      t`${scene.requester}`,
      home.until(clock.at(approval.expiresAtMs)),
      approval.terms.quorum > 1 ? home.votes(votes, approval.terms.quorum) : [],
      home.risk[approval.risk] === '' ? [] : t`${home.risk[approval.risk]}`,
      cardLink(desk, scene),
    ],
    block.button(ACTIONS.review, home.review, buttonValue(thread, approval)),
  );
}

function questionItem(desk: Desk, { thread, question }: OpenQuestion): KnownBlock[] {
  const { pen } = desk;
  const { home } = pen.texts;
  const clock = clockFace(question.askedAtMs);
  const value = encodeQuestion(thread.key, question.id, question.asked);
  const title = `💬 ${shorten(pen.show.line(question.prompt), ROOM.summaryInRow)}`;
  const small: Line[] = [
    question.askedBy === null ? [] : home.asks(decider(pen, question.askedBy.by, question.askedBy.name)),
    home.until(clock.at(question.expiresAtMs)),
    questionLink(desk, thread, question),
  ];
  // A draft is judged where it stands, whole.
  if (question.form.type === 'review') return [block.plainSection(title, ROOM.quote), block.fine([joined(small, DOT)])];
  return item(title, small, block.button(ACTIONS.answer, home.answer, value));
}

/** Who decides until when; of what waits for something else, or runs, that. */
function askedItem(desk: Desk, scene: Scene): KnownBlock[] {
  const { pen, approval, clock, thread, run, outcome } = scene;
  const { home, control, confirm } = pen.texts;
  const { title, text, yes } = confirm.cancel;
  const face = faceOf(scene);
  return item(
    `${face.sign} ${shorten(scene.summary, ROOM.summaryInRow)}`,
    [
      ...(approval !== null && outcome.is === 'waiting'
        ? [deciders(scene), home.until(clock.at(approval.expiresAtMs))]
        : face.card().slice(0, 1)),
      cardLink(desk, scene),
      threadLink(desk, thread),
    ],
    block.button(ACTIONS.cancel, control.cancel, encodeRun(thread.key, rootOf(thread, run).id), {
      confirm: { title, text, yes, back: control.back },
    }),
  );
}

/** What is allowed: the tool, and the arguments that have to be equal. */
function allowedLike(pen: Pen, { tool, pattern }: Grant): string {
  const { home } = pen.texts;
  return home.allowedLike(pen.show.line(tool), boundWords(pen, pattern));
}

function grantItem({ pen, title: max }: Desk, grant: Grant, isIdle: boolean): KnownBlock[] {
  const { home, houseConfirm, control, people } = pen.texts;
  const clock = clockFace(grant.givenAtMs);
  const { title, text, yes } = houseConfirm.revoke;
  const used = grant.used.length;
  const { channel: where, thread } = grant.where;
  return item(
    allowedLike(pen, grant),
    [
      home.allowedBy(decider(pen, grant.by, grant.name), person(grant.who, pen.texts.people.requester)),
      where === null
        ? []
        : thread === null
          ? home.where(channel(where, people.channel))
          : home.whereThread(channel(where, people.channel)),
      isIdle ? home.idle : used >= grant.uses ? home.usedUp : home.allowed(clock.at(grant.untilMs), used, grant.uses),
    ],
    block.button(ACTIONS.revoke, home.revoke, grant.grant, { confirm: { title, text, yes, back: control.back } }),
    max,
  );
}

function latelyItem(scene: Scene): KnownBlock[] {
  const { pen, approval, thread, call } = scene;
  const seen = faceOf(scene);
  const way = chosenWay(scene);
  // What came of it, and who approved; who edited stands between the two.
  const lines = editOf(scene) === null ? 2 : 3;
  return item(
    `${seen.sign} ${shorten(scene.summary, ROOM.summaryInRow)}`,
    [...seen.card().slice(0, lines), way === null ? [] : pen.texts.card.choseOption(way)],
    block.button(
      ACTIONS.record,
      pen.texts.home.record,
      approval === null ? encodeCall(thread.key, call.id) : buttonValue(thread, approval),
    ),
  );
}

/** A list under a heading; what is left out is counted. */
function part<T>(
  { pen }: Desk,
  heading: string,
  items: readonly T[],
  least: number,
  draw: (each: T) => KnownBlock[],
): List {
  return {
    heading: block.ownSection([bold(heading)]),
    items: items.map(draw),
    least,
    more: left => block.fine([t`${pen.texts.home.more(left)}`]),
  };
}

/** What is in doubt is looked at first. */
const doubtsFirst = (scenes: readonly Scene[]): Scene[] => {
  const isDoubt = ({ outcome }: Scene): boolean => outcome.is === 'in_doubt';
  return [...scenes.filter(isDoubt), ...scenes.filter(scene => !isDoubt(scene))];
};

const sceneFor = (pen: Pen, { thread, call }: OpenCall): Scene[] => {
  const scene = sceneOf(pen, thread, call, null);
  return scene ? [scene] : [];
};

const sinceMs = ({ approval, run }: Scene): number => approval?.requestedAtMs ?? run.startedAtMs;

function frozenLine(pen: Pen, { frozen }: Overview['workspace']): KnownBlock[] {
  const { home } = pen.texts;
  if (frozen === null) return [];
  if (frozen === 'unknown') return [block.ownSection([home.freezeUnknown])];
  const why = pen.show.line(frozen.why).trim();
  const by = decider(pen, frozen.by, frozen.name);
  const at = clockFace(frozen.sinceMs).at(frozen.sinceMs);
  return [block.paragraph(home.frozen(by, at, why === '' ? null : words(cut(why, ROOM.reason))))];
}

function brake({ texts }: Pen, { workspace, mayFreeze, mayUnfreeze }: Overview) {
  const { home, houseConfirm, control } = texts;
  const { title, text, yes } = houseConfirm.unfreeze;
  const isFrozen = workspace.frozen !== null && workspace.frozen !== 'unknown';
  if (isFrozen)
    return mayUnfreeze
      ? block.button(ACTIONS.unfreeze, home.unfreeze, 'all', { confirm: { title, text, yes, back: control.back } })
      : undefined;
  return mayFreeze ? block.button(ACTIONS.freeze, home.freeze, 'all', { style: 'danger' }) : undefined;
}

const isIdle = ({ grant }: Grant, idle: Overview['idle']): boolean => idle?.includes(grant) === true;

/** The standing permissions alone. */
export function grantBlocks({ grants, idle }: Pick<Overview, 'grants' | 'idle'>, context: RenderContext): KnownBlock[] {
  const desk = { pen: penOf(context), address: () => '', title: TITLE.message };
  const { home, told } = desk.pen.texts;
  if (grants.length === 0) return [block.paragraph(told.noGrants)];
  return sharing(
    [part(desk, home.grants(grants.length), grants, 0, grant => grantItem(desk, grant, isIdle(grant, idle)))],
    IN_MESSAGE,
  );
}

function overviewBlocks(overview: Overview, desk: Desk, room: Room): KnownBlock[] {
  const { pen } = desk;
  const { home } = pen.texts;
  const scenes = (calls: readonly OpenCall[]): Scene[] => calls.flatMap(each => sceneFor(pen, each));
  const oldest = (calls: readonly OpenCall[]): Scene[] => scenes(calls).toSorted((a, b) => sinceMs(a) - sinceMs(b));
  const waiting = doubtsFirst(oldest(overview.waitingForYou));
  const asked = oldest(overview.youAsked);
  const questions = overview.questionsForYou.toSorted((a, b) => a.question.askedAtMs - b.question.askedAtMs);
  const button = brake(pen, overview);
  const title = block.ownSection([home.title(shorten(pen.context.environment, ROOM.label))]);
  const { grants, idle } = overview;
  const { least } = room;
  const lately = part(desk, home.lately, scenes(overview.lately), least.lately, each => latelyItem(each));
  const parts = [
    part(desk, home.waiting(waiting.length), waiting, 0, scene => waitingItem(desk, scene)),
    part(desk, home.questions(questions.length), questions, least.questions, each => questionItem(desk, each)),
    part(desk, home.asked(asked.length), asked, least.asked, scene => askedItem(desk, scene)),
    part(desk, home.grants(grants.length), grants, least.grants, grant => grantItem(desk, grant, isIdle(grant, idle))),
    { ...lately, more: null },
  ];
  const nothing = waiting.length + questions.length + asked.length === 0 && overview.complete;
  const head: KnownBlock[] = [
    button ? { ...title, accessory: button } : title,
    { type: 'divider' },
    ...frozenLine(pen, overview.workspace),
    ...(overview.complete ? [] : [block.paragraph(home.incomplete)]),
    ...(nothing ? [block.paragraph(home.empty)] : []),
  ];
  return [...head, ...sharing(parts, without(room, spaceOf(head)))];
}

/** The Home tab, at most 100 blocks. */
export const homeBlocks = (overview: Overview, context: RenderContext, address: AddressOf): KnownBlock[] =>
  overviewBlocks(overview, { pen: penOf(context), address, title: TITLE.home }, ON_HOME);

/** The same as a private message, at most 50 blocks. */
export const overviewMessage = (overview: Overview, context: RenderContext, address: AddressOf): KnownBlock[] =>
  overviewBlocks(overview, { pen: penOf(context), address, title: TITLE.message }, IN_MESSAGE);

/** Home for somebody who is no member of this organisation. */
export const closedHome = (context: RenderContext): KnownBlock[] => [block.paragraph(penOf(context).texts.home.closed)];
