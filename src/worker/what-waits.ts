/**
 * Owns the answer to "what waits?", for the terminal. The index finds threads; each thread is read before it is believed: an
 * entry stays until it is due, so that it may list what has long been decided, and lack what came after it.
 */
import { fold } from '../thread/fold.ts';
import { parseThreadLog, type LogKey } from '../thread/ids.ts';
import { nameIn } from '../thread/record/from-fold.ts';
import { emptyThread } from '../thread/thread.ts';
import { allOpenItems } from './open-items.ts';
import { LogDamaged, type Log, type OpenItem } from './ports.ts';

/** Threads that are read at the same time. */
const AT_ONCE = 8;

/** Something that waits, and in which log. */
export interface WaitingItem extends OpenItem {
  /** The name of whoever asked, as the thread has seen it; '' when it has not. */
  readonly name: string;
  readonly key: LogKey;
}

export interface Waits {
  readonly items: readonly WaitingItem[];
  /** Logs whose record does not fit together: nothing in them goes on. */
  readonly damaged: readonly LogKey[];
}

/** Reads these logs (one named twice once) and lists what waits for people at `nowMs`. Throws LogUnavailable. */
export async function whatWaits(log: Pick<Log, 'load'>, logs: Iterable<LogKey>, nowMs: number): Promise<Waits> {
  const keys = [...new Set(logs)];
  const items: WaitingItem[] = [];
  const damaged: LogKey[] = [];
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const batch = keys.slice(from, from + AT_ONCE);
    const found = await Promise.all(batch.map(key => openIn(log, key)));
    found.forEach((open, index) => {
      const key = batch[index];
      if (key === undefined) return;
      if (open === null) return void damaged.push(key);
      const waits = open.filter(({ untilMs, kind }) => kind === 'in_doubt' || nowMs < untilMs);
      items.push(...waits.map(item => ({ ...item, key })));
    });
  }
  return { items, damaged };
}

async function openIn(log: Pick<Log, 'load'>, key: LogKey): Promise<readonly Omit<WaitingItem, 'key'>[] | null> {
  const place = parseThreadLog(key);
  if (place === undefined) return [];
  try {
    const { commits } = await log.load(key, { number: 0, hash: '' });
    const thread = commits.reduce(fold, emptyThread(place));
    return allOpenItems(thread).map(item => ({ ...item, name: nameIn(thread, item.by).name }));
  } catch (error) {
    if (error instanceof LogDamaged) return null;
    throw error;
  }
}
