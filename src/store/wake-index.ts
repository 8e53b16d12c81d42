/**
 * Owns the attributes of a wake entry and the index over them: `due` = `due#<team>#<shard>`, `dueAt` = milliseconds, `open` =
 * JSON of what is open, for lists. An entry lives on the commit that carries it and is only ever removed, never moved.
 *
 * 1. The index finds candidates: it is read with a delay, and after a crash base and index may disagree. Whoever acts on an
 *    entry reads the log first. 2. A shard count is only ever raised, so that old entries are still found.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { sha256 } from '../thread/digest.ts';
import type { LogKey, TeamId, UserId } from '../thread/ids.ts';
import type { OpenItem, Wake, WakeEntry } from '../worker/ports.ts';
import { numberIn, type Item } from './items.ts';

export const WAKE_INDEX = 'due';
/** Index partitions of a team: each takes 1,000 entries a second. */
const SHARDS = 4;
/** What `open` may take in each commit and once more in the index. */
const MAX_OPEN_BYTES = 1024;

const userId = z.custom<UserId>(value => typeof value === 'string');
const openSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['approval', 'in_doubt', 'question']),
      summary: z.string(),
      by: userId,
      untilMs: z.number(),
    }),
  ),
  more: z.number(),
});

/** The team in a log's key; '' in another one. */
export const teamOf = (key: LogKey): string => key.split('#')[1] ?? '';
const partition = (team: string, shard: number): string => `due#${team}#${shard}`;

/** The index partitions of a team. */
export const partitionsOf = (team: TeamId): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => partition(team, shard));

/** What of a list fits: summaries are shortened first (and end in …), then the last items are only counted, in `more`. */
function fitting(open: readonly OpenItem[]): string {
  const written = (items: readonly OpenItem[]): string => JSON.stringify({ items, more: open.length - items.length });
  const shortened = (length: number) =>
    open.map(item => {
      const characters = Array.from(item.summary);
      return characters.length <= length ? item : { ...item, summary: `${characters.slice(0, length - 1).join('')}…` };
    });
  for (const length of [160, 80, 40]) {
    const text = written(shortened(length));
    if (Buffer.byteLength(text) <= MAX_OPEN_BYTES) return text;
  }
  const items = shortened(40);
  while (items.length > 0 && Buffer.byteLength(written(items)) > MAX_OPEN_BYTES) items.pop();
  return written(items);
}

/** The attributes that put a commit into the index. */
export function wakeOf(key: LogKey, wake: Wake): Item {
  const shard = Number.parseInt(sha256(key).slice(0, 8), 16) % SHARDS;
  return {
    due: { S: partition(teamOf(key), shard) },
    dueAt: { N: String(wake.dueAtMs) },
    ...(wake.open.length > 0 && { open: { S: fitting(wake.open) } }),
  };
}

/** What is open by an `open` attribute: nothing where there is none; undefined for one that cannot be read. */
function openIn(value: AttributeValue | undefined): OpenItem[] | undefined {
  if (value === undefined) return [];
  try {
    return openSchema.safeParse(JSON.parse(value.S ?? '')).data?.items;
  } catch {
    return undefined;
  }
}

/** The wake that an item carries; null without one. */
export function wakeFrom(item: Item): Wake | null {
  const dueAt = item['dueAt']?.N;
  return item['due'] === undefined || dueAt === undefined
    ? null
    : { dueAtMs: Number(dueAt), open: openIn(item['open']) ?? [] };
}

/** The entry that an item of table or index stands for; undefined when no commit of ours carries it. */
export function entryFrom(item: Item): WakeEntry | undefined {
  const number = numberIn(item['sk']?.S ?? '');
  const [pk, nonce, dueAt] = [item['pk']?.S, item['nonce']?.S, item['dueAt']?.N];
  if (number === undefined || !pk || !nonce || dueAt === undefined) return undefined;
  return { key: pk as LogKey, number, nonce, dueAtMs: Number(dueAt) };
}

/** The entry with the list that it carries, as far as that can be read; `item` must have been asked for with its `open`. */
export function entryWithOpen(item: Item): WakeEntry | undefined {
  const entry = entryFrom(item);
  const open = openIn(item['open']);
  return entry && open ? { ...entry, open } : entry;
}

/** Oldest first; of the same time by log and number. */
export const byDue = (a: WakeEntry, b: WakeEntry): number =>
  a.dueAtMs - b.dueAtMs || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.number - b.number);

/**
 * Entries that this process has removed. They never stand again, so the index is not believed when it still lists them: it
 * lags, and after a crash of the embedded table it may list one for ever.
 */
export class Cleared {
  readonly #names = new Set<string>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(entry: WakeEntry): void {
    this.#names.add(`${entry.key}#${entry.number}`);
    const [oldest] = this.#names;
    if (this.#names.size > this.#limit && oldest !== undefined) this.#names.delete(oldest);
  }

  has(entry: WakeEntry): boolean {
    return this.#names.has(`${entry.key}#${entry.number}`);
  }
}
