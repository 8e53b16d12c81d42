/**
 * Owns reading the whole table, whichever team: for people who look from outside for what no key leads to. It reads every item
 * once, so that its cost grows with the table; what it finds is a hint, the log is read before anything is believed.
 */
import { ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LogKey } from '../thread/ids.ts';
import type { Clock } from '../worker/ports.ts';
import { unpacked } from './bytes.ts';
import { numberIn, type Item } from './items.ts';
import { pagesOf } from './pages.ts';
import { PATIENCE, Requests } from './requests.ts';

/** The facts of one commit, as they stand in the table; their chain has not been verified. */
export interface FoundCommit {
  readonly key: LogKey;
  readonly number: number;
  readonly atMs: number;
  /** JSON of its events without their bodies. */
  readonly facts: string;
}

/** Every commit since a time (epoch ms), and the workspaces' logs from their beginning, in no order. Throws LogUnavailable. */
export async function* everyCommit(
  client: DynamoDBClient,
  table: string,
  clock: Clock,
  sinceMs = 0,
): AsyncGenerator<FoundCommit> {
  const requests = new Requests(table, clock, PATIENCE);
  const pages = pagesOf(requests, (start, abortSignal) =>
    client.send(
      new ScanCommand({
        TableName: table,
        ProjectionExpression: 'pk, sk, #at, f',
        FilterExpression: 'begins_with(sk, :commit) AND (#at >= :since OR begins_with(pk, :workspace))',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: {
          ':commit': { S: 'c#' },
          ':since': { N: String(sinceMs) },
          ':workspace': { S: 'workspace#' },
        },
        ...start,
      }),
      { abortSignal },
    ),
  );
  for await (const items of pages) yield* items.flatMap(item => commitIn(item) ?? []);
}

/** Undefined for an item that is no commit of ours. */
function commitIn(item: Item): FoundCommit | undefined {
  const [key, at, number] = [item['pk']?.S, item['at']?.N, numberIn(item['sk']?.S ?? '')];
  const facts = item['f']?.S ?? (item['f']?.B && unpacked(item['f'].B)?.toString());
  if (key === undefined || at === undefined || number === undefined || facts === undefined) return undefined;
  return { key: key as LogKey, number, atMs: Number(at), facts };
}
