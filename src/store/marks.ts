/**
 * Owns marks: what people call a request, and where it stands. They stand beside the logs, are put once and never changed:
 *
 * `short#<team>` / `<short id>#<approval id>` · `lately#<team>#<person>` / `<time, backwards>#<approval id>#<asked|over>`;
 * attributes: `log` key of the thread's log, `approval`, `short`, `people`, `at` milliseconds, `when`.
 *
 * 1. A mark only finds a log, which is read before anything is believed. 2. One mark is one item for each of its people, and
 * that a request was asked is also one for its short id, whatever the table holds: whoever puts `over` puts `asked`, too.
 */
import { z } from 'zod';
import type { ApprovalId, LogKey, TeamId, UserId } from '../thread/ids.ts';
import type { Mark } from '../worker/ports.ts';
import type { Item } from './items.ts';
import type { Range } from './pages.ts';

const shortPartition = (team: TeamId): string => `short#${team}`;
const latelyPartition = (team: TeamId, person: UserId): string => `lately#${team}#${person}`;

/** Sorts the latest first. */
const backwards = (atMs: number): string => String(Math.max(0, 9_999_999_999_999 - atMs)).padStart(13, '0');
/** Sorts behind every other character of a key. */
const LAST = '~';

/** Whether a text can be a short id at all. */
export const isShort = (text: string): boolean => /^[A-Z2-7]{1,26}$/.test(text);

/** Where the marks of a short id stand. */
export const shortRange = (team: TeamId, short: string): Range & { readonly pk: string } => ({
  pk: shortPartition(team),
  from: `${short}#`,
  to: `${short}#${LAST}`,
});

/** Where the marks of a person stand, latest first. */
export const latelyRange = (team: TeamId, person: UserId): Range & { readonly pk: string } => ({
  pk: latelyPartition(team, person),
  from: '0',
  to: LAST,
});

/** The items of a mark; each is put once. */
export function markItems(team: TeamId, mark: Mark): Item[] {
  const content: Item = {
    log: { S: mark.key },
    approval: { S: mark.approval },
    short: { S: mark.short },
    people: { S: JSON.stringify(mark.people) },
    at: { N: String(mark.atMs) },
    when: { S: mark.when },
  };
  const lately = `${backwards(mark.atMs)}#${mark.approval}#${mark.when}`;
  const short = { pk: { S: shortPartition(team) }, sk: { S: `${mark.short}#${mark.approval}` }, ...content };
  return [
    ...(mark.when === 'asked' ? [short] : []),
    ...[...new Set(mark.people)].map(person => ({
      pk: { S: latelyPartition(team, person) },
      sk: { S: lately },
      ...content,
    })),
  ];
}

const text = <T extends string>() => z.custom<T>(value => typeof value === 'string' && value !== '');
const stored = z.object({
  short: z.string(),
  approval: text<ApprovalId>(),
  key: text<LogKey>(),
  people: z.array(text<UserId>()),
  atMs: z.int(),
  when: z.enum(['asked', 'over']),
});

/** Reads a mark back; undefined for what is none. */
export function markFrom(item: Item): Mark | undefined {
  try {
    const people: unknown = JSON.parse(item['people']?.S ?? '');
    return stored.safeParse({
      short: item['short']?.S,
      approval: item['approval']?.S,
      key: item['log']?.S,
      people,
      atMs: Number(item['at']?.N),
      when: item['when']?.S,
    }).data;
  } catch {
    return undefined;
  }
}
