/**
 * Owns the whole rendering: from a thread to the messages that should stand in Slack. Pure: the same thread gives the same
 * messages. Only live runs are rendered, so that it costs the same whatever the thread's age.
 *
 * 1. A nested run has no status message and no answer of its own: its calls are rows of the run that it works for.
 */
import type { Frozen, WorkspaceEvidence } from '../../thread/evidence.ts';
import { at, liveRuns, rootOf, type Run, type Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { answerMessage } from './answer.ts';
import { cards } from './card.ts';
import { changeAskedMessage } from './change-asked.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { doubtMessages } from './doubt.ts';
import { meanwhileMessages, privacyMessage, queuedMessages } from './meanwhile.ts';
import { questionMessages } from './questions.ts';
import { replies } from './replies.ts';
import { hasApproval, sceneOf, type Scene } from './scene.ts';
import { statusMessage } from './status.ts';

/** The runs that worked for a run, in the order in which they were begun, itself first. */
function family(thread: Thread, run: Run): Run[] {
  const inner = run.calls.flatMap(id =>
    Object.values(at(thread.calls, id)?.waits ?? {}).flatMap(wait =>
      wait.on === 'run' ? (at(thread.runs, wait.id) ?? []) : [],
    ),
  );
  return [run, ...inner.flatMap(one => family(thread, one))];
}

function ofRun(pen: Pen, thread: Thread, run: Run, frozen: Frozen | null): Message[] {
  const runs = family(thread, run);
  const scenes = runs.flatMap(({ calls }) =>
    calls.flatMap((call): Scene[] => {
      const found = at(thread.calls, call);
      const scene = found && sceneOf(pen, thread, found, frozen);
      return scene ? [scene] : [];
    }),
  );
  const requests = scenes.filter(hasApproval);
  const whole = [
    ...requests.flatMap(cards),
    ...requests.flatMap(replies),
    ...scenes.flatMap(doubtMessages),
    ...questionMessages(pen, thread, run, new Set(runs.map(({ id }) => id))),
    privacyMessage(pen, thread, scenes),
    ...meanwhileMessages(pen, thread, run, scenes),
    statusMessage(pen, thread, run, scenes),
    changeAskedMessage(pen, thread, run, scenes),
    answerMessage(pen, thread, run),
  ];
  return whole.filter(message => message !== undefined);
}

/** The messages of a thread, keyed; each key once. */
export function render(thread: Thread, workspace: WorkspaceEvidence, context: RenderContext): Message[] {
  const pen = penOf(context);
  const frozen = workspace.frozen === 'unknown' ? null : workspace.frozen;
  const outer = new Map(liveRuns(thread).map(run => [rootOf(thread, run).id, rootOf(thread, run)]));
  const messages = [...outer.values()].flatMap(run => ofRun(pen, thread, run, frozen));
  const keyed = new Map<string, Message>();
  for (const message of [...messages, ...queuedMessages(thread)])
    if (!keyed.has(message.key)) keyed.set(message.key, message);
  return [...keyed.values()];
}
