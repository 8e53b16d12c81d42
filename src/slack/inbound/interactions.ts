/**
 * Owns the reading of what people do beside writing: clicks, forms, commands and message shortcuts. Pure.
 *
 * 1. The team is the one in which the app is installed (null for organisation-wide installs); a person's own team stands
 * beside them. 2. A click may come from a message, from a form or from Home; only the first has a place.
 */
import { z } from 'zod';
import type { ChannelId, MessageTs, TeamId, UserId } from '../../thread/ids.ts';
import type { Person, Place } from '../../worker/ports.ts';
import { maybe, text } from './fields.ts';

const teamSchema = maybe(z.looseObject({ id: text }));
const personSchema = z.looseObject({ id: text, team_id: maybe(z.string()) });
const optionSchema = z.looseObject({ value: z.string() });

const actorOf = (user: z.infer<typeof personSchema>, team: z.infer<typeof teamSchema>): Person => ({
  user: user.id as UserId,
  team: (user.team_id ?? team?.id ?? '') as TeamId,
});

const fieldSchema = z.looseObject({
  value: maybe(z.string()),
  selected_option: maybe(optionSchema),
  selected_options: maybe(z.array(optionSchema)),
});
const stateSchema = z.looseObject({ values: z.record(z.string(), z.record(z.string(), fieldSchema)) });

/** What stands in the fields of a form, as Slack sends it, by block and action. */
type Fields = z.infer<typeof stateSchema>['values'];

const viewSchema = z.looseObject({
  id: text,
  type: maybe(z.string()),
  callback_id: maybe(z.string()),
  private_metadata: maybe(z.string()),
  app_installed_team_id: maybe(z.string()),
  state: maybe(stateSchema),
});
const clickSchema = z.looseObject({
  type: z.literal('block_actions'),
  team: teamSchema,
  user: personSchema,
  channel: maybe(z.looseObject({ id: text })),
  container: maybe(
    z.looseObject({ message_ts: maybe(z.string()), channel_id: maybe(z.string()), is_ephemeral: maybe(z.boolean()) }),
  ),
  message: maybe(
    z.looseObject({
      ts: maybe(z.string()),
      thread_ts: maybe(z.string()),
      metadata: maybe(z.looseObject({ event_payload: maybe(z.looseObject({ environment: maybe(z.string()) })) })),
    }),
  ),
  view: maybe(viewSchema),
  trigger_id: maybe(z.string()),
  actions: z.array(
    z.looseObject({
      action_id: z.string(),
      action_ts: z.string(),
      value: maybe(z.string()),
      selected_option: maybe(optionSchema),
    }),
  ),
});

/** A click on a control of a message, of a form or of Home. */
export interface Click {
  /** The team in which the app is installed; null for organisation-wide installs. */
  readonly installed: string | null;
  readonly by: Person;
  readonly action: string;
  readonly actionTs: string;
  readonly value: string;
  /** Null on Home, in forms and in private messages: nothing of ours that stays is there. */
  readonly place: Place | null;
  /** The conversation in which it was clicked; null on Home and in forms. */
  readonly channel: ChannelId | null;
  /** The form or Home in which the control stands; null for a message. */
  readonly view: {
    readonly id: string;
    readonly home: boolean;
    readonly metadata: string;
    readonly fields: Fields;
  } | null;
  /** The thread in which the message stands, for private answers. */
  readonly threadTs: MessageTs | null;
  /** From the message's metadata, where Slack sends it along. */
  readonly environment: string | null;
  readonly trigger: string | null;
}

const viewOf = ({ id, type, private_metadata: metadata, state }: z.infer<typeof viewSchema>): Click['view'] => ({
  id,
  home: type === 'home',
  metadata: metadata ?? '',
  fields: state?.values ?? {},
});

/** The click of an interaction; undefined when it is none of ours. */
export function readClick(body: unknown): Click | undefined {
  const read = clickSchema.safeParse(body);
  const [action] = read.data?.actions ?? [];
  if (!read.success || !action) return undefined;
  const { user, team, container, message, channel, view, trigger_id: trigger } = read.data;
  const at = container?.channel_id ?? channel?.id;
  const ts = container?.message_ts ?? message?.ts;
  if (!(at && ts) && !view) return undefined;
  const stays = at && ts && container?.is_ephemeral !== true;
  return {
    installed: view?.app_installed_team_id ?? team?.id ?? null,
    by: actorOf(user, team),
    action: action.action_id,
    actionTs: action.action_ts,
    value: action.value ?? action.selected_option?.value ?? '',
    place: stays ? { channel: at as ChannelId, ts: ts as MessageTs } : null,
    channel: (at ?? null) as ChannelId | null,
    view: view ? viewOf(view) : null,
    threadTs: (message?.thread_ts ?? null) as MessageTs | null,
    environment: message?.metadata?.event_payload?.environment ?? null,
    trigger: trigger ?? null,
  };
}

const submissionSchema = z.looseObject({
  type: z.literal('view_submission'),
  team: teamSchema,
  user: personSchema,
  trigger_id: maybe(z.string()),
  view: z.looseObject({
    ...viewSchema.shape,
    hash: z.string(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state: stateSchema,
  }),
});

/** A form that somebody sent. */
export interface Submission {
  readonly installed: string | null;
  readonly by: Person;
  readonly form: string;
  readonly view: string;
  readonly metadata: string;
  /** `<view_id>.<hash>`: the same for the same form sent twice. */
  readonly key: string;
  readonly values: Fields;
  readonly trigger: string | null;
}

/** The form of an interaction; undefined when it is none. */
export function readSubmission(body: unknown): Submission | undefined {
  const read = submissionSchema.safeParse(body);
  if (!read.success) return undefined;
  const { user, team, view, trigger_id: trigger } = read.data;
  return {
    installed: view.app_installed_team_id ?? team?.id ?? null,
    by: actorOf(user, team),
    form: view.callback_id,
    view: view.id,
    metadata: view.private_metadata,
    key: `${view.id}.${view.hash}`,
    values: view.state.values,
    trigger: trigger ?? null,
  };
}

const commandSchema = z.looseObject({
  command: text,
  text: maybe(z.string()),
  team_id: maybe(z.string()),
  user_id: text,
  channel_id: text,
  trigger_id: maybe(z.string()),
});

/** A slash command that somebody typed. */
export interface Typed {
  readonly installed: string | null;
  readonly by: Person;
  readonly command: string;
  /** Trimmed, as Slack wrote it. */
  readonly text: string;
  readonly channel: ChannelId;
  readonly trigger: string | null;
}

/** The command of a delivery; undefined when it is none. */
export function readCommand(body: unknown): Typed | undefined {
  const read = commandSchema.safeParse(body);
  if (!read.success) return undefined;
  const { command, text: words, team_id: team, user_id: user, channel_id: channel, trigger_id: trigger } = read.data;
  return {
    installed: team ?? null,
    by: { user: user as UserId, team: (team ?? '') as TeamId },
    command,
    text: (words ?? '').trim(),
    channel: channel as ChannelId,
    trigger: trigger ?? null,
  };
}

const shortcutSchema = z.looseObject({
  type: z.literal('message_action'),
  callback_id: z.string(),
  team: teamSchema,
  user: personSchema,
  channel: z.looseObject({ id: text }),
  action_ts: maybe(z.string()),
  trigger_id: maybe(z.string()),
  message_ts: maybe(z.string()),
  message: z.looseObject({
    ts: maybe(z.string()),
    thread_ts: maybe(z.string()),
    text: maybe(z.string()),
    user: maybe(z.string()),
  }),
});

/** A shortcut that somebody used on a message. */
export interface Shortcut {
  readonly installed: string | null;
  readonly by: Person;
  readonly shortcut: string;
  readonly place: Place;
  readonly threadTs: MessageTs | null;
  /** What the message says, as Slack wrote it, and who wrote it. */
  readonly message: { readonly text: string; readonly author: UserId | null };
  /** Unique for this use; has the form of a message's timestamp. */
  readonly actionTs: MessageTs | null;
  readonly trigger: string | null;
}

/** The message shortcut of an interaction; undefined when it is none. */
export function readShortcut(body: unknown): Shortcut | undefined {
  const read = shortcutSchema.safeParse(body);
  if (!read.success) return undefined;
  const { user, team, channel, message, message_ts, action_ts, trigger_id, callback_id } = read.data;
  const ts = message_ts ?? message.ts;
  if (!ts) return undefined;
  return {
    installed: team?.id ?? null,
    by: actorOf(user, team),
    shortcut: callback_id,
    place: { channel: channel.id as ChannelId, ts: ts as MessageTs },
    threadTs: (message.thread_ts ?? null) as MessageTs | null,
    message: { text: message.text ?? '', author: (message.user ?? null) as UserId | null },
    actionTs: (action_ts ?? null) as MessageTs | null,
    trigger: trigger_id ?? null,
  };
}
