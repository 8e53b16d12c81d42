/**
 * Owns how JSON becomes CEL values: whole numbers are ints (so that `args.n + 1 > 2` works), everything else keeps its
 * kind. Values that are nested too deeply throw a RangeError, which the condition turns into its own failure.
 */
import { type CelInput, type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import type { Json } from '../thread/events.ts';

/** Nested lists and objects up to here; what a model sends is far below. */
const MAX_DEPTH = 100;
const INT64 = 2 ** 63;

/** The CEL value of a JSON value. */
export function celValue(value: Json, depth = 0): CelInput {
  if (typeof value === 'number') return celNumber(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return value.map(item => celValue(item, depth + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, celValue(item, depth + 1)]));
}

const celNumber = (value: number): CelInput =>
  Number.isInteger(value) && value >= -INT64 && value < INT64 ? BigInt(value) : value;

/** `text(x)`: keys and scalar leaves in order, joined by spaces. */
export function textOf(value: CelValue): string {
  const words: string[] = [];
  collect(value, words, 0);
  return words.join(' ');
}

function collect(value: CelValue, words: string[], depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || typeof value !== 'object') words.push(String(value));
  else if (isCelList(value)) for (const item of value) collect(item, words, depth + 1);
  else if (isCelMap(value)) {
    for (const [key, item] of value) {
      words.push(typeof key === 'object' ? String(key.value) : String(key));
      collect(item, words, depth + 1);
    }
  }
}
