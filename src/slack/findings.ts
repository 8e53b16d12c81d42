/** Owns what can be looked at before work begins: scopes, channels and the socket. It changes nothing and never throws. */
import { z } from 'zod';
import type { ChannelId } from '../thread/ids.ts';
import type { SlackApi } from './api.ts';
import { missingScopes, NEEDED_SCOPES, type Identity } from './identity.ts';

/** A channel as Slack shows it to the app. */
export interface ChannelLook {
  readonly id: ChannelId;
  /** `#approvals`, or the id where Slack tells no name. */
  readonly name: string;
  readonly isPrivate: boolean;
  /** How many people and apps are in it; null when Slack does not tell. */
  readonly members: number | null;
  /** Why nothing can be posted there; null when it can. */
  readonly problem: string | null;
}

const flag = z.optional(z.boolean());
const channelSchema = z.looseObject({
  channel: z.looseObject({
    name: z.optional(z.string()),
    is_private: flag,
    is_member: flag,
    is_archived: flag,
    is_shared: flag,
    is_ext_shared: flag,
    is_pending_ext_shared: flag,
    is_org_shared: flag,
    num_members: z.optional(z.number()),
  }),
});
type SlackChannel = z.infer<typeof channelSchema>['channel'];

/** Whether messages can be posted in a channel, and whether only this organisation reads them. */
export async function lookAtChannel(api: SlackApi, id: ChannelId): Promise<ChannelLook> {
  const answer = await api('conversations.info', { channel: id, include_num_members: true });
  const unseen = { id, name: id, isPrivate: false, members: null };
  if (answer.is !== 'ok') return { ...unseen, problem: `cannot be seen (${whyNot(answer)}): invite the app` };
  const read = channelSchema.safeParse(answer.data);
  if (!read.success) return { ...unseen, problem: 'Slack says nothing about it that can be read' };
  const { channel } = read.data;
  return {
    id,
    name: channel.name === undefined ? id : `#${channel.name}`,
    isPrivate: channel.is_private === true,
    members: channel.num_members ?? null,
    problem: problemOf(channel),
  };
}

function problemOf(channel: SlackChannel): string | null {
  const foreign =
    channel.is_ext_shared || channel.is_pending_ext_shared || (channel.is_shared === true && !channel.is_org_shared);
  if (foreign) return 'is shared with another organisation: nothing is posted there';
  if (channel.is_archived) return 'is archived';
  return channel.is_member === false ? 'the app is not a member: invite it' : null;
}

const membersSchema = z.looseObject({
  members: z.array(z.string()),
  response_metadata: z.optional(z.looseObject({ next_cursor: z.optional(z.string()) })),
});
/** Pages of 1,000 people that are read at most. */
const MAX_PAGES = 50;

/** The ids of those who are in a channel; undefined when Slack does not tell. */
export async function membersOf(api: SlackApi, channel: ChannelId): Promise<ReadonlySet<string> | undefined> {
  const members = new Set<string>();
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await api('conversations.members', { channel, limit: 1_000, ...(cursor && { cursor }) });
    const read = answer.is === 'ok' ? membersSchema.safeParse(answer.data).data : undefined;
    if (!read) return undefined;
    for (const member of read.members) members.add(member);
    cursor = read.response_metadata?.next_cursor ?? '';
    if (cursor === '') return members;
  }
  return undefined;
}

/** Scopes that the token lacks, with what each is for; the app's settings page where Slack tells which app this is. */
export interface ScopesLook {
  readonly needed: number;
  /** False when Slack does not say which scopes there are. */
  readonly told: boolean;
  readonly missing: readonly { readonly scope: string; readonly for: string }[];
  /** `api.slack.com/apps/A…/oauth`; null when Slack does not tell. */
  readonly settings: string | null;
}

const botSchema = z.looseObject({ bot: z.looseObject({ app_id: z.string().regex(/^A[A-Z0-9]+$/) }) });

/** Compares the token's scopes with what this program does. */
export async function lookAtScopes(api: SlackApi, identity: Identity): Promise<ScopesLook> {
  const missing = missingScopes(identity).map(scope => ({ scope, for: NEEDED_SCOPES[scope] ?? '' }));
  const answer = missing.length > 0 ? await api('bots.info', { bot: identity.self.bot }) : undefined;
  const app = answer?.is === 'ok' ? botSchema.safeParse(answer.data).data?.bot.app_id : undefined;
  return {
    needed: Object.keys(NEEDED_SCOPES).length,
    told: identity.scopes !== null,
    missing,
    settings: app === undefined ? null : `api.slack.com/apps/${app}/oauth`,
  };
}

/**
 * Why Slack would open no socket for the app-level token; null when it would. None is opened, so that no delivery is taken
 * from anybody.
 */
export async function socketProblem(api: SlackApi): Promise<string | null> {
  const answer = await api('apps.connections.open', {});
  return answer.is === 'ok' ? null : whyNot(answer);
}

const whyNot = (answer: Exclude<Awaited<ReturnType<SlackApi>>, { is: 'ok' }>): string =>
  answer.is === 'refused' ? answer.code : 'Slack cannot be reached';
