/** Owns what is said of a request that cannot be decided as people are now: on its card, and in the requester's thread. */
import { scopeNames } from './context.ts';
import type { Line } from './line.ts';
import type { Scene } from './scene.ts';

/** The line of its card; none while enough people may decide it. */
export function lackLines({ pen, approval, clock }: Scene): Line[] {
  const lack = approval?.lack;
  if (approval === null || lack === undefined) return [];
  const { lack: texts } = pen.texts;
  const what = lack.code === 'no_approvers' ? texts.nobody : texts.tooFew(approval.terms.quorum);
  if (lack.fromMs === null) return [texts.staysOpen(what)];
  // The steps that come until then.
  const { fromMs } = lack;
  const steps = approval.terms.ladder.filter(
    ({ afterMs }, step) => step > 0 && approval.requestedAtMs + afterMs <= fromMs,
  );
  const added = scopeNames(
    pen,
    steps.flatMap(({ scopes }) => scopes),
  );
  return [texts.later(what, clock.at(fromMs), added)];
}

/** The same behind its row in the thread. */
export function lackInRow({ pen, approval, clock }: Scene): Line {
  const lack = approval?.lack;
  if (approval === null || lack === undefined) return [];
  const { lack: texts } = pen.texts;
  const isNobody = lack.code === 'no_approvers';
  return lack.fromMs === null
    ? texts.row(isNobody ? texts.rowNobody : texts.rowTooFew(approval.terms.quorum))
    : texts.rowLater(isNobody ? null : approval.terms.quorum, clock.at(lack.fromMs));
}
