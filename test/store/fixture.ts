/** What the store's contract needs of an implementation: logs on one table, and a way to reach behind them. */
import { createHash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../../src/store/codec.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import { commitKey, type Item } from '../../src/store/items.ts';
import { MemoryTable, openMemoryLog } from '../../src/store/memory-log.ts';
import { dynamoClient, type Patience } from '../../src/store/requests.ts';
import type { StoredCommit } from '../../src/store/sealed.ts';
import { createTable } from '../../src/store/table.ts';
import type { LogKey, WriterId } from '../../src/thread/ids.ts';
import type { Clock, Fresh, Log } from '../../src/worker/ports.ts';
import { HandClock } from './hand-clock.ts';

const MAC_KEY = Buffer.alloc(32, 7);

interface OpenOptions {
  readonly writer?: string;
  readonly macKey?: Uint8Array | null;
}

/** What somebody could do to the table who is not Countersign. */
export interface Behind {
  read(key: LogKey, number: number): Promise<StoredCommit>;
  /** Puts a commit under a number, whatever is there. */
  write(key: LogKey, number: number, stored: StoredCommit): Promise<void>;
  remove(key: LogKey, number: number): Promise<void>;
  snapshot(key: LogKey): Promise<Item | undefined>;
  putSnapshot(key: LogKey, item: Item): Promise<void>;
  changeBlob(key: LogKey, id: string, change: (items: Item[]) => Item[]): Promise<void>;
  /** How many items stand in a log's partition. */
  count(key: LogKey): Promise<number>;
}

export interface Backend {
  readonly clock: HandClock;
  readonly behind: Behind;
  /** A log as another process would open it. */
  open(options?: OpenOptions): Log;
}

/** Fresh text that is different each time and the same in each run. */
function countedFresh(seed: string): Fresh {
  let count = 0;
  return () => createHash('sha256').update(`${seed}${++count}`).digest('hex').slice(0, 32);
}

let writers = 0;
const identity = (writer?: string) => {
  const name = (writer ?? `node/${++writers}`) as WriterId;
  return { writer: name, fresh: countedFresh(`${name}#${++writers}`) };
};

export function memoryBackend(): Backend {
  const table = new MemoryTable();
  const clock = new HandClock();
  const partition = (key: LogKey) => table.partition(key);
  return {
    clock,
    open: ({ writer, macKey = MAC_KEY } = {}) => openMemoryLog({ table, clock, macKey, ...identity(writer) }),
    behind: {
      async read(key, number) {
        const stored = partition(key).commits.get(number);
        if (!stored) throw new Error(`There is no commit ${number}.`);
        return stored;
      },
      async write(key, number, stored) {
        partition(key).commits.set(number, { ...stored, number });
      },
      async remove(key, number) {
        partition(key).commits.delete(number);
      },
      async snapshot(key) {
        return partition(key).snapshot;
      },
      async putSnapshot(key, item) {
        partition(key).snapshot = item;
      },
      async changeBlob(key, id, change) {
        partition(key).blobs.set(id, change(partition(key).blobs.get(id) ?? []));
      },
      async count(key) {
        const { commits, blobs, snapshot } = partition(key);
        return commits.size + [...blobs.values()].flat().length + (snapshot ? 1 : 0);
      },
    },
  };
}

export interface DynamoBackend extends Backend {
  readonly client: DynamoDBClient;
  readonly table: string;
  openWith(options: OpenOptions & { client?: DynamoDBClient; clock?: Clock; patience?: Partial<Patience> }): Log;
  /** Every item of a log's partition as it is stored. */
  items(key: LogKey): Promise<Item[]>;
  close(): void;
}

let tables = 0;

/** A new table on a DynamoDB endpoint. */
export async function dynamoBackend(endpoint: string): Promise<DynamoBackend> {
  const clock = new HandClock();
  const table = `countersign-test-${process.pid}-${++tables}`;
  const local = { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const client = dynamoClient(local);
  await createTable(client, table, clock);
  const put = (item: Item) => client.send(new PutItemCommand({ TableName: table, Item: item }));
  const remove = (item: Item) =>
    client.send(
      new DeleteItemCommand({ TableName: table, Key: { pk: item['pk'] ?? { S: '' }, sk: item['sk'] ?? { S: '' } } }),
    );
  const items = async (key: LogKey): Promise<Item[]> => {
    const found: Item[] = [];
    let start: Item | undefined;
    do {
      const page: { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: key } },
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      found.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return found;
  };
  const get = async (key: LogKey, sk: string): Promise<Item | undefined> =>
    (
      await client.send(
        new GetItemCommand({ TableName: table, Key: { pk: { S: key }, sk: { S: sk } }, ConsistentRead: true }),
      )
    ).Item;
  const openWith: DynamoBackend['openWith'] = ({ writer, macKey = MAC_KEY, ...own }) =>
    openDynamoLog({ client, table, clock, macKey, ...own, ...identity(writer) });
  return {
    clock,
    client,
    table,
    items,
    openWith,
    open: (options = {}) => openWith(options),
    close: () => client.destroy(),
    behind: {
      async read(key, number) {
        return fromItem(key, (await get(key, commitKey(number))) ?? {});
      },
      async write(key, number, stored) {
        await put(toItem(key, { ...stored, number }));
      },
      async remove(key, number) {
        await remove({ pk: { S: key }, sk: { S: commitKey(number) } });
      },
      snapshot: key => get(key, 's'),
      async putSnapshot(_key, item) {
        await put(item);
      },
      async changeBlob(key, id, change) {
        const own = (await items(key)).filter(item => item['sk']?.S?.startsWith(`b#${id}#`));
        for (const item of own) await remove(item);
        for (const item of change(own)) await put(item);
      },
      async count(key) {
        return (await items(key)).length;
      },
    },
  };
}

/** Removes the body of a commit, as an erasure does. */
export async function erase(behind: Behind, key: LogKey, number: number): Promise<void> {
  const stored = await behind.read(key, number);
  await behind.write(key, number, { ...stored, content: null });
}

/** An update that brings an item into being where there was none, as a careless clearing of a wake entry would. */
export const makeGhost = (backend: DynamoBackend, key: LogKey, number: number) =>
  backend.client.send(
    new UpdateItemCommand({
      TableName: backend.table,
      Key: { pk: { S: key }, sk: { S: commitKey(number) } },
      UpdateExpression: 'SET ghost = :yes',
      ExpressionAttributeValues: { ':yes': { S: 'yes' } },
    }),
  );
