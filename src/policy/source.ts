/**
 * Owns the way from the policy file's text to values that know where they stand, and the form in which problems are
 * told: line, column, what is wrong, and for conditions the text with a caret under the place.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { nearest } from './nearest.ts';

/** A key of the file with its value; `at` and `valueAt` are offsets in the text. */
export interface Entry {
  readonly key: string;
  readonly at: number;
  readonly valueAt: number;
  readonly node: Node | null;
}

/** One value that was read, and where its key stands. */
export interface Read<T> {
  readonly value: T;
  readonly at: number;
  readonly valueAt: number;
}

/** What was read of a section: each key that is there and right. */
export type Section<F extends Fields> = { readonly [K in keyof F]?: Read<z.infer<F[K]>> };
export type Fields = Readonly<Record<string, z.ZodType>>;

/** Keys of the full schema that do nothing in this version; they are refused, so that nobody relies on them. */
const notInForce = (key: string): string => `"${key}" is not in force in this version`;

/** The file while it is being read. */
export class Source {
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #found: { at: number; text: string; excerpt: readonly string[] }[] = [];

  /** False when it is no YAML: then nothing but its first mistake can be told. */
  readonly readable: boolean;

  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const mistakes = [...this.#document.errors, ...this.#document.warnings];
    const first = mistakes.find(mistake => mistake.code !== 'DUPLICATE_KEY');
    this.readable = first === undefined;
    if (first) this.problem(first.pos[0], `this is not YAML: ${first.message}`);
    for (const mistake of mistakes)
      if (mistake.code === 'DUPLICATE_KEY') this.problem(mistake.pos[0], 'this key stands here twice');
  }

  /** The file's topmost node. */
  get root(): Node | null {
    return this.#document.contents;
  }

  /** Adds a problem at an offset; `excerpt` are lines under it. */
  problem(at: number, text: string, excerpt: readonly string[] = []): void {
    this.#found.push({ at, text, excerpt });
  }

  /** `31:5` of an offset. */
  place(at: number): string {
    const { line, col } = this.#lines.linePos(at);
    return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
  }

  /** Every problem, in the order of the file, one text each (several lines where there is an excerpt). */
  problems(): string[] {
    const sorted = [...this.#found].sort((a, b) => a.at - b.at);
    const width = Math.max(5, ...sorted.map(problem => this.place(problem.at).length)) + 2;
    return sorted.map(({ at, text, excerpt }) =>
      [`  ${this.place(at).padEnd(width)}${text}`, ...excerpt.map(line => ' '.repeat(width + 11) + line)].join('\n'),
    );
  }

  /** The keys of a map, in order; a problem and nothing where there is no map, or an empty one. */
  entries(node: Node | null, where: string, at: number): Entry[] {
    const map = this.#resolved(node);
    if (isMap(map) && map.items.length > 0) {
      return map.items.map(pair => {
        const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
        const value = this.#node(pair.value);
        const keyAt = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? at;
        return { key, at: keyAt, valueAt: value?.range?.[0] ?? keyAt, node: value };
      });
    }
    this.problem(at, isMap(map) ? `${where} is empty` : `${where} must be a map of keys and values`);
    return [];
  }

  /** The items of a list, in order; a problem and nothing where there is no list. */
  items(node: Node | null, where: string, at: number): { node: Node | null; at: number }[] {
    const list = this.#resolved(node);
    if (isSeq(list))
      return list.items.map(item => ({ node: this.#node(item), at: this.#node(item)?.range?.[0] ?? at }));
    this.problem(at, `${where} must be a list`);
    return [];
  }

  /**
   * Reads a map key by key, so that one mistake hides no other. Keys in `later` are refused as not in force, keys that are
   * nowhere as unknown. `where` begins the sentences (`rules[3] "id"`), empty at the top.
   */
  section<F extends Fields>(entries: readonly Entry[], where: string, fields: F, later: readonly string[] = []) {
    const read: Partial<Record<keyof F, Read<unknown>>> = {};
    const before = where === '' ? '' : `${where}: `;
    for (const { key, at, valueAt, node } of entries) {
      const schema = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (schema) {
        const value = this.#checked(schema, node, at, where === '' ? key : `${where}: ${key}`);
        if (value) read[key as keyof F] = { value: value.ok, at, valueAt };
      } else if (later.includes(key)) this.problem(at, before + notInForce(key));
      else this.problem(at, `${before}unknown key "${key}"${nearest(key, [...Object.keys(fields), ...later])}`);
    }
    return read as Section<F>;
  }

  #checked(schema: z.ZodType, node: Node | null, at: number, where: string): { ok: unknown } | undefined {
    const result = schema.safeParse(this.plain(node, at));
    if (result.success) return { ok: result.data };
    for (const issue of result.error.issues) {
      const path = issue.path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
      this.problem(at, `${where}${path} ${issue.message}`);
    }
    return undefined;
  }

  /** The plain value of a node; a problem and undefined where references go round or grow without end. */
  plain(node: Node | null, at: number): unknown {
    try {
      return node === null ? null : (node.toJS(this.#document) as unknown);
    } catch {
      this.problem(at, 'its references (&, *) cannot be followed');
      return undefined;
    }
  }

  #resolved(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  #node(value: unknown): Node | null {
    return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
  }
}

/** The line of a condition in which a problem is, and a caret under the place. */
export function excerptOf(source: string, offset: number): string[] {
  const start = offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1;
  const end = source.indexOf('\n', offset);
  const line = source.slice(start, end < 0 ? undefined : end);
  const from = Math.max(0, offset - start - 60);
  const before = Array.from(line.slice(from, offset - start)).length;
  return [line.slice(from, from + 100), `${' '.repeat(before)}^`];
}
