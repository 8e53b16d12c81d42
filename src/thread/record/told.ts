/** Owns which events of a thread's log a record is about, in order, each with its time. Pure. */
import type { Commit } from '../commit.ts';
import type { ThreadEvent } from '../events.ts';
import type { Call, Thread } from '../thread.ts';

/** An event and where it stands. */
export interface Told<E extends ThreadEvent = ThreadEvent> {
  readonly event: E;
  readonly atMs: number;
  /** Its commit's number. */
  readonly number: number;
}

/** The events about a call, its approval, its questions and the end of its run. */
export function toldOf(thread: Thread, call: Call, commits: readonly Commit[]): Told[] {
  const questions = new Set<string>(
    Object.values(thread.questions).flatMap(each =>
      each.call === call.id || (call.approval !== null && each.about === call.approval) ? [each.id] : [],
    ),
  );
  const grants = new Set<string>();
  const isAbout = (event: ThreadEvent): boolean => {
    if ('approval' in event && call.approval !== null && event.approval === call.approval) {
      if (event.type === 'decision.recorded' && event.grant) grants.add(event.grant.grant);
      return true;
    }
    if ('question' in event && event.type !== 'call.suspended') return questions.has(event.question);
    if (event.type === 'grant.settled') return grants.has(event.grant);
    if (event.type === 'cancel.requested') return event.run === call.run;
    if (event.type === 'model.replied') return event.calls.some(each => each.call === call.id);
    if (event.type === 'run.started') return event.repeats?.as === call.id;
    return 'call' in event && event.call === call.id;
  };
  return commits.flatMap(({ events, atMs, number }) =>
    (events as readonly ThreadEvent[]).filter(isAbout).map(event => ({ event, atMs, number })),
  );
}

/** Those of some types. */
export const ofType = <T extends ThreadEvent['type']>(told: readonly Told[], ...types: readonly T[]) =>
  told.filter((each): each is Told<Extract<ThreadEvent, { type: T }>> =>
    (types as readonly string[]).includes(each.event.type),
  );
