/**
 * Owns the reading of the events that Slack delivers: which messages are taken, and which are dropped. Pure.
 *
 * 1. Taken is what a person wrote: no subtype but `file_share` and `thread_broadcast`, with a user, without a bot, not
 * hidden. 2. The team is the one in which the app is installed; a person's own team stands beside them.
 */
import { z } from 'zod';
import type { Incoming } from '../../thread/decide/command.ts';
import type { ChannelId, MessageTs, TeamId, ThreadKey, UserId } from '../../thread/ids.ts';
import { maybe, text } from './fields.ts';
import { mentions, readable } from './readable.ts';

const messageSchema = z.looseObject({
  type: z.enum(['message', 'app_mention']),
  subtype: maybe(z.string()),
  hidden: maybe(z.boolean()),
  user: maybe(text),
  bot_id: maybe(z.string()),
  text: maybe(z.string()),
  ts: text,
  thread_ts: maybe(text),
  channel: text,
  channel_type: maybe(z.string()),
  user_team: maybe(z.string()),
  team: maybe(z.string()),
  files: maybe(z.array(z.looseObject({ id: text, name: maybe(z.string()) }))),
});
const eventSchema = z.looseObject({
  type: z.literal('event_callback'),
  team_id: maybe(z.string()),
  authorizations: maybe(z.array(z.looseObject({ team_id: maybe(z.string()) }))),
  event: z.looseObject({ type: z.string() }),
});

/** A message that was taken; its author's name is not in it. */
export interface TakenMessage {
  readonly thread: ThreadKey;
  readonly message: Omit<Incoming, 'name' | 'followUps'>;
  /** As Slack wrote it. */
  readonly raw: string;
}

export interface EventBody {
  readonly team: string | null;
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** The event of a delivery; undefined for deliveries of another kind. */
export function readEvent(body: unknown): EventBody | undefined {
  const read = eventSchema.safeParse(body);
  if (!read.success) return undefined;
  const { event, authorizations, team_id: team } = read.data;
  return { team: authorizations?.[0]?.team_id ?? team ?? null, event };
}

const SUBTYPES = new Set<string | null | undefined>([undefined, null, 'file_share', 'thread_broadcast']);

/** The message of an event, if a person wrote it; `self` is our own user in `team`. */
export function readMessageEvent(
  event: EventBody['event'],
  team: TeamId,
  self: { readonly user: string },
): TakenMessage | undefined {
  const read = messageSchema.safeParse(event);
  if (!read.success) return undefined;
  const said = read.data;
  if (!SUBTYPES.has(said.subtype) || said.hidden || said.bot_id || !said.user || said.user === self.user)
    return undefined;
  const raw = said.text ?? '';
  const direct = said.channel_type === 'im' || said.channel.startsWith('D');
  return {
    thread: {
      team,
      channel: said.channel as ChannelId,
      ts: (said.thread_ts ?? said.ts) as MessageTs,
    },
    message: {
      ts: said.ts as MessageTs,
      channel: said.channel as ChannelId,
      author: said.user as UserId,
      team: (said.user_team ?? said.team ?? team) as TeamId,
      text: readable(raw),
      files: (said.files ?? []).map(({ id, name }) => ({ id, name: name ?? id })),
      mention: said.type === 'app_mention' || mentions(raw, self.user),
      direct,
    },
    raw,
  };
}
