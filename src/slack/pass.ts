/**
 * Owns one pass over the messages of one log: does what `needOf` asks for, one call after the other, and reports what is to
 * be recorded. Never throws for what Slack says.
 *
 * 1. Before a first post, a message of ours with the same key is looked for, unless it is known that nobody can have posted
 * it. 2. Copies beside the recorded message are closed. 3. Nothing is written after the signal.
 */
import { copyKey, type ChannelId } from '../thread/ids.ts';
import { at } from '../thread/thread.ts';
import type { Place, Posted } from '../worker/ports.ts';
import { Copies } from './copies.ts';
import { inOrder, isLive, needOf, openCopies, recorded, type Posts } from './desired.ts';
import { AGAIN_MS, isOver, LOOK_AGAIN_MS, type Job, type Memory, type Step, type PassParts } from './job.ts';
import { showFile } from './files.ts';
import { hashOf } from './links.ts';
import type { Content, Message } from './message.ts';
import { PostRecords, stateOf } from './post-records.ts';
import { ofMark, type FoundMark } from './ours.ts';
import { post, react, STILL_STREAMS, update, type Mark, type Target, type Written } from './posting.ts';

/** How long after its sender gave up a call may still be carried out by Slack. */
export const LATE_MS = 60_000;

/** What becomes of a message when the pass has to leave off: nothing was sent. */
const LEFT_OFF: Written = { is: 'throttled', retryAfterMs: 0 };

export class Pass {
  readonly #parts: PassParts;
  readonly #memory: Memory;
  readonly #job: Job;
  readonly #records: PostRecords;
  readonly #copies: Copies;

  constructor(parts: PassParts, memory: Memory, job: Job) {
    this.#parts = parts;
    this.#memory = memory;
    this.#job = job;
    this.#records = new PostRecords(job.posts, parts.clock);
    this.#copies = new Copies(parts, job, this.#records);
  }

  /** Brings everything in line that can be now; `retryAtMs` is the earliest time at which more can be done. */
  async run(): Promise<{ posted: readonly Posted[]; retryAtMs: number | null }> {
    let retryAtMs: number | null = null;
    const later = (step: Step): void => {
      if (step !== 'done') retryAtMs = Math.min(retryAtMs ?? step.retryAtMs, step.retryAtMs);
    };
    for (const message of inOrder(this.#job.messages)) {
      const target = this.#target(message);
      if (target) this.#memory.places.set(message.key, target);
      later(await this.#bring(message));
    }
    const wanted = new Set(this.#job.messages.map(({ key }) => key));
    for (const [key, untilMs] of this.#memory.unsure) if (!wanted.has(key)) later(await this.#forget(key, untilMs));
    for (const key of this.#memory.places.keys())
      if (!wanted.has(key) && !this.#memory.unsure.has(key)) this.#memory.places.delete(key);
    for (const copy of openCopies(this.#posts))
      if (copy.ts) later(await this.#copies.close(copy.key, { channel: copy.channel, ts: copy.ts }));
    return { posted: this.#records.posted, retryAtMs };
  }

  get #posts(): Posts {
    return this.#records.posts;
  }

  get #isOver(): boolean {
    return isOver(this.#job, this.#parts.clock);
  }

  get #nowMs(): number {
    return this.#parts.clock.nowMs();
  }

  async #bring(message: Message): Promise<Step> {
    const need = needOf(message, this.#posts, this.#nowMs);
    if (need.is === 'none') return this.#makeSure(message);
    if (this.#isOver) return { retryAtMs: this.#nowMs };
    // What seemed lost may be on its way: there is a pause before it is looked for, and posted, again.
    const lost = need.is === 'post' && this.#memory.unsure.has(message.key);
    const pauseMs = 'again' in need && need.again ? AGAIN_MS : lost ? LOOK_AGAIN_MS : 0;
    const triedMs = this.#memory.triedMs.get(message.key) ?? Number.NEGATIVE_INFINITY;
    const waitMs = triedMs + pauseMs - this.#parts.clock.monotonicMs();
    if (waitMs > 0) return { retryAtMs: this.#nowMs + waitMs };
    this.#memory.triedMs.set(message.key, this.#parts.clock.monotonicMs());
    if (need.is === 'react') return this.#react(message);
    if (need.is === 'post') return this.#post(message, need.onlyIfThere);
    return this.#update(message, need.place);
  }

  /** A call that seemed lost may have landed after a later one: what should stand is written again, and copies are closed. */
  async #makeSure(message: Message): Promise<Step> {
    const untilMs = this.#memory.unsure.get(message.key);
    if (untilMs === undefined) return 'done';
    const waitMs = untilMs - this.#parts.clock.monotonicMs();
    if (waitMs > 0 || this.#isOver) return { retryAtMs: this.#nowMs + Math.max(0, waitMs) };
    const place = recorded(this.#posts)(message.key);
    const looked = message.file ? 'done' : await this.#closeLost(message, place);
    if (looked !== 'done') return looked;
    const step = place && !message.file ? await this.#update(message, place) : 'done';
    if (step === 'done') this.#memory.unsure.delete(message.key);
    return step;
  }

  /** What seemed lost and is not wanted any more: once it could land no more, all but what is on record is closed. */
  async #forget(key: string, untilMs: number): Promise<Step> {
    const waitMs = untilMs - this.#parts.clock.monotonicMs();
    if (waitMs > 0 || this.#isOver) return { retryAtMs: this.#nowMs + Math.max(0, waitMs) };
    const target = this.#memory.places.get(key);
    const found = target ? await this.#copies.look(target) : undefined;
    if (found && 'is' in found && found.is !== 'refused') return { retryAtMs: this.#nowMs + LOOK_AGAIN_MS };
    if (target && found && 'marks' in found)
      await this.#copies.closeAll(this.#mark(key), target, found.marks, at(this.#posts, key)?.ts ?? undefined);
    this.#memory.unsure.delete(key);
    return 'done';
  }

  async #react(message: Message): Promise<Step> {
    const { reaction } = message;
    if (!reaction) return 'done';
    const turn = await this.#parts.queue.turn(reaction.channel, message.rank, this.#job.signal);
    if (turn !== 'go') return turn;
    const written = await react(this.#parts.api, reaction);
    if (written.is === 'written')
      return this.#records.record(message, { channel: reaction.channel, ts: written.ts, state: 'reacted' });
    return this.#failed(message, reaction.channel, written);
  }

  async #post(message: Message, onlyIfThere: boolean): Promise<Step> {
    const target = this.#target(message);
    if (!target) return 'done';
    const blocked = await this.#guard(message, target.channel, 'post');
    if (blocked) return blocked;
    const stream = await this.#parts.streams.take(this.#job.log, message.key, this.#job.signal);
    if (stream) return this.#become(message, target, stream);
    if (onlyIfThere || !this.#memory.isNew(message.key) || this.#memory.unsure.has(message.key)) {
      const found = await this.#copies.look(target);
      if ('is' in found && found.is !== 'refused') return this.#wait(message, target.channel, found);
      const step = await this.#adopt(message, target, 'marks' in found ? found.marks : []);
      if (step) return step;
    }
    if (onlyIfThere) return this.#records.record(message, { channel: target.channel, state: 'closed' });
    return this.#postNew(message, target);
  }

  async #postNew(message: Message, target: Target): Promise<Step> {
    const { api, queue } = this.#parts;
    const turn = await queue.turn(target.channel, message.rank, this.#job.signal);
    if (turn !== 'go') return turn;
    if (this.#isOver) return { retryAtMs: this.#nowMs };
    const mark = this.#mark(message.key);
    this.#memory.attempted(message.key);
    const { written, shown } = message.file
      ? {
          written: await showFile(this.#parts, message, message.file, target, this.#job.signal),
          shown: message.content,
        }
      : await this.#sized(message, message.first ?? message.content, content => post(api, target, content, mark));
    if (written.is === 'written')
      return this.#records.record(
        message,
        { channel: target.channel, ts: written.ts, ...stateOf(message, shown, 'posted') },
        shown,
      );
    if (written.is !== 'unknown') return this.#failed(message, target.channel, written);
    this.#memory.unsure.set(message.key, this.#parts.clock.monotonicMs() + LATE_MS);
    this.#copies.lookAgain();
    const found = await this.#copies.look(target);
    const step = 'marks' in found ? await this.#adopt(message, target, found.marks) : undefined;
    return step ?? { retryAtMs: this.#nowMs + LOOK_AGAIN_MS };
  }

  /** The message that could be read while it grew becomes the answer; where it cannot, the answer is posted as any other. */
  async #become(message: Message, target: Target, stream: Place): Promise<Step> {
    const { queue, streams, clock } = this.#parts;
    const turn = await queue.turn(stream.channel, message.rank, this.#job.signal);
    if (turn !== 'go') return turn;
    if (this.#isOver) return { retryAtMs: this.#nowMs };
    this.#memory.attempted(message.key);
    const become = (content: Content): Promise<Written> => streams.become(stream, content, this.#mark(message.key));
    const { written, shown } = await this.#sized(message, message.content, become);
    // Slack's "too many streams" closes no channel for cards.
    if (written.is === 'throttled') return { retryAtMs: this.#nowMs + written.retryAfterMs };
    if (written.is === 'unknown' || (written.is === 'refused' && written.code === STILL_STREAMS)) {
      this.#memory.unsure.set(message.key, clock.monotonicMs() + LATE_MS);
      return { retryAtMs: this.#nowMs + LOOK_AGAIN_MS };
    }
    if (written.is !== 'written') return this.#postNew(message, target);
    streams.settled(this.#job.log, stream);
    return this.#records.record(message, { ...stream, ...stateOf(message, shown, 'posted') }, shown);
  }

  #mark(key: string): Mark {
    return { key, environment: this.#parts.environment, thread: this.#job.log };
  }

  async #update(message: Message, place: Place): Promise<Step> {
    const { api, queue } = this.#parts;
    if (isLive(message.content)) {
      const blocked = await this.#guard(message, place.channel, 'update');
      if (blocked) return blocked;
    }
    if (this.#memory.unsure.has(message.key)) await this.#closeLost(message, place);
    const turn = await queue.turn(place.channel, message.rank, this.#job.signal);
    if (turn !== 'go') return turn;
    if (this.#isOver) return { retryAtMs: this.#nowMs };
    const { written, shown } = await this.#sized(message, message.content, content => update(api, place, content));
    if (written.is === 'gone' && isLive(message.content)) {
      const target = this.#target(message);
      if (target) return this.#postNew(message, target);
    }
    if (written.is === 'unknown') this.#memory.unsure.set(message.key, this.#parts.clock.monotonicMs() + LATE_MS);
    if (written.is !== 'written') return this.#failed(message, place.channel, written);
    return this.#records.record(message, { ...place, ...stateOf(message, shown, 'updated') }, shown);
  }

  /** Sends the content with its links, or the short form where Slack finds it too large. */
  async #sized(message: Message, content: Content, send: (resolved: Content) => Promise<Written>) {
    const resolve = (shown: Content): Promise<Content> => this.#parts.links.resolve(shown, recorded(this.#posts));
    const resolved = await resolve(content);
    if (this.#isOver) return { written: LEFT_OFF, shown: content };
    const written = await send(resolved);
    if (written.is !== 'too_large' || !message.short) return { written, shown: content };
    return { written: await send(await resolve(message.short)), shown: message.short };
  }

  /** Closes copies of a message of which a post had an unknown outcome; says when to come back if Slack cannot be asked. */
  async #closeLost(message: Message, place: Place | undefined): Promise<Step> {
    const target = this.#target(message);
    const found = target ? await this.#copies.look(target) : undefined;
    if (!target || !found) return 'done';
    if (!('marks' in found)) return found.is === 'refused' ? 'done' : this.#wait(message, target.channel, found);
    await this.#copies.closeAll(this.#mark(message.key), target, found.marks, place?.ts);
    return 'done';
  }

  /** Takes the oldest message with this key as ours and closes the others; undefined when there is none. */
  async #adopt(message: Message, target: Target, marks: readonly FoundMark[]) {
    const [first, ...others] = ofMark(marks, this.#mark(message.key)).filter(
      ({ ts }) => at(this.#posts, copyKey(message.key, ts)) === undefined,
    );
    if (!first) return undefined;
    if (message.file) this.#memory.unsure.delete(message.key);
    if (message.file) return this.#records.record(message, { channel: target.channel, ts: first.ts, state: 'found' });
    for (const other of others)
      await this.#copies.close(copyKey(message.key, other.ts), { channel: target.channel, ts: other.ts });
    this.#records.record(message, { channel: target.channel, ts: first.ts, state: 'found' }, null, '');
    return this.#update(message, { channel: target.channel, ts: first.ts });
  }

  /** Refuses to show cards where another organisation can read them. */
  async #guard(message: Message, channel: ChannelId, before: 'post' | 'update'): Promise<Step | undefined> {
    const isCard = message.rank === 'card' || channel !== this.#job.home;
    if (!isCard || channel.startsWith('D')) return undefined;
    const sharing = await this.#parts.channels.sharing(channel, before);
    if (sharing === 'own') return undefined;
    if (sharing === 'shared') return this.#failed(message, channel, { is: 'refused', code: 'channel_shared' });
    return this.#failed(message, channel, sharing);
  }

  #target(message: Message): Target | undefined {
    if ('channel' in message.place) return message.place;
    const parent = recorded(this.#posts)(message.place.under);
    return parent && { channel: parent.channel, threadTs: parent.ts };
  }

  #failed(message: Message, channel: ChannelId, written: Exclude<Written, { is: 'written' }>): Step {
    if (written.is === 'throttled' || written.is === 'unknown') return this.#wait(message, channel, written);
    const code = written.is === 'refused' ? written.code : written.is === 'gone' ? 'message_not_found' : 'too_large';
    const before = at(this.#posts, message.key);
    const hash = hashOf(message.content, recorded(this.#posts));
    const known = before?.state === 'failed' && before.hash === hash && before.code === code;
    if (!known) this.#records.record(message, { channel, state: 'failed', code });
    const need = needOf(message, this.#posts, this.#nowMs);
    return need.is === 'none' ? 'done' : { retryAtMs: this.#nowMs + AGAIN_MS };
  }

  #wait(message: Message, channel: ChannelId, answer: Extract<Written, { is: 'throttled' | 'unknown' }>): Step {
    if (answer.is === 'unknown') return { retryAtMs: this.#nowMs + LOOK_AGAIN_MS };
    return { retryAtMs: this.#parts.queue.throttled(channel, message.rank, answer.retryAfterMs) };
  }
}
