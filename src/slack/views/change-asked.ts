/** Owns the message that asks the requester to change a request: a new one, since a person has to do something. */
import type { Run, Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import * as block from './blocks.ts';
import { decider, requester, type Pen } from './context.ts';
import { pushText, type Quiet } from './line.ts';
import { reason } from './outcome-lines.ts';
import { what, type Scene } from './scene.ts';

/** Undefined unless the run ended because somebody asked for a change. */
export function changeAskedMessage(pen: Pen, thread: Thread, run: Run, scenes: readonly Scene[]): Message | undefined {
  if (run.end?.code !== 'change_asked') return undefined;
  const scene = scenes.findLast(({ outcome }) => outcome.is === 'rejected' && outcome.then === 'requester');
  if (scene?.outcome.is !== 'rejected') return undefined;
  const { by, reason: why } = scene.outcome;
  const line = pen.texts.run.changeAsked(
    requester(pen, thread, run),
    decider(pen, by.id, by.name),
    what(scene),
    reason(scene, why),
  );
  const content = (quiet: Quiet) => ({ text: pushText(line), blocks: [block.paragraph(line, quiet)] });
  const first = content({ allBut: run.requesters });
  return {
    key: `change/${run.id}`,
    rank: 'final',
    place: { channel: thread.key.channel, threadTs: thread.key.ts },
    content: first,
    evidence: false,
  };
}
