/** Owns what a call is shown and told as once it ran, or people have settled whether it did. */
import type { Faces } from './face.ts';
import { plain } from './line.ts';
import {
  approvedBy,
  by,
  cancelledLines,
  doneBy,
  errorWord,
  isCancelledBefore,
  leftOffWhy,
  push,
  sign,
  stoppedInRow,
  stoppedLines,
  took,
} from './outcome-lines.ts';
import { checkedAtMs, isChecked, reportedLate } from './doubt-ends.ts';
import { what } from './scene.ts';
import { en } from './texts/en.ts';
import { model } from './texts/model.ts';

export const callsThatRan: Pick<Faces, 'done' | 'failed' | 'said_done' | 'given_up'> = {
  done: {
    sign: sign('✅'),
    tally: 'done',
    over: true,
    card: ({ ending }, scene) => [
      [
        ...(isChecked(ending)
          ? scene.pen.texts.card.doneChecked(scene.clock.at(checkedAtMs(scene, ending)))
          : scene.pen.texts.card.done(
              scene.clock.at(ending.endedAtMs),
              took(scene, ending.startedAtMs, ending.endedAtMs),
            )),
        ...scene.pen.texts.card.told(scene.requester),
      ],
      ...reportedLate(scene, ending),
      ...approvedBy(scene),
    ],
    row: ({ ending }, scene) => {
      const { row } = scene.pen.texts;
      if (isChecked(ending))
        return [...row.doneChecked(scene.clock.at(checkedAtMs(scene, ending)), what(scene)), ...doneBy(scene)];
      return scene.approval === null
        ? [what(scene), ...(scene.call.judgement?.grant ? row.underGrant : [])]
        : [...row.done(scene.clock.at(ending.endedAtMs), what(scene)), ...doneBy(scene)];
    },
    push: push('done'),
    result: ({ ending }, show) =>
      isChecked(ending)
        ? model.ranChecked
        : ending.result === null && ending.blob !== null
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
      const why = leftOffWhy(scene.pen.texts, ending);
      return [
        first,
        ...(why === undefined ? [] : [card.leftOff(why)]),
        ...reportedLate(scene, ending),
        ...stoppedLines(scene),
        ...cancelledLines(scene, ending),
        ...approvedBy(scene),
        ...(isCancelledBefore(scene, ending) ? [] : [card.agentTold]),
      ];
    },
    row: ({ ending }, scene) => {
      const { row } = scene.pen.texts;
      const at = scene.clock.at(ending.endedAtMs);
      const line = ending.effect === 'none' ? row.failedNone(at, what(scene)) : row.failedPossible(at, what(scene));
      const why = leftOffWhy(scene.pen.texts, ending);
      return [...line, ...(why === undefined ? [] : row.leftOff(why)), ...stoppedInRow(scene), ...doneBy(scene)];
    },
    push: push('failed'),
    result: ({ ending }, show) => {
      const why = leftOffWhy(en, ending);
      const none = why === undefined ? model.noDetail : model.leftOff(plain(why));
      const text = ending.result === null || ending.result === '' ? none : show.text(ending.result);
      return ending.effect === 'none' ? model.failedNone(text) : model.failedPossible(text);
    },
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
      ...doneBy(scene),
    ],
    push: push('saidDone'),
    result: () => model.saidDone,
  },
  given_up: {
    sign: sign('⚠️'),
    tally: 'givenUp',
    over: true,
    card: (outcome, scene) => [
      scene.pen.texts.card.givenUp(by(scene, outcome), scene.clock.at(outcome.atMs)),
      ...approvedBy(scene),
    ],
    row: (outcome, scene) => [
      ...scene.pen.texts.row.givenUp(by(scene, outcome), scene.clock.at(outcome.atMs), what(scene)),
      ...doneBy(scene),
    ],
    push: push('givenUp'),
    result: () => model.givenUp,
  },
};
