/**
 * Owns the log on DynamoDB: append, settle, load, and what stands beside a log (snapshot, blobs, wake entries).
 *
 * 1. One commit is one conditional put. 2. Until a strongly consistent read has shown whose nonce a number has, a failed
 *    condition, a time-out and a server's error all mean that nobody knows; the same item is sent again, never another one.
 * 3. Every read of a log is strongly consistent; only the index, which finds candidates, is not. 4. Nothing waits longer
 *    than the patience that it was given.
 */
import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Commit, Head } from '../thread/commit.ts';
import type { Event, Json } from '../thread/events.ts';
import type { Digest, LogKey, TeamId, UserId, WriterId } from '../thread/ids.ts';
import { LogDamaged, LogUnavailable } from '../worker/ports.ts';
import type { Clock, Fresh, Loaded, Log, Mark, Wake, WakeEntry } from '../worker/ports.ts';
import { blobFrom, blobItems, blobRange } from './blobs.ts';
import { fromItem, toItem } from './codec.ts';
import { behind, tailOf, wholeOf } from './history.ts';
import { commitKey, itemBytes, SNAPSHOT_KEY, type Item } from './items.ts';
import { DynamoMarks } from './dynamo-marks.ts';
import { itemsIn, pagesOf, type Range } from './pages.ts';
import { PATIENCE, Requests, type Attempt, type Patience } from './requests.ts';
import { sealed, type StoredCommit } from './sealed.ts';
import { LongReads, snapshotFrom, snapshotItem, type Snapshot } from './snapshot.ts';
import { byDue, Cleared, entryWithOpen, partitionsOf, WAKE_INDEX } from './wake-index.ts';

export interface DynamoLogOptions {
  /** Made by `dynamoClient`: one attempt per request. */
  readonly client: DynamoDBClient;
  readonly table: string;
  /** Key of the snapshots' MAC; without one no snapshot is written or used. */
  readonly macKey: Uint8Array | null;
  readonly clock: Clock;
  readonly fresh: Fresh;
  readonly writer: WriterId;
  /** PATIENCE where nothing else is given. */
  readonly patience?: Partial<Patience>;
}

/** Opens the log on a table that `createTable` made; asks the table nothing yet. */
export const openDynamoLog = (options: DynamoLogOptions): Log => new DynamoLog(options);

const LAST_COMMIT = commitKey(9_999_999_999);
/** Commits of a thread take some 900 bytes, so that this reaches back about as far as a snapshot is ever behind. */
const FIRST_ITEMS = 320;

class DynamoLog implements Log {
  readonly #options: DynamoLogOptions;
  readonly #requests: Requests;
  readonly #marks: DynamoMarks;
  readonly #cleared = new Cleared();
  readonly #longReads = new LongReads();

  constructor(options: DynamoLogOptions) {
    this.#options = options;
    this.#requests = new Requests(options.table, options.clock, { ...PATIENCE, ...options.patience });
    this.#marks = new DynamoMarks(options.client, this.#requests);
  }

  async append(
    key: LogKey,
    after: Head,
    events: readonly Event[],
    wake?: Wake,
  ): Promise<{ won: Commit } | { lost: true }> {
    const { clock, fresh, writer } = this.#options;
    const draft = { after, events, atMs: clock.nowMs(), writer, nonce: fresh(), salt: fresh() };
    const { commit, stored } = sealed(key, draft, wake ?? null);
    return (await this.#put(toItem(key, stored), commit)) ? { won: commit } : { lost: true };
  }

  /** Sends the same item until something is known about it; true when it is the one that has its number. */
  async #put(item: Item, { nonce }: Commit): Promise<boolean> {
    const deadlineMs = this.#requests.deadline();
    const rounds = 2 + this.#requests.patience.retries;
    for (let attempts = 1; ; attempts++) {
      const put = await this.#requests.attempt(signal =>
        this.#options.client.send(
          new PutItemCommand({
            TableName: this.#options.table,
            Item: item,
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
          { abortSignal: signal },
        ),
      );
      if (put.is === 'answered') return true;
      if (put.is === 'refused' && attempts === 1) throw this.#requests.unavailable(put);
      const again = put.is === 'unknown' && attempts < rounds;
      if (!again || !(await this.#requests.pause(attempts, deadlineMs, nonce))) {
        return this.#settle(item, nonce, put, deadlineMs);
      }
    }
  }

  /** Reads whose nonce the number has. */
  async #settle(item: Item, nonce: string, put: Attempt<unknown>, deadlineMs: number): Promise<boolean> {
    const [pk, sk] = [item['pk']?.S ?? '', item['sk']?.S ?? ''];
    const found = await this.#requests.answer(
      signal =>
        this.#options.client.send(
          new GetItemCommand({
            TableName: this.#options.table,
            Key: { pk: { S: pk }, sk: { S: sk } },
            ProjectionExpression: 'sk, nonce',
            ConsistentRead: true,
          }),
          { abortSignal: signal },
        ),
      deadlineMs,
    );
    if (found.Item?.['nonce']?.S) return found.Item['nonce'].S === nonce;
    if (found.Item) throw new LogDamaged(`${pk} holds an item (${sk}) that Countersign did not write.`);
    if (put.is === 'refused' || put.is === 'unknown') throw this.#requests.unavailable(put);
    throw new LogUnavailable(`Commit ${sk} of ${pk} was there and is gone: its outcome could not be learnt.`);
  }

  async load(key: LogKey, after?: Head): Promise<Loaded> {
    if (!after) return this.#loadCold(key);
    const stored: StoredCommit[] = [];
    for await (const page of this.#pages(key, { from: commitKey(after.number + 1), to: LAST_COMMIT }, true)) {
      for (const item of page) stored.push(fromItem(key, item));
    }
    return tailOf(key, after, stored);
  }

  /** From the log's end backwards, little further than to a snapshot that may be used. */
  async #loadCold(key: LogKey): Promise<Loaded> {
    const stored: StoredCommit[] = [];
    let snapshot: Snapshot | null = null;
    let bytesBehind = 0;
    for await (const page of this.#pages(key, { from: commitKey(0), to: SNAPSHOT_KEY }, false, FIRST_ITEMS)) {
      for (const item of page) {
        if (item['sk']?.S === SNAPSHOT_KEY) {
          snapshot = snapshotFrom(this.#options.macKey, key, item);
          continue;
        }
        const commit = fromItem(key, item);
        stored.push(commit);
        if (!snapshot || commit.number > snapshot.head.number) bytesBehind += itemBytes(item);
      }
      const oldest = stored.at(-1)?.number;
      if (snapshot && oldest !== undefined && oldest <= snapshot.head.number + 1) break;
    }
    stored.reverse();
    const loaded = snapshot ? behind(key, snapshot, stored) : wholeOf(key, stored);
    this.#longReads.note(key, bytesBehind);
    return loaded;
  }

  /** A partition's items from sort key to sort key, page by page, strongly consistent; at most `first` in the first page. */
  #pages(key: string, range: Range, forward: boolean, first?: number): AsyncGenerator<Item[]> {
    return itemsIn(this.#options.client, this.#requests, { pk: key, ...range }, forward, first);
  }

  async offerSnapshot(key: LogKey, head: Head, state: Json): Promise<void> {
    const { macKey } = this.#options;
    if (!macKey || !this.#longReads.take(key)) return;
    try {
      const item = snapshotItem(macKey, key, head, state);
      if (item) await this.#putFreely(item);
    } catch {
      // A snapshot only saves reading: without it the next reader reads more, and offers again.
    }
  }

  /** Puts an item that may be written any number of times. */
  async #putFreely(item: Item): Promise<void> {
    await this.#requests.answer(signal =>
      this.#options.client.send(new PutItemCommand({ TableName: this.#options.table, Item: item }), {
        abortSignal: signal,
      }),
    );
  }

  async putBlob(key: LogKey, bytes: Uint8Array): Promise<string> {
    const id = this.#options.fresh();
    for (const item of blobItems(key, id, bytes)) await this.#putFreely(item);
    return id;
  }

  async getBlob(key: LogKey, id: string, digest: Digest): Promise<Uint8Array> {
    const items: Item[] = [];
    for await (const page of this.#pages(key, blobRange(id), true)) items.push(...page);
    return blobFrom(key, id, digest, items);
  }

  async due(team: TeamId, byMs: number): Promise<readonly WakeEntry[]> {
    const shards = await Promise.all(partitionsOf(team).map(due => this.#shard(due, byMs)));
    return shards
      .flat()
      .flatMap(item => entryWithOpen(item) ?? [])
      .filter(entry => !this.#cleared.has(entry))
      .sort(byDue);
  }

  /** The index entries of one partition up to a time, unordered. */
  async #shard(due: string, byMs: number): Promise<Item[]> {
    const items: Item[] = [];
    const pages = pagesOf(this.#requests, (start, abortSignal) =>
      this.#options.client.send(
        new QueryCommand({
          TableName: this.#options.table,
          IndexName: WAKE_INDEX,
          KeyConditionExpression: 'due = :due AND dueAt <= :by',
          ExpressionAttributeValues: { ':due': { S: due }, ':by': { N: String(byMs) } },
          ProjectionExpression: 'pk, sk, nonce, dueAt, #open',
          ExpressionAttributeNames: { '#open': 'open' },
          ...start,
        }),
        { abortSignal },
      ),
    );
    for await (const page of pages) items.push(...page);
    return items;
  }

  async clearWake(entry: WakeEntry): Promise<void> {
    const deadlineMs = this.#requests.deadline();
    for (let attempts = 1; ; attempts++) {
      const update = await this.#requests.attempt(signal =>
        this.#options.client.send(
          new UpdateItemCommand({
            TableName: this.#options.table,
            Key: { pk: { S: entry.key }, sk: { S: commitKey(entry.number) } },
            UpdateExpression: 'REMOVE due, dueAt, #open',
            ConditionExpression: 'attribute_exists(nonce)',
            ExpressionAttributeNames: { '#open': 'open' },
          }),
          { abortSignal: signal },
        ),
      );
      if (update.is === 'answered' || update.is === 'condition_failed') return this.#cleared.add(entry);
      const again = update.is === 'unknown' && attempts <= this.#requests.patience.retries;
      if (!again || !(await this.#requests.pause(attempts, deadlineMs, entry.nonce))) {
        throw this.#requests.unavailable(update);
      }
    }
  }

  putMark(team: TeamId, mark: Mark): Promise<void> {
    return this.#marks.put(team, mark);
  }

  marksOf(team: TeamId, short: string): Promise<readonly Mark[]> {
    return this.#marks.of(team, short);
  }

  lately(team: TeamId, person: UserId, count: number): Promise<readonly Mark[]> {
    return this.#marks.lately(team, person, count);
  }
}
