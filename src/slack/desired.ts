/**
 * Owns the comparison of what should stand in Slack with what is on record: pure, no call, no memory.
 *
 * 1. A message is in line when the record has its hash. 2. What was refused is tried again as long as somebody waits for it,
 * else for an hour; not where the message is gone or closed to us, which breaks nothing. 3. Copies that nobody recorded
 * stand in the record under `<key>~<ts>`: `found` until they are closed.
 */
import type { KnownBlock } from '@slack/web-api';
import { isCopyKey } from '../thread/ids.ts';
import { at, type Post } from '../thread/thread.ts';
import type { Place } from '../worker/ports.ts';
import { hashOf, type Whereabouts } from './links.ts';
import type { Content, Message } from './message.ts';
import type { Written } from './posting.ts';

/** What is on record of one log's messages. */
export type Posts = Record<string, Post>;

export type Need =
  | { readonly is: 'none' }
  | { readonly is: 'react' }
  /** Nothing stands yet. `again`: it was refused before. `onlyIfThere`: only a lost copy would have to be changed. */
  | { readonly is: 'post'; readonly again: boolean; readonly onlyIfThere: boolean }
  | { readonly is: 'update'; readonly place: Place; readonly again: boolean };

const none: Need = { is: 'none' };

/** How long a refused message that nobody decides on is tried again. */
export const GIVE_UP_MS = 60 * 60_000;
/** Refusals of an update that never end: the message is gone, closed to us, or cannot be shown. */
const FINAL = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'too_large']);

/** True when no later update of a message can do better than this outcome of one. */
export const isFinal = (written: Written): boolean =>
  written.is === 'written' || written.is === 'gone' || (written.is === 'refused' && FINAL.has(written.code));

/** Where a message stands according to the record. */
export const recorded =
  (posts: Posts): Whereabouts =>
  key => {
    const post = at(posts, key);
    return post?.ts ? { channel: post.channel, ts: post.ts } : undefined;
  };

/** True while people can act on it. */
export const isLive = (content: Content): boolean =>
  content.blocks.some((block: KnownBlock) => block.type === 'actions');

const isWorthwhile = (message: Message, refused: Post, nowMs: number): boolean =>
  message.file !== undefined || isLive(message.content) || nowMs - refused.atMs < GIVE_UP_MS;

/** What has to be done for a message to be in line. */
export function needOf(message: Message, posts: Posts, nowMs: number): Need {
  const post = at(posts, message.key);
  const where = recorded(posts);
  if (message.reaction) return post?.state === 'reacted' || post?.state === 'failed' ? none : { is: 'react' };
  if ('under' in message.place && !where(message.place.under)) return none;
  const place = where(message.key);
  // A file stays as it was posted: another content has another key.
  if (message.file && place) return none;
  const inLine = post?.hash === hashOf(message.content, where);
  const failed = post?.state === 'failed';
  if (place) {
    if (!inLine) return { is: 'update', place, again: false };
    const again = failed && !FINAL.has(post.code ?? '') && isWorthwhile(message, post, nowMs);
    return again ? { is: 'update', place, again } : none;
  }
  const onlyIfThere = message.evidence && !isLive(message.content);
  if (!post || !inLine)
    return onlyIfThere && post?.state === 'closed' ? none : { is: 'post', again: false, onlyIfThere };
  if (post.state === 'closed' || onlyIfThere) return none;
  return isWorthwhile(message, post, nowMs) ? { is: 'post', again: true, onlyIfThere } : none;
}

/** Copies that still look alive. */
export const openCopies = (posts: Posts): Post[] =>
  Object.values(posts).filter(post => isCopyKey(post.key) && post.state === 'found');

const ORDER: Readonly<Record<Message['rank'], number>> = { card: 0, final: 1, progress: 2 };

/** Cards and decisions first, then finals, then progress; otherwise in the order of the rendering. */
export const inOrder = (messages: readonly Message[]): Message[] =>
  messages.toSorted((a, b) => ORDER[a.rank] - ORDER[b.rank]);
