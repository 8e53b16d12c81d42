/**
 * Owns one process of a simulated world: the real worker on ports that all go through the wire.
 *
 * 1. A crash is the end of everything that it waits for: nothing of it ever goes on. 2. While it is paused nothing reaches
 * it, while its tools and its requests on their way go on, and its clocks too.
 */
import type { LogKey, UserId, WriterId } from '../../src/thread/ids.ts';
import { LAPSE_GRACE_MS } from '../../src/thread/wake.ts';
import type { WorkerSettings } from '../../src/worker/settings.ts';
import { defaultSettings } from '../../src/worker/settings.ts';
import { Troubles, type Journal } from '../../src/worker/troubles.ts';
import { Worker } from '../../src/worker/worker.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import { LogUnavailable, type Clock, type Directory, type Ports } from '../../src/worker/ports.ts';
import { LEADS, SRE, TEAM } from './cast.ts';
import { SimModel } from './model.ts';
import { agentNamed, APPROVALS, judgedBy, type Rules } from './rules.ts';
import type { Owner } from './scheduler.ts';
import { slackOver } from './slack.ts';
import { SimLog } from './table.ts';
import { SimTools } from './tools.ts';
import { viewsOver } from './views.ts';
import type { Starter } from './witness-leave.ts';
import { Wire } from './wire.ts';
import type { World } from './world.ts';

/** Times of a simulated process: as in one real process, but it looks at running effects less often. */
export const SETTINGS: WorkerSettings = { ...defaultSettings, tailMs: 5_000, tickMs: 15_000, cachedThreads: 2 };

/** How far ahead the first tick of a process looks. */
const AHEAD_MS = SETTINGS.leaseMs + LAPSE_GRACE_MS;

export class SimProcess implements Owner {
  readonly name: string;
  readonly node: string;
  readonly writer: WriterId;
  readonly worker: Worker;
  readonly rules: Rules;
  readonly lookups = new Map<UserId, number[]>();
  /** When what this process last saw of a place in Slack stood there (ms of the world). */
  readonly looks = new Map<string, number>();
  readonly bootedAtMs: number;
  alive = true;
  pausedUntilMs = 0;
  isStopping = false;
  readonly #world: World;
  readonly #wire: Wire;
  readonly #tools: SimTools;
  #log: SimLog | undefined;
  readonly #skewMs: number;
  readonly #bootedMs: number;
  readonly #inspected: Starter['inspected'][number][] = [];
  #workspaceRead: Starter['workspaceRead'];

  constructor(world: World, node: string, boot: number) {
    this.#world = world;
    this.node = node;
    this.name = `${node}/${boot}`;
    this.writer = this.name as WriterId;
    this.rules = world.rules;
    const { dice, scheduler } = world;
    this.#skewMs = world.knobs.skewMs === 0 ? 0 : dice.between(-world.knobs.skewMs, world.knobs.skewMs);
    this.#bootedMs = dice.between(0, 1e9);
    this.bootedAtMs = scheduler.nowMs;
    this.#wire = new Wire(scheduler, dice, this);
    this.#tools = new SimTools({
      owner: this,
      scheduler,
      wire: this.#wire,
      dice,
      knobs: () => world.knobs.tools,
      counters: world.counters,
      workshop: world.workshop,
      rules: this.rules,
      nowMs: () => this.#clock.nowMs(),
      started: execution => {
        world.witness.started(execution, this.#starter());
        world.troubles.toolStarted(this);
      },
      acted: effect => world.witness.acted(effect),
      inspected: (tool, bind) => void this.#inspected.push({ tool, bind, atMs: world.nowMs }),
    });
    const ports = this.#ports();
    const workspace = new WorkspaceLog(ports, SETTINGS.evidenceMs);
    const troubles = new Troubles(workspace, ports.views, this.#journal);
    this.worker = new Worker({ ...ports, operators: troubles }, workspace, SETTINGS, this.#journal);
  }

  /** Puts its configuration on record and begins to look for what is due; tries until the table answers. */
  start(): void {
    this.worker.start().then(
      () => this.#tick(AHEAD_MS),
      (error: unknown) => {
        if (!(error instanceof LogUnavailable)) return this.#world.fault(this, error);
        this.#world.scheduler.after(this, 5_000, 'starts again', () => this.start());
      },
    );
  }

  /** The process is gone; what it had sent may still arrive. */
  crash(): void {
    this.#world.scheduler.say(this, () => 'CRASH');
    this.alive = false;
    this.#tools.kill();
    this.#wire.cut();
    this.#world.scheduler.drop(this);
  }

  /** Nothing goes on here for so long. */
  pause(forMs: number): void {
    this.#world.scheduler.say(this, () => `PAUSED for ${forMs} ms`);
    this.pausedUntilMs = this.#world.scheduler.nowMs + forMs;
  }

  /** True while this process could not learn what the table says. */
  get isUnsure(): boolean {
    return this.#log?.isUnsure ?? false;
  }

  /** SIGTERM; `exited` when it has ended by itself. */
  stop(exited: () => void): void {
    this.#world.scheduler.say(this, () => 'STOP');
    this.isStopping = true;
    this.worker.stop().then(exited, (error: unknown) => this.#world.fault(this, error));
  }

  /** Looks for what is due, now and then; it asks the table only when there is something. */
  #tick(aheadMs = 0): void {
    const { scheduler, table } = this.#world;
    scheduler.after(this, aheadMs > 0 ? 0 : SETTINGS.tickMs, 'tick', () => {
      if (this.isStopping) return;
      if (!table.isDue(this.#clock.nowMs() + aheadMs)) return this.#tick();
      this.worker.tick(aheadMs).then(
        () => this.#tick(),
        (error: unknown) => this.#world.fault(this, error),
      );
    });
  }

  readonly #clock: Clock = {
    nowMs: () => this.#world.nowMs + this.#skewMs,
    monotonicMs: () => this.#world.scheduler.nowMs + this.#bootedMs,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const wake = (): void => {
          stop();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const stop = this.#world.scheduler.after(this, ms, 'sleeps', wake);
        signal?.addEventListener('abort', wake, { once: true });
      }),
  };

  readonly #journal: Journal = {
    info: () => undefined,
    warn: facts => this.#noted(facts),
    error: facts => this.#noted(facts),
  };

  #noted(facts: object): void {
    this.#world.scheduler.say(this, () => `journal ${JSON.stringify(facts)}`);
    if ('code' in facts && (facts.code === 'internal' || facts.code === 'thread_damaged'))
      this.#world.fault(this, JSON.stringify(facts));
  }

  #starter(): Starter {
    const { writer, rules, lookups } = this;
    const inspected = this.#inspected;
    return { inspected, writer, rules, lookups, nowMs: this.#clock.nowMs(), workspaceRead: this.#workspaceRead };
  }

  #ports(): Omit<Ports, 'operators'> & Pick<Ports, 'operators'> {
    const { dice, scheduler, counters, slack, table, witness } = this.#world;
    const world = this.#world;
    const wire = this.#wire;
    const clock = this.#clock;
    const api = slackOver({
      slack,
      wire,
      dice,
      knobs: () => world.knobs.slack,
      counters,
      closed: world.closed,
      posted: post => {
        world.posted(this, post);
        world.troubles.posted(this);
      },
      looked: (place, atMs) => void this.looks.set(place, atMs),
      nowMs: () => scheduler.nowMs,
      answered: (log, key) => world.answered(log, key),
    });
    const read = (key: LogKey): void => {
      if (key.startsWith('workspace#'))
        this.#workspaceRead = { landings: witness.landings, frozen: witness.workspace.frozen !== null };
    };
    return {
      team: TEAM,
      writer: this.writer,
      log: (this.#log = new SimLog({
        table,
        writer: this.writer,
        wire,
        dice,
        knobs: () => world.knobs.log,
        counters,
        fresh: world.fresh,
        clock,
        worldMs: () => scheduler.nowMs,
        isGone: () => !this.alive,
        held: (key, events) => world.troubles.held(key, events),
        read,
      })),
      model: new SimModel({
        owner: this,
        scheduler,
        dice,
        theme: world.knobs.theme,
        knobs: () => world.knobs.model,
        counters,
      }),
      tools: this.#tools,
      policy: {
        judge: ({ tool }) => judgedBy(this.rules, tool.name, tool.mustAsk),
        loaded: { digest: world.policyDigest(this.rules), text: `version ${this.rules.version}` },
        defaults: { scopes: [SRE], channel: APPROVALS },
        admins: [LEADS],
        people: [SRE, LEADS],
        auditors: [LEADS],
        freeze: null,
        limits: { steps: 6, tokens: 100_000, wallMs: 30 * 60_000, openRequests: 3, personOpenRequests: 5 },
        agentFor: () => agentNamed('default'),
        agent: agentNamed,
      },
      directory: this.#directory(),
      views: viewsOver(api, clock, this.writer),
      signals: { notify: () => undefined, listen: () => undefined },
      operators: { report: () => undefined, resolved: () => undefined },
      clock,
      fresh: world.fresh,
    };
  }

  #directory(): Directory {
    const { dice, cast } = this.#world;
    const world = this.#world;
    const fate = (): { thereMs: number; backMs: number } => {
      const mostMs = dice.chance(world.knobs.directory.slow) ? 5_000 : 30;
      return { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) };
    };
    return {
      actor: (user, scopes) => {
        const unknown = dice.chance(world.knobs.directory.unknown);
        return this.#wire.send(`look up ${user}`, fate(), () => {
          const found = cast.evidence(user, scopes, world.nowMs);
          if (unknown) return { ...found, standing: 'unknown', scopes: [], admin: 'unknown' } as const;
          this.lookups.set(user, [...(this.lookups.get(user) ?? []), world.nowMs]);
          return found;
        });
      },
      deciders: scopes => {
        const unknown = dice.chance(world.knobs.directory.unknown);
        return this.#wire.send('deciders', fate(), () => (unknown ? undefined : cast.deciders(scopes, world.nowMs)));
      },
    };
  }
}
