/**
 * Owns how a short id or a link leads to the calls that a record is about. Marks and the index are asked first; what they do not
 * lead to (older requests, links to cards) is looked for in the whole table.
 */
import type { Wanted } from '../audit/place.ts';
import { everyCommit } from '../store/every-commit.ts';
import { logsInIndex } from '../store/indexed-logs.ts';
import { fold } from '../thread/fold.ts';
import { parseThreadLog, threadLog, workspaceLog, type Digest, type LogKey, type ThreadKey } from '../thread/ids.ts';
import { recordOf, sourcesIn, textsIn, type RecordDoc } from '../thread/record.ts';
import { emptyThread, type Call, type Thread } from '../thread/thread.ts';
import { systemClock } from './clock.ts';
import type { Reading } from './commands/reading.ts';

/** The records of one thread; none where the agent has made no call there. */
export interface FoundThread {
  readonly key: ThreadKey;
  readonly records: readonly RecordDoc[];
  /** What the workspace's log keeps of the texts to which they refer. */
  readonly texts: ReadonlyMap<Digest, string>;
}

/** Every thread that is meant, with its records. Throws LogUnavailable, and LogDamaged for a thread that does not fit together. */
export async function findRecords(reading: Reading, wanted: Wanted): Promise<readonly FoundThread[]> {
  const quick = await recordsIn(reading, wanted, await quickly(reading, wanted));
  return quick.length > 0 ? quick : recordsIn(reading, wanted, await everywhere(reading, wanted));
}

/** Logs to which marks, or the link itself, lead; some of them may be empty. */
async function quickly({ log, table }: Reading, wanted: Wanted): Promise<ReadonlySet<LogKey>> {
  const named = wanted.is === 'message' ? wanted.team : null;
  const indexed = named === null ? await logsInIndex(table.client, table.table, systemClock) : [];
  const teams = new Set(named === null ? indexed.flatMap(key => parseThreadLog(key)?.team ?? []) : [named]);
  if (wanted.is === 'message') {
    const { channel, thread, ts } = wanted;
    return new Set([...teams].map(team => threadLog({ team, channel, ts: thread ?? ts })));
  }
  const marks = await Promise.all([...teams].map(team => log.marksOf(team, wanted.short.slice(0, 4))));
  return new Set(marks.flat().flatMap(mark => (mark.approval.startsWith(wanted.short) ? [mark.key] : [])));
}

/** Logs in which some event is about what is wanted, by reading the whole table. */
async function everywhere({ table }: Reading, wanted: Wanted): Promise<ReadonlySet<LogKey>> {
  const found = new Set<LogKey>();
  const word = wanted.is === 'short' ? `"${wanted.short}` : wanted.ts;
  const end = wanted.is === 'short' ? null : `#${wanted.channel}#${wanted.thread ?? wanted.ts}`;
  for await (const { key, facts } of everyCommit(table.client, table.table, systemClock)) {
    if (parseThreadLog(key) === undefined || found.has(key)) continue;
    if ((end !== null && key.endsWith(end)) || (facts.includes(word) && isAbout(facts, wanted))) found.add(key);
  }
  return found;
}

function isAbout(facts: string, wanted: Wanted): boolean {
  const events = JSON.parse(facts) as readonly Readonly<Record<string, unknown>>[];
  if (wanted.is === 'message')
    return events.some(event => event['channel'] === wanted.channel && event['ts'] === wanted.ts);
  return events.some(event =>
    [event['approval'], event['call']].some(id => typeof id === 'string' && id.startsWith(wanted.short)),
  );
}

async function recordsIn(reading: Reading, wanted: Wanted, logs: ReadonlySet<LogKey>): Promise<FoundThread[]> {
  const found: FoundThread[] = [];
  for (const log of logs) {
    const key = parseThreadLog(log);
    const { commits } = await reading.log.load(log, { number: 0, hash: '' });
    if (key === undefined || commits.length === 0) continue;
    const thread = commits.reduce(fold, emptyThread(key));
    const house = await reading.log.load(workspaceLog(key.team), { number: 0, hash: '' });
    const sources = sourcesIn(house.commits);
    const records = meant(thread, wanted).flatMap(call => recordOf(key, commits, call.id, sources) ?? []);
    if (records.length > 0 || wanted.is === 'message') found.push({ key, records, texts: textsIn(house.commits) });
  }
  return found;
}

/** The calls that are meant: those of a short id; of a message about one request that one; else the thread's. */
function meant(thread: Thread, wanted: Wanted): Call[] {
  const calls = Object.values(thread.calls);
  if (wanted.is === 'short')
    return calls.filter(call => [call.approval, call.id].some(id => id?.startsWith(wanted.short)));
  const keys = Object.values(thread.posts).flatMap(post =>
    post.channel === wanted.channel && post.ts === wanted.ts ? [post.key] : [],
  );
  const own = calls.filter(call => keys.some(key => [call.approval, call.id].some(id => id && key.includes(id))));
  return own.length > 0 ? own : calls;
}
