/**
 * Owns the log in memory: the same contract as on the table, from the same parts (sealing, verification, snapshot, blobs),
 * with a synchronous core, so that each call takes effect at the moment it is made and a seeded run replays.
 *
 * 1. Only plain stored records pass from one call to another: no reader is given an object that another one holds.
 */
import type { Commit, Head } from '../thread/commit.ts';
import type { Event, Json } from '../thread/events.ts';
import type { Digest, LogKey, TeamId, UserId, WriterId } from '../thread/ids.ts';
import type { Clock, Fresh, Loaded, Log, Mark, Wake, WakeEntry } from '../worker/ports.ts';
import { blobFrom, blobItems } from './blobs.ts';
import { toItem } from './codec.ts';
import { behind, tailOf, wholeOf } from './history.ts';
import { commitKey, MAX_ITEM_BYTES, type Item } from './items.ts';
import { isShort, latelyRange, markFrom, markItems, shortRange } from './marks.ts';
import type { Range } from './pages.ts';
import { sealed, type StoredCommit } from './sealed.ts';
import { LongReads, snapshotFrom, snapshotItem } from './snapshot.ts';
import { byDue, entryWithOpen, teamOf, wakeOf } from './wake-index.ts';

/** What one log's partition holds; commits by number. */
export interface MemoryPartition {
  readonly commits: Map<number, StoredCommit>;
  readonly blobs: Map<string, Item[]>;
  snapshot: Item | undefined;
}

/** A table in memory; every log that is opened on it sees the same. */
export class MemoryTable {
  readonly partitions = new Map<LogKey, MemoryPartition>();
  /** Items of marks, by partition and sort key. */
  readonly marks = new Map<string, Map<string, Item>>();

  partition(key: LogKey): MemoryPartition {
    const known = this.partitions.get(key);
    if (known) return known;
    const made: MemoryPartition = { commits: new Map(), blobs: new Map(), snapshot: undefined };
    this.partitions.set(key, made);
    return made;
  }
}

export interface MemoryLogOptions {
  readonly table: MemoryTable;
  readonly macKey: Uint8Array | null;
  readonly clock: Clock;
  readonly fresh: Fresh;
  readonly writer: WriterId;
}

/** Opens the log on a table in memory. */
export const openMemoryLog = (options: MemoryLogOptions): Log => new MemoryLog(options);

const weightOf = (stored: StoredCommit): number => stored.facts.length + (stored.content?.body.length ?? 0);

class MemoryLog implements Log {
  readonly #options: MemoryLogOptions;
  readonly #longReads = new LongReads();

  constructor(options: MemoryLogOptions) {
    this.#options = options;
  }

  async append(
    key: LogKey,
    after: Head,
    events: readonly Event[],
    wake?: Wake,
  ): Promise<{ won: Commit } | { lost: true }> {
    const { clock, fresh, writer, table } = this.#options;
    const draft = { after, events, atMs: clock.nowMs(), writer, nonce: fresh(), salt: fresh() };
    const { commit, stored } = sealed(key, draft, wake ?? null);
    // Packing is left out while the plain texts fit: then the item fits as well.
    if (weightOf(stored) * 3 > MAX_ITEM_BYTES) toItem(key, stored);
    const { commits } = table.partition(key);
    if (commits.has(stored.number)) return { lost: true };
    commits.set(stored.number, stored);
    return { won: commit };
  }

  async load(key: LogKey, after?: Head): Promise<Loaded> {
    const partition = this.#options.table.partition(key);
    const stored = [...partition.commits.values()].sort((a, b) => a.number - b.number);
    if (after) {
      return tailOf(
        key,
        after,
        stored.filter(each => each.number > after.number),
      );
    }
    const snapshot = snapshotFrom(this.#options.macKey, key, partition.snapshot);
    const loaded = snapshot ? behind(key, snapshot, stored) : wholeOf(key, stored);
    const read = stored.filter(each => each.number > (snapshot?.head.number ?? 0));
    this.#longReads.note(
      key,
      read.reduce((sum, each) => sum + weightOf(each), 0),
    );
    return loaded;
  }

  async offerSnapshot(key: LogKey, head: Head, state: Json): Promise<void> {
    const { macKey, table } = this.#options;
    if (!macKey || !this.#longReads.take(key)) return;
    try {
      table.partition(key).snapshot = snapshotItem(macKey, key, head, state) ?? table.partition(key).snapshot;
    } catch {
      // As on the table: a snapshot that cannot be made is done without.
    }
  }

  async putBlob(key: LogKey, bytes: Uint8Array): Promise<string> {
    const id = this.#options.fresh();
    this.#options.table.partition(key).blobs.set(id, blobItems(key, id, bytes));
    return id;
  }

  async getBlob(key: LogKey, id: string, digest: Digest): Promise<Uint8Array> {
    return blobFrom(key, id, digest, this.#options.table.partition(key).blobs.get(id) ?? []);
  }

  async due(team: TeamId, byMs: number): Promise<readonly WakeEntry[]> {
    return [...this.#options.table.partitions]
      .filter(([key]) => teamOf(key) === team)
      .flatMap(([key, { commits }]) => [...commits.values()].flatMap(stored => entryOf(key, stored) ?? []))
      .filter(entry => entry.nonce !== '' && entry.dueAtMs <= byMs)
      .sort(byDue);
  }

  async clearWake(entry: WakeEntry): Promise<void> {
    const { commits } = this.#options.table.partition(entry.key);
    const stored = commits.get(entry.number);
    if (stored) commits.set(entry.number, { ...stored, wake: null });
  }
  async putMark(team: TeamId, mark: Mark): Promise<void> {
    const { marks } = this.#options.table;
    for (const item of markItems(team, mark)) {
      const [pk, sk] = [item['pk']?.S ?? '', item['sk']?.S ?? ''];
      const items = marks.get(pk) ?? new Map<string, Item>();
      marks.set(pk, items);
      if (!items.has(sk)) items.set(sk, item);
    }
  }

  async marksOf(team: TeamId, short: string): Promise<readonly Mark[]> {
    return isShort(short) ? this.#marksIn(shortRange(team, short)) : [];
  }

  async lately(team: TeamId, person: UserId, count: number): Promise<readonly Mark[]> {
    return this.#marksIn(latelyRange(team, person)).slice(0, Math.max(0, count));
  }

  #marksIn({ pk, from, to }: Range & { readonly pk: string }): Mark[] {
    return [...(this.#options.table.marks.get(pk) ?? [])]
      .filter(([sk]) => from <= sk && sk <= to)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, item]) => markFrom(item) ?? []);
  }
}

/** The wake entry of a commit as the index would list it; undefined without one. */
const entryOf = (key: LogKey, { number, nonce, wake }: StoredCommit): WakeEntry | undefined =>
  wake === null
    ? undefined
    : entryWithOpen({ pk: { S: key }, sk: { S: commitKey(number) }, nonce: { S: nonce }, ...wakeOf(key, wake) });
