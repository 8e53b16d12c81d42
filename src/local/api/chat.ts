/** `chat.*`: posting, changing, deleting, private messages, links. */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { StoredMessage } from '../workspace/messages.ts';
import { APP } from '../world.ts';
import type { Channel } from '../world.ts';
import type { Call, Method } from './call.ts';
import { Refusal } from './call.ts';
import { contentsOf, metadataOf, signature } from './contents.ts';

export const chat: Readonly<Record<string, Method>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'chat.getPermalink': getPermalink,
};

function postMessage(call: Call): JsonObject {
  const channel = postingChannel(call);
  refuseAttachments(call);
  const contents = contentsOf(call, limits.message.text);
  if (contents.text === undefined && (contents.blocks ?? []).length === 0) throw new Refusal('no_text');
  const metadata = metadataOf(call);
  const threadTs = replyTo(call, channel);
  const broadcast = threadTs !== undefined && call.flag('reply_broadcast');
  const parent = threadTs === undefined ? undefined : call.workspace.messages.get(channel.id, threadTs)?.message.user;
  const stored = call.workspace.conversation.post(
    channel,
    {
      ...signature(),
      text: contents.text ?? '',
      ...(contents.blocks ? { blocks: contents.blocks } : {}),
      ...(threadTs === undefined ? {} : { thread_ts: threadTs, parent_user_id: parent }),
      ...(broadcast ? { subtype: 'thread_broadcast' } : {}),
    },
    metadata === undefined || Object.keys(metadata).length === 0 ? {} : { metadata },
  );
  return { channel: channel.id, ts: stored.message.ts, message: withMetadata(stored) };
}

/** Old-style attachments are not covered; to leave them out in silence would hide what they say. */
function refuseAttachments(call: Call): void {
  const given = call.list('attachments') ?? [];
  if (given.length > 0) throw new Refusal('invalid_attachments', ['attachments are not covered here; use blocks']);
}

/** The channel to post in: by id, by name, or by a person's id (their direct message). */
function postingChannel(call: Call): Channel {
  const { directory } = call.workspace;
  const name = call.required('channel');
  const channel = directory.channel(name) ?? directory.directMessage(name) ?? directory.channelNamed(name);
  if (!channel || (channel.isPrivate && !directory.appIsIn(channel))) throw new Refusal('channel_not_found');
  if (!directory.appIsIn(channel)) throw new Refusal('not_in_channel');
  if (channel.isArchived) throw new Refusal('is_archived');
  return channel;
}

/** The thread to answer in; refuses a root that is not there or is itself a reply. */
export function replyTo(call: Call, channel: Channel): string | undefined {
  const threadTs = call.text('thread_ts');
  if (threadTs === undefined) return undefined;
  const root = call.workspace.messages.get(channel.id, threadTs);
  if (!root) throw new Refusal('thread_not_found');
  if (root.message.thread_ts !== undefined && root.message.thread_ts !== threadTs)
    throw new Refusal('cannot_reply_to_message');
  return threadTs;
}

function update(call: Call): JsonObject {
  const { workspace } = call;
  const channel = call.ownChannel();
  const before = call.message(channel);
  refuseForeign(before, 'cant_update_message');
  if (workspace.messages.isStreaming(before, workspace.clock.nowMs())) throw new Refusal('streaming_state_conflict');
  const contents = contentsOf(call, limits.message.updateText);
  const metadata = metadataOf(call);
  if (contents.text === undefined && contents.blocks === undefined && metadata === undefined)
    throw new Refusal('no_text');
  const blocks = contents.blocks ?? (contents.text === undefined ? before.message.blocks : []);
  if (isRichTextAlone(before.message.blocks) && blocks !== undefined && !blocks.every(isRichText))
    throw new Refusal('block_mismatch');
  const edited = { user: APP.botId, ts: workspace.timestamps.next() };
  const message = { ...before.message, text: contents.text ?? before.message.text, blocks: blocks ?? [], edited };
  const after: StoredMessage = { ...before, message, ...(metadata === undefined ? {} : { metadata }) };
  workspace.conversation.change(channel, before, after);
  return { channel: channel.id, ts: message.ts, text: message.text, message: withMetadata(after) };
}

function remove(call: Call): JsonObject {
  const channel = call.ownChannel();
  const stored = call.message(channel);
  refuseForeign(stored, 'cant_delete_message');
  call.workspace.conversation.remove(channel, stored);
  return { channel: channel.id, ts: stored.message.ts };
}

function postEphemeral(call: Call): JsonObject {
  const channel = call.ownChannel();
  const user = call.required('user');
  if (!channel.members.includes(user)) throw new Refusal('user_not_in_channel');
  const contents = contentsOf(call, limits.message.text);
  if (contents.text === undefined && (contents.blocks ?? []).length === 0) throw new Refusal('no_text');
  const threadTs = call.text('thread_ts');
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const ts = call.workspace.conversation.whisper(channel, user, { ...signature(), ...thread, text: '', ...contents });
  return { message_ts: ts };
}

function getPermalink(call: Call): JsonObject {
  const channel = call.channel();
  const { message } = call.message(channel, 'message_ts');
  return { channel: channel.id, permalink: permalink(call.url, channel.id, message.ts, message.thread_ts) };
}

/** The address at which a message can be opened. */
function permalink(url: string, channel: string, ts: string, threadTs: string | undefined): string {
  const link = `${url}/archives/${channel}/p${ts.replace('.', '')}`;
  return threadTs === undefined || threadTs === ts ? link : `${link}?thread_ts=${threadTs}&cid=${channel}`;
}

/** The app may change and delete only what it wrote itself. */
export function refuseForeign(stored: StoredMessage, code: string): void {
  if (stored.message.bot_id !== APP.botId) throw new Refusal(code);
}

/** A message as the answer to its own author: with its metadata. */
export function withMetadata(stored: StoredMessage): JsonObject {
  return stored.metadata === undefined ? stored.message : { ...stored.message, metadata: stored.metadata };
}

function isRichText(block: JsonObject): boolean {
  return block['type'] === 'rich_text';
}

function isRichTextAlone(blocks: readonly JsonObject[] | undefined): boolean {
  return blocks !== undefined && blocks.length > 0 && blocks.every(isRichText);
}
