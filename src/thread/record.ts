/**
 * Owns the record of one call: everything that is known of it, as data. `recordOf` reads the whole log, with the time of each
 * event; `recordOfThread` says what the folded thread keeps, for whoever has no more. Pure.
 *
 * 1. What `fold` knows is taken from the fold; only what it does not keep is read from the events. 2. Total: an erased body
 * or an event about something unknown makes a gap, never an error.
 */
import type { Commit } from './commit.ts';
import { fold } from './fold.ts';
import type { CallId, ThreadKey } from './ids.ts';
import type { RecordDoc } from './record/doc.ts';
import { recordOfThread } from './record/from-fold.ts';
import { fromLog } from './record/from-log.ts';
import type { RecordSources } from './record/sources.ts';
import { at, emptyThread } from './thread.ts';

export type * from './record/doc.ts';
export { recordOfThread } from './record/from-fold.ts';
export { editedValue } from './record/notes.ts';
export { sourcesIn, textsIn } from './record/sources.ts';

/** The record of a call by its whole log, in order from the first commit; null when the log knows no such call. */
export function recordOf(
  key: ThreadKey,
  commits: readonly Commit[],
  call: CallId,
  sources: RecordSources = {},
): RecordDoc | null {
  const thread = commits.reduce(fold, emptyThread(key));
  const found = at(thread.calls, call);
  return found === undefined ? null : fromLog(recordOfThread(thread, found), thread, commits, sources);
}
