/** Owns how what people write changes a thread: each message once, what its author makes of it later, and who has it to answer. */
import type { Standing } from './commit.ts';
import type { EventOf } from './events.ts';
import { activeRuns, at, currentRun, type Thread } from './thread.ts';

type MessageEvent = EventOf<'message.received' | 'message.edited' | 'message.deleted' | 'message.kept'>;

/** Folds an event about one message, in place. */
export function foldMessageEvent(thread: Thread, event: MessageEvent, commit: Standing): void {
  if (event.type === 'message.received') return received(thread, event, commit);
  const message = at(thread.messages, event.ts);
  switch (event.type) {
    case 'message.edited':
      if (message) Object.assign(message, { text: event.body?.text ?? '', editedAtMs: commit.atMs });
      return;
    case 'message.deleted':
      if (message) message.deleted = true;
      thread.queue = thread.queue.filter(ts => ts !== event.ts);
      return;
    case 'message.kept':
      if (message) message.kept = true;
  }
}

function received(thread: Thread, event: EventOf<'message.received'>, commit: Standing): void {
  if (at(thread.messages, event.ts)) return;
  const run = currentRun(thread);
  const asked = run !== undefined && run.requesters.includes(event.author);
  thread.messages[event.ts] = {
    ts: event.ts,
    channel: event.channel,
    author: event.author,
    name: event.body?.name ?? '',
    text: event.body?.text ?? '',
    atMs: commit.atMs,
    direct: event.direct,
    mention: event.mention,
    editedAtMs: null,
    deleted: false,
    run: null,
    meanwhile: asked && waitsForDecision(thread) ? run.id : null,
    kept: false,
  };
  thread.queue.push(event.ts);
}

/** True while a request of the run in progress, or of one nested in it, is put to people. */
const waitsForDecision = (thread: Thread): boolean =>
  activeRuns(thread).some(run => run.calls.some(id => at(thread.calls, id)?.state.is === 'waiting'));
