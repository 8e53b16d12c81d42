/**
 * Owns single writes to Slack: posting, updating, reacting, ending a stream, taking away.
 *
 * 1. Every message carries its key, environment and log in its metadata; an update leaves them. 2. A write is sent once; of
 * one whose outcome is not known, the caller is told so. 3. Success without a timestamp is no success.
 */
import { z } from 'zod';
import type { ChannelId, MessageTs } from '../thread/ids.ts';
import type { Place } from '../worker/ports.ts';
import type { SlackAnswer, SlackApi } from './api.ts';
import type { Content } from './message.ts';

/** What says in a message's metadata that it is of this kind of app. */
export const EVENT_TYPE = 'countersign';

/** What stands in a message's metadata. */
export interface Mark {
  readonly key: string;
  readonly environment: string;
  /** The log's partition key. */
  readonly thread: string;
}

export type Written =
  | { readonly is: 'written'; readonly ts: MessageTs }
  | { readonly is: 'too_large' }
  | { readonly is: 'gone' }
  | Exclude<SlackAnswer, { is: 'ok' }>;

const TOO_LARGE = new Set([
  'msg_too_long',
  'msg_blocks_too_long',
  'invalid_blocks',
  'invalid_blocks_format',
  'too_many_blocks',
]);

/** On every message: nothing is fetched, nothing becomes a link or a mention by itself. */
const PLAIN = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const;

const withTs = z.looseObject({ ts: z.string().min(1) });

function writtenFrom(answer: SlackAnswer): Written {
  if (answer.is === 'ok') {
    const read = withTs.safeParse(answer.data);
    return read.success
      ? { is: 'written', ts: read.data.ts as MessageTs }
      : { is: 'unknown', why: 'answer without a timestamp' };
  }
  if (answer.is !== 'refused') return answer;
  if (TOO_LARGE.has(answer.code)) return { is: 'too_large' };
  return answer.code === 'message_not_found' ? { is: 'gone' } : answer;
}

export interface Target {
  readonly channel: ChannelId;
  readonly threadTs?: MessageTs | undefined;
}

const metadataOf = (mark: Mark) => ({ event_type: EVENT_TYPE, event_payload: mark });

/** Posts a message, marked as ours. */
export async function post(api: SlackApi, target: Target, content: Content, mark: Mark): Promise<Written> {
  const answer = await api('chat.postMessage', {
    channel: target.channel,
    ...(target.threadTs === undefined ? {} : { thread_ts: target.threadTs }),
    text: content.text,
    blocks: content.blocks,
    metadata: metadataOf(mark),
    ...PLAIN,
  });
  return writtenFrom(answer);
}

/** `mark` for a message that may have none yet. */
export async function update(api: SlackApi, at: Place, content: Content, mark?: Mark): Promise<Written> {
  const answer = await api('chat.update', {
    channel: at.channel,
    ts: at.ts,
    text: content.text,
    blocks: content.blocks,
    ...(mark === undefined ? {} : { metadata: metadataOf(mark) }),
    ...PLAIN,
  });
  return writtenFrom(answer);
}

/** The mark of a message that is about to be taken away. */
export const STRAY = 'stream';

/** Ends a stream of ours and marks its message. A session goes on where the message is to be taken away. */
export function endStream(api: SlackApi, at: Place, mark: Mark): Promise<SlackAnswer> {
  const session = mark.key === STRAY ? { session_status: 'processing' } : {};
  return api('chat.stopStream', { ...at, metadata: metadataOf(mark), ...session });
}

/** How Slack refuses to change a message of whose end as a stream it has not heard. */
export const STILL_STREAMS = 'streaming_state_conflict';

/** Takes a message of ours away; one that is gone already counts as taken away. */
export async function remove(api: SlackApi, at: Place): Promise<Written> {
  const answer = await api('chat.delete', { channel: at.channel, ts: at.ts });
  if (answer.is === 'ok') return { is: 'written', ts: at.ts };
  return writtenFrom(answer);
}

/** A reaction that is there already counts as set. */
export async function react(api: SlackApi, reaction: Place & { readonly name: string }): Promise<Written> {
  const { name, channel, ts } = reaction;
  const answer = await api('reactions.add', { name, channel, timestamp: ts });
  if (answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'already_reacted'))
    return { is: 'written', ts };
  return writtenFrom(answer);
}
