/** Owns what a log knows of its posted messages: the latest record of each key. */
import type { EventOf } from './events.ts';
import type { ChannelId, MessageTs } from './ids.ts';

/** What is known of a posted message. */
export interface Post {
  readonly key: string;
  readonly channel: ChannelId;
  readonly ts: MessageTs | null;
  readonly hash: string;
  readonly state: EventOf<'message.posted'>['state'];
  readonly code: string | null;
  readonly atMs: number;
}

/** Puts a record in place of the earlier one of its key; an address that is not repeated stays. */
export function recordPost(posts: Record<string, Post>, event: EventOf<'message.posted'>): void {
  const earlier = Object.hasOwn(posts, event.key) ? posts[event.key] : undefined;
  posts[event.key] = {
    key: event.key,
    channel: event.channel,
    ts: event.ts ?? earlier?.ts ?? null,
    hash: event.hash,
    state: event.state,
    code: event.code ?? null,
    atMs: event.atMs,
  };
}
