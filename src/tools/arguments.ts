/**
 * Owns how the model's arguments become a tool's: checked, never changed. What people were shown is what runs, so a
 * schema that would add, drop or alter something (unknown keys, defaults, coercions, trims) makes the call invalid.
 */
import { z } from 'zod';
import type { Json } from '../thread/events.ts';
import { withoutNulls } from './schema.ts';
import type { Language, Words } from './words.ts';

export type ReadArguments<T> =
  { readonly ok: true; readonly args: T; readonly given: Json } | { readonly ok: false; readonly detail: string };

/** How many problems a sentence names. */
const NAMED_PROBLEMS = 3;

const messages = { en: z.locales.en().localeError, zh: z.locales.zhCN().localeError } satisfies Record<
  Language,
  unknown
>;

type Path = readonly PropertyKey[];

const shown = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');

/** The path of the first text that is not valid Unicode; undefined when all are. */
function brokenText(value: Json, path: Path = []): Path | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return path;
    const found = brokenText(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

const keysOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;

/** The path at which a parsed value differs from the given one; undefined when they are the same. */
function difference(given: unknown, parsed: unknown, path: Path = []): Path | undefined {
  const [before, after] = [keysOf(given), keysOf(parsed)];
  if (!before || !after || Array.isArray(given) !== Array.isArray(parsed))
    return Object.is(given, parsed) ? undefined : path;
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const step = [...path, Array.isArray(given) ? Number(key) : key];
    if (!before.has(key) || !after.has(key)) return step;
    const found = difference(before.get(key), after.get(key), step);
    if (found) return found;
  }
  return undefined;
}

/**
 * Checks arguments against parameters. `given` is what the tool is given: the arguments without the nulls that stand for
 * "left out". On failure `detail` is one sentence that names the first problems with their paths.
 */
export function readArguments<S extends z.core.$ZodLooseShape>(
  tool: { readonly parameters: z.ZodObject<S>; readonly schema: Json },
  args: Json,
  language: Language,
  say: Words,
): ReadArguments<z.output<z.ZodObject<S>>> {
  const broken = brokenText(args);
  if (broken) return { ok: false, detail: say.brokenText(shown(broken)) };
  const given = withoutNulls(tool.schema, args);
  const parsed = tool.parameters.safeParse(given, { error: messages[language] });
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, NAMED_PROBLEMS).map(issue => ({
      path: shown(issue.path),
      says: issue.message,
    }));
    return { ok: false, detail: say.wrongArguments(problems, parsed.error.issues.length - problems.length) };
  }
  const changed = difference(given, parsed.data);
  if (changed) return { ok: false, detail: say.unknownArgument(shown(changed)) };
  return { ok: true, args: parsed.data, given };
}
