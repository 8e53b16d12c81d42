/** Owns marks on DynamoDB: each item is put once, and the same again by whichever process is no error. */
import { PutItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TeamId, UserId } from '../thread/ids.ts';
import type { Mark } from '../worker/ports.ts';
import type { Item } from './items.ts';
import { isShort, latelyRange, markFrom, markItems, shortRange } from './marks.ts';
import { itemsIn } from './pages.ts';
import type { Requests } from './requests.ts';

export class DynamoMarks {
  readonly #client: DynamoDBClient;
  readonly #requests: Requests;

  constructor(client: DynamoDBClient, requests: Requests) {
    this.#client = client;
    this.#requests = requests;
  }

  /** Throws LogUnavailable. */
  async put(team: TeamId, mark: Mark): Promise<void> {
    await Promise.all(markItems(team, mark).map(item => this.#putOnce(item)));
  }

  /** Puts an item unless there is one under its keys; which of the two it was is the same to whoever asks. */
  async #putOnce(item: Item): Promise<void> {
    const deadlineMs = this.#requests.deadline();
    const { table: TableName, patience } = this.#requests;
    for (let attempts = 1; ; attempts++) {
      const put = await this.#requests.attempt(signal =>
        this.#client.send(
          new PutItemCommand({ TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }),
          { abortSignal: signal },
        ),
      );
      if (put.is === 'answered' || put.is === 'condition_failed') return;
      const again = put.is === 'unknown' && attempts <= patience.retries;
      if (!again || !(await this.#requests.pause(attempts, deadlineMs, item['sk']?.S ?? ''))) {
        throw this.#requests.unavailable(put);
      }
    }
  }

  /** Those of a short id; throws LogUnavailable. */
  async of(team: TeamId, short: string): Promise<readonly Mark[]> {
    if (!isShort(short)) return [];
    const items: Item[] = [];
    for await (const page of itemsIn(this.#client, this.#requests, shortRange(team, short), true)) items.push(...page);
    return items.flatMap(item => markFrom(item) ?? []);
  }

  /** The latest `count` of a person, newest first; throws LogUnavailable. */
  async lately(team: TeamId, person: UserId, count: number): Promise<readonly Mark[]> {
    if (count < 1) return [];
    const items: Item[] = [];
    for await (const page of itemsIn(this.#client, this.#requests, latelyRange(team, person), true, count)) {
      items.push(...page);
      if (items.length >= count) break;
    }
    return items.slice(0, count).flatMap(item => markFrom(item) ?? []);
  }
}
