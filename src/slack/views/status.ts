/**
 * Owns the one status message of a run in the requester's thread: a row per call, edited in place.
 *
 * 1. It exists once a call needed people or their standing permission, was refused, or the run ended otherwise than by its
 * answer, or the model is away; once posted it is kept true. 2. One call is the one-row case. 3. Cancel while something
 * waits, Ask again where a request ended without a decision, Stop for what runs; no other control.
 */
import type { Button, KnownBlock } from '@slack/web-api';
import { shortId } from '../../thread/ids.ts';
import { at, type Run, type Thread, type Wait } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { linkTo } from '../message.ts';
import { ACTIONS, buttonValue, encodeRun, nth } from './actions.ts';
import * as block from './blocks.ts';
import { cardPlace } from './place.ts';
import { stopButtons } from './card-buttons.ts';
import { requester, type Pen } from './context.ts';
import { cardKey, doubtKey } from './keys.ts';
import { ROOM, SLACK } from './limits.ts';
import { channel, joined, lengthOf, link, nobody, pushText, t, words, type Line, type Quiet } from './line.ts';
import type { Tally } from './face.ts';
import { canAskAgain } from './outcome-lines.ts';
import { faceOf } from './seen.ts';
import { runLine } from './run-line.ts';
import { areSeveral, deciders, hasApproval, missing, what, type Scene } from './scene.ts';
import { cut, shorten } from './text/escape.ts';

/** So many controls of one kind stand below the rows: the latest. */
const CONTROLS = 5;

const statusKey = (run: Run): string => `status/${run.id}`;

/** Codes of calls that the model got wrong and corrects by itself: they alone are no reason for a message. */
const quietCodes = new Set(['unknown_tool', 'invalid_arguments', 'duplicate', 'inspect_failed']);

/** True where experts look at something elsewhere: whoever asked is not rung by it, and has to know what is waited for. */
const isReview = (thread: Thread, wait: Wait): boolean =>
  wait.on === 'question' && at(thread.questions, wait.id)?.kind === 'review';

/** True for a call about which the requester has something to know. */
const notable = ({ call, outcome, approval, thread }: Scene): boolean =>
  approval !== null ||
  (call.judgement?.grant ?? null) !== null ||
  Object.values(call.waits).some(wait => wait.on === 'run' || isReview(thread, wait)) ||
  outcome.is === 'in_doubt' ||
  outcome.is === 'said_done' ||
  outcome.is === 'given_up' ||
  (outcome.is === 'refused' && !quietCodes.has(outcome.code)) ||
  (call.judgement !== null &&
    outcome.is === 'failed' &&
    outcome.ending.effect === 'possible' &&
    call.judgement.effect === 'write');

/** The calls that get a row: those to know about, and the others that the model asked for in the same turn. */
function rowsOf(scenes: readonly Scene[]): Scene[] {
  const judged = scenes.filter(scene => scene.call.judgement !== null);
  const known = new Set(judged.filter(notable).map(scene => scene.call.id));
  const turnOf = ({ call }: Scene): string => `${call.run}.${call.turn}`;
  const turns = new Set(judged.filter(scene => known.has(scene.call.id)).map(turnOf));
  // What only puts something to people is told by what it puts to them: one choice is one row.
  const told = new Set(judged.flatMap(({ call }) => (known.has(call.id) && call.within ? [call.within.call] : [])));
  const isToldInside = ({ call }: Scene): boolean =>
    told.has(call.id) && !known.has(call.id) && call.judgement?.effect === 'read';
  return judged.filter(scene => turns.has(turnOf(scene)) && !isToldInside(scene));
}

const cardLink = (scene: Scene): Line => {
  const { approval, pen, thread, call } = scene;
  if (approval !== null) return [link(linkTo(cardKey(approval, approval.card)), pen.texts.row.card)];
  if (call.state.is !== 'in_doubt') return [];
  const key = doubtKey(call.state.claim.execution);
  return at(thread.posts, key) ? [link(linkTo(key), pen.texts.row.card)] : [];
};

/** A card that Slack has refused so far. */
function undelivered(scene: Scene): Line | undefined {
  const { approval, thread, pen, clock } = scene;
  if (approval === null || scene.outcome.is !== 'waiting') return undefined;
  const post = at(thread.posts, cardKey(approval, approval.card));
  if (post?.state !== 'failed') return undefined;
  const { slackSays, row } = pen.texts;
  const code = post.code ?? 'other';
  const known = Object.hasOwn(slackSays, code) ? slackSays[code as keyof typeof slackSays] : undefined;
  const why = typeof known === 'string' ? known : slackSays.other(/^[a-z_]{1,40}$/.test(code) ? code : 'no');
  const place = cardPlace(scene);
  const where = 'channel' in place ? t`${channel(place.channel, pen.texts.people.channel)}` : t``;
  return row.undelivered(what(scene), where, why, clock.at(approval.expiresAtMs));
}

/** Whose call it is, where another agent works for the one that was asked. */
const ofAgent = ({ run, pen }: Scene): Line =>
  run.within === null ? [] : pen.texts.row.ofAgent(words(shorten(pen.show.line(run.agent), ROOM.label)));

function rowLine(scene: Scene, alone: boolean): Line {
  const face = faceOf(scene);
  const lost = undelivered(scene);
  const sign = lost === undefined ? face.sign : '⚠️';
  const line = lost ?? [...ofAgent(scene), ...face.row(alone)];
  const tail = alone || lost !== undefined ? [] : cardLink(scene);
  return joined([t`${sign} ${line}`, tail], ' · ');
}

/** Where a row without a card comes from: its rule, and the environment. */
function origin({ call, pen }: Scene): Line[] {
  const rule = call.judgement?.rule ?? null;
  return [
    ...(rule === null ? [] : [t`${words(pen.texts.card.rule(cut(pen.show.line(rule), ROOM.label * 2), null))}`]),
    t`${shorten(pen.context.environment, ROOM.label)}`,
  ];
}

/** Below a single row: who decides until when, the short id, the card. */
function underline(scene: Scene): Line {
  const { approval, pen, outcome, clock } = scene;
  const waits = outcome.is === 'waiting' && approval !== null;
  return joined(
    [
      waits
        ? pen.texts.row.decide(deciders(scene), areSeveral(scene), missing(scene), clock.at(approval.expiresAtMs))
        : [],
      waits || approval === null ? [] : t`${shortId(approval.id)}`,
      cardLink(scene),
      ...(approval === null && cardLink(scene).length === 0 ? origin(scene) : []),
    ],
    ' · ',
  );
}

/** Below several rows: what to call the requests when talking about them. */
const namesOf = (pen: Pen, rows: readonly Scene[]): Line => {
  const ids = rows.flatMap(({ approval }) => (approval === null ? [] : [t`${shortId(approval.id)}`]));
  return joined([...ids.slice(-ROOM.people), t`${shorten(pen.context.environment, ROOM.label)}`], ' · ');
};

/** True for a call for which another row stands while it waits: its own request, or what another agent does for it. */
const isStoodFor = ({ outcome }: Scene): boolean => outcome.is === 'suspended' && outcome.wait.on !== 'question';

/** The sign above several rows: what needs somebody first, and ✅ only where something was done. */
function signOf({ doubt, waiting, running, failed, givenUp, done }: Readonly<Record<Tally, number>>): string {
  if (doubt > 0) return '❓';
  if (waiting > 0) return '⏳';
  if (running > 0) return '▶️';
  if (failed + givenUp > 0) return '⚠️';
  return done > 0 ? '✅' : '🚫';
}

function counted(pen: Pen, all: readonly Scene[]): Line {
  const own = all.filter(scene => !isStoodFor(scene));
  const rows = own.length > 0 ? own : all;
  const count = (tally: Tally): number => rows.filter(scene => faceOf(scene).tally === tally).length;
  const counts = {
    all: rows.length,
    done: count('done'),
    waiting: count('waiting'),
    running: count('running'),
    doubt: count('doubt'),
    failed: count('failed'),
    givenUp: count('givenUp'),
    notRun: count('notRun'),
  };
  return t`${signOf(counts)} ${pen.texts.row.counts(counts)}`;
}

/** As many rows as a message holds, the latest. */
function fitRows(pen: Pen, lines: readonly Line[]): Line[] {
  let left = SLACK.messageText - 1_500;
  let from = lines.length;
  while (from > 0 && lines.length - from < ROOM.rows) {
    left -= lengthOf(lines[from - 1] ?? []);
    if (left < 0) break;
    from -= 1;
  }
  return from === 0 ? [...lines] : [t`${pen.texts.row.earlier(from)}`, ...lines.slice(from)];
}

function askAgainButtons(pen: Pen, rows: readonly Scene[]): Button[] {
  const again = rows.filter(hasApproval).filter(canAskAgain);
  return again.slice(-CONTROLS).map(({ approval, thread, summary }, index) => {
    const { askAgain } = pen.texts.control;
    const label = again.length === 1 ? askAgain : shorten(`${askAgain}: ${summary}`, ROOM.control);
    const action = again.length === 1 ? ACTIONS.askAgain : nth(ACTIONS.askAgain, index);
    return block.button(action, label, buttonValue(thread, approval));
  });
}

/** Stop for each call that runs; with its summary where there are several. */
function stopRows(pen: Pen, rows: readonly Scene[]): Button[] {
  const running = rows.filter(scene => stopButtons(scene).length > 0);
  const { stop } = pen.texts.control;
  return running
    .slice(-CONTROLS)
    .flatMap((scene, index) =>
      running.length === 1
        ? stopButtons(scene)
        : stopButtons(scene, shorten(`${stop}: ${scene.summary}`, ROOM.control), nth(ACTIONS.stop, index)),
    );
}

function cancelButton(pen: Pen, thread: Thread, run: Run, rows: readonly Scene[], isFrozen: boolean): Button[] {
  const waits = rows.some(
    ({ outcome }) => outcome.is === 'waiting' || outcome.is === 'suspended' || (outcome.is === 'starting' && isFrozen),
  );
  if (run.end !== null || run.cancelled !== null || !(waits || run.away !== null)) return [];
  const { control, confirm } = pen.texts;
  return [
    block.button(ACTIONS.cancel, control.cancel, encodeRun(thread.key, run.id), {
      confirm: { ...confirm.cancel, back: control.back },
    }),
  ];
}

/** The run's status message; undefined while there is nothing that people have to know. */
export function statusMessage(pen: Pen, thread: Thread, run: Run, scenes: readonly Scene[]): Message | undefined {
  const rows = rowsOf(scenes);
  const frozen = scenes[0]?.frozen ?? null;
  const head = runLine(pen, run, scenes, frozen);
  const posted = at(thread.posts, statusKey(run)) !== undefined;
  if (rows.length === 0 && head === undefined && !posted) return undefined;
  const [only] = rows;
  const alone = rows.length === 1 && only !== undefined && head === undefined;
  const lines = rows.map(scene => rowLine(scene, alone));
  const title = head ?? (alone ? (lines[0] ?? []) : rows.length > 0 ? counted(pen, rows) : resumed(pen, run));
  const listed = alone || covers(run, rows) ? [] : fitRows(pen, lines);
  const below = alone ? underline(only) : namesOf(pen, rows);
  const buttons = [
    ...cancelButton(pen, thread, run, rows, frozen !== null),
    ...stopRows(pen, rows),
    ...askAgainButtons(pen, rows),
  ];
  const blocks = (quiet: Quiet, ring: Line): KnownBlock[] => [
    paragraph(joined([ring, title], ' '), listed, quiet),
    block.fine([below], quiet),
    ...(buttons.length === 0 ? [] : [block.actions(buttons)]),
  ];
  const text = pushText(title);
  const over = run.end !== null || (rows.length > 0 && rows.every(scene => faceOf(scene).over));
  // Where a change is asked for, a message of its own rings.
  const ended =
    run.end !== null && run.end.how !== 'succeeded' && run.end.how !== 'cancelled' && run.end.code !== 'change_asked';
  const ring = ended ? [requester(pen, thread, run)] : [];
  return {
    key: statusKey(run),
    rank: over ? 'final' : 'progress',
    place: { channel: thread.key.channel, threadTs: thread.key.ts },
    content: { text, blocks: blocks(nobody, []) },
    first: { text, blocks: blocks(ended ? { allBut: run.requesters } : 'everybody', ring) },
    evidence: false,
  };
}

/** A cancelled run whose line says everything needs no rows. */
const covers = (run: Run, rows: readonly Scene[]): boolean =>
  run.end?.how === 'cancelled' &&
  rows.every(scene => scene.outcome.is === 'withdrawn' || scene.outcome.is === 'refused');

const resumed = (pen: Pen, run: Run): Line =>
  run.end === null ? t`▶️ ${pen.texts.run.back}` : t`✅ ${pen.texts.run.ended}`;

function paragraph(title: Line, rows: readonly Line[], quiet: Quiet): KnownBlock {
  const first = block.paragraph(title, quiet);
  return rows.length === 0
    ? first
    : { type: 'rich_text', elements: [...first.elements, ...block.list(rows, quiet).elements] };
}
