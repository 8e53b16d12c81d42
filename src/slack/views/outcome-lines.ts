/** Owns the lines that the table of outcomes is made of: votes, reasons, waiting and starting, late reports. */
import type { Ending } from '../../thread/thread.ts';
import { decider, type Pen } from './context.ts';
import { t, words, type Line, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import { changesLine, deciders, missing, votes, what, type Scene } from './scene.ts';
import { cut } from './text/escape.ts';
import type { Show } from './text/show.ts';

export const sign = (text: string) => (): string => text;
export const approvedBy = (scene: Scene): Line[] => {
  const given = votes(scene);
  return given.count === 0 ? [] : [scene.pen.texts.card.approvedBy(given.withTimes)];
};
export const inRow = (scene: Scene, join: (votes: Line) => Line): Line => {
  const given = votes(scene);
  return given.count === 0 ? [] : join(given.names);
};

/** The detail that came with a code, in people's words: at the end of a row. */
export const detail = (scene: Scene, text: string | null): Line =>
  text === null ? [] : t` (${words(cut(scene.pen.show.line(text), ROOM.why))})`;

type Reasons = Record<string, Line | ((piece: never) => Line)>;
const sentence = (table: Reasons, code: string): Line | undefined => {
  const found = Object.hasOwn(table, code) ? table[code] : undefined;
  return typeof found === 'function' ? undefined : found;
};

/** Why an approved call was not run, in the language of `texts`. */
export const notRunWhy = (texts: Pen['texts'], code: string): Line =>
  sentence(texts.notRun, code) ?? sentence(texts.refused, code) ?? texts.notRun.other;

/** Why a call was not put to people. */
export function refusedWhy(
  texts: Pen['texts'],
  code: string,
  why: Part | null,
  scopes: Line,
  needed: number | null,
): Line {
  if (code === 'denied') return why === null ? texts.refused.denied : texts.refused.deniedWhy(why);
  if (code === 'no_approvers') return texts.refused.no_approvers(scopes);
  if (code === 'quorum_impossible')
    return needed === null ? texts.refused.quorum_unknown : texts.refused.quorum_impossible(needed);
  return sentence(texts.refused, code) ?? texts.refused.other;
}

/** Codes of calls that the model itself got wrong, so that it may correct them. */
export const modelsOwn = new Set(['unknown_tool', 'invalid_arguments', 'inspect_failed', 'duplicate', 'too_long']);

/** `exit code 1`, `took too long`; null when the code says nothing to people. */
export function errorWord({ card }: Pen['texts'], { code, result }: Pick<Ending, 'code' | 'result'>): string | null {
  if (code === 'timed_out') return card.timedOut;
  if (code === 'aborted' || code === 'stopped') return card.aborted;
  const exit = code === 'exit_code' ? /\d{1,3}/.exec(result?.split('\n', 1)[0] ?? '') : null;
  return exit ? card.exitCode(Number(exit[0])) : null;
}

export const reason = (scene: Scene, text: string | null): Part | null =>
  text === null || text.trim() === '' ? null : words(cut(scene.pen.show.line(text), ROOM.reason));
export const shownReason = (show: Show, text: string | null): string | null =>
  text === null || text.trim() === '' ? null : show.line(text);

export const took = (scene: Scene, startedAtMs: number, endedAtMs: number): string =>
  scene.pen.texts.seconds(Math.max(0, Math.round((endedAtMs - startedAtMs) / 1000)));

/** Refusals whose sentence needs no summary beside it. */
export const standsAlone = new Set(['denied', 'no_approvers', 'quorum_impossible', 'too_many_open']);

export const repeated = (scene: Scene): Line =>
  scene.call.repeatedBy === null ? [] : scene.pen.texts.row.askedAgainBy;

/** What a process reported after people had settled the doubt. */
export function contradiction(scene: Scene): Line[] {
  const late = scene.call.contradiction;
  if (late === null) return [];
  const how = late.how === 'succeeded' ? 'ran' : late.effect === 'none' ? 'nothing' : 'failed';
  return [scene.pen.texts.card.contradicted(how, scene.clock.at(late.endedAtMs))];
}

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

export function waitingLines(scene: Scene): Line[] {
  const { pen, approval, clock, frozen, call } = scene;
  const { card } = pen.texts;
  if (approval === null) return [card.starting];
  const given = votes(scene);
  return [
    ...(approval.card > 1
      ? [
          card.askedAgain(
            approval.card,
            approval.changes.length === 0 ? null : changesLine(pen, approval.changes, 'wasIs'),
          ),
        ]
      : call.attempts > 0
        ? [card.askedAfterDoubt(call.attempts + 1)]
        : []),
    card.waiting(approval.terms.quorum, deciders(scene), approval.eligible, clock.at(approval.expiresAtMs)),
    ...(given.count === 0 ? [] : [card.partly(given.withTimes, missing(scene), given.names)]),
    ...(frozen === null ? [] : [card.frozenOpen(decider(pen, frozen.by, frozen.name), clock.at(frozen.sinceMs))]),
  ];
}

export function waitingRow(scene: Scene, alone: boolean): Line {
  const { pen, approval, clock } = scene;
  const { row } = pen.texts;
  if (approval === null) return row.waiting(what(scene));
  const given = votes(scene);
  const partly = given.count === 0 ? [] : row.partly(given.names, missing(scene));
  const changes = approval.card > 1 ? changesLine(pen, approval.changes) : null;
  if (alone) return [...(changes === null ? row.waiting(what(scene)) : row.replaced(changes)), ...partly];
  return changes === null
    ? [...row.waitingShort(what(scene), deciders(scene), clock.at(approval.expiresAtMs)), ...partly]
    : [...row.replacedShort(what(scene), changes), ...partly];
}

export function waitingPush(scene: Scene): Line {
  const { pen, approval, clock } = scene;
  if (approval === null) return pen.texts.push.running(what(scene));
  return approval.card > 1
    ? pen.texts.push.again(changesLine(pen, approval.changes), what(scene))
    : pen.texts.push.card(what(scene), scene.requester, clock.at(approval.expiresAtMs));
}
