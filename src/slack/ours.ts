/**
 * Owns which messages in Slack are ours: what they say of themselves, and how they are found.
 *
 * 1. Ours is what this app has written and marked; what a person writes is never taken for it. 2. A file, which takes no
 * metadata, is known by its title.
 */
import { z } from 'zod';
import type { ChannelId, MessageTs } from '../thread/ids.ts';
import type { SlackAnswer, SlackApi } from './api.ts';
import { readTitle } from './files.ts';
import { EVENT_TYPE, STRAY, type Mark, type Target } from './posting.ts';

/** How much of a conversation is looked through for messages of ours. */
const PAGES = 10;
const PAGE_SIZE = 200;

const markSchema = z.looseObject({ key: z.string(), environment: z.string(), thread: z.string() });
const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.optional(z.string()),
  bot_id: z.optional(z.string()),
  streaming_state: z.optional(z.string()),
  files: z.optional(z.array(z.looseObject({ title: z.optional(z.nullable(z.string())) }))),
  metadata: z.optional(z.looseObject({ event_type: z.string(), event_payload: z.unknown() })),
});
const pageSchema = z.looseObject({
  messages: z.array(z.unknown()),
  response_metadata: z.optional(z.looseObject({ next_cursor: z.optional(z.string()) })),
});

/** Who we are in Slack; only messages of this author are ours. */
export interface Self {
  readonly user: string;
  readonly bot: string;
}

/** The mark of a message as Slack returns it; undefined when we did not write it. */
export function markOf(message: unknown, self: Self): (Mark & { readonly ts: MessageTs }) | undefined {
  const read = messageSchema.safeParse(message);
  if (!read.success) return undefined;
  const { ts, user, bot_id: bot, metadata } = read.data;
  if (user !== self.user && bot !== self.bot) return undefined;
  if (metadata?.event_type !== EVENT_TYPE) return undefined;
  const mark = markSchema.safeParse(metadata.event_payload);
  if (!mark.success) return undefined;
  const { key, environment, thread } = mark.data;
  return { key, environment, thread, ts: ts as MessageTs };
}

/** `streams` are messages of ours that no answer has taken, as far as they say themselves. */
export type Found =
  { readonly marks: readonly FoundMark[]; readonly streams: readonly MessageTs[] } | Exclude<SlackAnswer, { is: 'ok' }>;

/** A message of ours as a look finds it; a file's title does not name the log, but its key belongs to just one. */
export interface FoundMark {
  readonly key: string;
  readonly environment: string;
  readonly thread: string | null;
  readonly ts: MessageTs;
}

/** Those that carry this mark. */
export const ofMark = (marks: readonly FoundMark[], { key, environment, thread }: Mark): FoundMark[] =>
  marks.filter(
    mark => mark.key === key && mark.environment === environment && (mark.thread === null || mark.thread === thread),
  );

/** The file of ours that a message shows; undefined when it shows none. */
function fileMarkOf(message: unknown, self: Self): FoundMark | undefined {
  const read = messageSchema.safeParse(message);
  if (!read.success || (read.data.user !== self.user && read.data.bot_id !== self.bot)) return undefined;
  const title = read.data.files?.map(file => readTitle(file.title ?? '')).find(found => found !== undefined);
  return title && { key: title.key, environment: title.environment, thread: null, ts: read.data.ts as MessageTs };
}

/** Where a stream of ours stands whose message carries no key yet, or that of a stray; undefined for any other message. */
function streamOf(message: unknown, mark: FoundMark | undefined, self: Self): MessageTs | undefined {
  if (mark) return mark.key === STRAY ? mark.ts : undefined;
  const read = messageSchema.safeParse(message);
  if (!read.success || (read.data.user !== self.user && read.data.bot_id !== self.bot)) return undefined;
  return read.data.streaming_state === undefined ? undefined : (read.data.ts as MessageTs);
}

/** All messages of ours in a channel (or below a message) since `sinceMs`, oldest first. */
export async function findOurs(api: SlackApi, target: Target, sinceMs: number, self: Self): Promise<Found> {
  const marks: FoundMark[] = [];
  const streams: MessageTs[] = [];
  let cursor = '';
  for (let page = 0; page < PAGES; page += 1) {
    const args = {
      channel: target.channel,
      include_all_metadata: true,
      limit: PAGE_SIZE,
      oldest: (Math.max(0, sinceMs) / 1_000).toFixed(6),
      ...(cursor === '' ? {} : { cursor }),
    };
    const answer =
      target.threadTs === undefined
        ? await api('conversations.history', args)
        : await api('conversations.replies', { ...args, ts: target.threadTs });
    if (answer.is !== 'ok') return answer;
    const read = pageSchema.safeParse(answer.data);
    if (!read.success) return { is: 'unknown', why: 'unreadable list of messages' };
    for (const message of read.data.messages) {
      const mark = markOf(message, self) ?? fileMarkOf(message, self);
      if (mark) marks.push(mark);
      const stream = streamOf(message, mark, self);
      if (stream !== undefined) streams.push(stream);
    }
    cursor = read.data.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return { marks: marks.sort((a, b) => (a.ts < b.ts ? -1 : 1)), streams };
}

export type Read = { readonly message: unknown } | { readonly none: true } | Exclude<SlackAnswer, { is: 'ok' }>;

/** One message with its metadata, wherever it stands in the channel. */
export async function readMessage(api: SlackApi, channel: ChannelId, ts: MessageTs): Promise<Read> {
  const range = { channel, latest: ts, oldest: ts, inclusive: true, limit: 1, include_all_metadata: true };
  const isIt = (message: unknown): boolean => messageSchema.safeParse(message).data?.ts === ts;
  for (const [method, args] of [
    ['conversations.history', range],
    ['conversations.replies', { ...range, ts }],
  ] as const) {
    const answer = await api(method, args);
    if (answer.is === 'refused' && answer.code === 'thread_not_found') continue;
    if (answer.is !== 'ok') return answer;
    const message = pageSchema.safeParse(answer.data).data?.messages.find(isIt);
    if (message !== undefined) return { message };
  }
  return { none: true };
}
