/**
 * Owns how a call's arguments are shown: every one of them, by its key path, one below the other. What does not fit says how
 * much is missing.
 *
 * 1. Nested values are flattened to paths, so that every key occurs. 2. A value of several lines is indented behind `│`, so
 * that no value can imitate another argument's line. 3. A text that could be read as something else stands in quotes.
 */
import type { Json } from '../../thread/events.ts';
import { characters, cut, escapedLength, grouped, take } from './text/escape.ts';
import { visible } from '../../thread/text/visible.ts';
import { oneLine, type Show } from './text/show.ts';
import { ROOM } from './limits.ts';

/** One argument or part of one: shown path and value. */
export interface Argument {
  readonly path: string;
  readonly value: string;
}

/** Lists and objects up to this length stay on one line. */
const INLINE = 72;
const KEY_WIDTH = 24;

const plainKey = /^[A-Za-z_$][\w$-]*$/;
const looksLikeSomethingElse = /^(?:-?\d[\d.eE+-]*|true|false|null|[[{"].*|\s.*|.*\s|\d{4}-.*)$/s;

const isList = (value: Json): value is Json[] => Array.isArray(value);
const isScalar = (value: Json): boolean => value === null || typeof value !== 'object';

function segment(key: string, show: Show, first: boolean): string {
  if (plainKey.test(key)) return `${first ? '' : '.'}${show.line(key)}`;
  const shown = oneLine(show.text(key));
  return first && !/[\s.[\]"]/.test(shown) && shown !== '' ? shown : `["${shown}"]`;
}

function text(raw: string, name: string, show: Show): string {
  const shown = show.named(name, raw);
  if (raw === '') return '""';
  if (looksLikeSomethingElse.test(raw) && !shown.startsWith('••••')) return `"${shown}"`;
  return shown;
}

function leaf(value: Json, name: string, show: Show): string {
  if (typeof value === 'string') return text(value, name, show);
  return visible(JSON.stringify(value));
}

/** Small lists of scalars, and empty lists and objects, are written as JSON. */
function inline(value: Json, name: string, show: Show): string | undefined {
  if (isScalar(value)) return undefined;
  const empty = isList(value) ? value.length === 0 : Object.keys(value as object).length === 0;
  if (empty) return isList(value) ? '[]' : '{}';
  if (!isList(value) || !value.every(isScalar)) return undefined;
  const shown = show.json(value, name);
  return characters(shown) <= INLINE ? shown : undefined;
}

function flatten(value: Json, path: string, name: string, show: Show): Argument[] {
  const short = isScalar(value) ? leaf(value, name, show) : inline(value, name, show);
  if (short !== undefined) return [{ path, value: short }];
  if (isList(value)) {
    const flagged = value.every(item => typeof item === 'string') ? listItems(value, name, show) : undefined;
    return value.flatMap((item, index) =>
      flagged === undefined
        ? flatten(item, `${path}[${index}]`, name, show)
        : [{ path: `${path}[${index}]`, value: flagged[index] ?? '' }],
    );
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    flatten(item, `${path}${segment(key, show, path === '')}`, key, show),
  );
}

/** The words of a command, each shown in the sight of the one before it. */
const listItems = (words: readonly string[], name: string, show: Show): string[] =>
  show.words(words, name).map((shown, index) => (words[index] === '' ? '""' : shown));

/** Every argument; named ones in the order of the schema, the rest by the alphabet. */
export function argumentsOf(args: Json, order: readonly string[], show: Show): Argument[] {
  if (args === null || typeof args !== 'object' || isList(args)) return flatten(args, '(value)', '', show);
  const keys = Object.keys(args);
  const known = order.filter(key => Object.hasOwn(args, key));
  const rest = keys.filter(key => !known.includes(key)).sort();
  return [...known, ...rest].flatMap(key => flatten(args[key] ?? null, segment(key, show, true), key, show));
}

function written({ path, value }: Argument, width: number): string {
  if (!value.includes('\n')) return `${path.padEnd(width)}  ${value}`;
  return `${path}\n${value
    .split('\n')
    .map(line => `│ ${line}`)
    .join('\n')}`;
}

const widthOf = (list: readonly Argument[]): number =>
  Math.min(KEY_WIDTH, Math.max(0, ...list.map(argument => argument.path.length)));

/** All of it, for the review form. */
export function wholeText(list: readonly Argument[]): string {
  const width = widthOf(list);
  return list.map(argument => written(argument, width)).join('\n');
}

export interface ShortText {
  readonly text: string;
  /** False when something was cut. */
  readonly whole: boolean;
}

/** What fits on a card: of a long value its first 200 characters, then how many follow. */
export function cardText(list: readonly Argument[], max: number, more: (count: number) => string): ShortText {
  const width = widthOf(list);
  const lines: string[] = [];
  let whole = true;
  let left = max - 40;
  for (const [index, argument] of list.entries()) {
    const value = firstCharacters(argument.value, ROOM.value);
    const line = written({ path: cut(argument.path, ROOM.value), value }, width);
    if (value !== argument.value || escapedLength(argument.path) > ROOM.value) whole = false;
    left -= escapedLength(line) + 1;
    if (left < 0) return { text: [...lines, more(list.length - index)].join('\n'), whole: false };
    lines.push(line);
  }
  return { text: lines.join('\n'), whole };
}

/** Lines as far as they fit; how many of `all` are left out stands below. */
export function cutLines(lines: readonly string[], all: number, max: number, more: (count: number) => string): string {
  const kept: string[] = [];
  let left = max - 40;
  for (const line of lines) {
    left -= escapedLength(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, ...(kept.length < all ? [more(all - kept.length)] : [])].join('\n');
}

function firstCharacters(value: string, most: number): string {
  const count = characters(value);
  if (count <= most) return value;
  let end = 0;
  let seen = 0;
  for (const sign of value) {
    if (seen >= most) break;
    end += sign.length;
    seen += 1;
  }
  const head = take(value.slice(0, end), Number.MAX_SAFE_INTEGER).head.replace(/\\u\{[0-9a-f]{0,6}$/, '');
  return `${head} [+${grouped(count - characters(head))}]`;
}
