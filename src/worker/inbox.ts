/** Owns the one surface on which Slack's side meets the worker: each request goes to the room that carries it out. */
import { Acting, type InboxParts } from './acting.ts';
import { Acts } from './acts.ts';
import { Brake } from './brake.ts';
import { Edits } from './edits.ts';
import { Intake } from './intake.ts';
import { Overviews } from './overview.ts';
import type { Inbox } from './ports.ts';
import { Records } from './records.ts';

/** The inbox of one process. */
export function openInbox(parts: InboxParts): Inbox {
  const acting = new Acting(parts);
  const intake = new Intake(acting);
  const acts = new Acts(acting);
  const edits = new Edits(acting);
  const brake = new Brake(acting);
  const overviews = new Overviews(acting);
  const records = new Records(acting);
  return {
    receive: (thread, message, told) => intake.receive(thread, message, told),
    amend: (thread, message) => intake.amend(thread, message),
    remove: (thread, message) => intake.remove(thread, message),
    lost: (thread, place) => intake.lost(thread, place),
    decide: (act, decision) => acts.decide(act, decision),
    previewEdit: (act, edit) => edits.preview(act, edit),
    edit: (act, edit) => edits.edit(act, edit),
    answer: (act, answer) => acts.answer(act, answer),
    inquire: (act, inquiry) => acts.inquire(act, inquiry),
    settle: (act, doubt) => acts.settle(act, doubt),
    stop: (act, call) => acts.stop(act, call),
    cancel: (act, run) => acts.cancel(act, run),
    stopThread: (thread, actor, key) => acts.stopThread(thread, actor, key),
    useInstead: (act, message) => acts.useInstead(act, message),
    keepWaiting: (act, message) => acts.keepWaiting(act, message),
    askAgain: (act, call) => acts.askAgain(act, call),
    read: async thread => (await acting.fresh(thread)).thread,
    house: () => parts.workspace.recent(),
    overview: person => overviews.of(person),
    freeze: (person, why) => brake.freeze(person, why),
    unfreeze: person => brake.unfreeze(person),
    revokeGrant: (person, grant) => brake.revokeGrant(person, grant),
    record: (person, wanted) => records.open(person, wanted),
    wholeRecord: found => records.whole(found),
  };
}
