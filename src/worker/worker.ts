/**
 * Owns the worker of one process: it takes what Slack's side brings (Inbox), drives the threads that have something to do,
 * and finds those whose signal was lost.
 *
 * 1. A message is in the log before `receive` resolves. 2. A decision is in the log before its answer is given. 3. One drive
 * per thread and process. 4. After `stop` no new claim is made; running tools get their time, leases are given back.
 */
import type { Take } from '../thread/decide/command.ts';
import { parseThreadLog, threadLog, type ThreadKey } from '../thread/ids.ts';
import { liveCalls } from '../thread/thread.ts';
import { LAPSE_GRACE_MS } from '../thread/wake.ts';
import { Background } from './background.ts';
import { Cooling } from './cooling.ts';
import type { Driver } from './drive.ts';
import { Drives } from './drives.ts';
import type { Gate } from './gate.ts';
import { openInbox } from './inbox.ts';
import { inLanes } from './lanes.ts';
import { Leases } from './leases.ts';
import { Marks } from './marks.ts';
import { notOnRecord } from './on-record.ts';
import { OpenThreads } from './open-threads.ts';
import { LogDamaged, LogUnavailable, type Inbox, type Ports } from './ports.ts';
import { People } from './people.ts';
import { RequestsInTurn } from './requests-in-turn.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';
import { Signs } from './signs.ts';
import type { WorkerSettings } from './settings.ts';
import { Ticker } from './ticker.ts';
import type { Journal } from './troubles.ts';
import { WholeResults } from './whole-results.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** Open threads that are brought on at the same time. */
const LANES = 8;

export class Worker {
  readonly inbox: Inbox;
  readonly #ports: Ports;
  readonly #settings: WorkerSettings;
  readonly #journal: Journal;
  readonly #workspace: WorkspaceLog;
  readonly #sessions: Sessions;
  readonly #drives: Drives;
  readonly #damaged = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #drained = new AbortController();
  readonly #driver: Driver;
  readonly #background: Background;
  readonly #open: OpenThreads;
  readonly #people: People;
  readonly #ticker: Ticker;
  /** Policy or tools are others than those on record were: what waits is looked at again. */
  #isNew = false;

  constructor(ports: Ports, workspace: WorkspaceLog, settings: WorkerSettings, journal: Journal) {
    this.#ports = ports;
    this.#settings = settings;
    this.#journal = journal;
    this.#workspace = workspace;
    this.#background = new Background(journal);
    this.#sessions = new Sessions(
      ports,
      settings.cachedThreads,
      log => this.#drives.has(log),
      key => this.#drives.later(key, settings.tickMs),
    );
    this.#open = new OpenThreads(
      ports,
      key => this.#sessions.read(key),
      () => this.#sessions.all().map(session => session.thread),
    );
    const marks = new Marks(ports, this.#background);
    const gate: Gate = {
      ports,
      workspace,
      requests: new RequestsInTurn({ ports, open: this.#open, marks }),
      executing: new Set(),
      started: new Set(),
      signs: new Signs(),
      isStopping: () => this.#stopping.signal.aborted,
    };
    this.#driver = {
      gate,
      settings,
      results: new WholeResults(ports.log),
      leases: new Leases(ports.writer, ports.clock),
      cooling: new Cooling(ports.clock),
      marks,
      stopping: this.#stopping.signal,
      drained: this.#drained.signal,
    };
    this.#drives = new Drives({
      driver: this.#driver,
      sessions: this.#sessions,
      failed: (error, where) => this.#failed(error, where),
    });
    this.#people = new People({
      ports,
      open: this.#open,
      session: key => this.#sessions.of(key),
      signal: key => this.signal(key),
      stopping: this.#stopping.signal,
    });
    this.#ticker = new Ticker({
      ports,
      workspace,
      session: key => this.#sessions.of(key),
      drive: async key => {
        await this.#people.look(key);
        await this.#drives.driven(key);
      },
      failed: (error, where) => this.#failed(error, where),
    });
    this.inbox = openInbox({
      ports,
      workspace,
      open: this.#open,
      background: this.#background,
      session: key => this.#sessions.of(key),
      signal: key => this.signal(key),
      signalOpen: () => this.#signalOpen(),
      damaged: (key, error) => this.#failed(error, threadLog(key)),
      lease: key => this.#leaseFor(key),
    });
    ports.signals.listen(key => this.signal(key));
    ports.directory.listen?.(change => {
      if (!this.#stopping.signal.aborted) this.#background.run('count people', () => this.#people.changed(change));
    });
  }

  /** Puts policy text and tool definitions on record by content, if they are new. Throws LogUnavailable. */
  async start(): Promise<void> {
    await this.#workspace.tail();
    await this.#workspace.write(workspace => {
      const events = notOnRecord(this.#ports, workspace);
      this.#isNew ||= events.length > 0;
      return events;
    });
  }

  /** Something is new in this thread: drive it. */
  signal(key: ThreadKey): void {
    this.#drives.signal(key);
  }

  /** Resolves when no drive is under way. */
  idle(): Promise<void> {
    return this.#drives.idle();
  }

  /** Looks once for threads that are due within `aheadMs` (default 0), and drives them. Never throws. */
  tick(aheadMs = 0): Promise<void> {
    return this.#ticker.tick(aheadMs);
  }

  /**
   * Ticks until stopped; a thread whose tool takes long does not keep the others from being found. The first tick looks
   * ahead as far as leases reach: those of this node's earlier boots are over, which nobody else can know. Under a policy or
   * with tools that were not on record, everything open is looked at again as well.
   */
  async run(): Promise<void> {
    if (this.#isNew) this.#background.run('look again at what waits', () => this.#signalOpen());
    const ticks = new Set<Promise<void>>();
    for (let first = true; !this.#stopping.signal.aborted; first = false) {
      const tick = this.tick(first ? this.#settings.leaseMs + LAPSE_GRACE_MS : 0).finally(() => ticks.delete(tick));
      ticks.add(tick);
      await this.#ports.clock.sleep(this.#settings.tickMs, this.#stopping.signal);
    }
    await Promise.all(ticks);
  }

  /** Executions under way now. */
  get executing(): number {
    return this.#driver.gate.executing.size;
  }

  /** No new claims; running tools get `drainMs`, then are aborted; leases are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const late = new AbortController();
    const drained = this.#ports.clock.sleep(this.#settings.drainMs, late.signal).then(() => this.#drained.abort());
    // A claim of unknown outcome may stand in the log, or stood there when a drive failed: it is looked for, and given back.
    for (const session of this.#sessions.all())
      if (session.mayStillLand || this.#hasOwnClaim(session)) this.signal(session.key);
    await this.idle();
    late.abort();
    await drained;
    await this.#background.settled();
  }

  /** True while a claim of this process stands that it does not perform. */
  #hasOwnClaim({ thread }: Session): boolean {
    const { executing, ports } = this.#driver.gate;
    return liveCalls(thread).some(
      ({ state }) =>
        state.is === 'claimed' && state.claim.holder === ports.writer && !executing.has(state.claim.execution),
    );
  }

  /** Drives every thread in which something may be open. Throws LogUnavailable. */
  async #signalOpen(): Promise<void> {
    await inLanes(await this.#open.keys(), LANES, async key => {
      if (this.#stopping.signal.aborted) return;
      // Whoever held it a moment ago may have let it go since, and is told nothing. What cannot be read the drive meets again.
      await this.#sessions
        .of(key)
        .refresh()
        .catch(() => {});
      await this.#drives.driven(key);
    });
  }

  /** The lease, if this process goes on with the thread itself: taken in the same commit as what it begins with. */
  #leaseFor(session: Session): Take | null {
    if (this.#stopping.signal.aborted || this.#driver.leases.of(session.log, session.thread) !== 'free') return null;
    return this.#driver.leases.take(session.log, session.thread, this.#settings.leaseMs);
  }

  #failed(error: unknown, where: string): void {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LogUnavailable) this.#ports.operators.report('table', 'table_unavailable', message);
    else if (error instanceof LogDamaged) this.#sayDamaged(where, message);
    else this.#ports.operators.report(`fault ${where}`, 'internal', message);
    this.#journal.error({ where, error }, 'a step failed');
  }

  /** Operators are told, and whoever reads the thread; once per process. */
  #sayDamaged(where: string, message: string): void {
    this.#ports.operators.report(`damaged ${where}`, 'thread_damaged', message);
    const key = parseThreadLog(where);
    if (!key || this.#damaged.has(where)) return;
    this.#damaged.add(where);
    this.#ports.views
      .damaged(key, this.#stopping.signal)
      .catch((error: unknown) => this.#journal.error({ where, error }, 'a damaged thread could not be told'));
  }
}
