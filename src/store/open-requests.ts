/** Owns the list of everything that is open in a table, whichever team it belongs to: for people who look from outside. */
import { ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../worker/ports.ts';
import type { Item } from './items.ts';
import { PATIENCE, Requests } from './requests.ts';
import { openLists, WAKE_INDEX, type OpenIn } from './wake-index.ts';

interface Page {
  readonly Items?: Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
}

/**
 * Reads the whole wake index, which holds only threads that need attention. It may lag, and each log knows better. Throws
 * LogUnavailable.
 */
export async function openInTable(client: DynamoDBClient, table: string, clock: Clock): Promise<readonly OpenIn[]> {
  const requests = new Requests(table, clock, PATIENCE);
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page: Page = await requests.answer(signal =>
      client.send(
        new ScanCommand({
          TableName: table,
          IndexName: WAKE_INDEX,
          ProjectionExpression: 'pk, sk, nonce, dueAt, #open',
          ExpressionAttributeNames: { '#open': 'open' },
          ...(start && { ExclusiveStartKey: start }),
        }),
        { abortSignal: signal },
      ),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return openLists(items);
}
