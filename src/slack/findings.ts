/** Owns the check before work begins: token, scopes and channels, as lines for an operator. It changes nothing. */
import { z } from 'zod';
import type { ChannelId } from '../thread/ids.ts';
import type { SlackApi } from './api.ts';
import { missingScopes, NEEDED_SCOPES, type Identity } from './identity.ts';

/** `level`: ✓, ! or ✗ of `doctor`; only `bad` keeps the program from doing its work. */
export interface Finding {
  readonly level: 'good' | 'odd' | 'bad';
  readonly about: string;
  readonly says: string;
}

const channelSchema = z.looseObject({
  channel: z.looseObject({
    name: z.optional(z.string()),
    is_private: z.optional(z.boolean()),
    is_member: z.optional(z.boolean()),
    is_archived: z.optional(z.boolean()),
    is_shared: z.optional(z.boolean()),
    is_ext_shared: z.optional(z.boolean()),
    is_pending_ext_shared: z.optional(z.boolean()),
    is_org_shared: z.optional(z.boolean()),
    num_members: z.optional(z.number()),
  }),
});

export function scopeFinding(identity: Identity): Finding {
  const missing = missingScopes(identity);
  if (missing.length > 0)
    return {
      level: 'bad',
      about: 'scopes',
      says: `missing ${missing.map(scope => `${scope} (${NEEDED_SCOPES[scope]})`).join(', ')}: add and reinstall`,
    };
  if (identity.scopes === null) return { level: 'odd', about: 'scopes', says: 'Slack does not say which there are' };
  return { level: 'good', about: 'scopes', says: `all ${Object.keys(NEEDED_SCOPES).length} are there` };
}

/** Whether messages can be posted in a channel, and whether only this organisation reads them. */
export async function channelFinding(api: SlackApi, id: ChannelId): Promise<Finding> {
  const answer = await api('conversations.info', { channel: id, include_num_members: true });
  if (answer.is !== 'ok') {
    const why = answer.is === 'refused' ? answer.code : 'Slack cannot be reached';
    return { level: 'bad', about: id, says: `cannot be seen (${why}): invite the app` };
  }
  const { channel } = channelSchema.parse(answer.data);
  const about = channel.name === undefined ? id : `#${channel.name}`;
  const foreign =
    channel.is_ext_shared || channel.is_pending_ext_shared || (channel.is_shared === true && !channel.is_org_shared);
  if (foreign) return { level: 'bad', about, says: 'is shared with another organisation: nothing is posted there' };
  if (channel.is_archived) return { level: 'bad', about, says: 'is archived' };
  if (channel.is_member === false) return { level: 'bad', about, says: 'the app is not a member: invite it' };
  const members = channel.num_members === undefined ? '' : `, ${channel.num_members} members`;
  return { level: 'good', about, says: `${id}, ${channel.is_private ? 'private' : 'public'}, not shared${members}` };
}

/** Whether Slack would open a socket for the app-level token; none is opened, so that no delivery is taken from anybody. */
export async function socketFinding(api: SlackApi): Promise<Finding> {
  const answer = await api('apps.connections.open', {});
  if (answer.is === 'ok') return { level: 'good', about: 'socket', says: 'Slack opens one for SLACK_APP_TOKEN' };
  const why = answer.is === 'refused' ? answer.code : 'Slack cannot be reached';
  return { level: 'bad', about: 'socket', says: `Slack opens none for SLACK_APP_TOKEN (${why})` };
}
