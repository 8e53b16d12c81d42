import { describe, expect, test } from 'vitest';
import type { UserId } from '../../src/thread/ids.ts';
import { ANA, HOUR_MS, LEADS, LEO, MIA, OTTO, SRE, Stage, terms } from './stage.ts';

/** A request that takes two of SRE, and from an hour on of SRE and Leads; it expires after three. */
function waiting(): { stage: Stage; count: (...steps: UserId[][]) => number; lack: () => unknown } {
  const stage = new Stage().asks({
    verdict: terms({
      quorum: 2,
      expiresInMs: 3 * HOUR_MS,
      ladder: [
        { afterMs: 0, scopes: [SRE] },
        { afterMs: HOUR_MS, scopes: [LEADS] },
      ],
    }),
  });
  const count = (...steps: UserId[][]): number =>
    stage.do({ type: 'countPeople', approval: stage.approval().id, steps }).events.length;
  return { stage, count, lack: () => stage.approval().lack };
}

describe('who may still decide a request that waits', () => {
  test('is on record once it is other than before, and says nothing any more when people are back', () => {
    const { stage, count, lack } = waiting();
    expect(count([MIA, LEO], [ANA])).toBe(0);
    expect(count([MIA], [])).toBe(1);
    expect([lack(), stage.approval().eligible]).toEqual([{ code: 'quorum_impossible', fromMs: null }, 1]);
    expect(count([MIA], [])).toBe(0);
    expect(count([], [])).toBe(1);
    expect([lack(), stage.approval().eligible]).toEqual([{ code: 'no_approvers', fromMs: null }, 0]);
    expect(count([MIA, LEO], [])).toBe(1);
    expect([lack(), stage.approval().eligible]).toEqual([undefined, 2]);
    expect(stage.approval().state.is).toBe('open');
    expect(stage.replayed().approvals).toEqual(stage.thread.approvals);
  });

  test('counts who comes in with a later step of the ladder from its time on, and everybody once', () => {
    const { stage, count, lack } = waiting();
    const { requestedAtMs } = stage.approval();
    expect(count([MIA], [ANA])).toBe(1);
    expect(lack()).toEqual({ code: 'quorum_impossible', fromMs: requestedAtMs + HOUR_MS });
    expect(count([MIA], [MIA])).toBe(1);
    expect(lack()).toEqual({ code: 'quorum_impossible', fromMs: null });
    stage.pass(HOUR_MS);
    expect(count([MIA], [ANA])).toBe(1);
    expect([lack(), stage.approval().eligible]).toEqual([undefined, 1]);
  });

  test('is counted of nothing that is decided or over', () => {
    const { stage, count } = waiting();
    stage.pass(3 * HOUR_MS);
    expect(count([], [])).toBe(0);
    const rejected = waiting();
    rejected.stage.click('reject');
    expect(rejected.count([], [])).toBe(0);
    const other = waiting();
    expect(other.count([OTTO])).toBe(0);
  });
});
