/**
 * Owns one thread in this process: its fold, what is decided but not yet written, and the one place where its commits are
 * made. Called by the drive loop, the inbox and the ticker.
 *
 * 1. Commits of a thread are made one after the other in a process; between processes the conditional put decides. 2. A lost
 * race reloads and decides again; nothing is written on the strength of a stale fold. 3. Deferred commands (edits of
 * messages, results of reads) ride with the next commit; if that is lost they are decided again. 4. What is in the log is
 * folded from its commit, with the time and number that stand there: every process has the same thread.
 */
import { z } from 'zod';
import type { Commit, Head } from '../thread/commit.ts';
import type { Command, Decision } from '../thread/decide/command.ts';
import { decide } from '../thread/decide/decide.ts';
import type { ThreadEvent } from '../thread/events.ts';
import { copyOf } from '../thread/copy.ts';
import { fold, foldEvents } from '../thread/fold.ts';
import { threadLog, type LogKey, type ThreadKey } from '../thread/ids.ts';
import { emptyThread, FOLD_VERSION, type Thread } from '../thread/thread.ts';
import { covers, wakeAfter } from '../thread/wake.ts';
import { openItems } from './open-items.ts';
import { OneByOne } from './one-by-one.ts';
import { LogUnavailable, type Ports, type WakeEntry } from './ports.ts';

/** Lost races after which a commit is given up; each waits a little longer than the one before. */
const MAX_RACES = 60;

/** How long a commit of unknown outcome is looked after. */
const LOOKED_AFTER_MS = 10 * 60_000;

/** Characters of what is deferred, as JSON, beyond which it is written: a commit has to fit into one item. */
const MAX_DEFERRED = 96 * 1024;

/** Whether what was decided may be written with the next commit. */
type Defer = boolean | ((events: readonly ThreadEvent[]) => boolean);

export class Session {
  readonly key: ThreadKey;
  readonly log: LogKey;
  thread: Thread;
  wakes: WakeEntry[] = [];
  /** Grows with everything that is folded: the same number, the same thread. */
  revision = 0;
  #ports: Ports;
  readonly #onUnsure: () => void;
  /** The thread as the log has it, while `thread` also holds what is deferred. */
  #logged: Thread | undefined;
  #deferred: Command[] = [];
  #events: ThreadEvent[] = [];
  #written: Head = { number: 0, hash: '' };
  #loaded = false;
  #unsure: { readonly number: number; readonly untilMs: number } | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  readonly #order = new OneByOne();
  #listeners = new Set<() => void>();

  /** `unsure` is called when a commit's outcome could not be learnt. */
  constructor(ports: Ports, key: ThreadKey, unsure: () => void) {
    this.#ports = ports;
    this.#onUnsure = unsure;
    this.key = key;
    this.log = threadLog(key);
    this.thread = emptyThread(key);
  }

  /** True while something is decided that is not in the log yet. */
  get hasDeferred(): boolean {
    return this.#deferred.length > 0;
  }

  /** True while a commit of ours whose outcome is unknown may still land: its number is free as far as we know. */
  get mayStillLand(): boolean {
    const { number, untilMs } = this.#unsure ?? { number: 0, untilMs: 0 };
    return this.#written.number < number && this.#ports.clock.monotonicMs() < untilMs;
  }

  /** Calls back after every commit or reload; returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads what is new, strongly consistent; not if the log was read or written by us less than `youngMs` (default 0) ago. */
  refresh(youngMs = 0): Promise<void> {
    return this.#order.run(async () => {
      if (this.#loaded && this.#ports.clock.monotonicMs() - this.#readAtMs < youngMs) return;
      await this.#refresh();
    });
  }

  /**
   * Decides and writes; with `defer` (or where it says so of the events) only folds, to be written with the next commit. Refusals
   * are never given on a stale fold.
   */
  commit(command: Command | (() => Command), { defer = false }: { readonly defer?: Defer } = {}): Promise<Decision> {
    return this.#order.run(() => this.#commit(command, defer));
  }

  /** Writes what is deferred. */
  flush(): Promise<void> {
    return this.#order.run(() => this.#flush());
  }

  async #flush(): Promise<void> {
    for (let race = 0; this.#deferred.length > 0; race += 1) {
      if (await this.#append([], this.#ports.clock.nowMs())) return;
      await this.#afterLostRace(race);
    }
  }

  async #commit(command: Command | (() => Command), defer: Defer): Promise<Decision> {
    if (!this.#loaded) await this.#refresh();
    let fresh = false;
    for (let race = 0; ;) {
      const nowMs = this.#ports.clock.nowMs();
      const wanted = typeof command === 'function' ? command() : command;
      const decision = decide(this.thread, wanted, nowMs);
      if (decision.events.length === 0) {
        if (fresh) return decision;
        await this.#refresh();
        fresh = true;
        continue;
      }
      if (typeof defer === 'function' ? defer(decision.events) : defer) {
        this.#foldDeferred(decision.events, nowMs);
        this.#deferred.push(wanted);
        this.#events.push(...decision.events);
        if (JSON.stringify(this.#events).length > MAX_DEFERRED) await this.#flush();
        return decision;
      }
      if (await this.#append(decision.events, nowMs)) return decision;
      await this.#afterLostRace(race);
      race += 1;
      fresh = true;
    }
  }

  #foldDeferred(events: readonly ThreadEvent[], atMs: number): void {
    if (!this.#logged) {
      this.#logged = this.thread;
      this.thread = copyOf(this.thread);
    }
    foldEvents(this.thread, events, { number: this.#written.number + 1, atMs });
    this.#changed();
  }

  async #append(events: readonly ThreadEvent[], nowMs: number): Promise<boolean> {
    const needed = wakeAfter(this.thread, events, nowMs);
    const wake =
      needed === null || this.wakes.some(entry => covers(entry.dueAtMs, needed, nowMs))
        ? undefined
        : { dueAtMs: needed, open: openItems(this.thread) };
    const all = [...this.#events, ...events];
    const result = await this.#ports.log.append(this.log, this.#written, all, wake).catch((error: unknown) => {
      this.#loaded = false;
      this.#unsure = {
        number: this.#written.number + 1,
        untilMs: this.#ports.clock.monotonicMs() + LOOKED_AFTER_MS,
      };
      this.#onUnsure();
      throw error;
    });
    if (!('won' in result)) return false;
    this.#events = [];
    this.#deferred = [];
    this.#readAtMs = this.#ports.clock.monotonicMs();
    this.#backToLogged();
    this.#foldCommits([result.won]);
    if (wake)
      this.wakes.push({ key: this.log, number: result.won.number, nonce: result.won.nonce, dueAtMs: wake.dueAtMs });
    return true;
  }

  #backToLogged(): void {
    this.thread = this.#logged ?? this.thread;
    this.#logged = undefined;
  }

  #foldCommits(commits: readonly Commit[]): void {
    for (const commit of commits) {
      fold(this.thread, commit);
      this.#written = { number: commit.number, hash: commit.hash };
    }
    this.#changed();
  }

  async #afterLostRace(race: number): Promise<void> {
    if (race >= MAX_RACES) throw new LogUnavailable('Other writers were faster every time; nothing was written.');
    if (race > 0) await this.#ports.clock.sleep(Math.min(5 * race, 60) + (this.#ports.fresh().charCodeAt(0) % 16));
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    const startedMs = this.#ports.clock.monotonicMs();
    if (this.#loaded) await this.#loadTail();
    else await this.#loadCold();
    this.#readAtMs = startedMs;
  }

  async #loadTail(): Promise<void> {
    const { commits, wakes } = await this.#ports.log.load(this.log, this.#written);
    if (commits.length === 0) return;
    this.wakes.push(...wakes.filter(entry => !this.wakes.some(known => known.number === entry.number)));
    this.#backToLogged();
    this.#foldCommits(commits);
    this.#decideDeferredAgain();
  }

  async #loadCold(): Promise<void> {
    const { snapshot, commits, wakes } = await this.#ports.log.load(this.log);
    const restored = snapshot === null ? null : (ofThisVersion.safeParse(snapshot.state).data ?? null);
    const loaded =
      snapshot !== null && restored === null ? await this.#ports.log.load(this.log, { number: 0, hash: '' }) : null;
    const thread = restored ?? emptyThread(this.key);
    let head: Head = restored && snapshot ? snapshot.head : { number: 0, hash: '' };
    for (const commit of loaded?.commits ?? commits) {
      fold(thread, commit);
      head = { number: commit.number, hash: commit.hash };
    }
    await this.#ports.log.offerSnapshot(this.log, head, thread);
    this.#logged = undefined;
    this.thread = thread;
    this.#written = head;
    this.wakes = [...(loaded?.wakes ?? wakes)];
    this.#loaded = true;
    this.#changed();
    this.#decideDeferredAgain();
  }

  #decideDeferredAgain(): void {
    const commands = this.#deferred;
    this.#deferred = [];
    this.#events = [];
    const nowMs = this.#ports.clock.nowMs();
    for (const command of commands) {
      const { events } = decide(this.thread, command, nowMs);
      if (events.length === 0) continue;
      this.#foldDeferred(events, nowMs);
      this.#deferred.push(command);
      this.#events.push(...events);
    }
  }

  #changed(): void {
    this.revision += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** A snapshot's state, if it is of this version; the store has verified that we wrote it. */
const ofThisVersion = z.custom<Thread>(
  state => typeof state === 'object' && state !== null && 'version' in state && state.version === FOLD_VERSION,
);
