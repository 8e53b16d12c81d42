/**
 * Owns finding threads that are due, whatever signal was lost, and what becomes of their entries in the wake index.
 *
 * 1. A thread is tended by one tick at a time. 2. An entry is removed only when it is due, and another one stands in time or
 * none is needed; what only people can settle keeps its last one.
 */
import { parseThreadLog, type LogKey, type ThreadKey } from '../thread/ids.ts';
import { liveCalls, needsPeople } from '../thread/thread.ts';
import { covers, wakeAfter } from '../thread/wake.ts';
import { inLanes } from './lanes.ts';
import type { Ports, WakeEntry } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** Due threads that are brought on at the same time. */
const LANES = 8;
/** How often a thread is looked at whose due entry is kept because something in it is in doubt. */
const KEPT_MS = 60_000;

/** What ticking needs of the worker. */
interface TickerParts {
  readonly ports: Pick<Ports, 'log' | 'team' | 'clock' | 'operators'>;
  readonly workspace: Pick<WorkspaceLog, 'tail'>;
  readonly session: (key: ThreadKey) => Session;
  /** Resolves when the thread is driven. */
  readonly drive: (key: ThreadKey) => Promise<void>;
  readonly failed: (error: unknown, where: string) => void;
}

export class Ticker {
  readonly #parts: TickerParts;
  readonly #tending = new Set<LogKey>();
  readonly #kept = new Map<LogKey, number>();

  constructor(parts: TickerParts) {
    this.#parts = parts;
  }

  /**
   * Reads the workspace log's tail, so that clicks and claims find it young. Looks for threads that are due within
   * `aheadMs`, drives them, and clears the entries that are due and no longer needed. Resolves when all of them are driven,
   * except those that an earlier tick still tends. Never throws.
   */
  async tick(aheadMs: number): Promise<void> {
    try {
      const looked = this.#parts.workspace.tail().catch((error: unknown) => this.#parts.failed(error, 'workspace'));
      const due = await this.#parts.ports.log.due(this.#parts.ports.team, this.#parts.ports.clock.nowMs() + aheadMs);
      await looked;
      this.#parts.ports.operators.resolved('table');
      const byThread = new Map<LogKey, WakeEntry[]>();
      for (const entry of due) byThread.set(entry.key, [...(byThread.get(entry.key) ?? []), entry]);
      const nowMs = this.#parts.ports.clock.monotonicMs();
      const waiting = [...byThread].filter(
        ([key]) => !this.#tending.has(key) && (this.#kept.get(key) ?? nowMs) <= nowMs,
      );
      await inLanes(waiting, LANES, ([key, entries]) => this.#tend(key, entries));
    } catch (error) {
      this.#parts.failed(error, 'tick');
    }
  }

  async #tend(log: LogKey, entries: readonly WakeEntry[]): Promise<void> {
    const key = parseThreadLog(log);
    if (!key) return;
    this.#tending.add(log);
    this.#kept.delete(log);
    try {
      await this.#parts.drive(key);
      const nowMs = this.#parts.ports.clock.nowMs();
      const due = entries.filter(entry => entry.dueAtMs <= nowMs);
      if (due.length > 0) await this.#clear(this.#parts.session(key), due);
    } catch (error) {
      this.#parts.failed(error, log);
    } finally {
      this.#tending.delete(log);
    }
  }

  /** Removes entries that are due, once another one stands in time or none is needed. */
  async #clear(session: Session, entries: readonly WakeEntry[]): Promise<void> {
    await session.refresh();
    const nowMs = this.#parts.ports.clock.nowMs();
    const needed = wakeAfter(session.thread, [], nowMs);
    const due = new Set(entries.map(entry => entry.number));
    const others = session.wakes.filter(other => !due.has(other.number));
    if (needed !== null && !others.some(other => covers(other.dueAtMs, needed, nowMs))) return;
    // What only people can settle is found by its last entry, in every list of what waits.
    if (needed === null && others.length === 0 && liveCalls(session.thread).some(needsPeople)) {
      this.#kept.set(session.log, this.#parts.ports.clock.monotonicMs() + KEPT_MS);
      return;
    }
    session.wakes = others;
    for (const entry of entries) await this.#parts.ports.log.clearWake(entry);
  }
}
