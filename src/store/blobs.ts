/**
 * Owns results that are too long for a commit: packed bytes in as many items as they need, `sk` = `b#<id>#<part>`. A blob is
 * written before the commit that names its id and the digest of its bytes; until then nobody knows of it.
 */
import { sha256 } from '../thread/digest.ts';
import type { Digest, LogKey } from '../thread/ids.ts';
import { LogDamaged } from '../worker/ports.ts';
import { packed, unpacked } from './bytes.ts';
import type { Item } from './items.ts';

/** Bytes in one part; with its keys it stays under what an item may take. */
const PART_BYTES = 350 * 1024;
/** A blob is held in memory whole. */
const MAX_BLOB_BYTES = 32 * 1024 * 1024;

/** The sort keys between which a blob's parts stand; throws LogDamaged for an id that no blob has. */
export function blobRange(id: string): { from: string; to: string } {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id))
    throw new LogDamaged(`No result is kept under the name ${JSON.stringify(id)}.`);
  return { from: `b#${id}#`, to: `b#${id}#9999` };
}

/** The items of a blob, in order; throws a RangeError over 32 MB. */
export function blobItems(key: LogKey, id: string, bytes: Uint8Array): Item[] {
  if (bytes.length > MAX_BLOB_BYTES)
    throw new RangeError(`A result may take ${MAX_BLOB_BYTES} bytes, not ${bytes.length}.`);
  const content = packed(bytes);
  const count = Math.ceil(content.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) => ({
    pk: { S: key },
    sk: { S: `${blobRange(id).from}${String(part).padStart(4, '0')}` },
    parts: { N: String(count) },
    bytes: { B: content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) },
  }));
}

/** The bytes of a blob's items; throws LogDamaged when a part is missing or the bytes do not have the digest. */
export function blobFrom(key: LogKey, id: string, digest: Digest, items: readonly Item[]): Uint8Array {
  const content = unpacked(Buffer.concat(items.map(item => item['bytes']?.B ?? Buffer.of())));
  if (!content || sha256(content) !== digest) {
    const what = items.length === 0 ? 'is missing' : 'is not the one that was recorded';
    throw new LogDamaged(`The result ${id} of ${key} ${what}.`);
  }
  return content;
}
