/** Owns the quote block of a card: what people wrote, in their words and under their names. */
import {
  approvers,
  at,
  rootOf,
  type Message,
  type Run,
  type Sign,
  type Thread,
  type Vote,
} from '../../thread/thread.ts';
import { decider, firstName, type Pen } from './context.ts';
import { inquiryLine } from './inquiry.ts';
import { channel, link, person, plain, t, words, type Line, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import { linkToMessage } from './links.ts';
import { chosenWay } from './outcome-lines.ts';
import type { Scene } from './scene.ts';
import { spoken } from './spoken.ts';
import { cut } from './text/escape.ts';

/** Messages of the requester that stay on the card. */
const SHOWN = 3;
/** Questions of approvers that stay on the card, and how much of each and its answer. */
const INQUIRIES = 2;
const INQUIRY = 120;

const author = (pen: Pen, message: Message): Part =>
  person(message.author, firstName(message.name, pen.texts.people.requester));

const said = (pen: Pen, text: string, max: number = ROOM.quote): Line =>
  pen.texts.card.inQuotes(words(cut(pen.show.line(text), max)));

/** The run in which the words stand: one that was asked for again has none of its own. */
function firstAsked(thread: Thread, run: Run): Run {
  if (run.repeats === null) return run;
  const earlier = Object.values(thread.calls).find(call => call.repeatedBy === run.id);
  const before = earlier && at(thread.runs, earlier.run);
  return before && before.startedAtMs <= run.startedAtMs && before.id !== run.id ? firstAsked(thread, before) : run;
}

/** The request in the words of who asked. */
function asked(scene: Scene): Line[] {
  const { pen, thread } = scene;
  const { card } = pen.texts;
  const run = firstAsked(thread, rootOf(thread, scene.run));
  const messages = run.messages.flatMap(ts => at(thread.messages, ts) ?? []).slice(-SHOWN);
  const room = Math.floor(ROOM.quote / Math.max(1, messages.length));
  return messages.map((message, index) => {
    const who = author(pen, message);
    const text = said(pen, spoken(message.text, pen.context.botUser), room);
    if (message.direct || message.channel.startsWith('D')) return [...card.inDirect(who), ...text];
    const open = link(linkToMessage(message.channel, message.ts), card.openThread);
    const last = index === messages.length - 1 ? t` ${open}` : [];
    return [...card.inChannel(who, channel(message.channel, '')), ...text, ...last];
  });
}

/** What the requester wrote since, newest last. */
function since(scene: Scene): Line[] {
  const { pen, thread, clock, approval } = scene;
  const { card } = pen.texts;
  const all = (approval?.meanwhile ?? []).flatMap(ts => at(thread.messages, ts) ?? []);
  const shown = all.slice(-SHOWN);
  return [
    ...(all.length > shown.length ? [card.earlierToo(all.length - shown.length)] : []),
    ...shown.map(message => [
      ...card.wroteSince(author(pen, message), clock.at(message.atMs)),
      ...said(pen, spoken(message.text, pen.context.botUser), Math.floor(ROOM.quote / 2)),
    ]),
  ];
}

/** Why somebody approved their own request, for everybody to read. */
const ownReasons = ({ pen, approval }: Scene): Line[] =>
  (approval === null ? [] : approvers(approval)).flatMap(vote =>
    vote.reason === null || vote.reason.trim() === ''
      ? []
      : [
          [
            ...pen.texts.card.ownRequest(decider(pen, vote.by, vote.name)),
            ...said(pen, vote.reason, Math.floor(ROOM.quote / 2)),
          ],
        ],
  );

/** The lines of the quote block in this state. */
export const quoted = (scene: Scene): Line[] => [
  ...ofState(scene),
  ...ownReasons(scene).slice(0, SHOWN),
  ...chosen(scene),
  ...allowedToo(scene),
];

/** The way that was chosen, in the words of whoever offered it; while it waits, what each has chosen so far. */
function chosen(scene: Scene): Line[] {
  const way = chosenWay(scene);
  if (way !== null) return [scene.pen.texts.card.choseOption(way)];
  const { pen, outcome, approval } = scene;
  if (approval === null || outcome.is !== 'waiting') return [];
  return approvers(approval)
    .slice(-SHOWN)
    .flatMap(({ by, name, option }) => {
      const label = approval.options.find(each => each.value === option)?.label;
      return label === undefined ? [] : [[...pen.texts.card.said(decider(pen, by, name)), ...said(pen, label)]];
    });
}

/** What an approver has allowed beside, in the sentence that was shown and is stored. */
const allowedToo = (scene: Scene): Line[] =>
  (scene.approval === null ? [] : approvers(scene.approval))
    .flatMap(({ by, name, grant }) =>
      grant === undefined
        ? []
        : [[...scene.pen.texts.card.allowedToo(decider(scene.pen, by, name)), ...allowed(scene, grant)]],
    )
    .slice(-1);

/** The stored sentence; its time, which is stored in UTC, in the reader's own zone. */
function allowed({ pen, clock }: Scene, { sentence, untilMs }: NonNullable<Vote['grant']>): Line {
  const until = clock.at(untilMs);
  const [before = '', ...after] = cut(pen.show.line(sentence), ROOM.quote).split(plain([until]));
  const rest = after.join(plain([until]));
  return after.length === 0 ? said(pen, sentence) : pen.texts.card.inQuotes([words(before), until, words(rest)]);
}

/** What approvers have asked the requester, and the answers; the latest few. */
function inquiries(scene: Scene): Line[] {
  const { pen, thread, approval } = scene;
  return (approval?.inquiries ?? []).slice(-INQUIRIES).flatMap(id => {
    const question = at(thread.questions, id);
    return question ? [inquiryLine(pen, question, scene.requester, INQUIRY)] : [];
  });
}

/** The last that an execution said of itself, and when. */
const signLine = ({ pen, clock }: Scene, { line, atMs }: Sign): Line =>
  pen.texts.card.lastSign(words(cut(pen.show.line(line), ROOM.quote)), atMs === null ? null : clock.exact(atMs));

function ofState(scene: Scene): Line[] {
  const { pen, outcome, frozen, approval } = scene;
  const { card } = pen.texts;
  const why =
    frozen !== null && frozen.why.trim() !== ''
      ? [card.frozenWhy(words(cut(pen.show.line(frozen.why), ROOM.reason)))]
      : [];
  switch (outcome.is) {
    case 'waiting':
      return approval === null ? [] : [...asked(scene), ...since(scene), ...inquiries(scene), ...why];
    case 'starting':
      return why;
    case 'rejected': {
      if (outcome.reason === null || outcome.reason.trim() === '') return [];
      const by = decider(pen, outcome.by.id, outcome.by.name);
      return [[...card.said(by), ...said(pen, outcome.reason)]];
    }
    case 'in_doubt':
      return outcome.lastSign === null ? [] : [signLine(scene, outcome.lastSign)];
    case 'not_run':
    case 'refused':
      return outcome.detail === null ? [] : [said(pen, outcome.detail)];
    case 'running':
    case 'suspended':
    case 'done':
    case 'failed':
    case 'said_done':
    case 'given_up':
    case 'expired':
    case 'withdrawn':
      return [];
  }
}
