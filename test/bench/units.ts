/**
 * Owns DynamoDB's own rules of what a request costs, computed from the bytes of items; nothing here trusts a stand-in's
 * figures (dynalite leaves indexes out, DynamoDB Local counts transactions wrongly).
 *
 * Writes: each started KB of the larger of the item before and after, at least 1; twice that in a transaction. A condition
 * that fails costs as much. Index: an entry that is put or removed, each started KB; one whose keys change, both; one that
 * stays as it is, nothing. Reads: each started 4 KB of all items that were read, whole, half of it where eventually
 * consistent.
 */
import { itemBytes, type Item } from '../../src/store/items.ts';

interface IndexShape {
  readonly keys: readonly string[];
  /** Attributes of its own beside the keys of table and index. */
  readonly projected: readonly string[];
}

export interface TableShape {
  readonly keys: readonly string[];
  readonly indexes: readonly IndexShape[];
}

const kilobytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

/** Write units of the table alone. */
export const baseWrite = (before: Item | undefined, after: Item | undefined): number =>
  kilobytes(Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0));

/** The entry that an item has in an index; undefined when it lacks one of its keys. */
function entryOf(table: TableShape, index: IndexShape, item: Item | undefined): Item | undefined {
  if (!item || index.keys.some(key => item[key] === undefined)) return undefined;
  const names = [...new Set([...table.keys, ...index.keys, ...index.projected])];
  return Object.fromEntries(names.flatMap(name => (item[name] === undefined ? [] : [[name, item[name]]])));
}

const same = (a: Item, b: Item, names: readonly string[]): boolean =>
  names.every(name => JSON.stringify(a[name]) === JSON.stringify(b[name]));

function indexWriteOf(table: TableShape, index: IndexShape, before: Item | undefined, after: Item | undefined): number {
  const [was, is] = [entryOf(table, index, before), entryOf(table, index, after)];
  if (was && is) {
    if (!same(was, is, index.keys)) return kilobytes(itemBytes(was)) + kilobytes(itemBytes(is));
    return same(was, is, index.projected) ? 0 : baseWrite(was, is);
  }
  const entry = was ?? is;
  return entry ? kilobytes(itemBytes(entry)) : 0;
}

/** Write units of all indexes together. */
export const indexWrite = (table: TableShape, before: Item | undefined, after: Item | undefined): number =>
  table.indexes.reduce((sum, index) => sum + indexWriteOf(table, index, before, after), 0);

/** Read units for so many bytes. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
