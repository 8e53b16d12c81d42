/**
 * Owns how what was read of a log becomes what a reader is given: the chain is verified on every load, also where a
 * snapshot already tells the state and nothing but the chain is read.
 */
import type { Head } from '../thread/commit.ts';
import type { LogKey } from '../thread/ids.ts';
import { LogDamaged, type Loaded, type WakeEntry } from '../worker/ports.ts';
import { damagedAt, followed, verified, type StoredCommit } from './sealed.ts';
import type { Snapshot } from './snapshot.ts';

const EMPTY: Head = { number: 0, hash: '' };

/** The wake entries that commits carry. */
const wakesOf = (key: LogKey, stored: readonly StoredCommit[]): WakeEntry[] =>
  stored.flatMap(({ number, nonce, wake }) => (wake ? [{ key, number, nonce, dueAtMs: wake.dueAtMs }] : []));

/** What a reader gets who knows the log up to `after`; `stored` is everything behind it, in order. */
export const tailOf = (key: LogKey, after: Head, stored: readonly StoredCommit[]): Loaded => ({
  snapshot: null,
  commits: verified(key, after, stored),
  wakes: wakesOf(key, stored),
});

/** What a reader gets who knows nothing; `stored` is the whole log, in order. */
export const wholeOf = (key: LogKey, stored: readonly StoredCommit[]): Loaded => tailOf(key, EMPTY, stored);

/**
 * What a reader gets who may start from a snapshot; `stored` reaches from the log's end back to the snapshot's commit or
 * further, in order. Throws LogDamaged when the log does not go on from the snapshot's head.
 */
export function behind(key: LogKey, snapshot: Snapshot, stored: readonly StoredCommit[]): Loaded {
  const { head } = snapshot;
  const [first] = stored;
  const last = stored.at(-1);
  if (!first || !last || last.number < head.number) {
    throw new LogDamaged(`${key} ends before commit ${head.number}, which its snapshot holds: commits were removed.`);
  }
  const start = first.number === 1 ? EMPTY : { number: first.number - 1, hash: first.previous };
  const covered = stored.filter(commit => commit.number <= head.number);
  const joint = followed(key, start, covered);
  if (joint.number !== head.number || joint.hash !== head.hash) throw damagedAt(key, head.number, 'chain');
  return {
    snapshot: { state: snapshot.state, head },
    commits: verified(key, head, stored.slice(covered.length)),
    wakes: wakesOf(key, stored),
  };
}
