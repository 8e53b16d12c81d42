/** Owns what a call is shown and told as while it is not over: it waits, runs, or nobody knows whether it ran. */
import type { Faces } from './face.ts';
import { approvedBy, approvedInRow, checkedLines, push, runningRow, sign, stoppedLines } from './outcome-lines.ts';
import { isOutOfTime } from './doubt-ends.ts';
import { what } from './scene.ts';
import { suspendedCard, suspendedRow, suspendedSign } from './suspended.ts';
import { model } from './texts/model.ts';
import { startingLine, waitingLines, waitingPush, waitingRow } from './waiting-lines.ts';

export const callsUnderWay: Pick<Faces, 'waiting' | 'starting' | 'running' | 'suspended' | 'in_doubt'> = {
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
    row: (_, scene) => [...scene.pen.texts.row.running(what(scene)), ...approvedInRow(scene)],
    push: push('running'),
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
    push: push('running'),
    result: () => model.running,
  },
  suspended: {
    sign: suspendedSign,
    tally: 'waiting',
    over: false,
    card: suspendedCard,
    row: suspendedRow,
    push: push('suspended'),
    result: () => model.pending,
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
        ...(isOutOfTime(scene, outcome) ? [] : [card.mayRun(scene.clock.at(outcome.endsByMs))]),
        ...(scene.approval === null ? [doubt.allowed] : approvedBy(scene)),
      ];
    },
    row: (_, scene) => scene.pen.texts.row.inDoubt(what(scene)),
    push: push('inDoubt'),
    result: () => model.inDoubt,
  },
};
