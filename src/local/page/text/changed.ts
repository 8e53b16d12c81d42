/** Owns the comparison of two JSON values, part by part, for showing what a commit changed. */
import type { Json } from '../wire.ts';

/** One part of a value: whether it is new, gone, other than before, or the same; `parts` where it holds others. */
export interface Part {
  key: string;
  state: 'same' | 'changed' | 'added' | 'removed';
  /** The value now; for a part that is gone, what it was. */
  value: Json;
  /** What stood there before, where that can be told in one line. */
  was: Json | undefined;
  parts: Part[] | undefined;
}

/** Compares what was with what is; `undefined` is absent. Lists are compared place by place. */
export function compare(key: string, before: Json | undefined, after: Json | undefined): Part {
  const value = after === undefined ? (before ?? null) : after;
  const childrenBefore = childrenOf(before);
  const childrenAfter = childrenOf(after);
  const together = childrenBefore !== undefined && childrenAfter !== undefined;
  const shown = childrenOf(value);
  const others = together || after === undefined ? childrenBefore : undefined;
  const keys = shown && new Set([...Object.keys(childrenAfter ?? {}), ...Object.keys(others ?? {})]);
  const parts = keys && [...keys].map(name => compare(name, others?.[name], childrenAfter?.[name]));
  return {
    key,
    state: stateOf(before, after),
    value,
    was: together || after === undefined ? undefined : before,
    parts,
  };
}

/** A value that is compared with nothing: every part is as it is. */
export function unchanged(key: string, value: Json): Part {
  return compare(key, value, value);
}

function stateOf(before: Json | undefined, after: Json | undefined): Part['state'] {
  if (before === undefined) return after === undefined ? 'same' : 'added';
  if (after === undefined) return 'removed';
  return isSame(before, after) ? 'same' : 'changed';
}

/** Equal whatever the order of names. */
function isSame(one: Json, other: Json): boolean {
  const mine = childrenOf(one);
  const theirs = childrenOf(other);
  if (mine === undefined || theirs === undefined) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(mine);
  if (names.length !== Object.keys(theirs).length) return false;
  return names.every(name => {
    const [left, right] = [mine[name], theirs[name]];
    return left !== undefined && right !== undefined && Object.hasOwn(theirs, name) && isSame(left, right);
  });
}

function childrenOf(value: Json | undefined): Record<string, Json> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, Json>) : undefined;
}
