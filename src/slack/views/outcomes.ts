/**
 * Owns the one table of what a call can come to: sign, card status, thread line, push line and the model's result, side by
 * side, so that no two of them can tell different stories.
 */
import { decider, somebody } from './context.ts';
import type { Face, Kind, Of } from './face.ts';
import { plain, t, words, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import {
  approvedBy,
  checkedLines,
  doneBy,
  detail,
  errorWord,
  inRow,
  modelsOwn,
  notRunWhy,
  reason,
  refusedWhy,
  runningRow,
  repeated,
  shownReason,
  sign,
  standsAlone,
  stoppedInRow,
  stoppedLines,
  took,
} from './outcome-lines.ts';
import { deciders, missing, votes, what, type Scene } from './scene.ts';
import { suspendedCard, suspendedRow, suspendedSign } from './suspended.ts';
import { cut } from './text/escape.ts';
import { en } from './texts/en.ts';
import { model } from './texts/model.ts';
import { expiredLines, startingLine, waitingLines, waitingPush, waitingRow } from './waiting-lines.ts';

/** Who has decided, or said what became of it. */
const by = ({ pen }: Scene, { by: { id, name } }: Of<'rejected' | 'said_done' | 'given_up'>): Part =>
  decider(pen, id, name);

/** The table. */
export const faces: { readonly [K in Kind]: Face<K> } = {
  waiting: {
    sign: sign('⏳'),
    tally: 'waiting',
    over: false,
    card: (_, scene) => waitingLines(scene),
    row: (_, scene, alone) => waitingRow(scene, alone),
    push: scene => waitingPush(scene),
    result: () => model.pending,
  },
  starting: {
    sign: scene => (scene.frozen === null ? '▶️' : '🧊'),
    tally: 'running',
    over: false,
    card: (_, scene) => [startingLine(scene), ...approvedBy(scene)],
    row: (_, scene) => [...scene.pen.texts.row.running(what(scene)), ...inRow(scene, scene.pen.texts.row.approvedBy)],
    push: scene => scene.pen.texts.push.running(what(scene)),
    result: () => model.pending,
  },
  running: {
    sign: sign('▶️'),
    tally: 'running',
    over: false,
    card: (outcome, scene) => [
      scene.pen.texts.card.running(scene.clock.at(outcome.sinceMs)),
      ...stoppedLines(scene),
      ...approvedBy(scene),
    ],
    row: (_, scene) => runningRow(scene),
    push: scene => scene.pen.texts.push.running(what(scene)),
    result: () => model.running,
  },
  suspended: {
    sign: suspendedSign,
    tally: 'waiting',
    over: false,
    card: suspendedCard,
    row: suspendedRow,
    push: scene => scene.pen.texts.push.suspended(what(scene)),
    result: () => model.pending,
  },
  done: {
    sign: sign('✅'),
    tally: 'done',
    over: true,
    card: ({ ending }, scene) => [
      [
        ...scene.pen.texts.card.done(
          scene.clock.at(ending.endedAtMs),
          took(scene, ending.startedAtMs, ending.endedAtMs),
        ),
        ...scene.pen.texts.card.told(scene.requester),
      ],
      ...approvedBy(scene),
    ],
    row: ({ ending }, scene) =>
      scene.approval === null
        ? [what(scene), ...(scene.call.judgement?.grant ? scene.pen.texts.row.underGrant : [])]
        : [...scene.pen.texts.row.done(scene.clock.at(ending.endedAtMs), what(scene)), ...doneBy(scene)],
    push: scene => scene.pen.texts.push.done(what(scene)),
    result: ({ ending }, show) =>
      ending.result === null && ending.blob !== null
        ? model.ranElsewhere(ending.blob.bytes)
        : ending.result === null || ending.result === ''
          ? model.ranEmpty
          : model.ran(show.text(ending.result)),
  },
  failed: {
    sign: sign('⚠️'),
    tally: 'failed',
    over: true,
    card: ({ ending }, scene) => {
      const { card } = scene.pen.texts;
      const at = scene.clock.at(ending.endedAtMs);
      const first =
        ending.effect === 'none' ? card.failedNone(at) : card.failedPossible(at, errorWord(scene.pen.texts, ending));
      return [first, ...stoppedLines(scene), ...approvedBy(scene), card.agentTold];
    },
    row: ({ ending }, scene) => {
      const { row } = scene.pen.texts;
      const at = scene.clock.at(ending.endedAtMs);
      const line = ending.effect === 'none' ? row.failedNone(at, what(scene)) : row.failedPossible(at, what(scene));
      return [...line, ...stoppedInRow(scene)];
    },
    push: scene => scene.pen.texts.push.failed(what(scene)),
    result: ({ ending }, show) => {
      const text = ending.result === null || ending.result === '' ? model.noDetail : show.text(ending.result);
      return ending.effect === 'none' ? model.failedNone(text) : model.failedPossible(text);
    },
  },
  in_doubt: {
    sign: sign('❓'),
    tally: 'doubt',
    over: false,
    card: (outcome, scene) => {
      const { card, doubt } = scene.pen.texts;
      return [
        card.inDoubt(scene.clock.exact(outcome.startedAtMs)),
        ...checkedLines(scene),
        ...(outcome.endsByMs > outcome.sinceMs ? [card.mayRun(scene.clock.at(outcome.endsByMs))] : []),
        ...(scene.approval === null ? [doubt.allowed] : approvedBy(scene)),
      ];
    },
    row: (_, scene) => scene.pen.texts.row.inDoubt(what(scene)),
    push: scene => scene.pen.texts.push.inDoubt(what(scene)),
    result: () => model.inDoubt,
  },
  said_done: {
    sign: sign('✅'),
    tally: 'done',
    over: true,
    card: (outcome, scene) => [
      scene.pen.texts.card.saidDone(by(scene, outcome), scene.clock.at(outcome.atMs)),
      ...approvedBy(scene),
    ],
    row: (outcome, scene) => [
      ...scene.pen.texts.row.saidDone(by(scene, outcome), scene.clock.at(outcome.atMs), what(scene)),
    ],
    push: scene => scene.pen.texts.push.saidDone(what(scene)),
    result: () => model.saidDone,
  },
  given_up: {
    sign: sign('⚠️'),
    tally: 'failed',
    over: true,
    card: (outcome, scene) => [
      scene.pen.texts.card.givenUp(by(scene, outcome), scene.clock.at(outcome.atMs)),
      ...approvedBy(scene),
    ],
    row: (outcome, scene) => [
      ...scene.pen.texts.row.givenUp(by(scene, outcome), scene.clock.at(outcome.atMs), what(scene)),
    ],
    push: scene => scene.pen.texts.push.givenUp(what(scene)),
    result: () => model.givenUp,
  },
  rejected: {
    sign: sign('✋'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => [
      scene.pen.texts.card.rejected(by(scene, outcome), scene.clock.at(outcome.atMs)),
      scene.pen.texts.card.afterReject[outcome.then](scene.requester),
    ],
    row: (outcome, scene, alone) => [
      ...scene.pen.texts.row.rejected(by(scene, outcome), alone ? null : what(scene), reason(scene, outcome.reason)),
    ],
    push: scene => scene.pen.texts.push.rejected(what(scene)),
    result: (outcome, show) =>
      outcome.then === 'replan'
        ? model.rejectedReplan(shownReason(show, outcome.reason))
        : model.rejected(shownReason(show, outcome.reason)),
  },
  expired: {
    sign: sign('⌛'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => expiredLines(scene, outcome.atMs),
    row: (outcome, scene, alone) => {
      const { row } = scene.pen.texts;
      const at = scene.clock.at(scene.approval?.expiresAtMs ?? outcome.atMs);
      const name = alone ? null : what(scene);
      const line =
        votes(scene).count > 0 && missing(scene) === 0 ? row.expiredApproved(at, name) : row.expired(at, name);
      return [...line, ...repeated(scene)];
    },
    push: scene => scene.pen.texts.push.expired(what(scene)),
    result: () => model.expired,
  },
  withdrawn: {
    sign: sign('↩️'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => {
      const { card } = scene.pen.texts;
      const by = outcome.by === null ? null : somebody(scene.pen, scene.thread, scene.run, outcome.by);
      const at = scene.clock.at(outcome.atMs);
      const approved = votes(scene).count > 0 && missing(scene) === 0;
      return [
        approved ? card.withdrawnApproved(by, at) : card.withdrawn(by, at),
        ...approvedBy(scene),
        ...(outcome.instead ? [card.instead(scene.requester)] : []),
      ];
    },
    row: (outcome, scene) => scene.pen.texts.row.withdrawn(what(scene), outcome.instead),
    push: scene => scene.pen.texts.push.withdrawn(what(scene)),
    result: () => model.withdrawn,
  },
  not_run: {
    sign: sign('🚫'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => {
      const { card } = scene.pen.texts;
      return [
        card.notRun(scene.clock.at(outcome.atMs), notRunWhy(scene.pen.texts, outcome.code)),
        ...approvedBy(scene),
        t`${card.nothingRan}${scene.pen.texts.list.sentence}${card.canAskAgain(scene.requester)}`,
      ];
    },
    row: (outcome, scene, alone) => [
      ...scene.pen.texts.row.notRun(notRunWhy(scene.pen.texts, outcome.code), alone ? null : what(scene)),
      ...(outcome.code === 'changed_too_often' ? scene.pen.texts.row.whenSettled : []),
      ...detail(scene, outcome.detail),
      ...repeated(scene),
    ],
    push: scene => scene.pen.texts.push.notRun(what(scene)),
    result: (outcome, show) =>
      model.notRun(
        plain(notRunWhy(en, outcome.code)) + (outcome.detail === null ? '' : ` (${show.line(outcome.detail)})`),
      ),
  },
  refused: {
    sign: sign('🚫'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => [
      scene.pen.texts.card.notRun(
        scene.clock.at(outcome.atMs),
        refusedWhy(scene.pen.texts, outcome.code, null, deciders(scene), null),
      ),
    ],
    row: (outcome, scene, alone) => {
      const why = outcome.detail === null ? null : words(cut(scene.pen.show.line(outcome.detail), ROOM.why));
      const line = refusedWhy(scene.pen.texts, outcome.code, why, deciders(scene), null);
      const whole = alone && standsAlone.has(outcome.code);
      return [
        ...scene.pen.texts.row.refused(line, whole ? null : what(scene)),
        ...(outcome.code === 'denied' ? [] : detail(scene, outcome.detail)),
      ];
    },
    push: scene => scene.pen.texts.push.notRun(what(scene)),
    result: (outcome, show) => {
      const why = outcome.detail === null ? null : words(show.line(outcome.detail));
      const line = Object.hasOwn(model.why, outcome.code)
        ? model.why[outcome.code as keyof typeof model.why]
        : plain(refusedWhy(en, outcome.code, why, [], null));
      const more = outcome.detail === null || outcome.code === 'denied' ? '' : ` (${show.line(outcome.detail)})`;
      return modelsOwn.has(outcome.code) ? model.wrong(line + more) : model.refused(line + more);
    },
  },
};
