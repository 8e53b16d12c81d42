import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  approvalId,
  callId,
  decodeButton,
  encodeButton,
  parseThreadLog,
  shortId,
  threadLog,
  type ApprovalId,
  type ChannelId,
  type MessageTs,
  type RunId,
  type TeamId,
  type ThreadKey,
} from '../../src/thread/ids.ts';
import { KEY } from './stage.ts';

const letters = (alphabet: string, min: number, max = min) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max });
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';

const key: fc.Arbitrary<ThreadKey> = fc
  .tuple(letters(CAPITALS + DIGITS, 8, 10), letters(CAPITALS + DIGITS, 8, 10), letters(DIGITS, 10), letters(DIGITS, 6))
  .map(([team, channel, seconds, micros]) => ({
    team: `T${team}` as TeamId,
    channel: `C${channel}` as ChannelId,
    ts: `${seconds}.${micros}` as MessageTs,
  }));

describe('ids of calls and approvals', () => {
  test('are derived from where they stand, so that doing a step again gives the same id again [F-A5, F-E8]', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 63 }), (thread, turn, index) => {
        const run = 'r1' as RunId;
        const call = callId(thread, run, turn, index);
        expect(callId({ ...thread }, run, turn, index)).toBe(call);
        expect(call).toMatch(/^[A-Z2-7]{26}$/);
        expect(approvalId(thread, run, call)).toMatch(/^[A-Z2-7]{26}$/);
        expect(approvalId(thread, run, call)).not.toBe(call);
      }),
    );
  });

  test('differ when thread, run, turn or index differs in one place only [F-A7, F-A8, T-A21a]', () => {
    const places = (thread: ThreadKey): string[] =>
      ['r1', 'r2'].flatMap(run =>
        [0, 1, 11].flatMap(turn => [0, 1, 11].map(index => callId(thread, run as RunId, turn, index))),
      );
    const threads = [
      KEY,
      { ...KEY, team: 'T0ACME002' as TeamId },
      { ...KEY, channel: 'C0GENERAM' as ChannelId },
      { ...KEY, ts: '1764511200.000101' as MessageTs },
    ];
    const all = threads.flatMap(places);
    expect(new Set(all).size).toBe(all.length);
    const approvals = threads.flatMap(thread =>
      places(thread).map(id => approvalId(thread, 'r1' as RunId, id as never)),
    );
    expect(new Set([...all, ...approvals]).size).toBe(all.length + approvals.length);
  });

  test('of calls, approvals and executions are different types, which the compiler tells apart [F-A10]', () => {
    const call = callId(KEY, 'r1' as RunId, 1, 0);
    // @ts-expect-error a call id is no approval id
    const mixed: ApprovalId = call;
    expect(mixed).toBe(call);
  });

  test('have a short form for talking, which is no identity', () => {
    expect(shortId('7F3KQQQQQQQQQQQQQQQQQQQQQQ' as ApprovalId)).toBe('A-7F3K');
    expect(decodeButton(shortId('7F3KQQQQQQQQQQQQQQQQQQQQQQ' as ApprovalId))).toBeUndefined();
  });
});

describe("a button's value", () => {
  test('names thread, approval and round in full, within Slack’s alphabet, and comes back as it was [F-A11, S-21]', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 1, max: 999 }), (thread, round) => {
        const approval = approvalId(thread, 'r1' as RunId, callId(thread, 'r1' as RunId, 1, 0));
        const value = { channel: thread.channel, ts: thread.ts, approval, round };
        const text = encodeButton(value);
        expect(text).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(decodeButton(text)).toEqual(value);
      }),
    );
  });

  test('that is not one of ours is no value at all, whatever it is [F-B8, F-C7]', () => {
    const good = encodeButton({ channel: KEY.channel, ts: KEY.ts, approval: 'A'.repeat(26) as ApprovalId, round: 1 });
    expect(decodeButton(good)).toBeDefined();
    for (const text of [
      '',
      'approve',
      'true',
      `${good}-2`,
      `${good} `,
      good.toLowerCase(),
      good.replace('-', ''),
      `${good}\n`,
    ])
      expect(decodeButton(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), text => {
        const value = decodeButton(text);
        expect(value === undefined || encodeButton(value) === text).toBe(true);
      }),
    );
  });
});

describe('the key of a log', () => {
  test('holds team, channel and thread, and is read back to exactly them [T-A21a, S-63]', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(parseThreadLog(threadLog(one))).toEqual(one);
        const same = one.team === other.team && one.channel === other.channel && one.ts === other.ts;
        expect(threadLog(one) === threadLog(other)).toBe(same);
      }),
    );
    for (const text of ['', 'workspace#T0ACME001', 'thread#T#C', 'thread#T#C#1#2', 'thread##C#1'])
      expect(parseThreadLog(text)).toBeUndefined();
  });
});
