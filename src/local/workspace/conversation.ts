/**
 * What follows from a message: it is stored, its thread's root counts it, the pages are told, and the app hears of it if
 * it sits in the channel. All of that is one change. A message of one's own marks the channel as read.
 */
import type { JsonObject } from '../json.ts';
import { subscriptionFor } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { APP } from '../world.ts';
import type { Channel } from '../world.ts';
import { eventCallback, eventOfChange, eventsOfNewMessage } from './app-events.ts';
import type { Deliveries } from './deliveries.ts';
import type { Directory } from './directory.ts';
import type { Ephemerals } from './ephemerals.ts';
import type { Feed } from './feed.ts';
import type { Messages, NewMessage, SlackMessage, StoredMessage } from './messages.ts';
import type { ReadMarks } from './read-marks.ts';
import type { Statuses } from './statuses.ts';
import type { Storage } from './storage.ts';
import type { WorkspaceClock, WorkspaceIds } from './time.ts';
import type { Timestamps } from './timestamps.ts';

export interface ConversationParts {
  readonly installation: Installation;
  readonly storage: Storage;
  readonly clock: WorkspaceClock;
  readonly ids: WorkspaceIds;
  readonly timestamps: Timestamps;
  readonly directory: Directory;
  readonly messages: Messages;
  readonly ephemerals: Ephemerals;
  readonly readMarks: ReadMarks;
  readonly statuses: Statuses;
  readonly deliveries: Deliveries;
  readonly feed: Feed;
}

export class Conversation {
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** Adds a message to a channel and tells everybody; returns it as stored. */
  post(channel: Channel, message: NewMessage, beside: Pick<StoredMessage, 'metadata' | 'stream'> = {}): StoredMessage {
    const { storage, messages, timestamps, readMarks, feed } = this.#parts;
    return storage.transaction(() => {
      const ts = timestamps.next();
      const stored: StoredMessage = { channel: channel.id, message: { type: 'message', ts, ...message }, ...beside };
      messages.put(stored);
      const { thread_ts: threadTs, user, bot_id: botId } = stored.message;
      if (threadTs !== undefined && threadTs !== ts) this.#countReply(channel, threadTs, stored.message);
      if (user !== undefined && botId === undefined) readMarks.set(user, channel.id, ts);
      if (botId !== undefined) this.#clearStatus(channel, threadTs);
      feed.publish({ kind: 'message', channel: channel.id, ts });
      for (const event of eventsOfNewMessage(channel, stored)) this.tell(channel, event);
      return stored;
    });
  }

  /** Puts a message in the place of an older version of itself. */
  change(channel: Channel, before: StoredMessage, after: StoredMessage): void {
    const { storage, messages, timestamps, feed } = this.#parts;
    storage.transaction(() => {
      messages.put(after);
      feed.publish({ kind: 'message', channel: channel.id, ts: after.message.ts });
      this.tell(channel, eventOfChange(channel, before, after, timestamps.next()));
    });
  }

  /** Changes what is not content (a reaction, a stream's growth): the pages are told, the app is not. */
  touch(after: StoredMessage): void {
    this.#parts.storage.transaction(() => {
      this.#parts.messages.put(after);
      this.#parts.feed.publish({ kind: 'message', channel: after.channel, ts: after.message.ts });
    });
  }

  /** Deletes a message; the root of a thread leaves a marker in its place, which the app hears of as a change. */
  remove(channel: Channel, stored: StoredMessage): void {
    const { storage, messages, timestamps, feed } = this.#parts;
    storage.transaction(() => {
      const { ts, thread_ts: threadTs, reply_count: replies } = stored.message;
      const hasReplies = threadTs === ts && typeof replies === 'number' && replies > 0;
      const left = hasReplies ? { channel: channel.id, message: tombstone(stored.message) } : undefined;
      if (left) messages.put(left);
      else messages.delete(channel.id, ts);
      if (threadTs !== undefined && threadTs !== ts) this.#uncountReply(channel, threadTs);
      feed.publish({ kind: 'removed', channel: channel.id, ts });
      this.tell(channel, eventOfChange(channel, stored, left, timestamps.next()));
    });
  }

  /** Shows a message to one person alone; returns its timestamp. */
  whisper(channel: Channel, user: string, message: NewMessage): string {
    const { storage, ephemerals, timestamps, feed } = this.#parts;
    return storage.transaction(() => {
      const ts = timestamps.next();
      ephemerals.put({ user, channel: channel.id, message: { type: 'message', ts, is_ephemeral: true, ...message } });
      feed.publish({ kind: 'ephemeral', channel: channel.id, user, ts });
      return ts;
    });
  }

  /** Sends the app an event, if it has subscribed to such events and sits in the channel that the event is about. */
  tell(channel: Channel | undefined, event: JsonObject): void {
    const { directory, deliveries, ids, clock, installation } = this.#parts;
    if (!installation.events.has(subscriptionFor(event))) return;
    if (channel && !directory.appIsIn(channel)) return;
    deliveries.add('events_api', eventCallback(event, ids.hex(10), clock.nowMs()));
  }

  #clearStatus(channel: Channel, threadTs: string | undefined): void {
    if (threadTs === undefined || !this.#parts.statuses.clearLine(channel.id, threadTs)) return;
    this.#parts.feed.publish({ kind: 'status', channel: channel.id, ts: threadTs });
  }

  #countReply(channel: Channel, threadTs: string, reply: SlackMessage): void {
    const root = this.#parts.messages.get(channel.id, threadTs);
    if (!root) return;
    const users = [...new Set([...(root.message.reply_users ?? []), reply.user ?? APP.userId])];
    const count = typeof root.message['reply_count'] === 'number' ? root.message['reply_count'] : 0;
    this.#recount(root, { reply_count: count + 1, reply_users: users, latest_reply: reply.ts });
  }

  #uncountReply(channel: Channel, threadTs: string): void {
    const root = this.#parts.messages.get(channel.id, threadTs);
    if (!root) return;
    const replies = this.#parts.messages.thread(channel.id, threadTs, { oldest: threadTs }, -1).map(one => one.message);
    const users = [...new Set(replies.map(one => one.user ?? APP.userId))];
    this.#recount(root, { reply_count: replies.length, reply_users: users, latest_reply: replies.at(-1)?.ts });
  }

  #recount(
    root: StoredMessage,
    replies: { reply_count: number; reply_users: string[]; latest_reply: string | undefined },
  ): void {
    const { ts } = root.message;
    const counted = { ...replies, reply_users_count: replies.reply_users.length };
    this.#parts.messages.put({ ...root, message: { ...root.message, thread_ts: ts, ...counted } });
    this.#parts.feed.publish({ kind: 'message', channel: root.channel, ts });
  }
}

function tombstone(root: SlackMessage): SlackMessage {
  const { reply_count, reply_users, reply_users_count, latest_reply } = root;
  const kept = { reply_count, reply_users_count, latest_reply, ...(reply_users ? { reply_users } : {}) };
  const words = { subtype: 'tombstone', text: 'This message was deleted.', user: 'USLACKBOT', hidden: true };
  return { type: 'message', ts: root.ts, thread_ts: root.ts, ...words, ...kept };
}
