import { describe, expect, test } from 'vitest';
import { decide } from '../../src/thread/decide/decide.ts';
import { threadLog, type WriterId } from '../../src/thread/ids.ts';
import { emptyThread, type Thread } from '../../src/thread/thread.ts';
import { Leases } from '../../src/worker/leases.ts';
import { handClock } from '../support/hand-clock.ts';
import { KEY } from './rig.ts';

const LENGTH_MS = 310_000;
const [ME, OTHER] = ['node1/1', 'node2/1'] as [WriterId, WriterId];

const heldBy = (holder: WriterId, lastCommit: number, lastAtMs: number): Thread => ({
  ...emptyThread(KEY),
  lease: { holder, lengthMs: LENGTH_MS, lastCommit, lastAtMs },
});

describe('a lease', () => {
  test('that somebody else took while this process was about to take it is left to them', () => {
    const clock = handClock();
    const leases = new Leases(ME, clock);
    const free = emptyThread(KEY);
    expect(decide(free, leases.take(threadLog(KEY), free, LENGTH_MS), clock.nowMs()).events).toHaveLength(1);
    const taken = heldBy(OTHER, 7, clock.nowMs());
    expect(decide(taken, leases.take(threadLog(KEY), taken, LENGTH_MS), clock.nowMs()).events).toEqual([]);
  });

  test('that lapsed is taken over, but not once its holder has gone on', async () => {
    const clock = handClock();
    const leases = new Leases(ME, clock);
    const silent = heldBy(OTHER, 7, clock.nowMs());
    expect(leases.of(threadLog(KEY), silent)).toBe('others');
    await clock.advance(LENGTH_MS);
    const take = leases.take(threadLog(KEY), silent, LENGTH_MS);
    expect(decide(silent, take, clock.nowMs()).events).toMatchObject([{ type: 'lease.taken', holder: ME }]);
    const awake = heldBy(OTHER, 8, clock.nowMs());
    expect(decide(awake, take, clock.nowMs()).events).toEqual([]);
  });
});
