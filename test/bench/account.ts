/**
 * Owns the account of what is asked of a table: every request that a client sends, its bytes, and its units by DynamoDB's
 * own rules. It keeps a copy of each item that went through it, because what a write costs depends on what was there.
 */
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { itemBytes, SNAPSHOT_KEY, type Item } from '../../src/store/items.ts';
import { baseWrite, indexWrite, readUnits, type TableShape } from './units.ts';

/** What a request was for; `clears` removes wake entries, `index` looks for those that are due, `marks` let people find requests. */
export type Kind = 'query' | 'get' | 'put' | 'update' | 'transact' | 'index' | 'clears' | 'snapshots' | 'marks';
const APART: ReadonlySet<Kind> = new Set(['index', 'clears', 'snapshots', 'marks']);

export interface Tally {
  requests: number;
  write: number;
  read: number;
  sentBytes: number;
  /** Requests by kind. */
  readonly kinds: Partial<Record<Kind, number>>;
}

const empty = (): Tally => ({ requests: 0, write: 0, read: 0, sentBytes: 0, kinds: {} });

const value = z.custom<AttributeValue>(one => typeof one === 'object' && one !== null);
const item = z.record(z.string(), value);
const putInput = z.looseObject({ Item: item });
const updateInput = z.looseObject({
  Key: item,
  UpdateExpression: z.string(),
  ExpressionAttributeNames: z.optional(z.record(z.string(), z.string())),
  ExpressionAttributeValues: z.optional(item),
});
const transactInput = z.looseObject({
  TransactItems: z.array(z.looseObject({ Put: z.optional(putInput), Update: z.optional(updateInput) })),
});
const getInput = z.looseObject({ Key: item, ConsistentRead: z.optional(z.boolean()) });
const queryInput = z.looseObject({ IndexName: z.optional(z.string()), ConsistentRead: z.optional(z.boolean()) });
const sent = z.looseObject({
  request: z.looseObject({ headers: z.looseObject({ 'content-length': z.coerce.number() }) }),
});
const queryOutput = z.looseObject({ output: z.looseObject({ Items: z.optional(z.array(item)) }) });

/** The expressions that are used here: `REMOVE a, #b` and `SET a = :b`; anything else is a fault of the bench. */
function updated(before: Item | undefined, input: z.infer<typeof updateInput>): Item {
  const { Key, UpdateExpression: text, ExpressionAttributeNames: names = {}, ExpressionAttributeValues = {} } = input;
  const after: Item = { ...Key, ...before };
  const nameOf = (part: string): string => names[part.trim()] ?? part.trim();
  if (text.startsWith('REMOVE ')) for (const part of text.slice(7).split(',')) delete after[nameOf(part)];
  else if (text.startsWith('SET ')) {
    for (const part of text.slice(4).split(',')) {
      const [left = '', right = ''] = part.split('=');
      const given = ExpressionAttributeValues[right.trim()];
      if (given === undefined) throw new Error(`The account cannot follow "${text}".`);
      after[nameOf(left)] = given;
    }
  } else throw new Error(`The account cannot follow "${text}".`);
  return after;
}

/** Marks are put in the background, beside the logs. */
function kindOfPut({ pk, sk }: Item): Kind {
  if (sk?.S === SNAPSHOT_KEY) return 'snapshots';
  return /^(?:short|lately)#/.test(pk?.S ?? '') ? 'marks' : 'put';
}

export class Account {
  /** To what requests are charged now: to the turn, to work that is done later, or to nobody. */
  payer: 'turn' | 'later' | 'nobody' = 'nobody';
  readonly #shape: TableShape;
  readonly #items = new Map<string, Item>();
  #path = empty();
  #apart = empty();

  constructor(shape: TableShape) {
    this.#shape = shape;
  }

  /** Counts what this client sends from now on. */
  watch(client: DynamoDBClient): void {
    const bytes = new WeakMap<object, number>();
    client.middlewareStack.add(
      (next, context) => async args => {
        bytes.set(context, sent.parse(args).request.headers['content-length']);
        return next(args);
      },
      { step: 'finalizeRequest', name: 'accountBytes' },
    );
    client.middlewareStack.add(
      (next, context) => async args => {
        const command = context.commandName ?? '';
        try {
          const result = await next(args);
          this.#note(command, args.input, result, bytes.get(context) ?? 0);
          return result;
        } catch (error) {
          const failed = error instanceof Error && error.name === 'ConditionalCheckFailedException';
          if (failed) this.#noteRefused(command, args.input, bytes.get(context) ?? 0);
          throw error;
        }
      },
      { step: 'initialize', name: 'account' },
    );
  }

  /** What was counted since the last time: on the turn's path, and apart (what is done later, and snapshots). */
  take(): { path: Tally; apart: Tally } {
    const taken = { path: this.#path, apart: this.#apart };
    this.#path = empty();
    this.#apart = empty();
    return taken;
  }

  #note(command: string, input: unknown, result: unknown, bytes: number): void {
    switch (command) {
      case 'PutItemCommand': {
        const { Item: after } = putInput.parse(input);
        return this.#count(kindOfPut(after), this.#write(after), 0, bytes);
      }
      case 'UpdateItemCommand': {
        const update = updateInput.parse(input);
        return this.#count('clears', this.#write(updated(this.#items.get(this.#name(update.Key)), update)), 0, bytes);
      }
      case 'TransactWriteItemsCommand': {
        const units = transactInput.parse(input).TransactItems.map(({ Put, Update }) => {
          if (Put) return this.#write(Put.Item);
          return Update ? this.#write(updated(this.#items.get(this.#name(Update.Key)), Update)) : 0;
        });
        return this.#count('transact', 2 * units.reduce((sum, one) => sum + one, 0), 0, bytes);
      }
      case 'GetItemCommand': {
        const { Key, ConsistentRead } = getInput.parse(input);
        const found = this.#items.get(this.#name(Key));
        return this.#count('get', 0, readUnits(found ? itemBytes(found) : 0, ConsistentRead === true), bytes);
      }
      case 'QueryCommand': {
        const { IndexName, ConsistentRead } = queryInput.parse(input);
        const found = queryOutput.parse(result).output.Items ?? [];
        const size = found.reduce((sum, each) => sum + itemBytes(each), 0);
        const units = readUnits(size, ConsistentRead === true);
        return this.#count(IndexName === undefined ? 'query' : 'index', 0, units, bytes);
      }
      default:
        return;
    }
  }

  /** A put whose condition failed is charged by what was there. */
  #noteRefused(command: string, input: unknown, bytes: number): void {
    if (command !== 'PutItemCommand') throw new Error(`The account cannot follow a refused ${command}.`);
    const wanted = putInput.parse(input).Item;
    const there = this.#items.get(this.#name(wanted));
    this.#count(kindOfPut(wanted), baseWrite(there, undefined), 0, bytes);
  }

  #name = (of: Item): string => this.#shape.keys.map(key => of[key]?.S ?? '').join(' ');

  #write(after: Item): number {
    const name = this.#name(after);
    const before = this.#items.get(name);
    this.#items.set(name, after);
    return baseWrite(before, after) + indexWrite(this.#shape, before, after);
  }

  #count(kind: Kind, write: number, read: number, bytes: number): void {
    if (this.payer === 'nobody') return;
    const tally = this.payer === 'later' || APART.has(kind) ? this.#apart : this.#path;
    tally.requests += 1;
    tally.write += write;
    tally.read += read;
    tally.sentBytes += bytes;
    tally.kinds[kind] = (tally.kinds[kind] ?? 0) + 1;
  }
}
