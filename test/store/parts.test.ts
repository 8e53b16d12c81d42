/** The small parts of the store, where the contract cannot reach them. */
import { describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../src/store/bytes.ts';
import { fromItem, toItem } from '../../src/store/codec.ts';
import { itemBytes, type Item } from '../../src/store/items.ts';
import { failure } from '../../src/store/requests.ts';
import { sealed } from '../../src/store/sealed.ts';
import { LongReads } from '../../src/store/snapshot.ts';
import { Cleared, wakeFrom, wakeOf } from '../../src/store/wake-index.ts';
import type { LogKey, WriterId } from '../../src/thread/ids.ts';
import { LogDamaged, type OpenItem } from '../../src/worker/ports.ts';
import { EMPTY, freshKey, message, openItem, result } from './samples.ts';

const key = freshKey();
const storedOf = (text: string) =>
  sealed(
    key,
    { after: EMPTY, events: [message(text)], atMs: 1, writer: 'n/1' as WriterId, nonce: 'n', salt: 's' },
    null,
  ).stored;

describe('Packed bytes', () => {
  it('are never longer than the plain ones and the codec’s byte, and come back', () => {
    for (const text of ['', 'x', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '删除 '.repeat(40)]) {
      const short = packed(Buffer.from(text));
      expect(short.length).toBeLessThanOrEqual(Buffer.byteLength(text) + 1);
      expect(unpacked(short)?.toString()).toBe(text);
    }
  });

  it('of an unknown codec, or cut off, are not read', () => {
    const short = packed(Buffer.from('a'.repeat(100)));
    expect(unpacked(Buffer.of(7, 1, 2))).toBeUndefined();
    expect(unpacked(short.subarray(0, -2))).toBeUndefined();
    expect(unpacked(Buffer.of())).toBeUndefined();
  });
});

describe('The list of what is open in a wake entry', () => {
  const listed = (open: readonly OpenItem[]): Item => wakeOf(key, { dueAtMs: 1, open });

  it('comes back as it was, and says nothing where it cannot be read', () => {
    const open = [openItem('A'), openItem('B')];
    expect(wakeFrom(listed(open))).toEqual({ dueAtMs: 1, open });
    expect(wakeFrom({ ...listed(open), open: { S: '{' } })).toEqual({ dueAtMs: 1, open: [] });
    expect(wakeFrom(listed([]))).toEqual({ dueAtMs: 1, open: [] });
  });

  it('stays within a kilobyte, shortens summaries visibly and counts what it leaves out', () => {
    const item = listed(Array.from({ length: 30 }, (_, index) => openItem(`I${index}`, '删除 '.repeat(100))));
    const kept = wakeFrom(item)?.open ?? [];
    expect(Buffer.byteLength(item['open']?.S ?? '')).toBeLessThanOrEqual(1024);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept[0]?.summary.endsWith('…')).toBe(true);
    expect(item['open']?.S).toContain(`"more":${30 - kept.length}`);
  });
});

describe('The item of a commit', () => {
  it('is measured by names and values, as the service does', () => {
    const item: Item = { pk: { S: 'ä' }, n: { N: '1790000000000' }, b: { B: Buffer.alloc(10) } };
    expect(itemBytes(item)).toBe(2 + 2 + 1 + 8 + 1 + 10);
  });

  it('comes back as it was, with short facts readable and long ones packed', () => {
    const short = storedOf('hello');
    expect(toItem(key, short)['f']).toEqual({ S: short.facts });
    expect(fromItem(key, toItem(key, short))).toEqual(short);
    const events = Array.from({ length: 9 }, (_, index) => result(`C${index}`));
    const draft = { after: { number: 7, hash: 'ab'.repeat(32) }, events, atMs: 1, writer: 'n/1' as WriterId };
    const long = sealed(key, { ...draft, nonce: 'n', salt: 's' }, { dueAtMs: 5, open: [] }).stored;
    expect(toItem(key, long)['f']?.B?.length).toBeLessThan(long.facts.length / 3);
    expect(fromItem(key, toItem(key, long))).toEqual(long);
  });

  it('without one of its attributes, or with one of another type, cannot be read', () => {
    const item = toItem(key, storedOf('hello'));
    for (const name of ['at', 'v', 'w', 'hash', 'd', 'f']) {
      const { [name]: _, ...without } = item;
      expect(() => fromItem(key, without), name).toThrow('Commit 1 of');
      expect(() => fromItem(key, { ...item, [name]: { BOOL: true } }), name).toThrow(LogDamaged);
    }
    for (const b of [{ S: 'text' }, { B: Buffer.of(0, 9) }])
      expect(() => fromItem(key, { ...item, b })).toThrow(LogDamaged);
    expect(() => fromItem(key, { ...item, sk: { S: 'c#1' } })).toThrow('did not write');
    expect(() => fromItem(key, { ...item, v: { N: '2' }, f: { BOOL: true } })).toThrow('was written in form 2');
  });
});

describe('What an end of a request says', () => {
  it('is refused for good only by a client error that is no throttle', () => {
    const error = (name: string, httpStatusCode?: number) =>
      Object.assign(new Error(name), { name, ...(httpStatusCode && { $metadata: { httpStatusCode } }) });
    expect(failure(error('ConditionalCheckFailedException', 400)).is).toBe('condition_failed');
    expect(failure(error('ValidationException', 400)).is).toBe('refused');
    expect(failure(error('AccessDeniedException', 400)).is).toBe('refused');
    expect(failure(error('CredentialsProviderError')).is).toBe('refused');
    for (const name of ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded']) {
      expect(failure(error(name, 400)).is, name).toBe('unknown');
    }
    for (const unknown of [
      error('Slow', 429),
      error('X', 503),
      error('TimeoutError'),
      'text',
      null,
      { $metadata: 1 },
    ]) {
      expect(failure(unknown).is).toBe('unknown');
    }
  });
});

describe('What a log remembers of others', () => {
  it('is bounded', () => {
    const cleared = new Cleared(2);
    const entries = [1, 2, 3].map(number => ({ key, number, nonce: 'n', dueAtMs: 1 }));
    for (const entry of entries) cleared.add(entry);
    expect(entries.map(entry => cleared.has(entry))).toEqual([false, true, true]);
    const reads = new LongReads();
    for (let index = 0; index <= 1000; index++) reads.note(`thread#T#C#${index}` as LogKey, 1e6);
    expect([reads.take('thread#T#C#0' as LogKey), reads.take('thread#T#C#1' as LogKey)]).toEqual([false, true]);
    expect(reads.take('thread#T#C#1' as LogKey)).toBe(false);
  });
});
