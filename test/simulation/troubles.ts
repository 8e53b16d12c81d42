/**
 * Owns what happens to a simulated world from outside: processes crash, pause and stop, people write, click, freeze and
 * change things. Some of it comes at any time, some just where it hurts: between a claim and its start, between a decision
 * and the claim, between a post and its record.
 */
import type { Event, EventOf, ThreadEvent, WorkspaceEvent } from '../../src/thread/events.ts';
import {
  parseThreadLog,
  workspaceLog,
  type ApprovalId,
  type ChannelId,
  type LogKey,
  type UserId,
  type WriterId,
} from '../../src/thread/ids.ts';
import { approvers, at } from '../../src/thread/thread.ts';
import { ACTIONS } from '../../src/slack/views/actions.ts';
import { ANA, DANA, LEO, MIA, TEAM } from './cast.ts';
import { author, visitor, type Written } from './people.ts';
import { SETTINGS, SimProcess } from './process.ts';
import { APPROVALS, changedRules } from './rules.ts';
import { WORLD } from './scheduler.ts';
import { seenIn } from './slack.ts';
import type { Landed } from './table.ts';
import type { World } from './world.ts';

const CHANNEL = 'C0GENERAL' as ChannelId;
const LEASE_MS = 310_000;
const CHANGING = ['run', 'drop', 'mail', 'self', 'late', 'again', 'poke', 'gift', 'pair', 'plan'] as const;

export class Troubles {
  readonly #world: World;
  readonly #boots = new Map<string, number>();
  #over = false;

  constructor(world: World) {
    this.#world = world;
    world.table.watch(landed => this.#provoked(landed));
  }

  /** Starts the processes and plans what will happen. */
  begin(): void {
    const { dice, scheduler, knobs, people } = this.#world;
    for (let node = 1; node <= knobs.nodes; node += 1) this.#boot(`n${node}`);
    const sometime = (times: number, what: string, run: () => void): void => {
      for (let time = 0; time < times; time += 1) scheduler.after(WORLD, dice.between(0, knobs.troubledMs), what, run);
    };
    for (let thread = 0; thread < knobs.threads; thread += 1) this.#conversation();
    sometime(knobs.looks, 'look', () => people.look(visitor(this.#world)));
    sometime(knobs.crashes, 'crash', () => this.#crash(dice.pick(this.#world.alive())));
    sometime(knobs.stops, 'stop', () => this.#stop());
    sometime(knobs.pauses, 'pause', () => this.#pause(dice.pick(this.#world.alive())));
    sometime(knobs.freezes, 'freeze', () => this.#freeze());
    sometime(knobs.changes, 'change', () => this.#change());
  }

  /** The end of all troubles. */
  calm(): void {
    const { closed, cast, nowMs } = this.#world;
    this.#over = true;
    closed.clear();
    cast.restore(nowMs);
    this.#thaw();
    for (const process of this.#world.alive()) process.pausedUntilMs = 0;
  }

  /** Sees to it that somebody is there, and that nothing stays frozen by what lands late. */
  ensureAlive(): void {
    this.#thaw();
    if (this.#world.alive().length === 0) this.#bootLater('n1');
  }

  /** A tool has been handed a call by this process. */
  toolStarted(process: SimProcess): void {
    const { dice, scheduler, knobs, counters } = this.#world;
    if (this.#over || !dice.chance(knobs.spite)) return;
    const what = dice.weighed({ crash: 3, pause: 2, stop: 1, nothing: 2 });
    if (what === 'nothing') return;
    counters.saw(`${what} while a tool runs`);
    scheduler.after(WORLD, dice.spread(4_000), `${what} while a tool runs`, () => {
      if (what === 'crash') this.#crash(process);
      else if (what === 'stop') this.#stop(process);
      else this.#pause(process);
    });
  }

  /** A message of ours has come to stand in Slack, and the process that posted it does not know yet. */
  posted(process: SimProcess): void {
    const { dice, scheduler, knobs, people, counters } = this.#world;
    if (this.#over || !dice.chance(knobs.spite)) return;
    if (dice.chance(0.2)) {
      counters.saw('crash between post and record');
      return void scheduler.after(WORLD, dice.spread(50), 'crash after a post', () => this.#crash(process));
    }
    scheduler.after(WORLD, dice.spread(100), 'look at once', () => people.look(dice.pick([MIA, LEO, DANA]), 200));
  }

  /** How long a claim is held on its way: until its request has expired, or its lease has lapsed. */
  held(key: LogKey, events: readonly Event[]): number {
    const { dice, knobs, counters, witness, nowMs } = this.#world;
    const claim = events.find(event => event.type === 'call.claimed');
    if (!claim || this.#over) return 0;
    const approval = claim.approval ? at(witness.threads.get(key)?.approvals ?? {}, claim.approval) : undefined;
    const leftMs = approval ? approval.expiresAtMs - nowMs : LEASE_MS;
    // Just in time, and just too late when it is to start.
    if (leftMs > 0 && leftMs < 1_800 && dice.chance(0.5)) return leftMs + dice.between(1, 100);
    if (!dice.chance(knobs.spite / 2)) return 0;
    const heldMs = dice.chance(0.5) ? leftMs + dice.between(-500, 2_000) : dice.spread(LEASE_MS * 1.3);
    counters.saw(heldMs > leftMs ? 'claim held beyond the expiry' : 'claim held');
    return Math.max(0, heldMs);
  }

  #provoked({ key, commit }: Landed): void {
    const { dice, knobs } = this.#world;
    if (this.#over) return;
    if (!parseThreadLog(key)) return;
    for (const event of commit.events as readonly ThreadEvent[]) {
      if (dice.chance(knobs.spite)) this.#provokedBy(key, event);
      if (event.type === 'approval.requested' && dice.chance(0.15)) this.#inTheLastMoment(event);
      if (event.type === 'call.claimed' && dice.chance(0.2)) this.#revoke(this.#grantOf(key, event.call));
    }
  }

  #provokedBy(key: Landed['key'], event: ThreadEvent): void {
    const { dice, counters, scheduler } = this.#world;
    if (event.type === 'call.claimed') {
      const holder = this.#world.alive().find(process => process.writer === event.holder);
      const what = dice.weighed({ freeze: 2, crash: 2, pause: 2 });
      counters.saw(`${what} between claim and start`);
      if (what === 'freeze') this.#freeze();
      else if (what === 'crash') this.#crash(holder);
      else this.#pause(holder);
    }
    if (event.type === 'call.ended' && event.how === 'in_doubt')
      scheduler.after(WORLD, dice.spread(90_000), 'look at the doubt', () => this.#lookAtDoubts());
    if (event.type === 'approval.settled' && event.how === 'approved')
      scheduler.after(WORLD, dice.spread(200), 'change after the decision', () => {
        const thread = this.#world.witness.threads.get(key);
        const approval = thread && at(thread.approvals, event.approval);
        const call = approval && at(thread.calls, approval.call);
        if (call) this.#changeAfterDecision(call.tool, approvers(approval).at(-1)?.by ?? MIA);
      });
  }

  #inTheLastMoment({ approval, expiresAtMs }: EventOf<'approval.requested'>): void {
    const { dice, scheduler, nowMs } = this.#world;
    const leftMs = expiresAtMs - nowMs - dice.between(0, 2_500);
    scheduler.after(WORLD, leftMs, 'click in the last moment', () => this.#approveLate(approval));
  }

  /** Somebody approves just before a request expires. */
  #approveLate(approval: ApprovalId): void {
    const { people, slack } = this.#world;
    const card = seenIn(slack).findLast(({ key }) => key.startsWith(`card/${approval}/`));
    const control = card?.controls.find(({ action }) => action === ACTIONS.approve);
    if (!card || !control) return;
    for (const person of [MIA, LEO]) people.click(person, card, control);
  }

  /** Somebody who may says what became of a call in doubt, and need not be right. */
  #lookAtDoubts(): void {
    const { dice, people, slack } = this.#world;
    const doubtful = seenIn(slack).filter(({ controls }) => controls.some(({ action }) => action === ACTIONS.doubtRan));
    const message = dice.pick(doubtful);
    const control = message && dice.pick(message.controls);
    if (message && control) people.click(dice.pick([MIA, LEO, ANA]), message, control);
  }

  #changeAfterDecision(tool: string, voter: UserId): void {
    const { dice, workshop, cast, nowMs, counters } = this.#world;
    const what = dice.weighed({ facts: 3, group: 3, requester: 1, freeze: 1, rules: 3 });
    counters.saw(`change of ${what} after the decision`);
    if (what === 'facts') workshop.facts[tool] = (workshop.facts[tool] ?? 1) + 1;
    else if (what === 'group') for (const group of ['sre', 'leads']) cast.leave(voter, group, nowMs);
    else if (what === 'requester') cast.toggleAccount(DANA, nowMs);
    else if (what === 'rules') {
      this.#world.rules = changedRules(dice, this.#world.rules, tool);
      for (const process of this.#world.alive()) this.#crash(process);
    } else this.#freeze();
  }

  #boot(node: string): void {
    const boot = (this.#boots.get(node) ?? 0) + 1;
    this.#boots.set(node, boot);
    const process = new SimProcess(this.#world, node, boot);
    this.#world.processes.push(process);
    this.#world.scheduler.say(process, () => 'BOOT');
    process.start();
  }

  #conversation(): void {
    const { dice, scheduler, knobs, people } = this.#world;
    const perhapsChanged = ({ key, ts }: Written, who: UserId): void => {
      if (dice.chance(0.3)) people.changeMind(key, ts, who);
    };
    scheduler.after(WORLD, dice.spread(10_000), 'thread begins', () => {
      const who = author(this.#world);
      const begun = people.write(CHANNEL, who, 'run it', true);
      perhapsChanged(begun, who);
      for (let message = 1; message < knobs.messages; message += 1)
        scheduler.after(WORLD, dice.between(0, knobs.troubledMs), 'writes', () => {
          // Some write several messages at once, or at the same time as others.
          for (let more = dice.pick([1, 1, 1, 2, 3] as const); more > 0; more -= 1) {
            const text = dice.weighed({ 'and this': 6, cancel: 1, 'Stop!': 1 });
            const other = author(this.#world);
            perhapsChanged(people.write(CHANNEL, other, text, dice.chance(0.7), begun.ts), other);
          }
        });
    });
  }

  #crash(process: SimProcess | undefined): void {
    if (!process?.alive || this.#over) return;
    this.#world.counters.saw('crash');
    process.crash();
    this.#bootLater(process.node);
  }

  #bootLater(node: string): void {
    const { scheduler, dice } = this.#world;
    const isLast = this.#world.alive().every(other => other.node === node);
    if (!isLast && dice.chance(0.15)) return;
    scheduler.after(WORLD, dice.spread(this.#over ? 1_000 : 180_000), `${node} boots`, () => {
      if (!this.#world.alive().some(other => other.node === node)) this.#boot(node);
    });
  }

  #stop(process = this.#world.dice.pick(this.#world.alive())): void {
    if (!process?.alive || process.isStopping || this.#over) return;
    const { scheduler, witness } = this.#world;
    const beganMs = scheduler.nowMs;
    process.stop(() => {
      scheduler.say(process, () => 'EXIT 0');
      const hadTime = scheduler.nowMs - beganMs < SETTINGS.drainMs && !process.isUnsure;
      if (hadTime) witness.stopped(process.writer);
      process.alive = false;
      this.#world.scheduler.drop(process);
      this.#bootLater(process.node);
    });
  }

  #pause(process: SimProcess | undefined): void {
    const { dice, counters } = this.#world;
    if (!process?.alive || this.#over) return;
    const forMs = dice.chance(0.4) ? dice.between(LEASE_MS + 10_000, LEASE_MS + 400_000) : dice.spread(20_000);
    if (forMs > LEASE_MS) counters.saw('paused longer than its lease');
    process.pause(forMs);
  }

  #freeze(): void {
    const { dice, counters } = this.#world;
    const working = this.#world.alive().filter(other => !other.isStopping);
    const process = dice.chance(0.5) ? dice.pick(working) : undefined;
    if (process) {
      counters.saw('frozen by a person');
      process.worker.inbox.freeze({ user: ANA, team: TEAM }, 'bad deploy').catch(() => undefined);
    } else this.#onWorkspace({ type: 'freeze.set', by: ANA, body: { why: 'bad deploy', name: 'Ana' } });
    this.#world.scheduler.after(WORLD, this.#world.dice.spread(300_000), 'thaw', () => this.#thaw());
  }

  /** The permission under which a call runs; null for one that runs under none. */
  #grantOf(key: LogKey, call: string): string | null {
    return at(this.#world.witness.threads.get(key)?.calls ?? {}, call)?.judgement?.grant ?? null;
  }

  /** Who gave a permission takes it back, in the log at once: between claim and start. */
  #revoke(grant: string | null): void {
    const given = grant === null ? undefined : at(this.#world.witness.workspace.grants, grant);
    if (given && given.revoked === null)
      this.#onWorkspace({ type: 'grant.revoked', grant: given.grant, by: given.by, body: {} });
  }

  #thaw(): void {
    if (this.#world.witness.workspace.frozen !== null)
      this.#onWorkspace({ type: 'freeze.cleared', by: ANA, body: { name: 'Ana' } });
  }

  /** A person's act on the workspace, in the log at once. */
  #onWorkspace(event: WorkspaceEvent): void {
    const { table, scheduler, witness, nowMs, fresh } = this.#world;
    const key = workspaceLog(TEAM);
    const land = async (): Promise<void> => {
      const log = table.writer('person/1' as WriterId, nowMs, fresh);
      const result = await log.append(key, witness.workspace.head, [event]);
      if ('won' in result)
        table.land({ key, commit: result.won, askedAtMs: scheduler.nowMs, late: false }, scheduler.nowMs);
    };
    land().catch((error: unknown) => this.#world.fault(WORLD, error));
  }

  #change(): void {
    const { dice, cast, workshop, counters, scheduler, closed, nowMs } = this.#world;
    const tool = dice.pick(CHANGING);
    const person = dice.pick([MIA, LEO, LEO, DANA] as const);
    const what = dice.weighed({ facts: 4, group: 4, account: 1, rules: 4, arguments: 1, channel: 1 });
    counters.saw(`change of ${what}`);
    scheduler.say(WORLD, () => `CHANGE of ${what} (${tool}, ${person})`);
    switch (what) {
      case 'facts':
        workshop.facts[tool] = (workshop.facts[tool] ?? 1) + 1;
        return;
      case 'group':
        return cast.toggleGroup(person, dice.pick(['sre', 'leads'] as const), nowMs);
      case 'account':
        return cast.toggleAccount(person, nowMs);
      case 'rules':
        this.#world.rules = changedRules(dice, this.#world.rules, tool);
        if (dice.chance(0.5)) this.#stop();
        return;
      case 'arguments':
        workshop.refusing.add(tool);
        return;
      case 'channel':
        closed.add(APPROVALS);
        scheduler.after(WORLD, dice.spread(300_000), 'channel opens', () => closed.delete(APPROVALS));
        return;
    }
  }
}
