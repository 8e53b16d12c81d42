/**
 * Owns the order in which messages stand on screen: a divider over each day, a mark where the unread ones begin, and
 * messages of one author within five minutes under one name.
 */
import { type Reader, sameDay, tsToMs } from './dates.ts';

/** What arranging needs to know of a message. */
export interface Arrangeable {
  ts: string;
  user?: string;
  bot_id?: string;
  subtype?: string;
  thread_ts?: string;
  blocks?: readonly unknown[];
}

/** One row: a day's divider, the unread mark, or a message (`grouped`: under the name of the one before). */
export type Row<M> =
  { kind: 'day'; ms: number } | { kind: 'unread' } | { kind: 'message'; message: M; grouped: boolean };

const GROUP_MS = 5 * 60_000;

/** Arranges messages that are sorted by ts; the unread mark stands before the message with the ts `unreadFrom`. */
export function arrange<M extends Arrangeable>(
  messages: readonly M[],
  unreadFrom: string | undefined,
  reader: Reader,
): Row<M>[] {
  const rows: Row<M>[] = [];
  let before: M | undefined;
  for (const message of messages) {
    const ms = tsToMs(message.ts);
    const newDay = before === undefined || !sameDay(tsToMs(before.ts), ms, reader);
    if (newDay) rows.push({ kind: 'day', ms });
    if (message.ts === unreadFrom) rows.push({ kind: 'unread' });
    const grouped = !newDay && message.ts !== unreadFrom && before !== undefined && continues(before, message);
    rows.push({ kind: 'message', message, grouped });
    before = message;
  }
  return rows;
}

/** The channel's own messages: roots, and replies that were also sent to the channel. */
export function topLevel<M extends Arrangeable>(messages: readonly M[]): M[] {
  return inOrder(
    messages.filter(({ ts, thread_ts, subtype }) => (thread_ts ?? ts) === ts || subtype === 'thread_broadcast'),
  );
}

/** Messages sorted by ts, the oldest first. */
export function inOrder<M extends { ts: string }>(messages: readonly M[]): M[] {
  return [...messages].sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
}

/** The ts from which on messages are unread, when the last `unread` ones of other people are. */
export function firstUnread(messages: readonly Arrangeable[], unread: number, me: string): string | undefined {
  return unread > 0
    ? topLevel(messages)
        .filter(message => message.user !== me)
        .slice(-unread)[0]?.ts
    : undefined;
}

/** Cards always stand under a name of their own, so that an approver sees at once who asks. */
function continues(before: Arrangeable, message: Arrangeable): boolean {
  const isCard = (message.blocks?.length ?? 0) > 1 || (before.blocks?.length ?? 0) > 1;
  const sameAuthor = before.user === message.user && before.bot_id === message.bot_id;
  return (
    sameAuthor && !isCard && before.subtype === message.subtype && tsToMs(message.ts) - tsToMs(before.ts) < GROUP_MS
  );
}
