/** Owns who we are in Slack: the answer to `auth.test`, and whether the token may do everything that this program does. */
import { z } from 'zod';
import type { TeamId } from '../thread/ids.ts';
import type { SlackApi } from './api.ts';
import type { Self } from './ours.ts';

export interface Identity {
  readonly team: TeamId;
  readonly teamName: string;
  /** With a slash at the end. */
  readonly teamUrl: string;
  readonly name: string;
  readonly self: Self;
  /** The token's scopes; null when Slack does not say. */
  readonly scopes: readonly string[] | null;
}

const schema = z.looseObject({
  team_id: z.string(),
  team: z.optional(z.string()),
  url: z.string(),
  user: z.optional(z.string()),
  user_id: z.string(),
  bot_id: z.string(),
  response_metadata: z.optional(z.looseObject({ scopes: z.optional(z.array(z.string())) })),
});

/** Asks Slack who the token belongs to. Throws a sentence when it is no good bot token, or Slack is out of reach. */
export async function identify(api: SlackApi): Promise<Identity> {
  const answer = await api('auth.test', {});
  if (answer.is === 'refused') throw new Error(`Slack does not take the bot token: ${answer.code}.`);
  if (answer.is !== 'ok') throw new Error('Slack cannot be reached, so the bot token could not be checked.');
  const read = schema.safeParse(answer.data);
  if (!read.success) throw new Error("The token is not a bot's: Slack names no bot for it.");
  const { team_id, team, url, user, user_id, bot_id, response_metadata } = read.data;
  return {
    team: team_id as TeamId,
    teamName: team ?? team_id,
    teamUrl: url.endsWith('/') ? url : `${url}/`,
    name: user ?? user_id,
    self: { user: user_id, bot: bot_id },
    scopes: response_metadata?.scopes ?? null,
  };
}

/** What the app needs, and what for. */
export const NEEDED_SCOPES: Readonly<Record<string, string>> = {
  'app_mentions:read': 'being mentioned',
  'channels:history': 'follow-ups in public channels',
  'channels:read': 'whether a channel is shared with another organisation',
  'chat:write': 'cards and answers',
  commands: '/countersign and the message shortcuts',
  'files:write': 'arguments that are too long for a form',
  'groups:history': 'follow-ups in private channels',
  'groups:read': 'private channels',
  'im:history': 'direct messages',
  'metadata.message:read': 'finding our own card again after a crash',
  'reactions:write': 'the mark on messages that wait',
  'usergroups:read': 'who is in a group that may decide',
  'users:read': 'who somebody is',
};

/** Scopes that the token lacks; empty when Slack does not say which it has. */
export const missingScopes = ({ scopes }: Pick<Identity, 'scopes'>): string[] =>
  scopes === null ? [] : Object.keys(NEEDED_SCOPES).filter(scope => !scopes.includes(scope));
