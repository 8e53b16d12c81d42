/** Owns what a log knows of its posted messages: the latest record of each key. */
import type { EventOf } from './events.ts';
import { isCopyKey, type ChannelId, type MessageTs } from './ids.ts';

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

/** Which copies still look alive, by their keys, once a record is taken in. */
export function copiesAfter(copies: string[], { key, state }: EventOf<'message.posted'>): string[] {
  if (!isCopyKey(key)) return copies;
  const others = copies.filter(other => other !== key);
  return state === 'found' ? [...others, key] : others;
}

/** Puts a record in place of the earlier one of its key; an address that is not repeated stays. */
export function recordPost(posts: Record<string, Post>, event: Omit<EventOf<'message.posted'>, 'type'>): void {
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
