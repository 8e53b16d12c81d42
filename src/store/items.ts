/**
 * Owns what all items of the table share: the names of sort keys and the measure of an item. In one partition stand blob
 * parts (`b#…`), commits (`c#…`) and the snapshot (`s`), which sort in this order.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** What one item may take; DynamoDB's wall is 400 KB. */
export const MAX_ITEM_BYTES = 380 * 1024;
/** Sorts behind every commit. */
export const SNAPSHOT_KEY = 's';

/** The sort key of a commit. */
export const commitKey = (number: number): string => `c#${String(number).padStart(10, '0')}`;

/** The number in a commit's sort key; undefined when it is not one. */
export const numberIn = (sk: string): number | undefined => (/^c#\d{10}$/.test(sk) ? Number(sk.slice(2)) : undefined);

/** Size of an attribute by DynamoDB's rules, without its name. */
function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  return Buffer.byteLength(JSON.stringify(value));
}

/** Size of an item by DynamoDB's rules, in bytes. */
export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
