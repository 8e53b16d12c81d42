/** Owns the lines about a request that waits, is about to start, or has expired: who was asked, since when, until when. */
import type { Approval } from '../../thread/thread.ts';
import { decider, scopeNames } from './context.ts';
import type { Of } from './face.ts';
import { lackInRow, lackLines } from './lack.ts';
import { ROOM } from './limits.ts';
import { joined, type Line, type Part } from './line.ts';
import { approvedBy, askAgainLine } from './outcome-lines.ts';
import { isAfterDoubt, notRunAt, notRunBy } from './doubt-ends.ts';
import { changesLine, editOf, deciders, missing, votes, what, type Scene, type VoteLine } from './scene.ts';

/** What stands on a card between the approval and the start. */
export function startingLine(scene: Scene): Line {
  const { card } = scene.pen.texts;
  const { approval, frozen, clock } = scene;
  if (frozen !== null && approval !== null)
    return card.frozenApproved(
      decider(scene.pen, frozen.by, frozen.name),
      clock.at(frozen.sinceMs),
      clock.at(approval.expiresAtMs),
    );
  return approval?.state.is === 'approved' ? card.running(clock.at(approval.state.atMs)) : card.starting;
}

/** When people were reminded, on the present card. */
const reminders = ({ approval, clock }: Scene): Line =>
  joined(
    (approval?.reminders ?? []).slice(-ROOM.people).map(({ atMs }) => [clock.at(atMs)]),
    ', ',
  );

/** Who may decide too since when: the further steps of the ladder that were reached. */
const steps = ({ pen, approval, clock }: Scene): { readonly scopes: Line; readonly at: Part }[] =>
  (approval?.escalations ?? []).flatMap(({ step, atMs }) => {
    const added = approval?.terms.ladder[step];
    return added ? [{ scopes: scopeNames(pen, added.scopes), at: clock.at(atMs) }] : [];
  });

function remindedLines(scene: Scene): Line[] {
  const { card } = scene.pen.texts;
  const times = reminders(scene);
  return [
    ...(times.length === 0 ? [] : [card.reminded(times)]),
    ...steps(scene).map(({ scopes, at }) => card.mayDecideToo(at, scopes)),
  ];
}

/** That it is not asked about for the first time, and why: what has changed, or who or what found that it had not run. */
function askedBefore(scene: Scene, approval: Approval): Line[] {
  const { pen, call, clock } = scene;
  const { card } = pen.texts;
  const closed = approval.closedCards.at(-1);
  if (closed === undefined) {
    const last = call.doubtEnds?.at(-1);
    return last?.as === 'not_run' ? [card.askedAfterDoubt(call.attempts + 1, notRunBy(pen, clock, last))] : [];
  }
  if (isAfterDoubt(closed)) return [card.askedAfterDoubt(approval.card, notRunAt(scene, closed.atMs))];
  const { changes } = approval;
  return [card.askedAgain(approval.card, changes.length === 0 ? null : changesLine(pen, changes, 'wasIs'))];
}

/** What stands on a card that waits. */
export function waitingLines(scene: Scene): Line[] {
  const { pen, approval, clock } = scene;
  const { card } = pen.texts;
  if (approval === null) return [card.starting];
  const given = votes(scene);
  const edit = editOf(scene);
  return [
    ...askedBefore(scene, approval),
    ...(edit === null ? [] : [card.edited(edit.by)]),
    card.waiting(approval.terms.quorum, deciders(scene), approval.eligible, clock.at(approval.expiresAtMs)),
    ...lackLines(scene),
    ...(given.count === 0 ? [] : [partly(scene, given)]),
    ...remindedLines(scene),
    ...(approval.terms.selfApproval === 'with_reason' ? [card.ownRequests] : []),
    ...frozenLines(scene),
  ];
}

/** That nothing can be approved while everything is frozen, and who did that; nothing otherwise. */
export const frozenLines = ({ pen, frozen, clock }: Scene): Line[] =>
  frozen === null ? [] : [pen.texts.card.frozenOpen(decider(pen, frozen.by, frozen.name), clock.at(frozen.sinceMs))];

/** Who has approved and how many more it takes; whoever has chosen a way may still choose another. */
function partly(scene: Scene, { withTimes, names }: VoteLine): Line {
  const { card } = scene.pen.texts;
  return (scene.approval?.options.length ?? 0) > 0
    ? card.partlyChosen(withTimes, missing(scene))
    : card.partly(withTimes, missing(scene), names);
}

/** A row of the thread about a request that waits; `alone`: it is the only one. */
export function waitingRow(scene: Scene, alone: boolean): Line {
  const { pen, approval, clock } = scene;
  const { row } = pen.texts;
  if (approval === null) return row.waiting(what(scene));
  const given = votes(scene);
  const isChoice = approval.options.length > 0;
  const soFar = given.count === 0 ? [] : row[isChoice ? 'partlyChosen' : 'partly'](given.names, missing(scene));
  const state = [...soFar, ...lackInRow(scene)];
  const changes = approval.card > 1 ? changesLine(pen, approval.changes) : null;
  if (alone) return [...(changes === null ? row.waiting(what(scene)) : row.replaced(changes)), ...state];
  return changes === null
    ? [...row.waitingShort(what(scene), deciders(scene), clock.at(approval.expiresAtMs)), ...state]
    : [...row.replacedShort(what(scene), changes), ...state];
}

/** What a push says of a request that waits. */
export function waitingPush(scene: Scene): Line {
  const { pen, approval, clock } = scene;
  if (approval === null) return pen.texts.push.running(what(scene));
  return approval.card > 1
    ? pen.texts.push.again(changesLine(pen, approval.changes), what(scene))
    : pen.texts.push.card(what(scene), scene.requester, clock.at(approval.expiresAtMs));
}

/** Who was asked, reminded and asked too, and that nothing ran. */
export function expiredLines(scene: Scene, { approved, atMs }: Of<'expired'>): Line[] {
  const { card } = scene.pen.texts;
  const at = scene.clock.at(scene.approval?.expiresAtMs ?? atMs);
  const first = {
    by_nobody: card.expired(at),
    by_some: card.expiredShort(at, missing(scene)),
    by_all: card.expiredApproved(at),
  };
  return [
    first[approved],
    ...approvedBy(scene),
    joined(
      [
        card.expiredAsked(
          deciders(scene),
          reminders(scene).length === 0 ? [] : card.expiredReminded(reminders(scene)),
          steps(scene).flatMap(({ scopes, at: since }) => card.expiredSince(scopes, since)),
        ),
        ...askAgainLine(scene),
      ],
      scene.pen.texts.list.sentence,
    ),
  ];
}
