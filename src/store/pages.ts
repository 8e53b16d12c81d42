/** Owns reading page by page: whatever a query or a scan finds, and a stretch of one partition, strongly consistent. */
import { QueryCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './items.ts';
import type { Requests } from './requests.ts';

/** Sort keys, both ends among them. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

interface Page {
  readonly Items?: Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
}

/** Items from sort key to sort key, forward or backwards; at most `first` in the first page. Throws LogUnavailable. */
export async function* itemsIn(
  client: DynamoDBClient,
  requests: Requests,
  { pk, from, to }: Range & { readonly pk: string },
  forward: boolean,
  first?: number,
): AsyncGenerator<Item[]> {
  yield* pagesOf(requests, (start, abortSignal) =>
    client.send(
      new QueryCommand({
        TableName: requests.table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
        ScanIndexForward: forward,
        ConsistentRead: true,
        ...('ExclusiveStartKey' in start ? start : first !== undefined && { Limit: first }),
      }),
      { abortSignal },
    ),
  );
}

/** Where a page begins; nothing for the first one. */
type Start = { readonly ExclusiveStartKey: Item } | Record<never, never>;

/** The items of each page; `read` asks for the page that begins there. Throws LogUnavailable. */
export async function* pagesOf(
  requests: Requests,
  read: (start: Start, signal: AbortSignal) => Promise<Page>,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const from = start ? { ExclusiveStartKey: start } : {};
    const page = await requests.answer(signal => read(from, signal));
    yield page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
