/**
 * Owns finding what is open anywhere. The index names candidates; each thread is read before it is believed: an entry may
 * list what has long been decided, and lack what came after it.
 */
import { parseThreadLog, threadLog, type LogKey, type ThreadKey, type UserId } from '../thread/ids.ts';
import { liveCalls, liveRuns, type Thread } from '../thread/thread.ts';
import { inLanes } from './lanes.ts';
import { LogDamaged, LogUnavailable, type Ports, type WakeEntry } from './ports.ts';

/** Threads that are read at the same time. */
const AT_ONCE = 8;

/** How old the index may be for counting what waits elsewhere: what was asked since stands among the person's latest marks. */
const LISTING_MS = 30_000;
/** So many of those are looked at. */
const MARKS = 30;

/** Pauses between tries to learn what waits elsewhere. */
const PAUSES_MS = [100, 200, 300, 400, 500, 500];

/** Later than anything is ever due. */
const FAR_MS = Number.MAX_SAFE_INTEGER;

export class OpenThreads {
  readonly #ports: Pick<Ports, 'log' | 'team' | 'clock'>;
  readonly #read: (key: ThreadKey) => Promise<Thread>;
  readonly #atHand: () => readonly Thread[];
  #listing: { readonly entries: readonly WakeEntry[]; readonly atMs: number } | undefined;

  /** `read` gives a thread as it is now; `atHand` those that this process has folded, as it last saw them. */
  constructor(
    ports: Pick<Ports, 'log' | 'team' | 'clock'>,
    read: (key: ThreadKey) => Promise<Thread>,
    atHand: () => readonly Thread[],
  ) {
    this.#ports = ports;
    this.#read = read;
    this.#atHand = atHand;
  }

  /** Every thread that may have something open, the most urgent first. Throws LogUnavailable. */
  async keys(): Promise<readonly ThreadKey[]> {
    return keysOf(await this.#entries());
  }

  /** At most `most` of them as they are now; `complete` is false when there are more, or some could not be read. */
  async threads(most: number): Promise<{ readonly threads: readonly Thread[]; readonly complete: boolean }> {
    let keys: readonly ThreadKey[];
    try {
      keys = await this.keys();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return { threads: [], complete: false };
    }
    const found = await inLanes(keys.slice(0, most), AT_ONCE, key => this.#readable(key));
    const threads = found.filter(thread => thread !== undefined);
    return { threads, complete: keys.length <= most && threads.length === found.length };
  }

  /**
   * How many requests of this person wait in other threads; counting ends at `enough`. `adding`: how many are about to come.
   * Tried seven times within two seconds; `unknown` when the table does not answer, or some thread cannot be read.
   */
  async requestsOf(person: UserId, except: ThreadKey, enough: number, adding: number): Promise<number | 'unknown'> {
    for (const pauseMs of [...PAUSES_MS, null]) {
      const count = await this.#count(person, except, enough, adding);
      if (count !== 'unknown' || pauseMs === null) return count;
      await this.#ports.clock.sleep(pauseMs);
    }
    return 'unknown';
  }

  async #count(person: UserId, except: ThreadKey, enough: number, adding: number): Promise<number | 'unknown'> {
    try {
      const young = await this.#young();
      const listed = young.filter(entry => entry.open?.some(({ by }) => by === person)).map(entry => entry.key);
      const atHand = this.#atHand().filter(thread => requestsIn(thread, person) > 0);
      const known = [...listed, ...atHand.map(thread => threadLog(thread.key))];
      // The first that this process knows of costs nothing: of every other process's it is the one more.
      const marked = known.length === 0 && adding <= 1 ? [] : await this.#markedOf(person);
      const logs = new Set([...marked, ...known]);
      logs.delete(threadLog(except));
      let count = 0;
      for (const key of [...logs].flatMap(log => parseThreadLog(log) ?? [])) {
        if (count >= enough) break;
        const thread = await this.#readable(key);
        if (thread === undefined) return 'unknown';
        count += requestsIn(thread, person);
      }
      return count;
    } catch (error) {
      if (error instanceof LogUnavailable) return 'unknown';
      throw error;
    }
  }

  /** Threads in which something of this person was put to people lately and may still wait, whoever did that. */
  async #markedOf(person: UserId): Promise<readonly LogKey[]> {
    const marks = await this.#ports.log.lately(this.#ports.team, person, MARKS);
    const over = new Set(marks.flatMap(({ approval, when }) => (when === 'over' ? [approval] : [])));
    return marks.flatMap(({ approval, key }) => (over.has(approval) ? [] : [key]));
  }

  async #entries(): Promise<readonly WakeEntry[]> {
    const atMs = this.#ports.clock.monotonicMs();
    const entries = await this.#ports.log.due(this.#ports.team, FAR_MS);
    this.#listing = { entries, atMs };
    return entries;
  }

  /** The index as it was at most `LISTING_MS` ago. */
  #young(): Promise<readonly WakeEntry[]> {
    const { entries, atMs } = this.#listing ?? { entries: [], atMs: Number.NEGATIVE_INFINITY };
    const isYoung = this.#ports.clock.monotonicMs() - atMs < LISTING_MS;
    return isYoung ? Promise.resolve(entries) : this.#entries();
  }

  /** Undefined when it cannot be read: the table is away, or the record does not fit together. */
  async #readable(key: ThreadKey): Promise<Thread | undefined> {
    try {
      return await this.#read(key);
    } catch (error) {
      if (error instanceof LogUnavailable || error instanceof LogDamaged) return undefined;
      throw error;
    }
  }
}

function keysOf(entries: readonly WakeEntry[]): readonly ThreadKey[] {
  const logs = new Set<LogKey>(entries.toSorted((a, b) => a.dueAtMs - b.dueAtMs).map(entry => entry.key));
  return [...logs].flatMap(log => parseThreadLog(log) ?? []);
}

function requestsIn(thread: Thread, person: UserId): number {
  const runs = new Set(liveRuns(thread).flatMap(run => (run.requesters[0] === person ? [run.id] : [])));
  return liveCalls(thread).filter(call => call.state.is === 'waiting' && runs.has(call.run)).length;
}
