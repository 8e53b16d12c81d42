/**
 * Owns the table itself: its keys, its one index, and what protects it. Made once per environment; the log never changes it.
 *
 * 1. No time to live is ever set on it: what was a commit is kept. 2. Stand-ins that do not know a protection are borne; in
 * the cloud a protection that could not be switched on is an error.
 *
 * Items, each named by the file that owns its form: `thread#…` and `workspace#…` hold commits `c#…` (codec.ts), a snapshot `s`
 * (snapshot.ts) and results `b#…` (blobs.ts); `short#<team>` / `<short id>#<approval id>` and `lately#<team>#<person>` /
 * `<time, backwards>#<approval id>#<asked|over>` are marks (marks.ts).
 */
import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { LogUnavailable, type Clock } from '../worker/ports.ts';
import { WAKE_INDEX } from './wake-index.ts';

/** Keys and index of a table; the infrastructure's definition must say the same. */
export const tableSchema = (table: string): CreateTableCommandInput => ({
  TableName: table,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'due', AttributeType: 'S' },
    { AttributeName: 'dueAt', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: WAKE_INDEX,
      KeySchema: [
        { AttributeName: 'due', KeyType: 'HASH' },
        { AttributeName: 'dueAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['nonce', 'open'] },
    },
  ],
});

/** On, off, or not known here (a stand-in, or no permission to look). */
type Protection = 'on' | 'off' | 'unknown';

/** What can be said of a table; `problems` is empty when the log can work on it. */
export interface TableState {
  readonly problems: readonly string[];
  readonly recovery: Protection;
  readonly deletionProtection: Protection;
  /** The attribute by which items would expire; null when there is none, as it should be. */
  readonly expiresBy: string | null;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
/** How stand-ins say that they do not know a call or a field of it. */
const UNKNOWN_THERE = new Set(['UnknownOperationException', 'ValidationException', 'SerializationException']);
/** What a table says that is still being changed. */
const NOT_YET = new Set(['ContinuousBackupsUnavailableException', 'ResourceInUseException']);

/** The description of a table; undefined when there is none. */
async function described(client: DynamoDBClient, table: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: table }))).Table;
  } catch (error) {
    if (nameOf(error) === 'ResourceNotFoundException') return undefined;
    throw new LogUnavailable(`The table ${table} could not be looked at.`, { cause: error });
  }
}

const keysIn = (keys: TableDescription['KeySchema']): string =>
  (keys ?? []).map(key => `${key.AttributeName} ${key.KeyType}`).join(', ');

function problemsOf(table: string, found: TableDescription | undefined): string[] {
  if (!found) return [`There is no table ${table}; npm run table:create makes it.`];
  const wanted = tableSchema(table);
  const [index] = wanted.GlobalSecondaryIndexes ?? [];
  const own = found.GlobalSecondaryIndexes?.find(each => each.IndexName === WAKE_INDEX);
  const projected = own?.Projection;
  const carries =
    projected?.ProjectionType === 'ALL' ||
    ['nonce', 'open'].every(attribute => projected?.NonKeyAttributes?.includes(attribute));
  const types = (wanted.AttributeDefinitions ?? []).filter(
    ({ AttributeName: name, AttributeType: type }) =>
      !found.AttributeDefinitions?.some(each => each.AttributeName === name && each.AttributeType === type),
  );
  return [
    ...(keysIn(found.KeySchema) === keysIn(wanted.KeySchema) ? [] : [`The table ${table} has other keys than pk, sk.`]),
    ...(keysIn(own?.KeySchema) === keysIn(index?.KeySchema) ? [] : [`The table ${table} has no index ${WAKE_INDEX}.`]),
    ...(own && !carries ? [`The index ${WAKE_INDEX} of ${table} does not carry nonce and open.`] : []),
    ...types.map(
      ({ AttributeName: name, AttributeType: type }) => `The key ${name} of ${table} is not of type ${type}.`,
    ),
  ];
}

/** Looks at a table; throws LogUnavailable when it cannot be looked at. */
export async function tableState(client: DynamoDBClient, table: string): Promise<TableState> {
  const found = await described(client, table);
  const recovery = await known(async () => {
    const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: table }));
    return backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  });
  const expiry = await known(async () => {
    const ttl = (await client.send(new DescribeTimeToLiveCommand({ TableName: table }))).TimeToLiveDescription;
    return ttl?.TimeToLiveStatus === 'ENABLED' || ttl?.TimeToLiveStatus === 'ENABLING' ? ttl.AttributeName : undefined;
  });
  const protectedNow = found?.DeletionProtectionEnabled;
  return {
    problems: [
      ...problemsOf(table, found),
      ...(expiry ? [`Items of ${table} expire by ${expiry}; what was a commit must be kept.`] : []),
    ],
    recovery: recovery === undefined ? 'unknown' : recovery === 'ENABLED' ? 'on' : 'off',
    deletionProtection: protectedNow === undefined ? 'unknown' : protectedNow ? 'on' : 'off',
    expiresBy: expiry ?? null,
  };
}

/** What a look says; undefined where it is not known or may not be asked. */
async function known(look: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}

/**
 * Makes the table, or finds the one that is there, and protects it (point-in-time recovery, deletion protection); resolves
 * once it can be used. Throws LogUnavailable when a table of that name has another form, or nothing answers within a minute.
 */
export async function createTable(client: DynamoDBClient, table: string, clock: Clock): Promise<'created' | 'found'> {
  const made = await create(client, table);
  const deadlineMs = clock.monotonicMs() + 60_000;
  let found = await described(client, table);
  while (found?.TableStatus !== 'ACTIVE') {
    if (clock.monotonicMs() >= deadlineMs) throw new LogUnavailable(`The table ${table} is not ready after a minute.`);
    await clock.sleep(500);
    found = await described(client, table);
  }
  const problems = problemsOf(table, found);
  if (problems.length > 0) throw new LogUnavailable(problems.join(' '));
  await protect(client, table, found, clock);
  return made;
}

async function create(client: DynamoDBClient, table: string): Promise<'created' | 'found'> {
  try {
    await client.send(new CreateTableCommand(tableSchema(table)));
    return 'created';
  } catch (error) {
    if (nameOf(error) === 'ResourceInUseException') return 'found';
    const detail = error instanceof Error ? error.message : String(error);
    throw new LogUnavailable(`The table ${table} could not be made: ${detail}`, { cause: error });
  }
}

async function protect(client: DynamoDBClient, table: string, found: TableDescription, clock: Clock): Promise<void> {
  await unlessUnknown(table, clock, () =>
    client.send(
      new UpdateContinuousBackupsCommand({
        TableName: table,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ),
  );
  if (found.DeletionProtectionEnabled === true) return;
  await unlessUnknown(table, clock, () =>
    client.send(new UpdateTableCommand({ TableName: table, DeletionProtectionEnabled: true })),
  );
}

/** Makes a change that stand-ins may not know; a new table may need some seconds before it takes one. */
async function unlessUnknown(table: string, clock: Clock, change: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await change();
      return;
    } catch (error) {
      if (UNKNOWN_THERE.has(nameOf(error))) return;
      if (!NOT_YET.has(nameOf(error)) || attempts === 20) {
        const detail = error instanceof Error ? error.message : String(error);
        throw new LogUnavailable(`The table ${table} is there, but could not be protected: ${detail}`, {
          cause: error,
        });
      }
      await clock.sleep(3000);
    }
  }
}
