/**
 * Owns the reading of what happens to messages and sessions later: edits and deletions by people, and Slack's own Stop. Pure.
 *
 * 1. Of messages of people only what they did themselves counts: changes of bots (ours among them), unfurled links and other
 * decoration change nothing. 2. The deleted root of a thread leaves a marker behind, which comes as a change.
 */
import { z } from 'zod';
import {
  decodeButton,
  type ChannelId,
  type MessageTs,
  type TeamId,
  type ThreadKey,
  type UserId,
} from '../../thread/ids.ts';
import { decodeDoubt, decodeQuestion, decodeRun } from '../views/actions.ts';
import type { EventBody } from './bodies.ts';
import { maybe, text } from './fields.ts';
import { readable } from './readable.ts';

const messageSchema = z.looseObject({
  ts: text,
  user: maybe(z.string()),
  bot_id: maybe(z.string()),
  subtype: maybe(z.string()),
  thread_ts: maybe(z.string()),
  text: maybe(z.string()),
  edited: maybe(z.looseObject({ user: maybe(z.string()) })),
});
type Said = z.infer<typeof messageSchema>;
const changeSchema = z.discriminatedUnion('subtype', [
  z.looseObject({
    type: z.literal('message'),
    subtype: z.literal('message_changed'),
    channel: text,
    message: messageSchema,
    previous_message: maybe(messageSchema),
  }),
  z.looseObject({
    type: z.literal('message'),
    subtype: z.literal('message_deleted'),
    channel: text,
    deleted_ts: maybe(z.string()),
    previous_message: messageSchema,
  }),
]);
const stopSchema = z.looseObject({
  type: z.literal('agent_session_stopped'),
  channel: text,
  thread_ts: text,
  user: text,
  event_ts: maybe(z.string()),
});

/** What became of a message that a person had written. */
export type Change =
  | {
      readonly is: 'edited';
      readonly thread: ThreadKey;
      readonly message: { readonly ts: MessageTs; readonly author: UserId; readonly text: string };
    }
  | { readonly is: 'deleted'; readonly thread: ThreadKey; readonly ts: MessageTs };

const byPerson = ({ user, bot_id }: Said, self: { readonly user: string }): boolean =>
  !!user && !bot_id && user !== self.user && user !== 'USLACKBOT';

/** The change of an event, if a person made it to a message of theirs; `self` is our own user. */
export function readChange(
  event: EventBody['event'],
  team: TeamId,
  self: { readonly user: string },
): Change | undefined {
  const read = changeSchema.safeParse(event);
  if (!read.success) return undefined;
  const { channel, previous_message: before } = read.data;
  const after = read.data.subtype === 'message_changed' ? read.data.message : undefined;
  const said = after === undefined || after.subtype === 'tombstone' ? before : after;
  if (!said || !byPerson(said, self)) return undefined;
  const thread = { team, channel: channel as ChannelId, ts: (said.thread_ts ?? said.ts) as MessageTs };
  const ts = said.ts as MessageTs;
  if (said !== after) return { is: 'deleted', thread, ts };
  if (!after.edited || after.text === before?.text) return undefined;
  return { is: 'edited', thread, message: { ts, author: said.user as UserId, text: readable(after.text ?? '') } };
}

const controlSchema = z.looseObject({
  value: maybe(z.string()),
  options: maybe(z.array(z.looseObject({ value: maybe(z.string()) }))),
});
const controlsSchema = z.array(z.looseObject({ type: z.string(), elements: z.optional(z.unknown()) }));

/** What the controls of a message carry. */
function valuesOn(blocks: unknown): string[] {
  const read = controlsSchema.safeParse(blocks);
  return (read.data ?? []).flatMap(block => {
    const controls = block.type === 'actions' ? z.array(controlSchema).safeParse(block.elements).data : undefined;
    return (controls ?? []).flatMap(one => [one, ...(one.options ?? [])].flatMap(({ value }) => value ?? []));
  });
}

/** A message of ours on which people could act, and that somebody has taken away. */
export interface Lost {
  /** The thread that it speaks for, wherever it stood. */
  readonly thread: ThreadKey;
  readonly place: { readonly channel: ChannelId; readonly ts: MessageTs };
}

/** The message of ours that an event takes away; undefined when it is none, or had no controls. */
export function readLost(event: EventBody['event'], team: TeamId, self: { readonly user: string }): Lost | undefined {
  const read = changeSchema.safeParse(event);
  if (!read.success) return undefined;
  const { channel, previous_message: before } = read.data;
  const isGone = read.data.subtype === 'message_deleted' || read.data.message.subtype === 'tombstone';
  if (!isGone || before?.user !== self.user) return undefined;
  const [of] = valuesOn(before['blocks']).flatMap(value => threadOf(value) ?? []);
  return of && { thread: { team, ...of }, place: { channel: channel as ChannelId, ts: before.ts as MessageTs } };
}

/** The thread that a control's value names. */
function threadOf(value: string): Pick<ThreadKey, 'channel' | 'ts'> | undefined {
  const button = decodeButton(value);
  if (button) return { channel: button.channel, ts: button.ts };
  return (decodeQuestion(value) ?? decodeDoubt(value) ?? decodeRun(value))?.thread;
}

/** Slack's own Stop, pressed by a person in a thread. */
export interface Stopped {
  readonly thread: ThreadKey;
  readonly by: UserId;
  /** The same for the same press, however often it is delivered. */
  readonly key: string;
}

/** The stop of an event; undefined when it is none. */
export function readStop(event: EventBody['event'], team: TeamId): Stopped | undefined {
  const read = stopSchema.safeParse(event);
  if (!read.success) return undefined;
  const { channel, thread_ts: ts, user, event_ts: at } = read.data;
  return {
    thread: { team, channel: channel as ChannelId, ts: ts as MessageTs },
    by: user as UserId,
    key: `stop.${channel}.${ts}.${user}.${at ?? ''}`,
  };
}
