/**
 * Owns what this node is called: a random id in the data folder, under a lock that ends with the process however it ends.
 *
 * 1. Two processes never run under one node id. 2. A boot is a fresh name each time, so that whoever holds the lock knows
 * leases of earlier boots to be over.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { WriterId } from '../thread/ids.ts';
import type { Fresh } from '../worker/ports.ts';
import { CannotStart } from './cannot-start.ts';

export interface Node {
  /** `<node>/<boot>` */
  readonly writer: WriterId;
  /** 32 bytes that stay the same in this folder, for MACs and fingerprints where no key is given. */
  readonly key: Uint8Array;
  release(): void;
}

/** Takes the data folder (made if absent) for this process. Throws CannotStart when another one has it or it cannot be written. */
export function takeNode(folder: string, fresh: Fresh): Node {
  return locked(folder, db => {
    db.exec('CREATE TABLE IF NOT EXISTS node (id TEXT NOT NULL, key BLOB NOT NULL, boots INTEGER NOT NULL);');
    const known = db.prepare('SELECT id, key, boots FROM node').get();
    const id = typeof known?.['id'] === 'string' ? known['id'] : fresh().slice(0, 12);
    const key = known?.['key'] instanceof Uint8Array ? known['key'] : crypto.getRandomValues(new Uint8Array(32));
    const boot = (typeof known?.['boots'] === 'number' ? known['boots'] : 0) + 1;
    if (known) db.prepare('UPDATE node SET boots = ?').run(boot);
    else db.prepare('INSERT INTO node VALUES (?, ?, ?)').run(id, key, boot);
    db.exec('COMMIT;');
    return { writer: `${id}/${boot}` as WriterId, key, release: () => db.close() };
  });
}

/** Keeps processes out of the data folder while a command looks into it; no boot. Throws as `takeNode` does. */
export const holdFolder = (folder: string): Pick<Node, 'release'> =>
  locked(folder, db => ({ release: () => db.close() }));

/** Takes the lock, in a transaction that has just begun. SQLite keeps it until the database is closed. */
function locked<T>(folder: string, take: (db: DatabaseSync) => T): T {
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    db = new DatabaseSync(join(folder, 'node.sqlite'));
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    return take(db);
  } catch (error) {
    db?.close();
    throw refused(folder, error);
  }
}

function refused(folder: string, cause: unknown): CannotStart {
  const why = cause instanceof Error ? cause.message : String(cause);
  const lines = /locked|busy/.test(why)
    ? [`The data folder ${folder} is in use by another process. End that one, or set COUNTERSIGN_DATA.`]
    : [`The data folder ${folder} cannot be used: ${why}.`, 'Set COUNTERSIGN_DATA to a folder that can be written.'];
  return new CannotStart(lines, { cause });
}
