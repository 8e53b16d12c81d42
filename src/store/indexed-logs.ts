/** Owns the list of logs that need attention in a table, whichever team they belong to: for people who look from outside. */
import { ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LogKey } from '../thread/ids.ts';
import type { Clock } from '../worker/ports.ts';
import { pagesOf } from './pages.ts';
import { PATIENCE, Requests } from './requests.ts';
import { entryFrom, WAKE_INDEX } from './wake-index.ts';

/** Reads the whole wake index, which holds only logs that need attention; a log may stand in it more than once. Throws LogUnavailable. */
export async function logsInIndex(client: DynamoDBClient, table: string, clock: Clock): Promise<readonly LogKey[]> {
  const requests = new Requests(table, clock, PATIENCE);
  const keys: LogKey[] = [];
  const pages = pagesOf(requests, (start, abortSignal) =>
    client.send(
      new ScanCommand({
        TableName: table,
        IndexName: WAKE_INDEX,
        ProjectionExpression: 'pk, sk, nonce, dueAt',
        ...start,
      }),
      { abortSignal },
    ),
  );
  for await (const items of pages) keys.push(...items.flatMap(item => entryFrom(item)?.key ?? []));
  return keys;
}
