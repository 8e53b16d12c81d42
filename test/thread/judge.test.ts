import { describe, expect, test } from 'vitest';
import { MAX_ARGUMENT_BYTES } from '../../src/thread/decide/judge.ts';
import { encodeButton } from '../../src/thread/ids.ts';
import { DANA, HOUR_MS, LEADS, LEO, LIMITS, ME, MIA, SRE, Stage, terms } from './stage.ts';

const stateOf = (stage: Stage, index = 0) => stage.call(index).state;

describe('a call that policy asks about', () => {
  test('waits with everything that was shown on record: terms, people, expiry, digest [F-D10, F-D15, F-J4, F-A9, S-41]', () => {
    const asked = terms({ quorum: 2, ladder: [{ afterMs: 0, scopes: [SRE, LEADS] }] });
    const stage = new Stage().asks({ verdict: asked, rule: 'two-people', bind: { replicas: 6 }, args: { n: 2 } });
    expect(stage.approval()).toMatchObject({
      round: 1,
      card: 1,
      terms: asked,
      rule: 'two-people',
      requesters: [DANA],
      eligible: 2,
      expiresAtMs: stage.nowMs + 4 * HOUR_MS,
      bind: { replicas: 6 },
      state: { is: 'open' },
    });
    expect(stage.approval().callDigest).toBe(stage.call().judgement?.callDigest);
    expect(encodeButton({ ...stage.key, approval: stage.approval().id, round: 1 })).toContain(stage.approval().id);
  });

  test('is the same request when the same reply is recorded by another process: nothing is asked twice [F-A13, F-B14, F-E8]', () => {
    const [one, other] = [new Stage().asks({ args: 1 }), new Stage().asks({ args: 1 })];
    expect(other.approval().id).toBe(one.approval().id);
    const before = structuredClone(one.thread);
    const again = one.commits.flatMap(commit => commit.events).find(event => event.type === 'approval.requested');
    if (again?.type !== 'approval.requested') throw new Error('Nobody was asked.');
    one.append(again);
    expect({ ...one.thread, head: null, lease: null }).toEqual({ ...before, head: null, lease: null });
    expect(one.do({ type: 'judge', call: one.call().id, evidence: one.look(), limits: LIMITS }).events).toEqual([]);
  });

  test('twice in one turn is one card; other arguments are another request with its own outcome [F-A8, T-A5b]', () => {
    const stage = new Stage().asks({ args: { n: 1 } }, { args: { n: 2 } }, { args: { n: 1 } });
    expect([0, 1, 2].map(index => stateOf(stage, index))).toMatchObject([
      { is: 'waiting' },
      { is: 'waiting' },
      { is: 'refused', code: 'duplicate' },
    ]);
    expect(Object.keys(stage.thread.approvals)).toHaveLength(2);
    stage.click('approve', MIA, { on: stage.approval(1) });
    expect(stage.outcomes()).toEqual(['waiting', 'starting', 'refused']);
  });

  test('and is refused for another reason than the rule’s is told that reason, not what the rule is for [F-I5]', () => {
    const stage = new Stage();
    stage.say('do it');
    stage.take();
    stage.start();
    const asking = stage.look();
    const look = { ...asking, judged: { ...asking.judged, why: 'It changes the project.' } };
    const [calls, evidence] = [Array.from({ length: 2 }, () => ({ tool: 'execute', args: '{}' })), [look, look]];
    const reply = { holder: ME, run: stage.run().id, turn: 1, model: 'm', text: '', usage: { input: 1, output: 1 } };
    stage.do({ type: 'reply', ...reply, calls, evidence, limits: LIMITS });
    expect(stateOf(stage, 1)).toMatchObject({ is: 'refused', code: 'duplicate', detail: null });
    expect(stage.call(1).judgement?.why).toBe('It changes the project.');
  });

  test('is refused at once when nobody may decide it, or fewer than it needs, or nobody knows [F-D4, F-D15, S-90, S-50, T-A12a]', () => {
    for (const [eligible, quorum, code] of [
      [[], 1, 'no_approvers'],
      [[MIA], 2, 'quorum_impossible'],
      ['unknown', 1, 'lookup_failed'],
    ] as const) {
      const stage = new Stage().asks({ verdict: terms({ quorum }), eligible });
      expect(stateOf(stage)).toMatchObject({ is: 'refused', code });
      expect(stage.thread.approvals).toEqual({});
      expect(stage.next().effects).toEqual(['ask_model']);
    }
  });

  test('is refused when it cannot be shown in full, and asked by form when only the form holds it [F-H3]', () => {
    expect(stateOf(new Stage().asks({ room: 'too_long' }))).toMatchObject({ is: 'refused', code: 'too_long' });
    expect(stateOf(new Stage().asks({ args: 'x'.repeat(MAX_ARGUMENT_BYTES) }))).toMatchObject({ code: 'too_long' });
    const stage = new Stage().asks({ room: 'form' });
    expect(stage.click('approve').refusal?.code).toBe('review_needed');
    expect(stage.click('approve', MIA, { origin: 'form', key: 'V1.h1' }).refusal).toBeUndefined();
  });

  test('is refused when as many wait in the thread as may [T-A5a]', () => {
    const nine = Array.from({ length: 9 }, (_, n) => ({ args: n }));
    const stage = new Stage().asks(...nine);
    expect(nine.map((_, index) => stateOf(stage, index).is)).toEqual([...Array(8).fill('waiting'), 'refused']);
    expect(stateOf(stage, 8)).toMatchObject({ code: 'too_many_open' });
    stage.click('reject');
    expect(stateOf(stage, 1).is).toBe('waiting');
  });
});

describe('a call that policy denies or allows', () => {
  test('is denied with the rule’s own reason, and never put to anybody [F-C1]', () => {
    const stage = new Stage().asks({ verdict: 'deny', rule: 'never' });
    expect(stateOf(stage)).toMatchObject({ is: 'refused', code: 'denied', detail: 'Not here.' });
    expect(stage.claim().events).toEqual([]);
  });

  test('is allowed without a card, and runs while its siblings wait [F-F2, F-F7]', () => {
    const stage = new Stage().asks({ args: 1 }, { name: 'read_file', verdict: 'allow' });
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(stage.call(1), { verdict: 'allow' });
    stage.ended(stage.call(1));
    expect(stage.outcomes()).toEqual(['waiting', 'done']);
    expect(Object.keys(stage.thread.approvals)).toHaveLength(1);
  });

  test('by a later policy than the one of its judgement is judged by the later one [F-C1, T-A20c]', () => {
    for (const [verdict, outcome] of [
      ['deny', 'refused'],
      [terms(), 'waiting'],
    ] as const) {
      const stage = new Stage().asks({ verdict: 'allow' });
      stage.claim(stage.call(), { verdict });
      expect(stage.outcomes()).toEqual([outcome]);
    }
  });
});

describe('a call that cannot be judged', () => {
  test('of an unknown tool, or with arguments that the tool refuses, is refused with the reason for the model [F-E6]', () => {
    const unknown = new Stage().asks({ tool: null, name: 'gone' });
    expect(stateOf(unknown)).toMatchObject({ is: 'refused', code: 'unknown_tool', detail: 'gone' });
    const inspection = { ok: false, code: 'invalid_arguments', detail: 'argv: must be a list' } as const;
    const invalid = new Stage().asks({ inspection });
    expect(stateOf(invalid)).toMatchObject({
      is: 'refused',
      code: 'invalid_arguments',
      detail: 'argv: must be a list',
    });
    expect(invalid.next().effects).toEqual(['ask_model']);
  });

  test('because the same write is in doubt is refused, also where a rule would allow it [F-B7]', () => {
    for (const verdict of ['allow', terms()] as const) {
      const stage = new Stage().asks({ args: 1, verdict });
      if (verdict !== 'allow') stage.click('approve');
      stage.claim(stage.call(), { verdict });
      stage.recover();
      stage.cancel();
      stage.asks({ args: 1, verdict }, { args: 2, verdict });
      expect(stateOf(stage)).toMatchObject({ is: 'refused', code: 'in_doubt_before' });
      expect(stateOf(stage, 1).is).not.toBe('refused');
    }
  });
});

describe('eligible people', () => {
  test('are counted without the requester, and stand in the request', () => {
    const stage = new Stage().asks({ eligible: [MIA, LEO] });
    expect(stage.approval().eligible).toBe(2);
  });
});

describe('limits on requests that wait', () => {
  const judged = (openElsewhere: number | 'unknown' | undefined, here = 0) => {
    const stage = new Stage();
    stage.say('do it');
    stage.take();
    stage.start();
    if (here > 0) stage.reply('', ...Array.from({ length: here }, (_, n) => ({ args: n })));
    const run = stage.run();
    const evidence = { ...stage.look({ args: 'new' }), ...(openElsewhere === undefined ? {} : { openElsewhere }) };
    const calls = [{ tool: 'execute', args: '"new"' }];
    const reply = { holder: ME, run: run.id, turn: run.turn + 1, model: 'm', text: '', usage: { input: 1, output: 1 } };
    stage.do({ type: 'reply', ...reply, calls, evidence: [evidence], limits: LIMITS });
    const { state } = stage.call(here);
    return 'code' in state ? state.code : state.is;
  };

  test('count those of one person over all threads; not knowing them puts nothing to people', () => {
    expect(judged(undefined)).toBe('waiting');
    expect(judged(LIMITS.personOpenRequests - 1)).toBe('waiting');
    expect(judged(LIMITS.personOpenRequests)).toBe('too_many_open');
    expect(judged(LIMITS.personOpenRequests - 2, 1)).toBe('waiting');
    expect(judged(LIMITS.personOpenRequests - 2, 2)).toBe('too_many_open');
    expect(judged('unknown')).toBe('lookup_failed');
  });
});

describe('a request that is too long for its card', () => {
  test.each(['form', 'file'] as const)('%s: is approved only in the form that shows all of it [F-I4]', room => {
    const stage = new Stage().asks({ room });
    expect(stage.approval().room).toBe(room);
    expect(stage.click('approve').refusal?.code).toBe('review_needed');
    expect(stage.click('approve', MIA, { origin: 'form' }).refusal).toBeUndefined();
    const rejected = new Stage().asks({ room });
    expect(rejected.click('reject').refusal).toBeUndefined();
  });
});
