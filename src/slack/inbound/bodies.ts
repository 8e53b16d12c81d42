/**
 * Owns the reading of what Slack delivers: which messages are taken, which are dropped, and what a click or form says. Pure.
 *
 * 1. Taken is what a person wrote: no subtype but `file_share` and `thread_broadcast`, with a user, without a bot, not
 * hidden. 2. The team is the one in which the app is installed; a person's own team stands beside them.
 */
import { z } from 'zod';
import type { Incoming } from '../../thread/decide/command.ts';
import type { ChannelId, MessageTs, TeamId, ThreadKey, UserId } from '../../thread/ids.ts';
import { mentions, readable } from './readable.ts';

const text = z.string().min(1);
const maybe = <T extends z.ZodType>(schema: T) => z.optional(z.nullable(schema));

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
  readonly message: Omit<Incoming, 'name'>;
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

const personSchema = z.looseObject({ id: text, team_id: maybe(z.string()) });
const teamSchema = maybe(z.looseObject({ id: text }));
const clickSchema = z.looseObject({
  type: z.literal('block_actions'),
  team: teamSchema,
  user: personSchema,
  channel: maybe(z.looseObject({ id: text })),
  container: maybe(z.looseObject({ message_ts: maybe(z.string()), channel_id: maybe(z.string()) })),
  message: maybe(
    z.looseObject({
      ts: maybe(z.string()),
      thread_ts: maybe(z.string()),
      metadata: maybe(z.looseObject({ event_payload: maybe(z.looseObject({ environment: maybe(z.string()) })) })),
    }),
  ),
  trigger_id: maybe(z.string()),
  actions: z.array(
    z.looseObject({
      action_id: z.string(),
      action_ts: z.string(),
      value: maybe(z.string()),
      selected_option: maybe(z.looseObject({ value: z.string() })),
    }),
  ),
});

interface Clicker {
  readonly user: UserId;
  readonly team: TeamId;
}

/** A click on a control of a message. */
export interface Click {
  /** The team in which the app is installed; null for organisation-wide installs. */
  readonly installed: string | null;
  readonly by: Clicker;
  readonly action: string;
  readonly actionTs: string;
  readonly value: string;
  readonly place: { readonly channel: ChannelId; readonly ts: MessageTs };
  /** The thread in which the message stands, for private answers. */
  readonly threadTs: MessageTs | null;
  /** From the message's metadata, where Slack sends it along. */
  readonly environment: string | null;
  readonly trigger: string | null;
}

/** The click of an interaction; undefined when it is none on a message. */
export function readClick(body: unknown): Click | undefined {
  const read = clickSchema.safeParse(body);
  const [action] = read.data?.actions ?? [];
  if (!read.success || !action) return undefined;
  const { user, team, container, message, channel, trigger_id: trigger } = read.data;
  const at = container?.channel_id ?? channel?.id;
  const ts = container?.message_ts ?? message?.ts;
  if (!at || !ts) return undefined;
  return {
    installed: team?.id ?? null,
    by: { user: user.id as UserId, team: (user.team_id ?? team?.id ?? '') as TeamId },
    action: action.action_id,
    actionTs: action.action_ts,
    value: action.value ?? action.selected_option?.value ?? '',
    place: { channel: at as ChannelId, ts: ts as MessageTs },
    threadTs: (message?.thread_ts ?? null) as MessageTs | null,
    environment: message?.metadata?.event_payload?.environment ?? null,
    trigger: trigger ?? null,
  };
}

const fieldSchema = z.looseObject({
  value: maybe(z.string()),
  selected_option: maybe(z.looseObject({ value: z.string() })),
});
const submissionSchema = z.looseObject({
  type: z.literal('view_submission'),
  team: teamSchema,
  user: personSchema,
  trigger_id: maybe(z.string()),
  view: z.looseObject({
    id: text,
    hash: z.string(),
    callback_id: z.string(),
    private_metadata: z.string(),
    app_installed_team_id: maybe(z.string()),
    state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), fieldSchema)) }),
  }),
});

/** A form that somebody sent. */
export interface Submission {
  readonly installed: string | null;
  readonly by: Clicker;
  readonly form: string;
  readonly metadata: string;
  /** `<view_id>.<hash>`: the same for the same form sent twice. */
  readonly key: string;
  readonly values: Readonly<Record<string, Readonly<Record<string, z.infer<typeof fieldSchema>>>>>;
  readonly trigger: string | null;
}

/** The form of an interaction; undefined when it is none. */
export function readSubmission(body: unknown): Submission | undefined {
  const read = submissionSchema.safeParse(body);
  if (!read.success) return undefined;
  const { user, team, view, trigger_id: trigger } = read.data;
  return {
    installed: view.app_installed_team_id ?? team?.id ?? null,
    by: { user: user.id as UserId, team: (user.team_id ?? team?.id ?? '') as TeamId },
    form: view.callback_id,
    metadata: view.private_metadata,
    key: `${view.id}.${view.hash}`,
    values: view.state.values,
    trigger: trigger ?? null,
  };
}
