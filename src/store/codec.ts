/**
 * Owns the form of a commit in the table, attribute by attribute:
 *
 * `pk` log key · `sk` `c#` and ten digits · `nonce` · `at` milliseconds · `v` form of the events · `w` writer · `prev`, `hash`
 * and `d` (digest of the salted body) as 32 bytes, no `prev` on the first commit · `f` facts: JSON, as bytes where that is shorter ·
 * `b` body: salt and JSON, packed; absent once erased · `due`, `dueAt`, `open`: the wake entry, absent without one.
 *
 * 1. An item is measured before it is written; DynamoDB's wall is 400 KB. 2. An item without a nonce was not written by us.
 * 3. No attribute lets an item expire: nothing that was a commit goes away by itself.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { LogKey } from '../thread/ids.ts';
import { SCHEMA_VERSION } from '../thread/events.ts';
import { LogDamaged } from '../worker/ports.ts';
import { packed, unpacked } from './bytes.ts';
import { commitKey, itemBytes, MAX_ITEM_BYTES, numberIn, type Item } from './items.ts';
import { damagedAt, otherForm, type StoredCommit } from './sealed.ts';
import { wakeFrom, wakeOf } from './wake-index.ts';

/** Facts up to this length stay readable in the table. */
const READABLE_FACTS_BYTES = 512;

/** A commit that the table has no room for; nothing was written. */
export class CommitTooLarge extends Error {}

const fromHex = (hex: string): AttributeValue => ({ B: Buffer.from(hex, 'hex') });

function factsAttribute(facts: string): AttributeValue {
  const bytes = Buffer.from(facts);
  if (bytes.length <= READABLE_FACTS_BYTES) return { S: facts };
  const short = packed(bytes);
  return short.length < bytes.length ? { B: short } : { S: facts };
}

function bodyAttribute(content: { salt: string; body: string }): AttributeValue {
  const salt = Buffer.from(content.salt);
  if (salt.length > 255) throw new TypeError('A salt has at most 255 bytes.');
  return { B: Buffer.concat([Buffer.of(salt.length), salt, packed(Buffer.from(content.body))]) };
}

/** The item of a commit; throws CommitTooLarge when it would be larger than MAX_ITEM_BYTES. */
export function toItem(key: LogKey, stored: StoredCommit): Item {
  const item: Item = {
    pk: { S: key },
    sk: { S: commitKey(stored.number) },
    nonce: { S: stored.nonce },
    at: { N: String(stored.atMs) },
    v: { N: String(stored.version) },
    w: { S: stored.writer },
    ...(stored.previous && { prev: fromHex(stored.previous) }),
    hash: fromHex(stored.hash),
    d: fromHex(stored.bodyDigest),
    f: factsAttribute(stored.facts),
    ...(stored.content && { b: bodyAttribute(stored.content) }),
    ...(stored.wake && wakeOf(key, stored.wake)),
  };
  const bytes = itemBytes(item);
  if (bytes > MAX_ITEM_BYTES) {
    const sizes = `would take ${Math.ceil(bytes / 1024)} KB; the table has room for ${MAX_ITEM_BYTES / 1024} KB`;
    throw new CommitTooLarge(`Commit ${stored.number} of ${key} ${sizes}. Nothing was written.`);
  }
  return item;
}

function contentFrom(bytes: Uint8Array): StoredCommit['content'] | undefined {
  const saltBytes = bytes[0] ?? 0;
  const body = unpacked(bytes.subarray(1 + saltBytes));
  return body && { salt: Buffer.from(bytes.subarray(1, 1 + saltBytes)).toString(), body: body.toString() };
}

const integerIn = (value: AttributeValue | undefined): number | undefined =>
  value?.N !== undefined && /^-?\d{1,15}$/.test(value.N) ? Number(value.N) : undefined;

const hexIn = (value: AttributeValue | undefined): string | undefined =>
  value?.B === undefined ? undefined : Buffer.from(value.B).toString('hex');

/** Reads an item back; throws LogDamaged for a foreign item (no nonce) and for one that cannot be read. */
export function fromItem(key: LogKey, item: Item): StoredCommit {
  const number = numberIn(item['sk']?.S ?? '');
  const nonce = item['nonce']?.S;
  if (number === undefined || !nonce) {
    throw new LogDamaged(`${key} holds an item (${item['sk']?.S ?? 'without a key'}) that Countersign did not write.`);
  }
  const facts = item['f']?.S ?? (item['f']?.B && unpacked(item['f'].B)?.toString());
  const content = item['b'] === undefined ? null : item['b'].B && contentFrom(item['b'].B);
  const atMs = integerIn(item['at']);
  const version = integerIn(item['v']);
  if (version !== undefined && version !== SCHEMA_VERSION) throw otherForm(key, number, version);
  const writer = item['w']?.S;
  const [previous, hash, bodyDigest] = [item['prev'] ? hexIn(item['prev']) : '', hexIn(item['hash']), hexIn(item['d'])];
  if (
    facts === undefined ||
    content === undefined ||
    atMs === undefined ||
    version === undefined ||
    writer === undefined ||
    previous === undefined ||
    hash === undefined ||
    bodyDigest === undefined
  ) {
    throw damagedAt(key, number, 'unreadable');
  }
  return { number, nonce, atMs, version, writer, previous, hash, bodyDigest, facts, content, wake: wakeFrom(item) };
}
