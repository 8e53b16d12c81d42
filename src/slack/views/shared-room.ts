/**
 * Owns how several lists share the room of one view. Pure.
 *
 * 1. A list is shown from its beginning; what is left out is counted. 2. What comes first takes all that it needs, but for the
 * least that is kept for each list after it.
 */
import type { KnownBlock } from '@slack/web-api';
import { escapedLength } from './text/escape.ts';

/** Blocks, and characters of all their text after escaping. */
export interface Space {
  readonly blocks: number;
  readonly text: number;
}

export interface List {
  readonly heading: KnownBlock;
  readonly items: readonly (readonly KnownBlock[])[];
  /** How many are shown however long the lists before it are. */
  readonly least: number;
  /** Says how many are left out; null where nobody need know. */
  readonly more: ((left: number) => KnownBlock) | null;
}

/** Characters of every text in it: as Slack counts them. */
function textIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, each) => sum + textIn(each), 0);
  if (!('text' in value) || typeof value.text !== 'string') return inside;
  const isEscaped = 'type' in value && value.type === 'mrkdwn';
  return inside + (isEscaped ? value.text.length : escapedLength(value.text));
}

/** What these blocks take. */
export const spaceOf = (blocks: readonly KnownBlock[]): Space => ({ blocks: blocks.length, text: textIn(blocks) });

const plus = (a: Space, b: Space): Space => ({ blocks: a.blocks + b.blocks, text: a.text + b.text });
/** What is left of a room. */
export const without = (room: Space, taken: Space): Space => ({
  blocks: room.blocks - taken.blocks,
  text: room.text - taken.text,
});
const fits = (taken: Space, room: Space): boolean => taken.blocks <= room.blocks && taken.text <= room.text;

/** A list with so many of its items. */
function drawn({ heading, items, more }: List, count: number): KnownBlock[] {
  const left = items.length - count;
  return [heading, ...items.slice(0, count).flat(), ...(left > 0 && more !== null ? [more(left)] : [])];
}

/** As many items of a list as fit into the room. */
function most({ heading, items, more }: List, room: Space): number {
  let taken = spaceOf([heading]);
  let count = 0;
  items.forEach((item, index) => {
    taken = plus(taken, spaceOf(item));
    const left = items.length - index - 1;
    const rest = left > 0 && more !== null ? spaceOf([more(left)]) : spaceOf([]);
    if (fits(plus(taken, rest), room)) count = index + 1;
  });
  return count;
}

/** The lists in their order, each with as many items as the room lets it show; empty ones are left out. */
export function sharing(lists: readonly List[], room: Space): KnownBlock[] {
  const full = lists.filter(list => list.items.length > 0);
  const kept = full.map(list => spaceOf(drawn(list, Math.min(list.least, list.items.length))));
  let left = room;
  return full.flatMap((list, index) => {
    const later = kept.slice(index + 1).reduce(plus, spaceOf([]));
    const blocks = drawn(list, most(list, without(left, later)));
    left = without(left, spaceOf(blocks));
    return blocks;
  });
}
