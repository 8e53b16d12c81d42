import { describe, expect, test } from 'vitest';
import { wakeAfter } from '../../src/thread/wake.ts';
import { ANA, HOUR_MS, LEADS, MIA, SRE, Stage, terms } from './stage.ts';

const MINUTE_MS = 60_000;
const VERDICT = terms({
  remindMs: [30 * MINUTE_MS, HOUR_MS],
  expiresInMs: 2 * HOUR_MS,
  ladder: [
    { afterMs: 0, scopes: [SRE] },
    { afterMs: 90 * MINUTE_MS, scopes: [LEADS] },
  ],
});
const asked = (): Stage => new Stage().asks({ verdict: VERDICT });
const remind = (stage: Stage, n: number) => stage.do({ type: 'remind', approval: stage.approval().id, n }).events;
const escalate = (stage: Stage, step: number) =>
  stage.do({ type: 'escalate', approval: stage.approval().id, step }).events;

describe('a request that nobody decides', () => {
  test('is reminded of at its times, then passed on, then over: each once, in order, and nothing afterwards [F-J6, S-91]', () => {
    const stage = asked();
    const { requestedAtMs, expiresAtMs } = stage.approval();
    const told: [number, string][] = [];
    while (stage.nowMs <= expiresAtMs + HOUR_MS) {
      // Two schedulers, neither of which knows of the other.
      for (let scheduler = 0; scheduler < 2; scheduler += 1) {
        for (const n of [0, 1, 2, 3])
          if (remind(stage, n).length > 0) told.push([(stage.nowMs - requestedAtMs) / MINUTE_MS, `reminder ${n}`]);
        for (const step of [0, 1, 2])
          if (escalate(stage, step).length > 0) told.push([(stage.nowMs - requestedAtMs) / MINUTE_MS, `step ${step}`]);
        if (stage.do({ type: 'expire', approval: stage.approval().id }).events.length > 0)
          told.push([(stage.nowMs - requestedAtMs) / MINUTE_MS, 'expired']);
      }
      stage.pass(10 * MINUTE_MS);
    }
    expect(told).toEqual([
      [30, 'reminder 1'],
      [60, 'reminder 2'],
      [90, 'step 1'],
      [120, 'expired'],
    ]);
    expect(stage.approval()).toMatchObject({
      reminders: [
        { n: 1, round: 1, atMs: requestedAtMs + 30 * MINUTE_MS },
        { n: 2, round: 1 },
      ],
      escalations: [{ step: 1, round: 1, atMs: requestedAtMs + 90 * MINUTE_MS }],
      state: { is: 'expired' },
    });
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test('wakes for each of it, and says what is due [S-91]', () => {
    const stage = asked();
    stage.do({ type: 'release', holder: stage.writer, synced: true });
    const { requestedAtMs } = stage.approval();
    expect(wakeAfter(stage.thread, [], stage.nowMs)).toBe(requestedAtMs + 30 * MINUTE_MS);
    stage.pass(30 * MINUTE_MS);
    expect(stage.next({ lease: 'free' }).effects).toEqual(['remind']);
    remind(stage, 1);
    expect(stage.next({ lease: 'free' }).effects).toEqual([]);
  });

  test('is not reminded of while nobody looked: what was missed is made up for by the latest', () => {
    const stage = asked().pass(70 * MINUTE_MS);
    expect(remind(stage, 2)).toHaveLength(1);
    expect(remind(stage, 1)).toEqual([]);
  });

  test('is nobody’s to be reminded of once it is decided or withdrawn', () => {
    for (const over of [
      (stage: Stage) => stage.click('approve'),
      (stage: Stage) => stage.click('reject'),
      (stage: Stage) => stage.cancel(),
    ]) {
      const stage = asked();
      over(stage);
      stage.pass(100 * MINUTE_MS);
      expect([...remind(stage, 1), ...remind(stage, 2), ...escalate(stage, 1)]).toEqual([]);
    }
    const stage = asked();
    expect(stage.do({ type: 'remind', approval: 'Q'.repeat(26) as never, n: 1 }).events).toEqual([]);
  });

  test('keeps its reminders in a new round of the same card, and begins again with a new card', () => {
    const stage = asked().pass(30 * MINUTE_MS);
    remind(stage, 1);
    stage.say('hurry');
    expect(stage.approval()).toMatchObject({ round: 2, reminders: [{ n: 1 }] });
    expect(remind(stage, 1)).toEqual([]);
    stage.click('approve', MIA);
    stage.claim(stage.call(), { verdict: VERDICT, bind: { now: 1 } });
    expect(stage.approval()).toMatchObject({ card: 2, reminders: [], escalations: [] });
    expect(remind(stage, 1)).toEqual([]);
    stage.pass(30 * MINUTE_MS);
    expect(remind(stage, 1)).toHaveLength(1);
  });

  test('is not reminded of from its expiry on, also before that is on record', () => {
    const verdict = terms({ remindMs: [HOUR_MS], expiresInMs: HOUR_MS, ladder: VERDICT.ladder });
    const stage = new Stage().asks({ verdict }).pass(2 * HOUR_MS);
    expect(stage.approval().state.is).toBe('open');
    expect([...remind(stage, 1), ...escalate(stage, 1)]).toEqual([]);
  });

  test('may be decided by the next step of the ladder from its time on, recorded or not', () => {
    const stage = asked().pass(90 * MINUTE_MS);
    expect(stage.approval().escalations).toEqual([]);
    expect(stage.click('approve', ANA).refusal).toBeUndefined();
  });

  test('passes through each step of the ladder in order', () => {
    const ladder = [SRE, LEADS, SRE].map((scope, step) => ({ afterMs: step * MINUTE_MS, scopes: [scope] }));
    const stage = new Stage().asks({ verdict: terms({ ladder }) }).pass(HOUR_MS);
    expect(escalate(stage, 2)).toEqual([]);
    expect(escalate(stage, 1)).toHaveLength(1);
    expect(escalate(stage, 2)).toHaveLength(1);
    expect(escalate(stage, 3)).toEqual([]);
  });
});
