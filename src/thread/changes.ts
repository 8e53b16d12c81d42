/** Owns how a difference between two looks at the world is told: by name, old and new. Pure. */
import type { Change } from './approval.ts';
import { canonical } from './digest.ts';
import type { Facts, Json } from './terms.ts';

/** Values that differ, by name in alphabetical order; what is not there counts as null. */
export function changesBetween(was: Facts, is: Facts): Change[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  const value = (facts: Facts, name: string): Json => (Object.hasOwn(facts, name) ? (facts[name] ?? null) : null);
  return names
    .map(fact => ({ fact, was: value(was, fact), is: value(is, fact) }))
    .filter(change => canonical(change.was) !== canonical(change.is));
}
