/**
 * Owns "cancel" as a whole message: what it cancels, and what its author is told.
 *
 * 1. It never becomes a message of a run, and never makes its author somebody who asked. 2. It cancels what was asked for
 * before it was written, never what came later, however late it is delivered. 3. While a run is in progress it is heard from
 * everybody in the thread, with or without a mention; who may not cancel is told so.
 */
import type { Cancel, Incoming } from '../thread/decide/command.ts';
import { answerableBy } from '../thread/decide/answer.ts';
import { isListenedTo } from '../thread/decide/intake.ts';
import type { RefusalCode } from '../thread/refusal.ts';
import { at, currentRun, type Run, type Thread } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { start } from './effects.ts';
import type { Answer } from './ports.ts';
import type { Session } from './session.ts';

/** What came of it; null when it is not for us. Slack may deliver the same one again: its first result stands. */
export async function cancelByWord(acting: Acting, session: Session, message: Incoming): Promise<Answer | null> {
  await session.refresh();
  if (hasCancelled(session.thread, message)) return acting.answer(session, {});
  const refused = (code: RefusalCode): Answer =>
    acting.answer(session, { refusal: { code, actor: message.author, detail: 'cancel' } });
  const hasToBegin = (): boolean => !currentRun(session.thread) && waits(session.thread, message);
  // Another writer may begin it meanwhile.
  while (hasToBegin()) if (!(await start(acting.parts, session)) && hasToBegin()) return refused('lookup_failed');
  const { thread } = session;
  const run = currentRun(thread);
  if (run && isOlder(run, message)) {
    const actor = await acting.actor({ user: message.author, team: message.team }, []);
    const command: Cancel = { type: 'cancel', run: run.id, actor, key: message.ts, source: 'message' };
    return acting.commit(session, command);
  }
  const asked = answerableBy(thread, message.author, acting.parts.ports.clock.nowMs());
  return isListenedTo(thread, message, asked) ? refused('nothing_to_do') : null;
}

/** True for a message that has cancelled a run before. */
const hasCancelled = (thread: Thread, { ts }: Incoming): boolean =>
  Object.values(thread.runs).some(run => run.cancelled?.key === ts);

/** True while something that its author wrote before it waits for its run to begin. */
const waits = (thread: Thread, { author, ts }: Incoming): boolean =>
  thread.queue.some(each => Number(each) < Number(ts) && at(thread.messages, each)?.author === author);

/** True when the run was asked for before the message was written. */
const isOlder = (run: Run, { ts }: Incoming): boolean =>
  run.messages.length === 0
    ? run.startedAtMs < Number(ts) * 1_000
    : run.messages.some(each => Number(each) < Number(ts));
