/** Owns the one way from stored text to shown text: secrets are masked first, then everything invisible is written out. */
import type { Json } from '../events.ts';
import { isUnfaithful, visible } from './visible.ts';
import { maskWith, type MaskWord } from './secrets.ts';

export interface Show {
  /** Text that may have several lines. */
  readonly text: (raw: string) => string;
  /** Text for one line: line ends show as `⏎`. */
  readonly line: (raw: string) => string;
  /** The value of something that has a name; a name such as `token` masks it whole. */
  readonly named: (name: string, raw: string) => string;
  /** Words of a command: what follows `--password` is masked too. */
  readonly words: (raw: readonly string[], name: string) => string[];
  /** A JSON value on one line, keys and strings masked and made visible. */
  readonly json: (value: Json, name?: string) => string;
}

export const oneLine = (text: string): string => text.replace(/[\n\t]+/g, run => (run.includes('\n') ? ' ⏎ ' : ' '));

/** How text is shown with fingerprints under `key`. */
export function showWith(key: string | Uint8Array, word: MaskWord): Show {
  const mask = maskWith(key, word);
  const text = (raw: string): string => visible(mask.text(raw));
  const named = (name: string, raw: string): string => visible(mask.named(name, raw));
  const masked = (value: Json, name: string): Json => {
    if (typeof value === 'string') return mask.named(name, value);
    if (Array.isArray(value)) {
      if (value.every(item => typeof item === 'string')) return mask.list(value).map(item => mask.named(name, item));
      return value.map(item => masked(item, name));
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask.text(key), masked(item, key)]));
  };
  return {
    text,
    named,
    line: raw => oneLine(text(raw)),
    words: (raw, name) => mask.list(raw).map(item => visible(mask.named(name, item))),
    json: (value, name = '') => oneLine(visible(JSON.stringify(masked(value, name)))),
  };
}

/** True when something in the value cannot be shown as it is (control characters, broken encoding), or is too deep. */
export function isUnfaithfulJson(value: Json): boolean {
  if (typeof value === 'string') return isUnfaithful(value);
  if (Array.isArray(value)) return value.some(isUnfaithfulJson);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, item]) => isUnfaithful(key) || isUnfaithfulJson(item));
}

/** How deep objects and lists are nested; 0 for a scalar. */
export function depthOf(value: Json, most: number): number {
  if (value === null || typeof value !== 'object' || most <= 0) return 0;
  let deepest = 0;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    deepest = Math.max(deepest, depthOf(item, most - 1));
  return deepest + 1;
}
