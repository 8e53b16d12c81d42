/** `conversations.*` and `reactions.*`: channels, who is in them, what was said. */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { StoredMessage } from '../workspace/messages.ts';
import { APP } from '../world.ts';
import type { Channel } from '../world.ts';
import type { Call, Method } from './call.ts';
import { page, Refusal } from './call.ts';
import { withMetadata } from './chat.ts';
import { METADATA_SCOPE } from './scopes.ts';

export const conversations: Readonly<Record<string, Method>> = {
  'conversations.info': info,
  'conversations.members': members,
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.open': open,
  'conversations.list': list,
  'reactions.add': addReaction,
  'reactions.remove': removeReaction,
};

function info(call: Call): JsonObject {
  const channel = call.channel();
  const described = describe(call, channel);
  return {
    channel: call.flag('include_num_members') ? { ...described, num_members: channel.members.length } : described,
  };
}

function members(call: Call): JsonObject {
  const { items, next } = page(call.channel().members, call.text('cursor'), call.number('limit', limits.page.default));
  return { members: items, response_metadata: { next_cursor: next } };
}

function history(call: Call): JsonObject {
  const channel = call.ownChannel();
  const all = call.workspace.messages.top(channel.id, windowOf(call), -1);
  return messagePage(call, all);
}

function replies(call: Call): JsonObject {
  const channel = call.ownChannel();
  const ts = call.required('ts');
  const asked = call.workspace.messages.get(channel.id, ts);
  if (!asked) throw new Refusal('thread_not_found');
  // The root comes with every page of a thread, whatever the window says.
  const threadTs = asked.message.thread_ts ?? ts;
  const root = call.workspace.messages.get(channel.id, threadTs);
  const window = windowOf(call);
  const rest = call.workspace.messages
    .thread(channel.id, threadTs, window, -1)
    .filter(one => one.message.ts !== threadTs);
  return messagePage(call, root ? [root, ...rest] : rest);
}

function windowOf(call: Call): { oldest?: string; latest?: string; inclusive: boolean } {
  const oldest = call.text('oldest');
  const latest = call.text('latest');
  for (const ts of [oldest, latest])
    if (ts !== undefined && !/^\d+(\.\d+)?$/.test(ts)) throw new Refusal('invalid_ts_oldest');
  const isSet = (ts: string | undefined): ts is string => ts !== undefined && Number(ts) > 0;
  return {
    inclusive: call.flag('inclusive'),
    ...(isSet(oldest) ? { oldest } : {}),
    ...(isSet(latest) ? { latest } : {}),
  };
}

function messagePage(call: Call, all: readonly StoredMessage[]): JsonObject {
  const limit = Math.min(call.number('limit', limits.page.default), limits.page.most);
  const { items, next } = page(all, call.text('cursor'), limit);
  const withAll = call.flag('include_all_metadata') && call.workspace.installation.scopes.has(METADATA_SCOPE);
  const messages = items.map(one => (withAll ? withMetadata(one) : one.message));
  return { messages, has_more: next !== '', response_metadata: { next_cursor: next } };
}

function open(call: Call): JsonObject {
  const users = (call.text('users') ?? '').split(',').filter(user => user !== '');
  const id = call.text('channel');
  if (id === undefined && users.length !== 1)
    throw new Refusal(users.length === 0 ? 'users_list_not_supplied' : 'method_not_supported_for_channel_type');
  const { directory } = call.workspace;
  if (id === undefined && !directory.person(users[0] ?? '')) throw new Refusal('user_not_found');
  const channel = id === undefined ? directory.directMessage(users[0] ?? '') : directory.channel(id);
  if (!channel || channel.imUser === undefined)
    throw new Refusal(id === undefined ? 'user_not_visible' : 'channel_not_found');
  return {
    no_op: true,
    already_open: true,
    channel: call.flag('return_im') ? describe(call, channel) : { id: channel.id },
  };
}

function list(call: Call): JsonObject {
  const types = (call.text('types') ?? 'public_channel').split(',').map(type => type.trim());
  const { directory } = call.workspace;
  const wanted = directory
    .channels()
    .filter(channel => types.includes(typeOf(channel)) && (!channel.isPrivate || directory.appIsIn(channel)));
  const { items, next } = page(wanted, call.text('cursor'), call.number('limit', limits.page.default));
  return { channels: items.map(channel => describe(call, channel)), response_metadata: { next_cursor: next } };
}

function typeOf(channel: Channel): string {
  if (channel.imUser !== undefined) return 'im';
  return channel.isPrivate ? 'private_channel' : 'public_channel';
}

function describe(call: Call, channel: Channel): JsonObject {
  const shared = channel.isExtShared === true;
  const sharing = { is_shared: shared, is_ext_shared: shared, is_org_shared: false, is_pending_ext_shared: false };
  if (channel.imUser !== undefined) {
    return {
      id: channel.id,
      is_im: true,
      user: channel.imUser,
      is_user_deleted: false,
      is_archived: false,
      is_open: true,
      ...sharing,
    };
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate,
    is_member: call.workspace.directory.appIsIn(channel),
    is_archived: channel.isArchived === true,
    is_general: channel.name === 'general',
    ...sharing,
  };
}

function addReaction(call: Call): JsonObject {
  const { name, stored, reactions } = reactionCall(call);
  const own = reactions.find(one => one.name === name);
  if (own?.users.includes(APP.userId)) throw new Refusal('already_reacted');
  if (!own && reactions.length >= limits.message.reactionsEach) throw new Refusal('too_many_reactions');
  const users = [...(own?.users ?? []), APP.userId];
  const added = { name, users, count: users.length };
  const after = own ? reactions.map(one => (one === own ? added : one)) : [...reactions, added];
  call.workspace.conversation.touch({ ...stored, message: { ...stored.message, reactions: after } });
  return {};
}

function removeReaction(call: Call): JsonObject {
  const { name, stored, reactions } = reactionCall(call);
  const own = reactions.find(one => one.name === name);
  if (!own?.users.includes(APP.userId)) throw new Refusal('no_reaction');
  const users = own.users.filter(user => user !== APP.userId);
  const rest = reactions.filter(one => one !== own);
  const after = users.length === 0 ? rest : [...rest, { name, users, count: users.length }];
  call.workspace.conversation.touch({ ...stored, message: { ...stored.message, reactions: after } });
  return {};
}

function reactionCall(call: Call): {
  name: string;
  stored: StoredMessage;
  reactions: NonNullable<StoredMessage['message']['reactions']>;
} {
  const channel = call.ownChannel();
  const stored = call.message(channel, 'timestamp');
  const name = call.required('name').replaceAll(':', '');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new Refusal('invalid_name');
  return { name, stored, reactions: stored.message.reactions ?? [] };
}
