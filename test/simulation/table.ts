/**
 * Owns the table of a simulated world: the real log in memory, behind a wire. Its clock, so to say the moment at which a
 * request was made, stands in the commit; the moment at which it takes effect is the world's.
 *
 * 1. Whoever watches sees every commit at the moment at which it lands, in the order of its log.
 */
import type { Commit, Head } from '../../src/thread/commit.ts';
import type { Event, Json } from '../../src/thread/events.ts';
import type { Digest, LogKey, TeamId, UserId, WriterId } from '../../src/thread/ids.ts';
import { MemoryTable, openMemoryLog } from '../../src/store/memory-log.ts';
import { snapshotItem } from '../../src/store/snapshot.ts';
import {
  LogUnavailable,
  type Clock,
  type Loaded,
  type Mark,
  type Log,
  type Wake,
  type WakeEntry,
} from '../../src/worker/ports.ts';
import type { Counters } from './counters.ts';
import type { Knobs } from './knobs.ts';
import type { Dice } from './random.ts';
import type { Fate, Wire } from './wire.ts';

const MAC_KEY = new Uint8Array(32).fill(7);

export interface Landed {
  readonly key: LogKey;
  readonly commit: Commit;
  /** When the writer asked for it, in the world's time. */
  readonly askedAtMs: number;
  /** True when its writer had been told that the outcome is unknown, or was gone. */
  readonly late: boolean;
}

export class SimTable {
  readonly memory = new MemoryTable();
  readonly landed = new Map<LogKey, Commit[]>();
  readonly #landedAtMs = new Map<string, number>();
  #cleared: { readonly entry: WakeEntry; readonly atMs: number }[] = [];
  readonly #watchers: ((landed: Landed) => void)[] = [];

  watch(watcher: (landed: Landed) => void): void {
    this.#watchers.push(watcher);
  }

  land(landed: Landed, atMs: number): void {
    const { key, commit } = landed;
    const log = this.landed.get(key);
    if (log) log.push(commit);
    else this.landed.set(key, [commit]);
    this.#landedAtMs.set(`${key} ${commit.number}`, atMs);
    for (const watcher of this.#watchers) watcher(landed);
  }

  clear(entry: WakeEntry, atMs: number): void {
    this.#cleared.push({ entry, atMs });
  }

  /** What an index shows that lags this much behind the table. */
  lagged(entries: readonly WakeEntry[], byMs: number, behindMs: number, nowMs: number): WakeEntry[] {
    const thenMs = nowMs - behindMs;
    this.#cleared = this.#cleared.filter(({ atMs }) => atMs > nowMs - 60_000);
    const ghosts = this.#cleared.filter(({ entry, atMs }) => atMs > thenMs && entry.dueAtMs <= byMs);
    const known = entries.filter(({ key, number }) => (this.#landedAtMs.get(`${key} ${number}`) ?? 0) <= thenMs);
    return [...known, ...ghosts.map(({ entry }) => entry)];
  }

  /** Whether some entry is due by then. */
  isDue(byMs: number): boolean {
    return this.entries().some(({ dueAtMs }) => dueAtMs <= byMs);
  }

  /** What stands in the index. */
  entries(): readonly { readonly key: LogKey; readonly dueAtMs: number }[] {
    return [...this.memory.partitions].flatMap(([key, { commits }]) =>
      [...commits.values()].flatMap(({ wake }) => (wake ? [{ key, dueAtMs: wake.dueAtMs }] : [])),
    );
  }

  /** A log without a wire, for whoever looks on. */
  reader(): Log {
    return openMemoryLog({ table: this.memory, macKey: null, clock: stopped(0), fresh: never, writer: READER });
  }

  /** A log without a wire, for what happens at once. */
  writer(writer: WriterId, nowMs: number, fresh: () => string): Log {
    return openMemoryLog({ table: this.memory, macKey: null, clock: stopped(nowMs), fresh, writer });
  }
}

const READER = 'reader/1' as WriterId;
const never = (): string => {
  throw new Error('A reader writes nothing.');
};
const stopped = (nowMs: number): Clock => ({
  nowMs: () => nowMs,
  monotonicMs: () => nowMs,
  sleep: () => Promise.resolve(),
});

export interface SimLogParts {
  readonly table: SimTable;
  readonly writer: WriterId;
  readonly wire: Wire;
  readonly dice: Dice;
  readonly knobs: () => Knobs['log'];
  readonly counters: Counters;
  readonly fresh: () => string;
  /** The process's own wall clock. */
  readonly clock: Clock;
  /** The world's time. */
  readonly worldMs: () => number;
  readonly isGone: () => boolean;
  /** How long an append is held on its way because it would hurt just there; 0 for most. */
  readonly held: (key: LogKey, events: readonly Event[]) => number;
  /** Notes that a load of this log took effect. */
  readonly read: (key: LogKey) => void;
}

/** The log as one process has it. */
export class SimLog implements Log {
  readonly #parts: SimLogParts;
  readonly #reader: Log;
  /** True while the last thing that this process asked of the table failed. */
  isUnsure = false;

  constructor(parts: SimLogParts) {
    this.#parts = parts;
    const { table, writer, fresh, clock } = parts;
    this.#reader = openMemoryLog({ table: table.memory, macKey: MAC_KEY, clock, fresh, writer });
  }

  append(key: LogKey, after: Head, events: readonly Event[], wake?: Wake): Promise<{ won: Commit } | { lost: true }> {
    const { table, writer, fresh, clock, wire, worldMs, isGone } = this.#parts;
    const askedAtMs = worldMs();
    const log = openMemoryLog({ table: table.memory, macKey: null, clock: stopped(clock.nowMs()), fresh, writer });
    const drawn = this.#fateOfAppend();
    const fate = { ...drawn, thereMs: drawn.thereMs + this.#parts.held(key, events) };
    const what = `append ${short(key)} ${after.number + 1} [${events.map(event => event.type).join(' ')}]`;
    this.isUnsure = fate.error !== undefined;
    return wire.send(what, fate, async () => {
      const result = await log.append(key, after, events, wake);
      if ('lost' in result) return result;
      const late = fate.error !== undefined || isGone();
      const [own] = (await table.reader().load(key, after)).commits;
      if (own) table.land({ key, commit: own, askedAtMs, late }, worldMs());
      return result;
    });
  }

  async load(key: LogKey, after?: Head): Promise<Loaded> {
    const { wire, dice, knobs, read } = this.#parts;
    const unread = dice.chance(knobs().unread);
    const fate = unread ? { ...this.#latency(), error: unavailable() } : this.#latency();
    this.isUnsure = unread;
    return wire.send(`load ${short(key)}${after ? ` > ${after.number}` : ''}`, fate, () => {
      read(key);
      return this.#reader.load(key, after);
    });
  }

  /** Keeps what a reader folded now and then, however short the log. */
  offerSnapshot(key: LogKey, head: Head, state: unknown): Promise<void> {
    const { table, dice, wire, counters } = this.#parts;
    if (head.number === 0 || !dice.chance(0.2)) return Promise.resolve();
    const item = snapshotItem(MAC_KEY, key, head, JSON.parse(JSON.stringify(state)) as Json);
    return wire.send(`snapshot ${short(key)} ${head.number}`, this.#latency(), () => {
      counters.saw('snapshot written');
      table.memory.partition(key).snapshot = item;
    });
  }

  putBlob(key: LogKey, bytes: Uint8Array): Promise<string> {
    const fate = this.#fateOfWrite();
    return this.#parts.wire.send(`blob ${short(key)}`, fate, () => this.#reader.putBlob(key, bytes));
  }

  getBlob(key: LogKey, id: string, digest: Digest): Promise<Uint8Array> {
    return this.#parts.wire.send('read blob', this.#latency(), () => this.#reader.getBlob(key, id, digest));
  }

  due(team: TeamId, byMs: number): Promise<readonly WakeEntry[]> {
    const { table, wire, dice, knobs, worldMs } = this.#parts;
    const behindMs = dice.chance(knobs().stale) ? dice.between(0, 20_000) : 0;
    return wire.send('due', this.#latency(), async () =>
      table.lagged(await this.#reader.due(team, byMs), byMs, behindMs, worldMs()),
    );
  }

  putMark(team: TeamId, mark: Mark): Promise<void> {
    return this.#parts.wire.send('mark', this.#fateOfWrite(), () => this.#reader.putMark(team, mark));
  }

  marksOf(team: TeamId, short: string): Promise<readonly Mark[]> {
    return this.#parts.wire.send('marks', this.#latency(), () => this.#reader.marksOf(team, short));
  }

  lately(team: TeamId, person: UserId, count: number): Promise<readonly Mark[]> {
    return this.#parts.wire.send('lately', this.#latency(), () => this.#reader.lately(team, person, count));
  }

  clearWake(entry: WakeEntry): Promise<void> {
    const { table, wire, worldMs } = this.#parts;
    return wire.send(`clear ${short(entry.key)} ${entry.number}`, this.#fateOfWrite(), async () => {
      await this.#reader.clearWake(entry);
      table.clear(entry, worldMs());
    });
  }

  #latency(): Fate {
    const { dice, knobs } = this.#parts;
    const mostMs = dice.chance(knobs().slow) ? 60_000 : 40;
    return { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) };
  }

  #fateOfWrite(): Fate {
    const { dice, knobs } = this.#parts;
    return dice.chance(knobs().refused) ? { ...this.#latency(), error: unavailable() } : this.#latency();
  }

  #fateOfAppend(): Fate {
    const { dice, knobs, counters } = this.#parts;
    const { refused, unsure, late } = knobs();
    const times = this.#latency();
    if (dice.chance(refused)) return { ...times, error: unavailable(), effect: 'never' };
    if (dice.chance(unsure)) {
      counters.saw('write applied, then reported as unknown');
      return { ...times, error: unavailable(), effect: 'before' };
    }
    if (dice.chance(late)) {
      const laterMs = dice.spread(400_000);
      return { ...times, error: unavailable(), effect: { laterMs } };
    }
    return times;
  }
}

const unavailable = (): LogUnavailable => new LogUnavailable('The table did not answer.');

const short = (key: LogKey): string => (key.startsWith('thread#') ? `…${key.slice(-6)}` : 'workspace');
