/**
 * Owns one simulated world: what there is, what happens to it while it is troubled, and how it comes to rest.
 */
import { digestOf } from '../../src/thread/digest.ts';
import { isCancel } from '../../src/thread/decide/intake.ts';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import {
  workspaceLog,
  type ChannelId,
  type Digest,
  type MessageTs,
  type ThreadKey,
  type UserId,
  type WriterId,
} from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { ANA, Cast, DANA, LEO, MIA, TEAM } from './cast.ts';
import { Counters } from './counters.ts';
import { calmed, drawKnobs, type Knobs } from './knobs.ts';
import { Ledger, type Said } from './ledger.ts';
import { author, People, visitor } from './people.ts';
import { SimProcess } from './process.ts';
import { Dice } from './random.ts';
import { APPROVALS, changedRules, firstRules, type Rules } from './rules.ts';
import { Scheduler, WORLD, type Owner } from './scheduler.ts';
import { seenIn } from './slack.ts';
import { SimTable } from './table.ts';
import { Workshop } from './tools.ts';
import { Witness } from './witness.ts';

/** 2026-11-30 14:00 UTC, when every world begins. */
const EPOCH_MS = Date.UTC(2026, 10, 30, 14);
const CHANNEL = 'C0GENERAL' as ChannelId;

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
  readonly processes: SimProcess[] = [];
  readonly threads: ThreadKey[] = [];
  knobs: Knobs;
  rules: Rules = firstRules();
  readonly fresh: () => string;
  readonly #boots = new Map<string, number>();
  #troubled = true;

  constructor(seed: number, trace?: (line: () => string) => void) {
    this.dice = new Dice(seed);
    this.knobs = drawKnobs(this.dice);
    this.scheduler = new Scheduler(this.dice, trace);
    this.slack = new FakeSlack(() => this.nowMs);
    this.witness = new Witness(this.counters, this.ledger, this.cast);
    this.table.watch(landed => {
      this.scheduler.say(WORLD, () => {
        const { commit, late } = landed;
        const events = commit.events.map(event => ('how' in event ? `${event.type}=${event.how}` : event.type));
        return `LANDED …${landed.key.slice(-6)} ${commit.number} of ${commit.writer}${late ? ' LATE' : ''}: ${events.join(' ')}`;
      });
      this.witness.landed(landed);
    });
    this.people = new People(this);
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

  policyDigest(rules: Rules): Digest {
    return digestOf(rules.rules);
  }

  /** A step failed that must not fail. */
  fault(owner: Owner, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.counters.holds('chain', false, () => `${owner.name}: ${text}`);
  }

  /** Whether somebody has written to us in this thread before. */
  isKnown(said: Said): boolean {
    const messages = Object.values(this.witness.threads.get(said.log)?.messages ?? {});
    return messages.some(other => other.author === said.author);
  }

  /** A process said that it has a message, or that it is not for us; `isKnown` is from when it was delivered. */
  acked(said: Said, taken: boolean, isKnown: boolean): void {
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
      inLog || cancelled || (!taken && !forUs),
      () => `${said.ts} "${said.text}" was acked and is in no log`,
    );
  }

  /** Lets the world be troubled for its time, and then come to rest. */
  async live(): Promise<void> {
    for (let node = 1; node <= this.knobs.nodes; node += 1) this.#boot(`n${node}`);
    this.#plan();
    await this.scheduler.run(this.knobs.troubledMs, () => this.isBroken);
    if (this.isBroken) return;
    this.#calm();
    await this.#rest();
  }

  #boot(node: string): void {
    const boot = (this.#boots.get(node) ?? 0) + 1;
    this.#boots.set(node, boot);
    const process = new SimProcess(this, node, boot);
    this.processes.push(process);
    this.scheduler.say(process, () => 'BOOT');
    process.start();
  }

  #plan(): void {
    const { dice, scheduler, knobs } = this;
    const sometime = (what: string, run: () => void): void =>
      void scheduler.after(WORLD, dice.between(0, knobs.troubledMs), what, run);
    for (let thread = 0; thread < knobs.threads; thread += 1) this.#conversation();
    for (let look = 0; look < knobs.looks; look += 1) sometime('look', () => this.people.look(visitor(this)));
    for (let crash = 0; crash < knobs.crashes; crash += 1) sometime('crash', () => this.#crash());
    for (let stop = 0; stop < knobs.stops; stop += 1) sometime('stop', () => this.#stop());
    for (let pause = 0; pause < knobs.pauses; pause += 1) sometime('pause', () => this.#pause());
    for (let freeze = 0; freeze < knobs.freezes; freeze += 1) sometime('freeze', () => this.#freeze());
    for (let change = 0; change < knobs.changes; change += 1) sometime('change', () => this.#change());
  }

  #conversation(): void {
    const { dice, scheduler, knobs, people } = this;
    scheduler.after(WORLD, dice.spread(10_000), 'thread begins', () => {
      const who = author(this);
      const ts = this.#written(who, 'run it');
      const key: ThreadKey = { team: TEAM, channel: CHANNEL, ts };
      this.threads.push(key);
      people.say(key, ts, who, 'run it', true);
      for (let message = 1; message < knobs.messages; message += 1)
        scheduler.after(WORLD, dice.between(0, knobs.troubledMs), 'writes', () => {
          const text = dice.weighed({ 'and this': 6, cancel: 1, 'Stop!': 1 });
          const other = author(this);
          people.say(key, this.#written(other, text, ts), other, text, dice.chance(0.7));
        });
    });
  }

  /** A person's message in Slack. */
  #written(user: UserId, text: string, root?: MessageTs): MessageTs {
    const message = this.slack.add({ channel: CHANNEL, user, text, ...(root ? { thread_ts: root } : {}) });
    return message.ts as MessageTs;
  }

  #alive(): SimProcess[] {
    return this.processes.filter(process => process.alive);
  }

  #crash(): void {
    const process = this.dice.pick(this.#alive());
    if (!process) return;
    this.counters.saw('crash');
    process.crash();
    this.#bootLater(process.node);
  }

  #bootLater(node: string): void {
    this.scheduler.after(WORLD, this.dice.spread(this.#troubled ? 180_000 : 1_000), `${node} boots`, () => {
      if (!this.#alive().some(other => other.node === node)) this.#boot(node);
    });
  }

  #stop(): void {
    const process = this.dice.pick(this.#alive().filter(other => !other.isStopping));
    if (!process) return;
    process.stop(() => {
      this.scheduler.say(process, () => 'EXIT 0');
      this.counters.saw('stopped');
      process.alive = false;
      this.scheduler.drop(process);
      this.#bootLater(process.node);
    });
  }

  #pause(): void {
    const process = this.dice.pick(this.#alive());
    if (!process) return;
    const forMs = this.dice.chance(0.3) ? this.dice.between(320_000, 500_000) : this.dice.spread(20_000);
    if (forMs > 310_000) this.counters.saw('paused longer than its lease');
    process.pause(forMs);
  }

  #freeze(): void {
    this.#workspaceEvent({ type: 'freeze.set', by: ANA, body: { why: 'bad deploy', name: 'Ana' } });
    this.scheduler.after(WORLD, this.dice.spread(300_000), 'thaw', () => this.#thaw());
  }

  #thaw(): void {
    if (this.witness.workspace.frozen !== null)
      this.#workspaceEvent({ type: 'freeze.cleared', by: ANA, body: { name: 'Ana' } });
  }

  /** A person's act on the workspace, in the log at once. */
  #workspaceEvent(event: WorkspaceEvent): void {
    const key = workspaceLog(TEAM);
    const land = async (): Promise<void> => {
      const log = this.table.writer('person/1' as WriterId, this.nowMs, this.fresh);
      const result = await log.append(key, this.witness.workspace.head, [event]);
      if ('won' in result)
        this.table.land(
          { key, commit: result.won, askedAtMs: this.scheduler.nowMs, late: false },
          this.scheduler.nowMs,
        );
    };
    land().catch((error: unknown) => this.fault(WORLD, error));
  }

  #change(): void {
    const { dice, cast, workshop } = this;
    const tool = dice.pick(['run', 'drop', 'mail', 'self', 'late', 'again', 'poke'] as const);
    const person = dice.pick([MIA, LEO, LEO, DANA] as const);
    const what = dice.weighed({ facts: 4, group: 4, account: 1, rules: 4, arguments: 1, channel: 1 });
    this.counters.saw(`change of ${what}`);
    this.scheduler.say(WORLD, () => `CHANGE of ${what} (${tool}, ${person})`);
    switch (what) {
      case 'facts':
        workshop.facts[tool] = (workshop.facts[tool] ?? 1) + 1;
        return;
      case 'group':
        return cast.toggleGroup(person, dice.pick(['sre', 'leads'] as const), this.nowMs);
      case 'account':
        return cast.toggleAccount(person, this.nowMs);
      case 'rules':
        this.rules = changedRules(dice, this.rules);
        if (dice.chance(0.5)) this.#stop();
        return;
      case 'arguments':
        workshop.refusing.add(tool);
        return;
      case 'channel':
        this.closed.add(APPROVALS);
        this.scheduler.after(WORLD, dice.spread(300_000), 'channel opens', () => this.closed.delete(APPROVALS));
        return;
    }
  }

  /** The end of all troubles. */
  #calm(): void {
    this.scheduler.say(WORLD, () => 'CALM from here on');
    this.#troubled = false;
    this.knobs = calmed(this.knobs);
    this.closed.clear();
    this.cast.restore(this.nowMs);
    this.#thaw();
    for (const process of this.#alive()) process.pausedUntilMs = 0;
  }

  async #rest(): Promise<void> {
    const endMs = this.scheduler.nowMs + 3 * 3_600_000;
    while (this.scheduler.nowMs < endMs) {
      const nodes = new Set(this.#alive().map(process => process.node));
      if (nodes.size === 0) this.#bootLater('n1');
      await this.scheduler.run(this.scheduler.nowMs + 60_000, () => this.isBroken);
      if (this.isBroken) return;
      this.#settleDoubts();
      if (this.#isAtRest()) return this.#compare();
    }
    this.counters.holds('settles', false, () => `it does not come to rest: ${this.#unrest().join('; ')}`);
  }

  /** An honest person says what became of everything that is in doubt. */
  #settleDoubts(): void {
    for (const message of seenIn(this.slack)) this.people.settle(message);
  }

  #isAtRest(): boolean {
    return this.#unrest().length === 0;
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
    if (this.#alive().length === 0) left.push('no process');
    return left;
  }

  /** What the processes believe, against the log. */
  async #compare(): Promise<void> {
    for (const [log, thread] of this.witness.threads) {
      this.counters.holds('settles', true, () => '');
      for (const process of this.#alive()) {
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
        this.counters.holds('inputs', message.run !== null, () => `${message.ts} got into no run`);
    }
  }
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
