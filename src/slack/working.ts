/**
 * Owns Slack's "is working" line under a thread. Cosmetic: nothing waits for it and nothing fails with it.
 *
 * 1. The calls of one thread follow each other, so that a line is never shown after it was cleared. 2. Slack forgets it after
 * two minutes and at each post.
 */
import type { Clock } from '../worker/ports.ts';
import { threadLog } from '../thread/ids.ts';
import type { Thread } from '../thread/thread.ts';
import type { SlackApi } from './api.ts';

const FORGOTTEN_MS = 100_000;
const KEPT = 1_000;

interface Shown {
  text: string;
  atMs: number;
  turn: Promise<unknown>;
}

export class WorkingStatus {
  readonly #api: SlackApi;
  readonly #clock: Clock;
  readonly #shown = new Map<string, Shown>();

  constructor(api: SlackApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Shows `text` under the thread; the empty text clears it. */
  show(thread: Thread, text: string): void {
    const name = threadLog(thread.key);
    const nowMs = this.#clock.monotonicMs();
    const shown = this.#shown.get(name);
    const stands = shown !== undefined && nowMs - shown.atMs < FORGOTTEN_MS ? shown.text : '';
    if (stands === text) return;
    const { channel, ts } = thread.key;
    const call = (): Promise<unknown> =>
      this.#api('assistant.threads.setStatus', { channel_id: channel, thread_ts: ts, status: text });
    this.#shown.delete(name);
    this.#shown.set(name, { text, atMs: nowMs, turn: (shown?.turn ?? Promise.resolve()).then(call) });
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > KEPT && oldest !== undefined) this.#shown.delete(oldest);
  }

  /** A post in the thread has cleared the line. */
  posted(thread: Thread): void {
    const shown = this.#shown.get(threadLog(thread.key));
    if (shown) shown.text = '';
  }
}
