/** `chat.startStream`, `appendStream`, `stopStream`: an answer that grows while it is read, for at most five minutes. */
import { acceptBlocks } from '../blocks/blocks.ts';
import { lengthOf } from '../blocks/report.ts';
import { isList, isObject, objectsIn, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { StoredMessage } from '../workspace/messages.ts';
import { TEAM } from '../world.ts';
import type { Channel } from '../world.ts';
import { applySessionState } from './agents.ts';
import type { Call, Method } from './call.ts';
import { Refusal } from './call.ts';
import { refuseForeign, replyTo, withMetadata } from './chat.ts';
import { blocksOf, metadataOf, signature } from './contents.ts';

export const streams: Readonly<Record<string, Method>> = {
  'chat.startStream': start,
  'chat.appendStream': append,
  'chat.stopStream': stop,
};

/** What a call adds to a stream: text at the end, and blocks that stand for tasks, plans and given blocks. */
interface Growth {
  readonly text: string;
  readonly blocks: readonly JsonObject[];
}

function start(call: Call): JsonObject {
  const { workspace } = call;
  const channel = call.ownChannel();
  refuseForeignDirect(call, channel);
  const threadTs = replyTo(call, channel);
  if (threadTs === undefined) throw new Refusal('invalid_arguments', ['missing required field: thread_ts']);
  if (channel.imUser === undefined && !call.text('recipient_team_id')) throw new Refusal('missing_recipient_team_id');
  if (channel.imUser === undefined && !call.text('recipient_user_id')) throw new Refusal('missing_recipient_user_id');
  const growth = growthOf(call);
  const stream = { startedAtMs: workspace.clock.nowMs(), state: 'in_progress' } as const;
  const message = {
    ...signature(),
    thread_ts: threadTs,
    streaming_state: 'in_progress',
    ...grown('', [], growth, call),
  };
  const stored = workspace.conversation.post(channel, message, { stream });
  return { channel: channel.id, ts: stored.message.ts };
}

/** Slack names `channel_type_not_supported` without saying for which; here it is a direct message with another organisation. */
function refuseForeignDirect({ workspace }: Call, { imUser }: Channel): void {
  if (imUser !== undefined && workspace.directory.person(imUser)?.teamId !== TEAM.id)
    throw new Refusal('channel_type_not_supported');
}

function append(call: Call): JsonObject {
  const { channel, stored } = liveStream(call);
  const growth = growthOf(call);
  if (growth.text === '' && growth.blocks.length === 0) throw new Refusal('no_text');
  call.workspace.conversation.touch(grow(stored, growth, call));
  return { channel: channel.id, ts: stored.message.ts };
}

function stop(call: Call): JsonObject {
  const { channel, stored } = liveStream(call);
  const last = blocksOf(call) ?? [];
  const metadata = metadataOf(call);
  const state = call.text('session_status');
  const growth = growthOf(call);
  const longer = grow(stored, { text: growth.text, blocks: [...growth.blocks, ...last] }, call);
  const done: StoredMessage = {
    ...longer,
    message: { ...longer.message, streaming_state: 'completed' },
    stream: { startedAtMs: stored.stream?.startedAtMs ?? 0, state: 'completed' },
    ...(metadata ? { metadata } : {}),
  };
  if (state !== undefined) applySessionState(call, channel, stored.message.thread_ts ?? stored.message.ts, state);
  call.workspace.conversation.change(channel, stored, done);
  return { channel: channel.id, ts: done.message.ts, message: withMetadata(done) };
}

function liveStream(call: Call): { channel: Channel; stored: StoredMessage } {
  const channel = call.ownChannel();
  const stored = call.message(channel);
  refuseForeign(stored, 'message_not_owned_by_app');
  const isLive = call.workspace.messages.isStreaming(stored, call.workspace.clock.nowMs());
  if (!isLive)
    throw new Refusal(
      stored.message['stopped_by_user'] === true ? 'stopped_by_user' : 'message_not_in_streaming_state',
    );
  return { channel, stored };
}

function growthOf(call: Call): Growth {
  const texts = [call.text('markdown_text') ?? ''];
  const blocks: JsonObject[] = [];
  for (const chunk of call.list('chunks', 'invalid_chunks') ?? []) {
    if (!isObject(chunk)) throw new Refusal('invalid_chunks');
    if (chunk['type'] === 'markdown_text') texts.push(textIn(chunk, 'text') ?? '');
    else blocks.push(...blocksOfChunk(chunk, call));
  }
  const text = texts.join('');
  if (lengthOf(text) > limits.message.markdownText) throw new Refusal('msg_too_long');
  return { text, blocks };
}

function blocksOfChunk(chunk: JsonObject, call: Call): readonly JsonObject[] {
  const title = textIn(chunk, 'title');
  const taskId = textIn(chunk, 'id') ?? '';
  if (chunk['type'] === 'task_update' && taskId !== '' && title !== undefined) {
    const { status, details, output, sources } = chunk;
    return [
      { type: 'task_card', block_id: `task-${taskId}`, task_id: taskId, title, status, details, output, sources },
    ];
  }
  if (chunk['type'] === 'plan_update' && title !== undefined) return [{ type: 'plan', block_id: 'plan', title }];
  if (chunk['type'] !== 'blocks') throw new Refusal('invalid_chunks');
  const accepted = acceptBlocks(chunk['blocks'], 'message', call.newId);
  if (!accepted.ok) throw new Refusal('invalid_blocks', accepted.problems);
  return accepted.blocks;
}

function grow(stored: StoredMessage, growth: Growth, call: Call): StoredMessage {
  const { text, blocks } = stored.message;
  return { ...stored, message: { ...stored.message, ...grown(text, blocks ?? [], growth, call) } };
}

/** Text goes to the end of the one markdown block; a task or plan that comes again replaces what stood there. */
function grown(
  text: string,
  blocks: readonly JsonObject[],
  growth: Growth,
  call: Call,
): { text: string; blocks: readonly JsonObject[] } {
  const longer = text + growth.text;
  const given = new Map(growth.blocks.map(block => [block['block_id'], block]));
  const kept = blocks.filter(block => block['type'] !== 'markdown').map(block => given.get(block['block_id']) ?? block);
  const added = growth.blocks.filter(block => !kept.includes(block));
  const words = longer === '' ? [] : [{ type: 'markdown', text: longer, block_id: wordsId(blocks) ?? call.newId() }];
  return { text: longer, blocks: [...words, ...kept, ...added] };
}

function wordsId(blocks: readonly JsonObject[]): string | undefined {
  const words = objectsIn(isList(blocks) ? blocks : []).find(block => block['type'] === 'markdown');
  return textIn(words, 'block_id');
}
