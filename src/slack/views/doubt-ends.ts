/** Owns the sentences about how a doubt ended: a person said it, the tool's own check found it, or its process reported late. */
import type { ExecutionId } from '../../thread/ids.ts';
import type { ClosedCard, DoubtEnd, Ending } from '../../thread/thread.ts';
import { decider, type Pen } from './context.ts';
import type { Of } from './face.ts';
import type { Line } from './line.ts';
import type { Scene } from './scene.ts';
import type { ClockFace } from './time.ts';

/** How the doubt about this execution ended; undefined while it stands, or where it is not on record. */
export const doubtEndOf = ({ call }: Pick<Scene, 'call'>, execution: ExecutionId): DoubtEnd | undefined =>
  call.doubtEnds?.findLast(end => end.execution === execution);

/** That it had not run, in one sentence that names who or what says so. */
export function notRunBy(pen: Pen, clock: ClockFace, { how, by, atMs }: DoubtEnd): Line {
  const { doubt } = pen.texts;
  const at = clock.at(atMs);
  if (by !== null) return doubt.notRunSaid(decider(pen, by.id, by.name), at);
  return how === 'checked' ? doubt.notRunChecked(at) : doubt.notRunReported(at);
}

/** That the call had been in doubt, and who or what found that it had not run; nothing where no doubt ended so. */
export function notRunAfterDoubt({ pen, call, clock }: Scene): Line[] {
  const last = call.doubtEnds?.at(-1);
  return last?.as === 'not_run' ? [pen.texts.card.notRunBefore(notRunBy(pen, clock, last))] : [];
}

/** True for a card that was closed because its call had not run after all, and is asked about again as it was. */
export const isAfterDoubt = ({ changes, code }: ClosedCard): boolean => changes.length === 0 && code === 'not_run';

/** That it had not run, as it was found at a time. */
export function notRunAt({ pen, call, clock }: Scene, atMs: number): Line {
  const end = call.doubtEnds?.find(each => each.atMs === atMs);
  return end === undefined ? pen.texts.doubt.notRunSomebody : notRunBy(pen, clock, end);
}

/** That it ran, or what came of it, where no person had to say so. */
export const ranBy = ({ texts }: Pen, clock: ClockFace, { how, atMs }: DoubtEnd): Line =>
  how === 'checked' ? texts.doubt.ranChecked(clock.at(atMs)) : texts.doubt.reported(clock.at(atMs));

/** True where nothing is known of an execution but what its tool's own check found: that it ran. */
export const isChecked = ({ how, code }: Ending): boolean => how === 'succeeded' && code === 'checked';

/** When the tool's own check found that it ran. */
export const checkedAtMs = (scene: Scene, { execution, endedAtMs }: Ending): number =>
  doubtEndOf(scene, execution)?.atMs ?? endedAtMs;

/** That this outcome was in doubt before its process reported it. */
export function reportedLate(scene: Scene, { execution }: Ending): Line[] {
  const end = doubtEndOf(scene, execution);
  return end?.how === 'reported' ? [scene.pen.texts.card.reportedLate(scene.clock.at(end.atMs))] : [];
}

/** True when it is on record that the execution can be running no more: it went into doubt, or was looked at, after its time. */
export function isOutOfTime({ call }: Scene, { sinceMs, endsByMs }: Of<'in_doubt'>): boolean {
  const { checked, state } = call;
  const isOfThis = state.is === 'in_doubt' && checked?.execution === state.claim.execution;
  return endsByMs <= Math.max(sinceMs, isOfThis ? checked.atMs : sinceMs);
}
