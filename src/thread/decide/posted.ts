/**
 * Owns what becomes of a report about posted messages: records of where each message stands and what it shows.
 *
 * 1. One message stands for a key. What else was posted under it (by a process that had lost the lease, or lost the answer)
 * is on record as a copy, so that whoever holds the lease closes it. 2. What is on record already is not recorded again.
 */
import { copyKey } from '../ids.ts';
import type { EventOf } from '../events.ts';
import { at, type Post, type Thread } from '../thread.ts';
import { decided, type Command, type Decision } from './command.ts';

type Report = Extract<Command, { type: 'posted' }>;
type Record = Report['records'][number];

/** Records of messages, and of copies that are to be closed. */
export function posted(thread: Thread, { holder, records }: Report): Decision {
  const isHolder = thread.lease?.holder === holder;
  const known: { [key: string]: Pick<Post, 'channel' | 'ts' | 'hash' | 'state' | 'code'> | undefined } = {};
  const events = records.flatMap(record => {
    const before = known[record.key] ?? at(thread.posts, record.key);
    const all = withCopies(record, before, isHolder).filter(
      each => !isKnown(each, known[each.key] ?? at(thread.posts, each.key)),
    );
    for (const each of all) known[each.key] = { ...each, ts: each.ts ?? before?.ts ?? null, code: each.code ?? null };
    return all;
  });
  return decided(...events.map((record): EventOf<'message.posted'> => ({ ...record, type: 'message.posted' })));
}

/** A record, with what it makes a copy of: itself, or the message that stood there before. */
function withCopies(record: Record, before: Pick<Post, 'channel' | 'ts'> | undefined, isHolder: boolean): Record[] {
  if (!before?.ts || !record.ts || before.ts === record.ts) return [record];
  if (!isHolder || record.state === 'found') return [copyOf(record, record.channel, record.ts)];
  return [record, copyOf(record, before.channel, before.ts)];
}

const copyOf = ({ key, atMs }: Record, channel: Post['channel'], ts: NonNullable<Post['ts']>): Record => ({
  key: copyKey(key, ts),
  channel,
  ts,
  hash: '',
  state: 'found',
  atMs,
  body: {},
});

/** The same record again, or a message found where it is known to stand. */
function isKnown(record: Record, before: Pick<Post, 'ts' | 'hash' | 'state' | 'code'> | undefined): boolean {
  if (before === undefined || before.ts !== (record.ts ?? before.ts)) return false;
  if (record.state === 'found' && before.ts !== null) return true;
  return record.state === before.state && record.hash === before.hash && (record.code ?? null) === before.code;
}
