/**
 * Owns the answers that are read while they grow: at most one stream per run and turn of the model. Decoration: nothing waits
 * for it, nothing fails with it, and nothing of it stands in the log before its message has become the answer.
 *
 * 1. One writer per stream: its calls follow each other, and the text that comes while one is on its way is sent with the
 * next. 2. Every call waits for nothing: what cannot be sent now is sent with what comes later, or not at all. 3. After the
 * answer has taken the message, or what stands there is not the start of the text any more, nothing is appended. 4. A message
 * that no answer took is a stray, and is taken away, also while the model that broke off is asked again; one of which nobody
 * knows whether it stands is looked for.
 */
import { z } from 'zod';
import { threadLog, type MessageTs, type RunId } from '../thread/ids.ts';
import { at, type Thread } from '../thread/thread.ts';
import type { Clock, Place } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';
import { recorded } from './desired.ts';
import { keepLatest } from './latest.ts';
import type { Content } from './message.ts';
import { endStream, update, type Mark, type Written } from './posting.ts';
import type { PacedQueue } from './queue.ts';
import type { Rendering } from './rendering.ts';
import type { Growing } from './views/growing.ts';

/** Text for this long without the end of the turn is likely an answer, and no word before a tool call. */
const LIKELY_MS = 1_000;
/** How long the answer waits for a stream that is just being opened. */
const PATIENCE_MS = 1_500;
/** Slack takes 20 new streams a minute, and as many ends. */
const STARTS = { most: 12, inMs: 60_000 } as const;
/** Logs whose streams are kept in mind. */
const KEPT = 1_000;

/** Answers with which Slack says that there are no streams in this kind of channel, or none for this app. */
const NOT_HERE = new Set(['channel_type_not_supported']);
const NOT_AT_ALL = new Set(['unknown_method', 'missing_scope', 'not_allowed_token_type', 'not_enabled']);

type Where =
  | { readonly is: 'nowhere' }
  | { readonly is: 'starting'; readonly over: Promise<void> }
  | { readonly is: 'there'; readonly place: Place }
  /** The call that opens it had an unknown outcome. */
  | { readonly is: 'lost' };

interface Stream {
  /** Of the answer; empty before anything is shown. */
  key: string;
  readonly run: RunId;
  readonly turn: number;
  readonly sinceMs: number;
  where: Where;
  sent: string;
  grows: boolean;
  isBusy: boolean;
  /** The model broke off: no answer takes it, and what it writes next is another stream. */
  isGivenUp: boolean;
}

export interface StreamParts {
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly queue: PacedQueue;
  readonly growing: Rendering['growing'];
}

const withTs = z.looseObject({ ts: z.string().min(1) });
const nowhere: Where = { is: 'nowhere' };

export class Streams {
  readonly #parts: StreamParts;
  readonly #streams = new Map<string, Stream[]>();
  readonly #plain = new Set<string>();
  readonly #startsMs: number[] = [];
  /** Slack's "too many" for streams closes them only; cards and answers go on. */
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #areThere = true;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Shows what is new of the whole text so far; null: it is given up. Never throws and never waits. */
  write(thread: Thread, id: RunId, text: string | null): void {
    if (text === null) return this.#giveUp(threadLog(thread.key), id);
    const run = at(thread.runs, id);
    if (!run || !this.#areThere || this.#plain.has(thread.key.channel)) return;
    const stream = this.#streamOf(threadLog(thread.key), id, run.turn);
    if (stream.isBusy || !stream.grows || this.#nowMs - stream.sinceMs < LIKELY_MS) return;
    stream.isBusy = true;
    this.#grow(stream, thread, text)
      .catch(() => void (stream.grows = false))
      .finally(() => void (stream.isBusy = false));
  }

  /** Where the stream stands that this answer is to take; from then on nothing is appended. Undefined where there is none. */
  async take(log: string, key: string, signal: AbortSignal): Promise<Place | undefined> {
    const stream = this.#of(log).findLast(
      one => one.key === key && !one.isGivenUp && one.where.is !== 'nowhere' && one.where.is !== 'lost',
    );
    if (!stream) return undefined;
    stream.grows = false;
    if (stream.where.is === 'starting')
      await Promise.race([stream.where.over, this.#parts.clock.sleep(PATIENCE_MS, signal)]);
    return stream.where.is === 'there' ? stream.where.place : undefined;
  }

  /** Ends a stream and makes its message the answer; one that ended by itself, or was stopped, is made the answer as well. */
  async become(place: Place, content: Content, mark: Mark): Promise<Written> {
    const ended = await endStream(this.#parts.api, place, mark);
    return ended.is === 'throttled' ? ended : update(this.#parts.api, place, content, mark);
  }

  /** This message is the answer now, or is gone. */
  settled(log: string, { ts }: Place): void {
    const left = this.#of(log).filter(({ where }) => where.is !== 'there' || where.place.ts !== ts);
    if (left.length > 0) this.#streams.set(log, left);
    else this.#streams.delete(log);
  }

  /** True while something of ours stands, or may come to stand, that is no message of the record. */
  isOpen(log: string): boolean {
    return this.#of(log).some(({ where }) => where.is !== 'nowhere');
  }

  isStarting(log: string): boolean {
    return this.#of(log).some(({ where }) => where.is === 'starting');
  }

  /** True once for each stream of which it is not known whether it stands. */
  tookLost(log: string): boolean {
    const lost = this.#of(log).filter(({ where }) => where.is === 'lost');
    for (const stream of lost) stream.where = nowhere;
    return lost.length > 0;
  }

  /** Where streams of this process stand; a message that is none of them was left by another one. */
  standing(log: string): readonly Place[] {
    return this.#of(log).flatMap(({ where }) => (where.is === 'there' ? [where.place] : []));
  }

  /** Messages that no answer will take: `wanted` are the keys of what should stand. */
  strays(thread: Thread, wanted: ReadonlySet<string>): readonly Place[] {
    const log = threadLog(thread.key);
    const answers = recorded(thread.posts);
    return this.#of(log).flatMap(({ key, run, turn, where, isGivenUp }) => {
      if (where.is !== 'there') return [];
      const answer = answers(key);
      if (answer?.ts === where.place.ts) return [];
      const of = at(thread.runs, run);
      const isWritten = of !== undefined && of.end === null && of.turn === turn;
      return isGivenUp || answer !== undefined || !(wanted.has(key) || isWritten) ? [where.place] : [];
    });
  }

  get #nowMs(): number {
    return this.#parts.clock.monotonicMs();
  }

  #of(log: string): readonly Stream[] {
    return this.#streams.get(log) ?? [];
  }

  #streamOf(log: string, run: RunId, turn: number): Stream {
    const all = this.#of(log);
    const known = all.find(stream => stream.run === run && stream.turn === turn && !stream.isGivenUp);
    if (known) return known;
    const stream: Stream = {
      key: '',
      run,
      turn,
      sinceMs: this.#nowMs,
      where: nowhere,
      sent: '',
      grows: true,
      isBusy: false,
      isGivenUp: false,
    };
    keepLatest(this.#streams, log, [...all.filter(({ where }) => where.is !== 'nowhere'), stream], KEPT);
    return stream;
  }

  #giveUp(log: string, id: RunId): void {
    for (const stream of this.#of(log)) {
      if (stream.run !== id) continue;
      stream.isGivenUp = true;
      stream.grows = false;
    }
  }

  async #grow(stream: Stream, thread: Thread, text: string): Promise<void> {
    const { queue, growing } = this.#parts;
    const shown = growing(thread, stream.run, text);
    if (!shown?.text.startsWith(stream.sent)) stream.grows = false;
    if (!shown || !stream.grows || shown.text === stream.sent || this.#isClosed(stream)) return;
    stream.key = shown.key;
    const turn = await queue.turn(thread.key.channel, 'progress', new AbortController().signal);
    if (turn !== 'go' || !stream.grows) return;
    if (stream.where.is === 'there') return this.#append(stream, stream.where.place, shown.text);
    const over = this.#start(stream, thread, shown);
    stream.where = { is: 'starting', over };
    await over;
  }

  async #start(stream: Stream, thread: Thread, { opening, text }: Growing): Promise<void> {
    const { channel, team, ts: thread_ts } = thread.key;
    const recipient = at(thread.runs, stream.run)?.requesters[0];
    this.#startsMs.push(this.#nowMs);
    const answer = await this.#parts.api('chat.startStream', {
      channel,
      thread_ts,
      markdown_text: `${opening}${text}`,
      ...(channel.startsWith('D') ? {} : { recipient_team_id: team, recipient_user_id: recipient }),
    });
    const ts = answer.is === 'ok' ? withTs.safeParse(answer.data).data?.ts : undefined;
    if (ts !== undefined) {
      stream.where = { is: 'there', place: { channel, ts: ts as MessageTs } };
      stream.sent = text;
      return;
    }
    const isLost = answer.is === 'ok' || answer.is === 'unknown';
    stream.where = isLost ? { is: 'lost' } : nowhere;
    if (answer.is === 'throttled') return this.#closeFor(answer.retryAfterMs);
    stream.grows = false;
    if (answer.is !== 'refused') return;
    if (NOT_HERE.has(answer.code)) this.#plain.add(channel);
    if (NOT_AT_ALL.has(answer.code)) this.#areThere = false;
  }

  async #append(stream: Stream, { channel, ts }: Place, text: string): Promise<void> {
    const markdown_text = text.slice(stream.sent.length);
    const answer = await this.#parts.api('chat.appendStream', { channel, ts, markdown_text });
    if (answer.is === 'ok') stream.sent = text;
    else if (answer.is === 'throttled') this.#closeFor(answer.retryAfterMs);
    // Slack ended it, somebody stopped or deleted it, or nobody knows what stands there: the answer sets it right.
    else stream.grows = false;
  }

  #closeFor(retryAfterMs: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#nowMs + retryAfterMs);
  }

  #isClosed({ where }: Stream): boolean {
    const nowMs = this.#nowMs;
    if (nowMs < this.#closedUntilMs) return true;
    while ((this.#startsMs[0] ?? nowMs) + STARTS.inMs <= nowMs) this.#startsMs.shift();
    return where.is === 'nowhere' && this.#startsMs.length >= STARTS.most;
  }
}
