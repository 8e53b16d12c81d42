/** `assistant.threads.*`, `agents.sessions.*`: what an agent shows about its work. */
import { isObject, objectsIn, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { SessionState } from '../workspace/statuses.ts';
import type { Channel } from '../world.ts';
import type { Call, Method } from './call.ts';
import { Refusal } from './call.ts';

export const agents: Readonly<Record<string, Method>> = {
  'assistant.threads.setStatus': setStatus,
  'assistant.threads.setSuggestedPrompts': setSuggestedPrompts,
  'assistant.threads.setTitle': setTitle,
  'agents.sessions.setStatus': setSessionStatus,
};

const STATES: readonly SessionState[] = ['active', 'processing', 'suspended', 'closed'];

function setStatus(call: Call): JsonObject {
  const channel = call.ownChannel('channel_id');
  const threadTs = threadOf(call, channel);
  if (!call.has('status')) throw new Refusal('invalid_arguments', ['missing required field: status']);
  call.workspace.statuses.setLine(channel.id, threadTs, call.text('status') ?? '');
  call.workspace.feed.publish({ kind: 'status', channel: channel.id, ts: threadTs });
  return {};
}

function setSuggestedPrompts(call: Call): JsonObject {
  const channel = call.ownChannel('channel_id');
  const prompts = call.list('prompts') ?? [];
  if (prompts.length < 1 || prompts.length > limits.status.prompts)
    throw new Refusal('invalid_arguments', [`prompts: 1 to ${limits.status.prompts}`]);
  const complete = prompts.every(one => isObject(one) && textIn(one, 'title') && textIn(one, 'message'));
  if (!complete) throw new Refusal('invalid_arguments', ['prompts: title and message']);
  const threadTs = call.text('thread_ts');
  const title = call.text('title');
  call.workspace.statuses.putPrompts({
    channel: channel.id,
    prompts: objectsIn(prompts),
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(title === undefined ? {} : { title }),
  });
  call.workspace.feed.publish({ kind: 'status', channel: channel.id });
  return {};
}

function setTitle(call: Call): JsonObject {
  const channel = call.ownChannel('channel_id');
  const threadTs = threadOf(call, channel);
  const before = call.workspace.statuses.session(channel.id, threadTs);
  call.workspace.statuses.putSession({
    channel: channel.id,
    threadTs,
    state: before?.state ?? 'active',
    title: call.required('title'),
  });
  call.workspace.feed.publish({ kind: 'status', channel: channel.id, ts: threadTs });
  return {};
}

function setSessionStatus(call: Call): JsonObject {
  const channel = call.ownChannel('channel_id');
  const threadTs = threadOf(call, channel);
  return applySessionState(call, channel, threadTs, call.required('status'));
}

/** Sets the state of a thread's session, which begins with the first state; refuses unknown states. */
export function applySessionState(call: Call, channel: Channel, threadTs: string, status: string): JsonObject {
  const { statuses, feed } = call.workspace;
  const state = STATES.find(one => one === status);
  if (!state) throw new Refusal('invalid_arguments', [`status: ${STATES.join(', ')}`]);
  const title = statuses.session(channel.id, threadTs)?.title ?? call.text('title') ?? '';
  statuses.putSession({ channel: channel.id, threadTs, state, title });
  feed.publish({ kind: 'status', channel: channel.id, ts: threadTs });
  return { status: state, agent_status: state, title };
}

function threadOf(call: Call, channel: Channel): string {
  const threadTs = call.required('thread_ts');
  if (!call.workspace.messages.get(channel.id, threadTs)) throw new Refusal('thread_not_found');
  return threadTs;
}
