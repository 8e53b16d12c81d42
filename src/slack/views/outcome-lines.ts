/** Owns the lines that the table of outcomes is made of: votes, reasons, who stopped it, late reports. */
import { approvers, rootOf, type Ending } from '../../thread/thread.ts';
import { decider, type Pen } from './context.ts';
import type { Of } from './face.ts';
import { t, words, type Line, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import { editedLine, editOf, votes, what, type Scene } from './scene.ts';
import { cut } from './text/escape.ts';
import type { Show } from './text/show.ts';

/** A sign that is the same whatever the scene. */
export const sign = (text: string) => (): string => text;

type Push = Pen['texts']['push'];
/** Push lines that say nothing but which call they are about. */
type AboutCall = { [K in keyof Push]: Push[K] extends (call: ReturnType<typeof what>) => Line ? K : never }[keyof Push];

/** One of these push lines. */
export const push =
  (line: AboutCall) =>
  (scene: Scene): Line =>
    scene.pen.texts.push[line](what(scene));

/** Who has decided, or said what became of it. */
export const by = ({ pen }: Scene, { by: { id, name } }: Of<'rejected' | 'said_done' | 'given_up'>): Part =>
  decider(pen, id, name);

/** Who has changed the call, and who has approved it, each on a line. */
export const approvedBy = (scene: Scene): Line[] => {
  const given = votes(scene);
  const { pen } = scene;
  const edit = editOf(scene);
  const edited = edit === null ? [] : [pen.texts.card.editedBy(edit.by)];
  return [...edited, ...(given.count === 0 ? [] : [pen.texts.card.approvedBy(given.withTimes)])];
};

/** The names of those who approved, at the end of a row; nothing where nobody has. */
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

/** Why a tool that waited from inside was ended there; undefined for a call that ended otherwise. */
export function leftOffWhy(texts: Pen['texts'], { code, result, how }: Ending): Line | undefined {
  if (how !== 'failed' || code === null || result !== null || code === 'other') return undefined;
  return sentence(texts.leftOff, code) ?? sentence(texts.notRun, code);
}

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

/** A decider's reason as a row shows it; null where none was given. */
export const reason = (scene: Scene, text: string | null): Part | null =>
  text === null || text.trim() === '' ? null : words(cut(scene.pen.show.line(text), ROOM.reason));

/** The same as the model is told it. */
export const shownReason = (show: Show, text: string | null): string | null =>
  text === null || text.trim() === '' ? null : show.line(text);

/** How long it ran, in words. */
export const took = (scene: Scene, startedAtMs: number, endedAtMs: number): string =>
  scene.pen.texts.seconds(Math.max(0, Math.round((endedAtMs - startedAtMs) / 1000)));

/** Refusals whose sentence needs no summary beside it. */
export const standsAlone = new Set(['denied', 'no_approvers', 'quorum_impossible', 'too_many_open']);

/** That it has been asked for again since. */
export const repeated = (scene: Scene): Line =>
  scene.call.repeatedBy === null ? [] : scene.pen.texts.row.askedAgainBy;

/** True for an execution that ended after its run was cancelled: nobody is asked to go on with it. */
export const isCancelledBefore = ({ run }: Scene, { endedAtMs }: Ending): boolean =>
  run.end?.how === 'cancelled' && endedAtMs >= run.end.atMs;

/** Who cancelled the run while this ran. */
export function cancelledLines(scene: Scene, ending: Ending): Line[] {
  const { pen, thread, run } = scene;
  const act = rootOf(thread, run).cancelled;
  if (act === null || !isCancelledBefore(scene, ending)) return [];
  return [pen.texts.run.cancelledBy(decider(pen, act.by, act.name))];
}

/** What a process reported after people had settled the doubt. */
export function contradiction(scene: Scene): Line[] {
  const late = scene.call.contradiction;
  if (late === null) return [];
  const how = late.how === 'succeeded' ? 'ran' : late.effect === 'none' ? 'nothing' : 'failed';
  return [scene.pen.texts.card.contradicted(how, scene.clock.at(late.endedAtMs))];
}

/** Who has asked to stop it, while it runs and afterwards. */
export function stoppedLines(scene: Scene): Line[] {
  const { pen, call, clock } = scene;
  if (call.stopped === null) return [];
  const by = decider(pen, call.stopped.by, call.stopped.name);
  const { state } = call;
  if (state.is === 'claimed' && state.claim.execution === call.stopped.execution)
    return [pen.texts.card.stopAsked(by, clock.at(call.stopped.atMs))];
  return state.is === 'ended' && state.ending.execution === call.stopped.execution && state.ending.how === 'failed'
    ? [pen.texts.card.stoppedBy(by, clock.at(call.stopped.atMs))]
    : [];
}

/** What the tool's own check found of the execution in doubt. */
export function checkedLines({ pen, call, clock }: Scene): Line[] {
  const { checked, state } = call;
  return checked !== null && state.is === 'in_doubt' && state.claim.execution === checked.execution
    ? [pen.texts.card.checked(clock.at(checked.atMs), checked.found)]
    : [];
}

/** A call that runs, and who has asked to stop it. */
export function runningRow(scene: Scene): Line {
  const { pen, call } = scene;
  const { row } = pen.texts;
  if (call.stopped !== null && stoppedLines(scene).length > 0)
    return row.stopping(what(scene), decider(pen, call.stopped.by, call.stopped.name));
  return [...row.running(what(scene)), ...approvedInRow(scene)];
}

/** ` · stopped by Mia` behind a call that ended because of it. */
export const stoppedInRow = (scene: Scene): Line =>
  scene.call.stopped !== null && stoppedLines(scene).length > 0
    ? scene.pen.texts.row.stopped(decider(scene.pen, scene.call.stopped.by, scene.call.stopped.name))
    : [];

/** How a call that is done came to run: who changed it, who approved it, and which way was chosen. */
export function doneBy(scene: Scene): Line {
  const { pen, approval, call } = scene;
  const { row } = pen.texts;
  const way = chosenWay(scene);
  const chose = way === null ? [] : row.chose(way);
  const edit = editOf(scene);
  if (approval === null || edit === null) return [...inRow(scene, row.approved), ...chose];
  const changes = editedLine(pen, edit.was, call.args);
  const [first, ...others] = approvers(approval).map(vote => vote.by);
  const isOwn = first !== undefined && others.length === 0 && edit.people.every(id => id === first);
  return isOwn
    ? [...row.editedApproved(edit.by, changes), ...chose]
    : [...row.edited(edit.by, changes), ...inRow(scene, row.approved), ...chose];
}

/** Who approved what runs, and who changed it before. */
export const approvedInRow = (scene: Scene): Line =>
  editOf(scene) === null ? inRow(scene, scene.pen.texts.row.approvedBy) : doneBy(scene);

/** What nobody's asking again could bring to run: who or what asked is gone, or the call is not allowed any more. */
const futile = new Set([
  'requester_gone',
  'agent_closed',
  'agent_gone',
  'incompatible',
  'denied',
  'invalid_arguments',
  'too_long',
]);

/** True where whoever asked can ask for the same once more. */
export const canAskAgain = ({ call, outcome }: Scene): boolean =>
  call.within === null &&
  call.repeatedBy === null &&
  (outcome.is === 'expired' || (outcome.is === 'not_run' && !futile.has(outcome.code)));

/** That whoever asked can ask again, where they can. */
export const askAgainLine = (scene: Scene): Line[] =>
  canAskAgain(scene) ? [scene.pen.texts.card.canAskAgain(scene.requester)] : [];

/** The way that deciders chose, in its own words; null for a plain approval. */
export function chosenWay({ pen, approval }: Pick<Scene, 'pen' | 'approval'>): Part | null {
  const option = approval?.state.is === 'approved' ? approval.state.option : null;
  const way = option === null ? undefined : approval?.options.find(one => one.value === option);
  return way === undefined ? null : words(cut(pen.show.line(way.label), ROOM.label * 2));
}
