import { describe, expect, test } from 'vitest';
import type { WriterId } from '../../src/thread/ids.ts';
import { next } from '../../src/thread/next.ts';
import { covers, LAPSE_GRACE_MS, SWEEP_MS, wakeAfter } from '../../src/thread/wake.ts';
import { HOUR_MS, LIMITS, RULES, ME, MIA, Stage, terms } from './stage.ts';

describe('what is to be done next', () => {
  test('is nothing in an empty thread, and starting a run where a message waits', () => {
    const stage = new Stage();
    expect(stage.next()).toEqual({ effects: [] });
    stage.say('hello');
    expect(stage.next().effects).toEqual(['start']);
    expect(stage.next({ lease: 'free' }).effects).toEqual(['start']);
    expect(stage.next({ lease: 'others' }).effects).toEqual([]);
  });

  test('is found from the log alone, however the thread was loaded: decided and not resumed is resumed [F-E3, F-E15, F-E16, S-60]', () => {
    const stage = new Stage().asks({});
    expect(stage.next().effects).toEqual([]);
    stage.click('approve');
    expect(stage.next().effects).toEqual(['claim']);
    stage.do({ type: 'release', holder: ME, synced: true });
    stage.thread = stage.replayed();
    expect(stage.next({ lease: 'free', me: 'node9/9' as WriterId }).effects).toEqual(['claim']);
  });

  test('is asked of the model when every call of its turn is settled, and not a moment before [F-B10, F-F1, F-A14]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2 }, { args: 3, verdict: 'deny' });
    stage.click('reject', MIA, { on: stage.approval(0) });
    expect(stage.next().effects).toEqual([]);
    stage.click('approve', MIA, { on: stage.approval(1) });
    stage.claim(stage.call(1));
    const executing = new Set([`${stage.call(1).id}.1` as never]);
    expect(stage.next({ executing }).effects).toEqual([]);
    stage.ended(stage.call(1));
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('in a thread that somebody else works on is expiry and nothing else', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2 });
    stage.click('approve');
    expect(stage.next({ lease: 'others' }).effects).toEqual([]);
    stage.pass(4 * HOUR_MS);
    expect(stage.next({ lease: 'others' }).effects).toEqual(['expire', 'expire']);
    expect(stage.next({ lease: 'mine' }).effects).toEqual(['expire', 'expire']);
  });

  test('has a key that stays the same for the same step, and differs for every other', () => {
    const stage = new Stage().asks({ args: 1, verdict: 'allow' }, { args: 2, verdict: 'allow' });
    const situation = { nowMs: stage.nowMs, me: ME, lease: 'mine', frozen: false, limits: LIMITS, ...RULES } as const;
    const keys = () => next(stage.thread, { ...situation, executing: new Set() }).effects.map(effect => effect.key);
    const first = keys();
    expect(keys()).toEqual(first);
    expect(new Set(first).size).toBe(2);
    stage.claim(stage.call(0), { verdict: 'allow' });
    stage.do({
      type: 'notStarted',
      call: stage.call(0).id,
      execution: `${stage.call(0).id}.1` as never,
      why: 'frozen',
    });
    expect(keys()[0]).not.toBe(first[0]);
    expect(keys()[1]).toBe(first[1]);
  });

  test('does not let one thread’s cancel reach another [F-I7]', () => {
    const [one, other] = [new Stage().asks({}), new Stage({ ...new Stage().key, ts: '2.000002' as never }).asks({})];
    const before = structuredClone(other.thread);
    one.cancel();
    expect(other.thread).toEqual(before);
    expect(other.click('approve', MIA, { on: one.approval() }).refusal?.code).toBe('not_found');
  });
});

describe('when a thread must be found again', () => {
  const needed = (stage: Stage): number | null => wakeAfter(stage.thread, [], stage.nowMs);

  test('is a minute after its lease has lapsed, while somebody holds it', () => {
    const stage = new Stage();
    stage.say('hello');
    expect(needed(stage)).toBe(stage.nowMs + SWEEP_MS);
    stage.take(ME, 1_000);
    expect(needed(stage)).toBe(stage.nowMs + 1_000 + LAPSE_GRACE_MS);
    stage.pass(HOUR_MS);
    expect(needed(stage)).toBe(stage.nowMs + LAPSE_GRACE_MS);
  });

  test('is the next expiry, where only people can bring it on; and never, where nothing is open [F-E13, F-J4]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2, verdict: terms({ expiresInMs: HOUR_MS }) });
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(needed(stage)).toBe(stage.nowMs + HOUR_MS);
    stage.click('reject', MIA, { on: stage.approval(1) });
    stage.take();
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(needed(stage)).toBe(stage.nowMs + 4 * HOUR_MS);
    stage.cancel();
    stage.take();
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(needed(stage)).toBeNull();
  });

  test('is soon, while something is decided that nobody has taken up, or a message is not in line [F-E15, S-60, S-61]', () => {
    const waiting = () => {
      const stage = new Stage().asks({});
      stage.do({ type: 'release', holder: ME, synced: true });
      return stage;
    };
    const decided = waiting();
    decided.click('approve');
    expect(needed(decided)).toBe(decided.nowMs + SWEEP_MS);
    const behind = new Stage().asks({});
    behind.do({ type: 'release', holder: ME, synced: false });
    expect(needed(behind)).toBe(behind.nowMs + SWEEP_MS);
    const refused = waiting();
    refused.click('approve', MIA, { round: 9 });
    expect(needed(refused)).toBe(refused.approval().expiresAtMs);
  });

  test('is before its events are written the same or earlier than after, so that their own commit can carry it', () => {
    const stage = new Stage();
    const steps: (() => unknown)[] = [
      () => stage.say('do it'),
      () => stage.take(),
      () => stage.start(),
      () => stage.reply('', {}, { args: 2, verdict: 'allow' }),
      () => stage.do({ type: 'release', holder: ME, synced: true }),
      () => stage.click('approve'),
      () => stage.take(),
      () => stage.claim(),
      () => stage.recover(),
      () => stage.settle('ran'),
      () => stage.do({ type: 'away', run: stage.run().id, code: 'timeout', patienceMs: 60_000 }),
      () => stage.cancel(),
      () => stage.do({ type: 'release', holder: ME, synced: true }),
    ];
    for (const step of steps) {
      const before = structuredClone(stage.thread);
      const count = stage.commits.length;
      step();
      expect(stage.commits).toHaveLength(count + 1);
      const carried = wakeAfter(before, stage.commits.at(-1)?.events as never, stage.nowMs);
      const after = needed(stage);
      expect(after === null || (carried !== null && carried <= after)).toBe(true);
      stage.pass(1_000);
    }
  });

  test('does with an entry that is due no later and at most ten minutes earlier', () => {
    const at = 100 * 60_000;
    const now = at - 20 * 60_000;
    expect([at, at - 1, at - 10 * 60_000].map(due => covers(due, at, now))).toEqual([true, true, true]);
    expect([at + 1, at - 10 * 60_000 - 1].map(due => covers(due, at, now))).toEqual([false, false]);
  });

  test('does not rely on an entry that is due already, or so soon that it may be tended before the commit lands', () => {
    const now = 100 * 60_000;
    const needed = now + 60_000;
    expect([now - 1, now + 29_999, now + 30_000].map(due => covers(due, needed, now))).toEqual([false, false, true]);
  });
});
