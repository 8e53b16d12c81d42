/** How a table is written to a file that is kept for ever, one item a line, and read back. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../../src/store/codec.ts';
import type { Item } from '../../src/store/items.ts';
import type { MemoryTable } from '../../src/store/memory-log.ts';
import type { LogKey } from '../../src/thread/ids.ts';

type Written = Readonly<Record<string, { readonly S?: string; readonly N?: string; readonly B?: string }>>;

const written = (item: Item): Written =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? (value as Written[string]) : { B: Buffer.from(value.B).toString('base64') },
    ]),
  );
const read = (item: Written): Item =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      (value.B === undefined ? value : { B: Buffer.from(value.B, 'base64') }) as AttributeValue,
    ]),
  );

/** Writes commits and snapshots of a table. */
export function writeItems(path: URL, table: MemoryTable): void {
  const items = [...table.partitions].flatMap(([key, { commits, snapshot }]) => [
    ...[...commits.values()].map(stored => toItem(key, stored)),
    ...(snapshot ? [snapshot] : []),
  ]);
  writeFileSync(path, items.map(item => `${JSON.stringify(written(item))}\n`).join(''));
}

/** Puts what a file holds into a table. */
export function readItems(path: URL, table: MemoryTable): void {
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const item = read(JSON.parse(line) as Written);
    const key = (item['pk']?.S ?? '') as LogKey;
    const partition = table.partition(key);
    if (item['sk']?.S === 's') partition.snapshot = item;
    else {
      const stored = fromItem(key, item);
      partition.commits.set(stored.number, stored);
    }
  }
}
