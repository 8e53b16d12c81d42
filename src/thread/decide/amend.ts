/**
 * Owns what it means that the author of a message changes it or takes it back.
 *
 * 1. Neither ever starts a run, decides anything, or changes an answer that was given. 2. What waits in the queue is read as
 * it stands when its run begins; what was taken back is not read. 3. Where people are deciding about a request, its
 * requester's new words stand on the card as a new round. 4. Taking back the one message of a run in which nothing has been
 * changed yet cancels the run; afterwards it is only on record.
 */
import type { EventOf } from '../events.ts';
import { at, liveCalls, rootOf, type Message, type Run, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { openRounds, waitingFor } from './intake.ts';
import { stopRun } from './run.ts';

/** Records new words of a message of this thread, by its author. */
export function amend(thread: Thread, command: Extract<Command, { type: 'amend' }>, _nowMs: number): Decision {
  const message = at(thread.messages, command.message);
  if (!message || message.author !== command.author || message.deleted || message.text === command.text) return nothing;
  const edited: EventOf<'message.edited'> = {
    type: 'message.edited',
    ts: message.ts,
    author: message.author,
    body: { text: command.text },
  };
  if (wasAnswer(thread, message)) return decided(edited);
  const shown = waitingFor(thread, message.author).filter(
    ({ run, meanwhile }) => meanwhile.includes(message.ts) || isOf(thread, run, message),
  );
  return decided(edited, ...openRounds(shown, message.ts, command.salt));
}

/** Records that the author of a message of this thread has taken it back. */
export function remove(thread: Thread, command: Extract<Command, { type: 'remove' }>, nowMs: number): Decision {
  const message = at(thread.messages, command.message);
  if (!message || message.deleted) return nothing;
  const deleted: EventOf<'message.deleted'> = { type: 'message.deleted', ts: message.ts, body: {} };
  const run = message.run === null || wasAnswer(thread, message) ? undefined : at(thread.runs, message.run);
  if (!run || !isItsOnly(thread, run, message) || run.end !== null || hasChangedAnything(thread, run))
    return decided(deleted);
  const { author: by, name } = message;
  return decided(
    deleted,
    { type: 'cancel.requested', run: run.id, by, key: `deleted.${message.ts}`, source: 'deleted', body: { name } },
    ...stopRun(thread, run, { how: 'cancelled', by }, nowMs),
  );
}

const wasAnswer = (thread: Thread, { ts }: Message): boolean =>
  Object.values(thread.questions).some(question => question.message === ts);

/** True for a run that has taken the message in, or is nested in one that has. */
function isOf(thread: Thread, id: Run['id'], message: Message): boolean {
  const run = at(thread.runs, id);
  return run !== undefined && rootOf(thread, run).id === message.run;
}

/** True when nothing is left of what the run was asked to do. */
const isItsOnly = (thread: Thread, run: Run, { ts }: Message): boolean =>
  run.messages.includes(ts) &&
  run.messages.every(other => other === ts || at(thread.messages, other)?.deleted === true);

/** True once anything but reading has begun in a run or in those nested in it. */
const hasChangedAnything = (thread: Thread, run: Run): boolean =>
  liveCalls(thread).some(call => {
    const of = at(thread.runs, call.run);
    const writes = call.attempts > 0 && call.within === null && call.judgement?.effect !== 'read';
    return writes && of !== undefined && rootOf(thread, of).id === run.id;
  });
