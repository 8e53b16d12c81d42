import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/thread/decide/command.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import { foldEvents } from '../../src/thread/fold.ts';
import type { ChannelId, MessageTs, WriterId } from '../../src/thread/ids.ts';
import { emptyThread, type Thread } from '../../src/thread/thread.ts';
import { KEY } from './stage.ts';

const [ME, OTHER] = ['node1/1', 'node2/1'] as [WriterId, WriterId];
const CHANNEL = 'C0APPROV1' as ChannelId;
const [FIRST, SECOND] = ['1764511200.000001', '1764511200.000002'] as [MessageTs, MessageTs];

type Record = Extract<Command, { type: 'posted' }>['records'][number];
const record = (ts: MessageTs, more: Partial<Record> = {}): Record => ({
  key: 'card/A/1',
  channel: CHANNEL,
  ts,
  hash: 'h1',
  state: 'posted',
  atMs: 1,
  body: {},
  ...more,
});

/** The thread of a lease holder after these reports; each of `[who, record]`. */
function after(...reports: [WriterId, Record][]): Thread {
  const thread: Thread = { ...emptyThread(KEY), lease: { holder: ME, lengthMs: 1, lastCommit: 1, lastAtMs: 0 } };
  for (const [holder, one] of reports)
    foldEvents(thread, decide(thread, { type: 'posted', holder, records: [one] }, 1).events, { number: 2, atMs: 1 });
  return thread;
}

const stands = ({ posts }: Thread): { [key: string]: string } =>
  Object.fromEntries(Object.values(posts).map(post => [post.key, `${post.ts} ${post.state}`]));

describe('a report about posted messages', () => {
  test('is recorded once', () => {
    const thread = after([ME, record(FIRST)]);
    const again = decide(thread, { type: 'posted', holder: ME, records: [record(FIRST)] }, 1);
    expect(again.events).toEqual([]);
  });

  test('of a process that has lost the lease makes its message a copy, which is to be closed', () => {
    expect(stands(after([ME, record(FIRST)], [OTHER, record(SECOND)]))).toEqual({
      'card/A/1': `${FIRST} posted`,
      [`card/A/1~${SECOND}`]: `${SECOND} found`,
    });
  });

  test('of the holder who posted anew makes the earlier message a copy', () => {
    expect(stands(after([ME, record(FIRST)], [ME, record(SECOND)]))).toEqual({
      'card/A/1': `${SECOND} posted`,
      [`card/A/1~${FIRST}`]: `${FIRST} found`,
    });
  });

  test('about a message that was found where it is known to stand says nothing new', () => {
    const found = record(FIRST, { state: 'found', hash: '' });
    expect(stands(after([ME, record(FIRST)], [ME, found], [OTHER, found]))).toEqual({ 'card/A/1': `${FIRST} posted` });
  });
});
