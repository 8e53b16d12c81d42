/** The messages of all channels, by channel and thread. Stores and finds them; what follows from one is decided in `conversation.ts`. */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { parse } from './storage.ts';
import type { Storage } from './storage.ts';

/** A message before it has its timestamp. */
export interface NewMessage extends JsonObject {
  readonly text: string;
  readonly subtype?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly thread_ts?: string;
  readonly blocks?: readonly JsonObject[];
}

/** A message as Slack returns it. */
export interface SlackMessage extends NewMessage {
  readonly type: 'message';
  readonly ts: string;
  readonly reply_users?: readonly string[];
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[]; readonly count: number }[];
}

/** A message with what Slack keeps beside it: metadata (only shown when asked for) and the state of its stream. */
export interface StoredMessage {
  readonly channel: string;
  readonly message: SlackMessage;
  readonly metadata?: JsonObject;
  readonly stream?: { readonly startedAtMs: number; readonly state: 'in_progress' | 'completed' };
}

/** Timestamps between which to look; `inclusive` counts the bounds in. */
export interface TimeWindow {
  readonly oldest?: string;
  readonly latest?: string;
  readonly inclusive?: boolean;
}

const FIRST = '0000000000.000000';
const LAST = '9999999999.999999';

export class Messages {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(channel: string, ts: string): StoredMessage | undefined {
    return this.#read('SELECT json FROM message WHERE channel = ? AND ts = ?', channel, ts)[0];
  }

  put(stored: StoredMessage): void {
    const { ts, thread_ts: threadTs, subtype, user } = stored.message;
    const top = threadTs === undefined || threadTs === ts || subtype === 'thread_broadcast' ? 1 : 0;
    const sql = 'INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?)';
    this.#storage.run(sql, stored.channel, ts, threadTs ?? ts, top, user ?? '', JSON.stringify(stored));
  }

  delete(channel: string, ts: string): void {
    this.#storage.run('DELETE FROM message WHERE channel = ? AND ts = ?', channel, ts);
  }

  /** The channel's own messages (no replies, except those also sent to the channel), newest first. */
  top(channel: string, window: TimeWindow, limit: number): StoredMessage[] {
    const { from, to } = bounds(window);
    const sql = 'SELECT json FROM message WHERE channel = ? AND top = 1 AND ts > ? AND ts < ? ORDER BY ts DESC LIMIT ?';
    return this.#read(sql, channel, from, to, limit);
  }

  /** A thread's root and replies, oldest first. */
  thread(channel: string, threadTs: string, window: TimeWindow, limit: number): StoredMessage[] {
    const { from, to } = bounds(window);
    const sql =
      'SELECT json FROM message WHERE channel = ? AND thread_ts = ? AND ts > ? AND ts < ? ORDER BY ts LIMIT ?';
    return this.#read(sql, channel, threadTs, from, to, limit);
  }

  /** How many of the channel's own messages after `ts` were written by somebody else. */
  countUnread(channel: string, user: string, ts: string): number {
    const sql = 'SELECT count(*) AS n FROM message WHERE channel = ? AND top = 1 AND ts > ? AND author <> ?';
    return Number(this.#storage.rows(sql, channel, ts, user)[0]?.['n'] ?? 0);
  }

  /** Says whether a message is a stream that still grows; one dies by itself after five minutes. */
  isStreaming({ stream }: StoredMessage, nowMs: number): boolean {
    return stream?.state === 'in_progress' && nowMs - stream.startedAtMs <= limits.stream.livesMs;
  }

  /** The newest timestamp in the channel, replies included. */
  lastTs(channel: string): string | undefined {
    const row = this.#storage.rows('SELECT max(ts) AS ts FROM message WHERE channel = ?', channel)[0];
    return typeof row?.['ts'] === 'string' ? row['ts'] : undefined;
  }

  #read(sql: string, ...values: (string | number)[]): StoredMessage[] {
    return this.#storage.rows(sql, ...values).flatMap(row => parse<StoredMessage>(row['json']) ?? []);
  }
}

/** Turns a window into bounds that are both exclusive: as strings, `….00010` stands before `….000100`, and `….000100~` after it. */
function bounds(window: TimeWindow): { from: string; to: string } {
  const from = window.oldest === undefined ? FIRST : pad(window.oldest);
  const to = window.latest === undefined ? LAST : pad(window.latest);
  return window.inclusive ? { from: from.slice(0, -1), to: `${to}~` } : { from, to };
}

function pad(ts: string): string {
  const [seconds = '0', micros = ''] = ts.split('.');
  return `${seconds.padStart(10, '0')}.${micros.padEnd(6, '0')}`;
}
