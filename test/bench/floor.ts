/**
 * Owns the floor: the least that a careful person would write by hand for the same work, and no more. Conversation as
 * append-only items, two strongly consistent queries a turn, a conditional put at the pause, a claim, a conditional put at
 * the end. No policy, no lease, no chain, no card, nobody's rights, no recovery.
 *
 * `floor-min` claims with one conditional put. `floor-transact` claims with a transaction (status and decision); dynalite has
 * none, so that it needs DynamoDB Local.
 */
import { Agent, request } from 'node:http';
import {
  CreateTableCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import type { Item } from '../../src/store/items.ts';
import type { Click, Effects, Subject, Turn } from './script.ts';
import type { TableShape } from './units.ts';

export const floorShape: TableShape = { keys: ['pk', 'sk'], indexes: [] };

const callSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.optional(z.nullable(z.string())),
  tool_calls: z.optional(z.array(callSchema)),
});
type Message = z.infer<typeof messageSchema>;
const answered = z.looseObject({ choices: z.tuple([z.looseObject({ message: messageSchema })]) });

const parameters = (...names: string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});
const TOOLS = [
  {
    type: 'function',
    function: { name: 'lookup', description: 'Looks up an order.', parameters: parameters('order') },
  },
  {
    type: 'function',
    function: { name: 'refund', description: 'Refunds an order.', parameters: parameters('note', 'order', 'reason') },
  },
];

const agent = new Agent({ keepAlive: true });

function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`The model answered ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface FloorOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly model: string;
  readonly effects: Effects;
  readonly claim: 'put' | 'transaction';
}

/** Makes the floor's table. */
export async function createFloorTable(client: DynamoDBClient, table: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
}

export class Floor implements Subject {
  readonly name: string;
  readonly #options: FloorOptions;

  constructor(options: FloorOptions) {
    this.#options = options;
    this.name = options.claim === 'put' ? 'floor-min' : 'floor-transact';
  }

  async pause(thread: number, turn: Turn): Promise<void> {
    const { messages, last } = await this.#load(thread);
    const fresh: Message[] = [{ role: 'user', content: turn.question }];
    for (;;) {
      const reply = await this.#ask([...messages, ...fresh]);
      fresh.push(reply);
      const call = reply.tool_calls?.[0];
      if (!call) throw new Error('The model called no tool.');
      if (call.function.name === 'refund') break;
      const { order } = z.object({ order: z.string() }).parse(JSON.parse(call.function.arguments));
      fresh.push({ role: 'tool', tool_call_id: call.id, content: this.#options.effects.lookup(order) });
    }
    await this.#put(thread, `${sortKey(numberOf(last) + 1)}#1`, {
      st: { S: 'paused' },
      d: { S: JSON.stringify(fresh) },
    });
  }

  open(thread: number): Promise<Click> {
    let answer = '';
    return Promise.resolve({
      approve: async () => {
        answer = await this.#approve(thread);
      },
      answer: () => Promise.resolve(answer),
    });
  }

  wait(): Promise<void> {
    return Promise.resolve();
  }

  rest(): Promise<void> {
    return Promise.resolve();
  }

  async #approve(thread: number): Promise<string> {
    const { messages, last } = await this.#load(thread);
    if (last?.['st']?.S !== 'paused') throw new Error('Nothing waits.');
    const number = sortKey(numberOf(last));
    await this.#claim(thread, number);
    const call = messages.at(-1)?.tool_calls?.[0];
    if (!call) throw new Error('No call waits.');
    const content = this.#options.effects.refund(JSON.parse(call.function.arguments));
    const fresh: Message[] = [{ role: 'tool', tool_call_id: call.id, content }];
    const reply = await this.#ask([...messages, ...fresh]);
    await this.#put(thread, `${number}#3`, { d: { S: JSON.stringify([...fresh, reply]) } });
    return reply.content ?? '';
  }

  async #claim(thread: number, number: string): Promise<void> {
    const decision = { by: { S: 'U123' }, v: { S: 'approve' } };
    if (this.#options.claim === 'put') return this.#put(thread, `${number}#2`, decision);
    const { client, table } = this.#options;
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          {
            Update: {
              TableName: table,
              Key: { pk: { S: keyOf(thread) }, sk: { S: `${number}#1` } },
              UpdateExpression: 'SET st = :approved',
              ConditionExpression: 'st = :paused',
              ExpressionAttributeValues: { ':approved': { S: 'approved' }, ':paused': { S: 'paused' } },
            },
          },
          {
            Put: {
              TableName: table,
              Item: { pk: { S: keyOf(thread) }, sk: { S: `${number}#2` }, ...decision },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    );
  }

  async #put(thread: number, sk: string, attributes: Item): Promise<void> {
    await this.#options.client.send(
      new PutItemCommand({
        TableName: this.#options.table,
        Item: { pk: { S: keyOf(thread) }, sk: { S: sk }, ...attributes },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  }

  async #load(thread: number): Promise<{ messages: Message[]; last: Item | undefined }> {
    const messages: Message[] = [];
    let last: Item | undefined;
    let start: Item | undefined;
    do {
      const page: { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined } = await this.#options.client.send(
        new QueryCommand({
          TableName: this.#options.table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: keyOf(thread) } },
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      for (const item of page.Items ?? []) {
        if (item['d']?.S) messages.push(...(JSON.parse(item['d'].S) as Message[]));
        last = item;
      }
      start = page.LastEvaluatedKey;
    } while (start);
    return { messages, last };
  }

  async #ask(messages: readonly Message[]): Promise<Message> {
    const system = { role: 'system', content: 'You are a support agent.' };
    const body = JSON.stringify({ model: 'bench', messages: [system, ...messages], tools: TOOLS });
    const text = await post(`${this.#options.model}/chat/completions`, body);
    return answered.parse(JSON.parse(text)).choices[0].message;
  }
}

const keyOf = (thread: number): string => `floor#${thread}`;
const sortKey = (number: number): string => `T${String(number).padStart(6, '0')}`;
const numberOf = (last: Item | undefined): number => Number(last?.['sk']?.S?.slice(1, 7) ?? 0);
