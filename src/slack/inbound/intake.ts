/**
 * Owns the way of a message into the log, which ends before Slack gets its acknowledgement: if it is not in the log when
 * `take` resolves, `take` throws, nothing is acknowledged, and Slack sends it again.
 *
 * 1. The same message (team, channel, ts) is taken once, however often and as whatever event it comes; retry headers decide
 * nothing. 2. A message that the thread does not listen to may still come as a mention, which counts. 3. Text is
 * never a decision; what reads like one, under a card, is answered privately, once per person and card, unless a question waits
 * there for whoever wrote it. 4. What a person
 * changes or takes back, and Slack's own Stop, go the same way: in the log before they are acknowledged.
 */
import type { ChannelId, MessageTs, TeamId } from '../../thread/ids.ts';
import { answerableBy } from '../../thread/decide/answer.ts';
import { LogDamaged, type Answer, type Clock, type Inbox } from '../../worker/ports.ts';
import { readEvent, readMessageEvent, type EventBody, type TakenMessage } from './bodies.ts';
import { readChange, readLost, readStop, type Change } from './changes.ts';
import { readsLikeDecision } from './readable.ts';

export interface IntakeOptions {
  readonly team: TeamId;
  readonly self: { readonly user: string };
  readonly inbox: Pick<Inbox, 'receive' | 'amend' | 'remove' | 'lost' | 'stopThread' | 'read'>;
  readonly clock: Clock;
  /** A person's name for display; empty when it could not be learnt. */
  readonly nameOf: (user: TakenMessage['message']['author']) => Promise<string>;
  /** True when the message at this place carries buttons of ours. */
  readonly isCard: (place: { readonly channel: ChannelId; readonly ts: MessageTs }) => Promise<boolean>;
  /** Tells somebody privately, in the thread of a card, that only buttons decide. */
  readonly hint: (to: TakenMessage) => void;
  /** Tells somebody privately why what their message asked for was not carried out. */
  readonly refused: (to: TakenMessage, answer: Answer) => void;
}

/** A name that takes longer than this is left out; Slack waits 3 s for the acknowledgement. */
const NAME_MS = 700;
const KEPT = 5_000;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #taken = new Map<string, Promise<boolean>>();
  readonly #hinted = new Set<string>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Takes or drops one delivery. Throws when the log did not take it. */
  async take(body: unknown): Promise<void> {
    const delivery = readEvent(body);
    if (delivery) await this.#event(delivery);
  }

  async #event({ team, event }: EventBody): Promise<void> {
    if (team !== null && team !== this.#options.team) return;
    const change = readChange(event, this.#options.team, this.#options.self);
    if (change) return this.#change(change);
    const lost = readLost(event, this.#options.team, this.#options.self);
    if (lost) return void (await this.#options.inbox.lost(lost.thread, lost.place));
    const stop = readStop(event, this.#options.team);
    if (stop) {
      await this.#options.inbox.stopThread(stop.thread, { user: stop.by, team: this.#options.team }, stop.key);
      return;
    }
    const taken = readMessageEvent(event, this.#options.team, this.#options.self);
    if (!taken) return;
    const { message, thread } = taken;
    const isReply = thread.ts !== message.ts;
    if (!isReply && !message.mention && !message.direct) return;
    const key = `${thread.team}/${message.channel}/${message.ts}`;
    for (let before = this.#taken.get(key); before; before = this.#taken.get(key)) {
      if ((await before) || !message.mention) return;
      if (this.#taken.get(key) === before) break;
    }
    const receiving = this.#receive(taken, isReply);
    this.#keep(key, receiving);
    try {
      await receiving;
    } catch (error) {
      if (this.#taken.get(key) === receiving) this.#taken.delete(key);
      throw error;
    }
  }

  /** A message that is still on its way into the log is waited for: its change must not come first. */
  async #change(change: Change): Promise<void> {
    const { inbox } = this.#options;
    const { thread } = change;
    const ts = change.is === 'edited' ? change.message.ts : change.ts;
    await this.#taken.get(`${thread.team}/${thread.channel}/${ts}`);
    if (change.is === 'edited') await inbox.amend(thread, change.message);
    else await inbox.remove(thread, ts);
  }

  async #receive(taken: TakenMessage, isReply: boolean): Promise<boolean> {
    const { message, thread } = taken;
    const decisive = isReply && readsLikeDecision(taken.raw);
    if (
      decisive &&
      (await this.#options.isCard({ channel: thread.channel, ts: thread.ts })) &&
      !(await this.#isAsked(taken))
    ) {
      const known = `${thread.channel}/${thread.ts}/${message.author}`;
      if (!this.#hinted.has(known)) {
        if (this.#hinted.size >= KEPT) this.#hinted.clear();
        this.#hinted.add(known);
        this.#options.hint(taken);
      }
      return true;
    }
    const named = { ...message, name: await this.#name(message.author) };
    return this.#options.inbox.receive(thread, named, answer => this.#options.refused(taken, answer));
  }

  /** True when a question waits in the thread that this message may answer. */
  async #isAsked({ thread, message }: TakenMessage): Promise<boolean> {
    const { inbox, clock } = this.#options;
    try {
      return answerableBy(await inbox.read(thread), message.author, clock.nowMs()).length > 0;
    } catch (error) {
      if (error instanceof LogDamaged) return false;
      throw error;
    }
  }

  async #name(author: TakenMessage['message']['author']): Promise<string> {
    const patience = new AbortController();
    try {
      return await Promise.race([
        this.#options.nameOf(author),
        this.#options.clock.sleep(NAME_MS, patience.signal).then(() => ''),
      ]);
    } finally {
      patience.abort();
    }
  }

  #keep(key: string, receiving: Promise<boolean>): void {
    const [oldest] = this.#taken.keys();
    if (this.#taken.size >= KEPT && oldest !== undefined) this.#taken.delete(oldest);
    this.#taken.set(key, receiving);
  }
}
