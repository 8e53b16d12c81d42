/**
 * Owns the Home tabs: published when somebody opens theirs, and again when something has changed.
 *
 * 1. At most once in `APART_MS` per person. 2. Who has opened it lately is kept in memory; whoever opens it again gets a
 * fresh one. 3. Cosmetic: a Home that could not be published is tried again at the next change, and nothing fails with it.
 */
import type { HomeView } from '@slack/web-api';
import type { Person } from '../../worker/ports.ts';
import { homeBlocks, closedHome } from '../views/home.ts';
import { encodeOrigin } from './origin.ts';
import type { Parts } from './performing.ts';

/** Slack's rates and people's eyes allow no more. */
const APART_MS = 10_000;
/** What other processes changed is seen by then. */
const ANYHOW_MS = 60_000;
/** For so long after it was opened, Home is kept fresh. */
const FRESH_MS = 30 * 60_000;
const KEPT = 200;

interface Opened {
  readonly by: Person;
  readonly untilMs: number;
  dueAtMs: number;
  publishedAtMs: number;
  shown: string;
}

export class Homes {
  readonly #parts: Parts;
  readonly #opened = new Map<string, Opened>();
  readonly #closing = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Somebody looks at their Home. */
  opened(by: Person): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const known = this.#opened.get(by.user);
    this.#opened.delete(by.user);
    const publishedAtMs = known?.publishedAtMs ?? Number.NEGATIVE_INFINITY;
    const untilMs = nowMs + FRESH_MS;
    const dueAtMs = Math.max(nowMs, publishedAtMs + APART_MS);
    this.#opened.set(by.user, { by, untilMs, dueAtMs, publishedAtMs, shown: known?.shown ?? '' });
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > KEPT && oldest !== undefined) this.#opened.delete(oldest);
    this.#run();
  }

  /** Something has changed in some thread. */
  changed(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    for (const one of this.#opened.values())
      one.dueAtMs = Math.min(one.dueAtMs, Math.max(nowMs, one.publishedAtMs + APART_MS));
    if (this.#opened.size > 0) this.#run();
  }

  /** Publishes nothing more; resolves when what was begun is over. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake.abort();
    await this.#running;
  }

  #run(): void {
    this.#wake.abort();
    if (this.#closing.signal.aborted) return;
    this.#running ??= this.#loop();
  }

  async #loop(): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      this.#wake = new AbortController();
      const nowMs = clock.monotonicMs();
      for (const [user, one] of this.#opened) if (one.untilMs <= nowMs) this.#opened.delete(user);
      const due = [...this.#opened.values()].filter(one => one.dueAtMs <= nowMs);
      for (const one of due) {
        one.publishedAtMs = nowMs;
        one.dueAtMs = nowMs + ANYHOW_MS;
        if (!this.#closing.signal.aborted) await this.#publish(one);
      }
      if (this.#closing.signal.aborted || this.#opened.size === 0) {
        this.#running = null;
        return;
      }
      if (due.length > 0) continue;
      const nextMs = Math.min(...[...this.#opened.values()].map(one => one.dueAtMs));
      await clock.sleep(nextMs - nowMs, this.#wake.signal);
    }
  }

  async #publish(one: Opened): Promise<void> {
    const { api } = this.#parts;
    try {
      const view = await this.#view(one.by);
      const text = JSON.stringify(view);
      if (text === one.shown) return;
      const answer = await api('views.publish', { user_id: one.by.user, view });
      one.shown = answer.is === 'ok' ? text : '';
    } catch {
      one.shown = '';
    }
  }

  async #view(by: Person): Promise<HomeView> {
    const { inbox, context, address, environment, standingOf } = this.#parts;
    const standing = await standingOf(by.user);
    const isClosed = standing !== 'member' && standing !== 'unknown';
    const blocks = isClosed ? closedHome(context) : homeBlocks(await inbox.overview(by), context, address);
    const origin = { environment, value: '', place: null, threadTs: null, carried: '' };
    return { type: 'home', blocks, private_metadata: encodeOrigin(origin) };
  }
}
