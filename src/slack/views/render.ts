/**
 * Owns the whole rendering: from a thread to the messages that should stand in Slack. Pure: the same thread gives the same
 * messages. Only live runs are rendered, so that it costs the same whatever the thread's age.
 */
import type { WorkspaceEvidence } from '../../thread/evidence.ts';
import { at, type Run, type Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { answerMessage } from './answer.ts';
import { cards } from './card.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { doubtMessages } from './doubt.ts';
import { meanwhileMessages, privacyMessage, queuedMessages } from './meanwhile.ts';
import { hasApproval, sceneOf, type Scene } from './scene.ts';
import { statusMessage } from './status.ts';

function ofRun(pen: Pen, thread: Thread, run: Run, scenes: readonly Scene[]): Message[] {
  const whole = [
    ...scenes.filter(hasApproval).flatMap(cards),
    ...scenes.flatMap(doubtMessages),
    privacyMessage(pen, thread, scenes),
    ...meanwhileMessages(pen, thread, run, scenes),
    statusMessage(pen, thread, run, scenes),
    answerMessage(pen, thread, run),
  ];
  return whole.filter(message => message !== undefined);
}

/** The messages of a thread, keyed; each key once. */
export function render(thread: Thread, workspace: WorkspaceEvidence, context: RenderContext): Message[] {
  const pen = penOf(context);
  const frozen = workspace.frozen === 'unknown' ? null : workspace.frozen;
  const messages = thread.live.flatMap(id => {
    const run = at(thread.runs, id);
    if (!run) return [];
    const scenes = run.calls.flatMap(call => {
      const found = at(thread.calls, call);
      return found ? (sceneOf(pen, thread, found, frozen) ?? []) : [];
    });
    return ofRun(pen, thread, run, scenes);
  });
  const keyed = new Map<string, Message>();
  for (const message of [...messages, ...queuedMessages(thread)])
    if (!keyed.has(message.key)) keyed.set(message.key, message);
  return [...keyed.values()];
}
