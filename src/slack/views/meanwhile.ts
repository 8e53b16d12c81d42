/** Owns what people get to see about messages that arrive while a run is at work, and the one line about privacy. */
import type { MessageTs } from '../../thread/ids.ts';
import { at, currentRun, type Message as Said, type Run, type Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { ACTIONS, encodeMessage } from './actions.ts';
import * as block from './blocks.ts';
import { cardPlace } from './place.ts';
import type { Pen } from './context.ts';
import { channel, plain, pushText } from './line.ts';
import type { Scene } from './scene.ts';

const inThread = (thread: Thread): Message['place'] => ({ channel: thread.key.channel, threadTs: thread.key.ts });

function have(pen: Pen, thread: Thread, run: Run, said: Said, waits: boolean): Message {
  const { meanwhile, control } = pen.texts;
  const value = encodeMessage(thread.key, said.ts);
  const open = waits && !said.kept && said.run === null && run.end === null && run.cancelled === null;
  return {
    key: `have/${said.ts}`,
    rank: 'final',
    place: inThread(thread),
    content: {
      text: plain(meanwhile.have),
      blocks: [
        block.ownSection([meanwhile.have]),
        ...(open
          ? [
              block.actions([
                block.button(ACTIONS.useInstead, control.useInstead, value),
                block.button(ACTIONS.keepWaiting, control.keepWaiting, value),
              ]),
            ]
          : []),
      ],
    },
    evidence: false,
  };
}

const eyes = (thread: Thread, said: Said): Message => ({
  key: `eyes/${said.ts}`,
  rank: 'progress',
  place: inThread(thread),
  content: { text: '', blocks: [] },
  reaction: { name: 'eyes', channel: said.channel, ts: said.ts },
  evidence: false,
});

/** In the order in which the log has them: a message that comes late does not become the first one. */
function inLogOrder(thread: Thread, messages: ReadonlySet<MessageTs>): MessageTs[] {
  if (messages.size < 2) return [...messages];
  return Object.values(thread.messages).flatMap(({ ts }) => (messages.has(ts) ? [ts] : []));
}

/** "I have this" for the first message that reached a waiting request, 👀 for later ones. */
export function meanwhileMessages(pen: Pen, thread: Thread, run: Run, scenes: readonly Scene[]): Message[] {
  const seen = inLogOrder(thread, new Set(scenes.flatMap(scene => scene.approval?.meanwhile ?? [])));
  const waits = scenes.some(scene => scene.outcome.is === 'waiting' && scene.approval !== null);
  return seen.flatMap((ts, index) => {
    const said = at(thread.messages, ts);
    if (!said) return [];
    return [index === 0 ? have(pen, thread, run, said, waits) : eyes(thread, said)];
  });
}

/** 👀 for messages that wait for the run in progress without having reached a request. */
export function queuedMessages(thread: Thread): Message[] {
  const run = currentRun(thread);
  if (!run) return [];
  const shown = new Set(
    run.calls.flatMap(call => {
      const id = at(thread.calls, call)?.approval;
      return id ? (at(thread.approvals, id)?.meanwhile ?? []) : [];
    }),
  );
  return thread.queue.flatMap(ts => {
    const said = at(thread.messages, ts);
    return said && said.run === null && !shown.has(ts) ? [eyes(thread, said)] : [];
  });
}

/** One line, once a thread, when a card leaves a direct message or private channel. */
export function privacyMessage(pen: Pen, thread: Thread, scenes: readonly Scene[]): Message | undefined {
  const scene = scenes.find(one => one.approval !== null);
  if (!scene) return undefined;
  const place = cardPlace(scene);
  const from = thread.key.channel;
  const hidden = from.startsWith('D') || from.startsWith('G') || pen.context.isPrivate(from);
  if (!hidden || 'under' in place || place.channel === from) return undefined;
  const line = pen.texts.meanwhile.privacy(channel(place.channel, pen.texts.people.channel));
  return {
    key: 'privacy',
    rank: 'progress',
    place: inThread(thread),
    content: { text: pushText(line), blocks: [block.ownSection([line])] },
    evidence: false,
  };
}
