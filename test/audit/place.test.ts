import { describe, expect, test } from 'vitest';
import { channelWords, readWanted, threadAddress } from '../../src/audit/place.ts';
import type { ChannelId } from '../../src/thread/ids.ts';
import { KEY } from '../thread/stage.ts';

const message = { is: 'message', channel: 'C0OPS0001', ts: '1764511200.000100', thread: null, team: null };

describe('what a command is asked for', () => {
  test.each([
    ['A-7F3K', { is: 'short', short: '7F3K' }],
    ['a-7f3k', { is: 'short', short: '7F3K' }],
    [' 7F3K ', { is: 'short', short: '7F3K' }],
    ['https://acme.slack.com/archives/C0OPS0001/p1764511200000100', message],
    [
      'https://acme.slack.com/archives/C0OPS0001/p1764511205000200?thread_ts=1764511200.000100&cid=C0OPS0001',
      { ...message, ts: '1764511205.000200', thread: '1764511200.000100' },
    ],
    ['<https://acme.slack.com/archives/C0OPS0001/p1764511200000100|the thread>', message],
    ['http://127.0.0.1:3000/archives/C0OPS0001/p1764511200000100', message],
    ['C0OPS0001/1764511200.000100', message],
    [
      'https://app.slack.com/client/T0ACME001/C0OPS0001/thread/C0OPS0001-1764511200.000100',
      { ...message, thread: '1764511200.000100', team: 'T0ACME001' },
    ],
  ])('%s is understood', (word, wanted) => {
    expect(readWanted(word)).toEqual(wanted);
  });

  test.each([
    '',
    'A-',
    'A-189',
    'hello world',
    'https://acme.slack.com/archives/C0OPS0001',
    'https://x/p1764511200000100',
  ])('%j is not', word => expect(readWanted(word)).toBeUndefined());

  test('can be what was printed: each address of a thread is read back as that thread', () => {
    for (const opens of [{ in: 'workspace', url: 'http://127.0.0.1:3000' }, { in: 'slack' }, { in: 'none' }] as const)
      expect(readWanted(threadAddress(KEY, opens))).toMatchObject({ channel: KEY.channel, ts: KEY.ts });
  });
});

describe('a channel', () => {
  test.each([
    ['C0OPS0001', '#ops', '#ops (C0OPS0001)'],
    ['C0OPS0001', '', 'C0OPS0001'],
    ['D0DANA001', '', 'a direct message (D0DANA001)'],
  ])('%s, called %j, is printed as %s', (id, name, words) => {
    expect(channelWords(id as ChannelId, name)).toBe(words);
  });
});
