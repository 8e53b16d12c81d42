/** Owns reading a stretch of one partition, page by page, strongly consistent. */
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
  let start: Item | undefined;
  do {
    const page: Page = await requests.answer(signal =>
      client.send(
        new QueryCommand({
          TableName: requests.table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
          ScanIndexForward: forward,
          ConsistentRead: true,
          ...(start ? { ExclusiveStartKey: start } : first !== undefined && { Limit: first }),
        }),
        { abortSignal: signal },
      ),
    );
    yield page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
