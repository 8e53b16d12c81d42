/**
 * Where the workspace is kept: one SQLite file (or memory). The file is the only truth; nothing is cached beside it, so
 * a process that is killed loses nothing that it had answered for. Records are JSON under (kind, key); messages have a
 * table of their own because they are read by thread.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';

const FORMAT_VERSION = 1;
const SCHEMA = `
  CREATE TABLE record (kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
  CREATE TABLE message (channel TEXT NOT NULL, ts TEXT NOT NULL, thread_ts TEXT NOT NULL, top INTEGER NOT NULL, author TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (channel, ts)) WITHOUT ROWID;
  CREATE INDEX message_thread ON message (channel, thread_ts, ts);
  CREATE INDEX message_top ON message (channel, top, ts, author);
  PRAGMA user_version = ${FORMAT_VERSION};
`;

/** The keys to list: `prefix` or those after a key; newest first with `reverse`. */
interface Range {
  readonly prefix?: string;
  readonly after?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

export interface Collection<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
  /** Values in the order of their keys. */
  list(range?: Range): T[];
  keys(range?: Range): string[];
}

export class Storage {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  #afterCommit: (() => void)[] = [];

  /** Opens the file `workspace.sqlite` in the folder (created if absent), or memory when no folder is given. Throws a sentence if another process has it open or another version wrote it. */
  constructor(dataDir: string | undefined) {
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
    this.#db = new DatabaseSync(dataDir === undefined ? ':memory:' : join(dataDir, 'workspace.sqlite'));
    try {
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.#prepareFormat();
    } catch (cause) {
      this.#db.close();
      const locked = cause instanceof Error && /locked|busy/.test(cause.message);
      if (!locked) throw cause;
      throw new Error(`The embedded workspace in ${dataDir ?? 'memory'} is already open in another process.`, {
        cause,
      });
    }
  }

  #prepareFormat(): void {
    this.#db.exec('BEGIN IMMEDIATE');
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (version === 0) this.#db.exec(SCHEMA);
    this.#db.exec('COMMIT');
    if (version !== 0 && version !== FORMAT_VERSION) {
      throw new Error(
        `The embedded workspace was written in format ${version}; this version reads format ${FORMAT_VERSION}.`,
      );
    }
  }

  /** Runs `work` as one atomic change; a throw undoes all of it. May be nested. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.#db.exec('BEGIN');
    this.#depth = 1;
    let result: T;
    try {
      result = work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      this.#afterCommit = [];
      throw error;
    } finally {
      this.#depth = 0;
    }
    const effects = this.#afterCommit;
    this.#afterCommit = [];
    for (const effect of effects) effect();
    return result;
  }

  /** Runs `effect` once the change under way is durable (at once outside of one); not at all if it is undone. */
  afterCommit(effect: () => void): void {
    if (this.#depth > 0) this.#afterCommit.push(effect);
    else effect();
  }

  /** Rows of a query. */
  rows(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }

  /** Runs a statement that answers nothing. */
  run(sql: string, ...values: (string | number)[]): void {
    this.#statement(sql).run(...values);
  }

  /** The records of one kind; each is stored as JSON under its key. */
  collection<T>(kind: string): Collection<T> {
    const select = (column: string, range: Range): Record<string, unknown>[] => {
      const prefix = range.prefix ?? '';
      const sql = `SELECT ${column} AS cell FROM record WHERE kind = ? AND key > ? AND key >= ? AND key < ? ORDER BY key ${range.reverse ? 'DESC' : 'ASC'} LIMIT ?`;
      return this.rows(sql, kind, range.after ?? '', prefix, `${prefix}\u{10ffff}`, range.limit ?? -1);
    };
    return {
      get: key => parse<T>(this.rows('SELECT json FROM record WHERE kind = ? AND key = ?', kind, key)[0]?.['json']),
      put: (key, value) => this.run('INSERT OR REPLACE INTO record VALUES (?, ?, ?)', kind, key, JSON.stringify(value)),
      delete: key => this.run('DELETE FROM record WHERE kind = ? AND key = ?', kind, key),
      list: (range = {}) => select('json', range).flatMap(row => parse<T>(row['cell']) ?? []),
      keys: (range = {}) => select('key', range).map(row => String(row['cell'])),
    };
  }

  /** Closes the file; nothing may be called afterwards. */
  close(): void {
    this.#db.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

/** What this file wrote itself, read back as what it was. */
export function parse<T>(json: unknown): T | undefined {
  return typeof json === 'string' ? (JSON.parse(json) as T) : undefined;
}
