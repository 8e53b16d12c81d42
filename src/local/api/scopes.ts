/** Which scope a call needs. Some depend on the kind of channel that it is about. */
import type { Channel } from '../world.ts';
import type { Call } from './call.ts';

const BY_METHOD: Readonly<Record<string, string>> = {
  'team.info': 'team:read',
  'bots.info': 'users:read',
  'users.info': 'users:read',
  'users.list': 'users:read',
  'usergroups.list': 'usergroups:read',
  'usergroups.users.list': 'usergroups:read',
  'chat.postMessage': 'chat:write',
  'chat.update': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.startStream': 'chat:write',
  'chat.appendStream': 'chat:write',
  'chat.stopStream': 'chat:write',
  'conversations.open': 'im:write',
  'reactions.add': 'reactions:write',
  'reactions.remove': 'reactions:write',
  'files.getUploadURLExternal': 'files:write',
  'files.completeUploadExternal': 'files:write',
  'files.info': 'files:read',
  'assistant.threads.setStatus': 'assistant:write',
  'assistant.threads.setSuggestedPrompts': 'assistant:write',
  'assistant.threads.setTitle': 'assistant:write',
  'agents.sessions.setStatus': 'chat:write',
};

/** Without this scope, asking for metadata is not refused: it just does not come. */
export const METADATA_SCOPE = 'metadata.message:read';

const OF_TYPES: Readonly<Record<string, string>> = {
  public_channel: 'channels',
  private_channel: 'groups',
  im: 'im',
};

/** The scopes that a call needs, all of them. */
export function neededScopes(call: Call): readonly string[] {
  const { method } = call;
  if (method === 'conversations.history' || method === 'conversations.replies') return ofChannel(call, 'history');
  if (method === 'conversations.info' || method === 'conversations.members') return ofChannel(call, 'read');
  if (method === 'conversations.list') return ofTypes(call);
  const scope = BY_METHOD[method];
  return scope === undefined ? [] : [scope];
}

function ofChannel(call: Call, right: 'history' | 'read'): readonly string[] {
  const channel = call.workspace.directory.channel(call.text('channel') ?? '');
  return channel ? [`${family(channel)}:${right}`] : [];
}

function family(channel: Channel): string {
  if (channel.imUser !== undefined) return 'im';
  return channel.isPrivate ? 'groups' : 'channels';
}

function ofTypes(call: Call): readonly string[] {
  const types = (call.text('types') ?? 'public_channel').split(',');
  return types.flatMap(type => OF_TYPES[type.trim()] ?? []).map(name => `${name}:read`);
}
