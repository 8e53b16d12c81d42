/** Owns what a call is shown and told as that is over and did not run: people said no or nothing, or it may not. */
import type { Faces } from './face.ts';
import { somebody } from './context.ts';
import { notRunAfterDoubt } from './doubt-ends.ts';
import { joined, plain, words } from './line.ts';
import { ROOM } from './limits.ts';
import {
  approvedBy,
  askAgainLine,
  canAskAgain,
  by,
  detail,
  inRow,
  modelsOwn,
  notRunWhy,
  push,
  reason,
  refusedWhy,
  repeated,
  shownReason,
  sign,
  standsAlone,
} from './outcome-lines.ts';
import { deciders, missing, votes, what } from './scene.ts';
import { cut } from './text/escape.ts';
import { en } from './texts/en.ts';
import { model } from './texts/model.ts';
import { expiredLines } from './waiting-lines.ts';

export const callsNotRun: Pick<Faces, 'rejected' | 'expired' | 'withdrawn' | 'not_run' | 'refused'> = {
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
    push: push('rejected'),
    result: (outcome, show) =>
      outcome.then === 'replan'
        ? model.rejectedReplan(shownReason(show, outcome.reason))
        : model.rejected(shownReason(show, outcome.reason)),
  },
  expired: {
    sign: sign('⌛'),
    tally: 'notRun',
    over: true,
    card: (outcome, scene) => expiredLines(scene, outcome),
    row: (outcome, scene, alone) => {
      const { row } = scene.pen.texts;
      const at = scene.clock.at(scene.approval?.expiresAtMs ?? outcome.atMs);
      const name = alone ? null : what(scene);
      switch (outcome.approved) {
        case 'by_all':
          return [...row.expiredApproved(at, name), ...inRow(scene, row.approved), ...repeated(scene)];
        case 'by_some':
          return [...row.expiredShort(at, name, missing(scene)), ...inRow(scene, row.approved), ...repeated(scene)];
        case 'by_nobody':
          return [...row.expired(at, name), ...repeated(scene)];
      }
    },
    push: push('expired'),
    result: ({ approved }) => model.expired[approved],
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
        ...notRunAfterDoubt(scene),
        approved ? card.withdrawnApproved(by, at) : card.withdrawn(by, at),
        ...approvedBy(scene),
        ...(outcome.instead ? [card.instead(scene.requester)] : []),
      ];
    },
    row: (outcome, scene) => scene.pen.texts.row.withdrawn(what(scene), outcome.instead),
    push: push('withdrawn'),
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
        joined([card.nothingRan, ...askAgainLine(scene)], scene.pen.texts.list.sentence),
      ];
    },
    row: (outcome, scene, alone) => [
      ...scene.pen.texts.row[outcome.approved === 'by_all' ? 'approvedNotRun' : 'notRun'](
        notRunWhy(scene.pen.texts, outcome.code),
        alone ? null : what(scene),
      ),
      ...(outcome.code === 'changed_too_often' && canAskAgain(scene) ? scene.pen.texts.row.whenSettled : []),
      ...detail(scene, outcome.detail),
      ...repeated(scene),
    ],
    push: push('notRun'),
    result: (outcome, show) =>
      model[outcome.approved === 'by_all' ? 'approvedNotRun' : 'refused'](
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
    push: push('notRun'),
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
