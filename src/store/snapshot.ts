/**
 * Owns the snapshot of a fold: a saving for cold readers, never a source of truth. Item: `sk` = `s` · `number` and `hash` of
 * the last commit in it · `v` version of the fold · `mac` · `state` packed JSON.
 *
 * 1. A snapshot counts only with our MAC over log, number, hash, version and state; everything else is as if it were not
 *    there. 2. It is written by a reader who had to read much, never while something is being appended.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Head } from '../thread/commit.ts';
import { canonical, sha256 } from '../thread/digest.ts';
import type { Json } from '../thread/events.ts';
import type { LogKey } from '../thread/ids.ts';
import { FOLD_VERSION } from '../thread/thread.ts';
import { packed, unpacked } from './bytes.ts';
import { itemBytes, MAX_ITEM_BYTES, SNAPSHOT_KEY, type Item } from './items.ts';

/** How much a reader must have read beyond the last snapshot before it writes one. */
const SNAPSHOT_AFTER_BYTES = 256 * 1024;

/** A snapshot that verified. */
export interface Snapshot {
  readonly head: Head;
  readonly state: Json;
}

function macOf(macKey: Uint8Array, key: LogKey, head: Head, state: string): Buffer {
  const covered = { key, number: head.number, hash: head.hash, version: FOLD_VERSION, state: sha256(state) };
  return createHmac('sha256', macKey).update(canonical(covered)).digest();
}

/** The item of a snapshot; undefined when the table has no room for it. */
export function snapshotItem(macKey: Uint8Array, key: LogKey, head: Head, state: Json): Item | undefined {
  const text = JSON.stringify(state);
  const item: Item = {
    pk: { S: key },
    sk: { S: SNAPSHOT_KEY },
    number: { N: String(head.number) },
    hash: { S: head.hash },
    v: { N: String(FOLD_VERSION) },
    mac: { B: macOf(macKey, key, head, text) },
    state: { B: packed(Buffer.from(text)) },
  };
  return itemBytes(item) > MAX_ITEM_BYTES ? undefined : item;
}

/** Reads a snapshot; null when there is none that may be used. */
export function snapshotFrom(macKey: Uint8Array | null, key: LogKey, item: Item | undefined): Snapshot | null {
  const [number, hash, mac, packedState] = [
    item?.['number']?.N,
    item?.['hash']?.S,
    item?.['mac']?.B,
    item?.['state']?.B,
  ];
  if (!macKey || !number || !hash || !mac || !packedState || item?.['v']?.N !== String(FOLD_VERSION)) return null;
  const state = unpacked(packedState)?.toString();
  if (state === undefined) return null;
  const head = { number: Number(number), hash };
  const expected = macOf(macKey, key, head, state);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return null;
  return { head, state: JSON.parse(state) as Json };
}

/** Which logs were long to read here, and so deserve a snapshot. */
export class LongReads {
  readonly #keys = new Set<LogKey>();

  /** Notes what a cold read had to read beyond the snapshot that it used. */
  note(key: LogKey, bytes: number): void {
    this.#keys.delete(key);
    if (bytes <= SNAPSHOT_AFTER_BYTES) return;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > 1000 && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** True once for a log that was long to read. */
  take(key: LogKey): boolean {
    return this.#keys.delete(key);
  }
}
