/**
 * Owns what the inspector shows of a thread's log: each commit in words, with its lease and next look, and the fold before
 * and behind one commit. The log itself is handed in by whoever has it; the fold is the core's own.
 */
import type { Commit } from '../../thread/commit.ts';
import type { ThreadEvent } from '../../thread/events.ts';
import { fold } from '../../thread/fold.ts';
import type { ThreadKey } from '../../thread/ids.ts';
import { emptyThread, type Thread } from '../../thread/thread.ts';
import { wakeAfter } from '../../thread/wake.ts';
import type { Json, JsonObject } from '../json.ts';
import { actorOf, wordsOf, type Told } from './words.ts';

/** A thread's whole log, the oldest commit first, and the entries that stand for it in the wake index. */
export interface ThreadLog {
  readonly commits: readonly Commit[];
  readonly wakes: readonly { readonly number: number; readonly dueAtMs: number }[];
}

/** Reads a thread's log; empty where nothing is kept of it. Rejects with a sentence when it cannot be read. */
export type Inspect = (thread: ThreadKey) => Promise<ThreadLog>;

/** What people and channels are called. */
type Names = Omit<Told, 'thread'>;

/** The time line: what each commit says. */
export function timeLine(key: ThreadKey, log: ThreadLog, names: Names): JsonObject {
  const thread = emptyThread(key);
  const commits = log.commits.map(commit => {
    fold(thread, commit);
    return described(thread, commit, log, names);
  });
  const wakes = log.wakes.map(({ number, dueAtMs }) => ({ number, due_at_ms: dueAtMs }));
  return { commits, wakes };
}

/** The fold before and behind the commit with this number; undefined when there is no such commit. */
export function foldsAt(key: ThreadKey, { commits }: ThreadLog, number: number): JsonObject | undefined {
  const index = commits.findIndex(commit => commit.number === number);
  if (index < 0) return undefined;
  const foldOf = (list: readonly Commit[]): Json => plain(list.reduce(fold, emptyThread(key)));
  return { number, before: foldOf(commits.slice(0, index)), after: foldOf(commits.slice(0, index + 1)) };
}

function described(thread: Thread, commit: Commit, { wakes }: ThreadLog, names: Names): JsonObject {
  const { number, atMs, writer, hash, previous, version, nonce, bodyDigest } = commit;
  const events = commit.events as readonly ThreadEvent[];
  const { lease } = thread;
  return {
    number,
    at_ms: atMs,
    writer,
    hash,
    previous,
    version,
    nonce,
    body_digest: bodyDigest,
    events: events.map(event => tell(event, { ...names, thread })),
    lease: lease && {
      holder: lease.holder,
      length_ms: lease.lengthMs,
      until_ms: lease.lastAtMs + lease.lengthMs,
    },
    next_look_ms: wakeAfter(thread, [], atMs),
    entry_due_ms: wakes.find(entry => entry.number === number)?.dueAtMs ?? null,
  };
}

function tell(event: ThreadEvent, told: Told): JsonObject {
  const { type, body, ...facts } = event;
  const digest = 'digest' in event && event.digest ? event.digest : 'callDigest' in event ? event.callDigest : null;
  return { type, who: actorOf(event), words: wordsOf(event, told), digest, facts: plain(facts), body: plain(body) };
}

/** A stored value as plain JSON. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
