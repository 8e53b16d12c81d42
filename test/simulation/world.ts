/** Owns one simulated world: what there is, how long it is troubled, and how it comes to rest. */
import { digestOf } from '../../src/thread/digest.ts';
import { isCancel } from '../../src/thread/decide/intake.ts';
import type { Digest } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { Attention } from './attention.ts';
import { Cast } from './cast.ts';
import { Counters } from './counters.ts';
import { calmed, drawKnobs, type Knobs } from './knobs.ts';
import { lookAtSlack } from './last-look.ts';
import { Ledger, type Said } from './ledger.ts';
import { People } from './people.ts';
import type { SimProcess } from './process.ts';
import { Dice } from './random.ts';
import { firstRules, type Rules } from './rules.ts';
import { Scheduler, WORLD, type Owner } from './scheduler.ts';
import { seenIn, type Posting } from './slack.ts';
import { SimTable, type Landed } from './table.ts';
import { Workshop } from './tools.ts';
import { Troubles } from './troubles.ts';
import { Witness } from './witness.ts';

/** 2026-11-30 14:00 UTC, when every world begins. */
const EPOCH_MS = Date.UTC(2026, 10, 30, 14);
/** How long a world has to come to rest. */
const REST_WITHIN_MS = 3 * 3_600_000;

export class World {
  readonly dice: Dice;
  readonly scheduler: Scheduler;
  readonly counters = new Counters();
  readonly cast = new Cast();
  readonly ledger = new Ledger();
  readonly witness: Witness;
  readonly table = new SimTable();
  readonly slack: FakeSlack;
  /** Channels that do not let the app in for now. */
  readonly closed = new Set<string>();
  readonly workshop = new Workshop();
  readonly people: People;
  readonly attention: Attention;
  readonly troubles: Troubles;
  readonly processes: SimProcess[] = [];
  knobs: Knobs;
  rules: Rules = firstRules();
  readonly #answered = new Map<string, number>();
  readonly #postedAtMs = new Map<string, number>();
  readonly #isEverPaused: boolean;
  readonly fresh: () => string;

  constructor(seed: number, trace?: (line: () => string) => void) {
    this.dice = new Dice(seed);
    this.knobs = drawKnobs(this.dice);
    this.#isEverPaused = this.knobs.pauses + this.knobs.spite > 0;
    this.scheduler = new Scheduler(this.dice, trace);
    this.slack = new FakeSlack(() => this.nowMs);
    this.witness = new Witness(this.counters, this.ledger, this.cast);
    this.table.watch(landed => {
      this.scheduler.say(WORLD, () => lineOf(landed));
      this.witness.landed(landed);
    });
    this.people = new People(this);
    this.attention = new Attention(this);
    this.troubles = new Troubles(this);
    const texts = new Dice(seed, 1);
    this.fresh = () => Array.from({ length: 4 }, () => texts.next().toString(36).padStart(7, '0')).join('');
  }

  /** The world's wall clock (epoch ms). */
  get nowMs(): number {
    return EPOCH_MS + this.scheduler.nowMs;
  }

  get isBroken(): boolean {
    return this.counters.broken !== undefined;
  }

  alive(): SimProcess[] {
    return this.processes.filter(process => process.alive);
  }

  policyDigest(rules: Rules): Digest {
    return digestOf(rules.rules);
  }

  /** A step failed that must not fail. */
  fault(owner: Owner, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.counters.holds('chain', false, () => `${owner.name}: ${text}`);
  }

  /** A message comes to stand in Slack: none that its process had seen there, or has to look for, is posted once more. */
  posted(process: SimProcess, { log, key, place, sentAtMs }: Posting): void {
    const standsSinceMs = this.#postedAtMs.get(`${log} ${key}`);
    this.#postedAtMs.set(`${log} ${key}`, standsSinceMs ?? this.scheduler.nowMs);
    if (standsSinceMs === undefined || !log.startsWith('thread#')) return;
    const lookedAtMs = process.looks.get(place) ?? process.bootedAtMs;
    const isSeen = standsSinceMs < lookedAtMs && lookedAtMs < sentAtMs;
    this.counters.holds('budget', !isSeen, () => `${process.name} posts ${key} of ${log} again although it stands`);
  }

  /** A process has learnt that it posted this message. Nobody posts it once more but a process that was paused meanwhile. */
  answered(log: string, key: string): void {
    const times = (this.#answered.get(`${log} ${key}`) ?? 0) + 1;
    this.#answered.set(`${log} ${key}`, times);
    if (log.startsWith('thread#') && !this.#isEverPaused)
      this.counters.holds('budget', times <= 1, () => `${key} of ${log} is posted ${times} times`);
  }

  /** Whether somebody has written to us in this thread before that message. */
  isKnown(said: Said): boolean {
    const messages = Object.values(this.witness.threads.get(said.log)?.messages ?? {});
    return messages.some(other => other.author === said.author && Number(other.ts) < Number(said.ts));
  }

  /**
   * A process said that it has a message, or that it is not for us; `isKnown` is from when it was delivered, `told` when its
   * author was told that it cancels nothing.
   */
  acked(said: Said, taken: boolean, { isKnown, told }: { isKnown: boolean; told: boolean }): void {
    const thread = this.witness.threads.get(said.log);
    const inLog = thread !== undefined && at(thread.messages, said.ts) !== undefined;
    const cancelled =
      isCancel(said.text) &&
      (this.table.landed.get(said.log) ?? []).some(commit =>
        commit.events.some(event => event.type === 'cancel.requested' && event.key === said.ts),
      );
    const forUs = said.mention || isKnown;
    this.counters.holds(
      'inputs',
      inLog || cancelled || (told && isCancel(said.text)) || (!taken && !forUs),
      () => `${said.ts} "${said.text}" was acked and is in no log`,
    );
  }

  /** Lets the world be troubled for its time, and then come to rest. */
  async live(): Promise<void> {
    this.troubles.begin();
    await this.scheduler.run(this.knobs.troubledMs, () => this.isBroken);
    if (this.isBroken) return;
    this.scheduler.say(WORLD, () => 'CALM from here on');
    this.knobs = calmed(this.knobs);
    this.attention.end();
    this.troubles.calm();
    await this.#rest();
  }

  async #rest(): Promise<void> {
    const endMs = this.scheduler.nowMs + REST_WITHIN_MS;
    while (this.scheduler.nowMs < endMs) {
      this.troubles.ensureAlive();
      await this.scheduler.run(this.scheduler.nowMs + 60_000, () => this.isBroken);
      if (this.isBroken) return;
      for (const message of seenIn(this.slack)) this.people.settle(message);
      if (this.#unrest().length > 0) continue;
      await this.#compare();
      return lookAtSlack(this);
    }
    this.counters.holds('settles', false, () => `it does not come to rest: ${this.#unrest().join('; ')}`);
  }

  /** What is not at rest yet. */
  #unrest(): string[] {
    const left: string[] = [];
    for (const [log, thread] of this.witness.threads) {
      if (thread.current !== null) left.push(`${log}: ${thread.current} goes on`);
      if (thread.queue.length > 0) left.push(`${log}: ${thread.queue.length} messages wait`);
      if (thread.lease !== null) left.push(`${log}: the lease is with ${thread.lease.holder}`);
      if (thread.live.length > 0) left.push(`${log}: ${thread.live.join(', ')} may still change`);
    }
    const entries = this.table.entries().length;
    if (entries > 0) left.push(`${entries} entries stand in the index`);
    if (this.alive().length === 0) left.push('no process');
    return left;
  }

  /** What the processes believe, against the log. */
  async #compare(): Promise<void> {
    for (const [log, thread] of this.witness.threads) {
      this.counters.holds('settles', true, () => '');
      for (const process of this.alive()) {
        let known: string | undefined;
        process.worker.inbox.read(thread.key).then(
          own => (known = JSON.stringify(own)),
          (error: unknown) => this.fault(process, error),
        );
        await this.scheduler.run(this.scheduler.nowMs + 60_000, () => known !== undefined || this.isBroken);
        this.counters.holds(
          'fold',
          known === JSON.stringify(thread),
          () => `${process.name} believes something else of ${log}: ${difference(known, JSON.stringify(thread))}`,
        );
      }
      for (const message of Object.values(thread.messages))
        this.counters.holds('inputs', message.run !== null || message.deleted, () => `${message.ts} got into no run`);
    }
  }
}

function lineOf({ key, commit, late }: Landed): string {
  const events = commit.events.map(event => ('how' in event ? `${event.type}=${event.how}` : event.type));
  return `LANDED …${key.slice(-6)} ${commit.number} of ${commit.writer}${late ? ' LATE' : ''}: ${events.join(' ')}`;
}

/** The first place where two texts differ. */
function difference(one: string | undefined, other: string): string {
  if (one === undefined) return 'no answer';
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  return `${one.slice(Math.max(0, from - 120), from + 60)} | ${other.slice(from, from + 60)}`;
}

/** Lives a world through; its counters say what was seen and what did not hold. */
export async function simulate(seed: number, trace?: (line: () => string) => void): Promise<World> {
  const world = new World(seed, trace);
  await world.live();
  return world;
}
