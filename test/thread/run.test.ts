import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/thread/decide/reply.ts';
import type { WriterId } from '../../src/thread/ids.ts';
import { ANA, DANA, frozen, HOUR_MS, LEO, LIMITS, MIA, OTTO, Stage, terms } from './stage.ts';

describe('a run', () => {
  test('takes in every message that waits, and each author is a requester [S-44, S-46]', () => {
    const stage = new Stage();
    stage.say('one', DANA);
    stage.say('two', MIA);
    stage.say('three', DANA);
    stage.take();
    stage.start();
    expect(stage.run()).toMatchObject({ requesters: [DANA, MIA], end: null });
    expect(stage.run().messages).toHaveLength(3);
    expect(stage.start().events).toEqual([]);
    stage.reply('', {});
    for (const author of [DANA, MIA]) expect(stage.click('approve', author).refusal?.code).toBe('requester');
  });

  test('takes in only what waited when its authors were looked up; what came since waits on [F-I4, F-I5]', () => {
    const stage = new Stage();
    const first = stage.say('one');
    const later = stage.say('two');
    stage.do({ type: 'start', agent: 'default', messages: [first.ts], authors: [stage.actor(DANA)], requesters: null });
    expect(stage.run().messages).toEqual([first.ts]);
    expect(stage.thread.queue).toEqual([later.ts]);
  });

  test('works for members only; a guest is told so, and the next member is served [S-48]', () => {
    for (const standing of ['guest', 'external', 'deactivated', 'bot'] as const) {
      const stage = new Stage();
      stage.say('run it', OTTO);
      stage.say('run it', DANA);
      stage.start(stage.actor(OTTO, { standing }), stage.actor(DANA));
      expect(stage.run().end).toMatchObject({ how: 'failed', code: 'not_a_member' });
      stage.start();
      expect(stage.run()).toMatchObject({ requesters: [DANA], end: null });
    }
  });

  test('waits a minute for a look-up that fails, then ends and says why [S-50]', () => {
    const stage = new Stage();
    stage.say('run it');
    const unknown = stage.actor(DANA, { standing: 'unknown' });
    expect(stage.start(unknown).events).toEqual([]);
    stage.pass(60_000);
    stage.start(unknown);
    expect(stage.run().end).toMatchObject({ how: 'failed', code: 'lookup_failed' });
  });

  test('takes a reply only from the holder of the lease, for the next turn, while it runs [F-H9, F-D8]', () => {
    const stage = new Stage();
    stage.say('run it');
    stage.start();
    const reply = { type: 'reply', run: stage.run().id, turn: 1, model: 'm', text: 'late', calls: [] } as const;
    const rest = { usage: { input: 1, output: 1 }, evidence: [], limits: LIMITS };
    const from = (holder: string, turn = 1) =>
      stage.do({ ...reply, ...rest, turn, holder: holder as WriterId }).events.length;
    expect(from('node1/1')).toBe(0);
    stage.take('node2/1' as WriterId);
    expect(from('node1/1')).toBe(0);
    expect(from('node2/1', 2)).toBe(0);
    expect(from('node2/1')).toBe(2);
    expect(from('node2/1', 2)).toBe(0);
    expect(stage.run().answer).toBe('late');
  });

  test('gives every call of a turn exactly one result before the model is asked again [F-B9, F-F1, F-F5, F-I2]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2, verdict: 'allow' }, { args: 3, verdict: 'deny' });
    expect(stage.outcomes()).toEqual(['waiting', 'starting', 'refused']);
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(stage.call(1), { verdict: 'allow' });
    stage.ended(stage.call(1));
    stage.say('and?');
    expect(stage.next().effects).toEqual([]);
    stage.click('reject');
    expect(stage.outcomes()).toEqual(['rejected', 'done', 'refused']);
    expect(stage.next().effects).toEqual(['ask_model']);
    const called = stage.thread.conversation.flatMap(item => (item.kind === 'reply' ? item.calls : []));
    expect(new Set(called).size).toBe(called.length);
  });
});

describe('arguments as the model wrote them', () => {
  test('are JSON of well-formed text, or kept as they are and refused [T-A1c]', () => {
    expect(parseArguments('')).toEqual({ ok: true, value: {} });
    expect(parseArguments('{"a":[0,false,""]}')).toEqual({ ok: true, value: { a: [0, false, ''] } });
    for (const text of ['{', 'undefined', '{"a":NaN}', '"\\ud800"', '{"\\udc00":1}', '["\\ud83d"]', '"\ud800"'])
      expect(parseArguments(text)).toEqual({ ok: false });
    const stage = new Stage().asks({ raw: '{"argv": ["rm\ud800"' });
    expect(stage.call()).toMatchObject({
      args: null,
      raw: '{"argv": ["rm\ufffd"',
      state: { is: 'refused', code: 'invalid_arguments' },
    });
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('named __proto__ are refused, not left out in silence; other odd names are data [T-A2b, T-A23]', () => {
    expect(parseArguments('{"constructor":2,"toString":{"$ref":"#"}}')).toEqual({
      ok: true,
      value: { constructor: 2, toString: { $ref: '#' } },
    });
    const raw = '{"argv":["echo"],"nested":[{"__proto__":{"polluted":1}}]}';
    const stage = new Stage().asks({ raw });
    expect(stage.call()).toMatchObject({ args: null, raw, state: { is: 'refused', code: 'invalid_arguments' } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(stage.replayed()).toEqual(stage.thread);
  });
});

describe('budgets', () => {
  test('of steps and tokens end a run before the model is asked again, and not in the middle of a call', () => {
    for (const [limits, code] of [
      [{ ...LIMITS, steps: 1 }, 'steps'],
      [{ ...LIMITS, tokens: 15 }, 'tokens'],
    ] as const) {
      const stage = new Stage().asks({ verdict: 'allow' });
      expect(stage.next({ limits }).effects).toEqual(['claim']);
      stage.claim(stage.call(), { verdict: 'allow' });
      stage.ended();
      expect(stage.next({ limits }).effects).toEqual(['exhaust']);
      stage.do({ type: 'end', run: stage.run().id, how: 'exhausted', code, detail: null });
      expect(stage.run().end).toMatchObject({ how: 'exhausted', code });
      expect(stage.next({ limits }).effects).toEqual([]);
    }
  });

  test('of time leave out what is spent waiting for people, for an unfreeze and in doubt, and survive a restart', () => {
    const stage = new Stage().asks({});
    stage.pass(3 * HOUR_MS);
    stage.click('approve');
    stage.pass(HOUR_MS / 2);
    stage.claim();
    stage.pass(60_000);
    stage.recover();
    stage.pass(20 * HOUR_MS);
    stage.settle('ran');
    expect(stage.next().effects).toEqual(['ask_model']);
    stage.pass(28 * 60_000);
    expect(stage.next().effects).toEqual(['ask_model']);
    stage.pass(60_000);
    expect(stage.next().effects).toEqual(['exhaust']);
    stage.thread = stage.replayed();
    expect(stage.next().effects).toEqual(['exhaust']);
  });
});

describe('a model that is away', () => {
  const away = (stage: Stage) =>
    stage.do({ type: 'away', run: stage.run().id, code: 'timeout', patienceMs: 15 * 60_000 });

  test('is waited for, said once, and the run goes on when it is back', () => {
    const stage = new Stage();
    stage.say('hello');
    stage.take();
    stage.start();
    expect(away(stage).events.map(event => event.type)).toEqual(['model.away']);
    expect(stage.run().away).toMatchObject({ code: 'timeout', untilMs: stage.nowMs + 15 * 60_000 });
    stage.pass(60_000);
    expect(away(stage).events).toEqual([]);
    expect(stage.next().effects).toEqual(['ask_model']);
    stage.reply('Here again.');
    expect(stage.run()).toMatchObject({ away: null, answer: 'Here again.', end: { how: 'succeeded' } });
  });

  test('ends the run after the patience, with nothing lost [F-E1]', () => {
    const stage = new Stage().asks({ verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended();
    away(stage);
    stage.pass(15 * 60_000);
    away(stage);
    expect(stage.run().end).toMatchObject({ how: 'failed', code: 'model_away' });
    expect(stage.outcomes()).toEqual(['done']);
    stage.say('again');
    stage.start();
    expect(stage.next().effects).toEqual(['ask_model']);
  });
});

describe('cancel', () => {
  test('withdraws what waits and what is approved, and says who did it [F-B15, F-I9]', () => {
    for (const approved of [false, true]) {
      const stage = new Stage().asks({ args: 1 }, { args: 2 });
      if (approved) stage.click('approve');
      stage.cancel();
      expect(stage.run().end).toMatchObject({ how: 'cancelled', by: DANA });
      expect(stage.outcomes()).toEqual(['withdrawn', 'withdrawn']);
      expect(stage.approval().state).toMatchObject({ is: 'withdrawn', by: DANA });
      expect(stage.next().effects).toEqual([]);
      expect(stage.claim().events).toEqual([]);
      expect(stage.click('approve', MIA, { on: stage.approval() }).refusal).toMatchObject({
        code: 'withdrawn',
        by: DANA,
      });
    }
  });

  test('of a call that runs leaves it to be settled, and keeps its result [F-I10, F-B15]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2 });
    stage.click('approve');
    stage.claim();
    stage.cancel();
    expect(stage.outcomes()).toEqual(['running', 'withdrawn']);
    stage.ended(stage.call(), { result: 'hello' });
    expect(stage.outcomes()).toEqual(['done', 'withdrawn']);
    expect(stage.run().end?.how).toBe('cancelled');
  });

  test('of a call whose process is gone leaves a doubt, of an unstarted one a withdrawal [F-B15, F-I9]', () => {
    const begun = new Stage().asks({});
    begun.click('approve');
    begun.claim();
    begun.cancel();
    begun.recover();
    expect(begun.outcomes()).toEqual(['in_doubt']);
    begun.pass(HOUR_MS);
    // That it did not run can be said also then, by whoever may settle it; nothing runs by that, frozen or not.
    begun.settle('not_run', MIA, { evidence: null, workspace: frozen(begun.nowMs) });
    expect(begun.outcomes()).toEqual(['withdrawn']);
    expect(begun.call().saidNotRun).toHaveLength(1);
    expect(begun.next().effects).toEqual([]);
    for (const look of [{ verdict: 'allow' }, {}] as const) {
      const stage = new Stage().asks(look);
      if (stage.outcomes()[0] === 'waiting') stage.click('approve');
      stage.claim(stage.call(), look);
      stage.cancel();
      stage.do({
        type: 'notStarted',
        call: stage.call().id,
        execution: (stage.call().id + '.1') as never,
        why: 'cancelled',
      });
      expect(stage.outcomes()[0]).not.toMatch(/starting|running|waiting/);
      const lost = new Stage().asks(look);
      if (lost.outcomes()[0] === 'waiting') lost.click('approve');
      lost.claim(lost.call(), look);
      lost.cancel();
      lost.recover(lost.call(), true);
      expect(lost.outcomes()[0]).not.toMatch(/starting|running|waiting/);
      lost.do({ type: 'release', holder: stage.writer, synced: true });
      expect(lost.thread.live).toEqual([]);
    }
  });

  test('after everything is done changes nothing and says so [F-I10]', () => {
    const stage = new Stage().asks({ verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended();
    stage.reply('Done.');
    expect(stage.cancel().refusal?.code).toBe('nothing_to_do');
    expect(stage.outcomes()).toEqual(['done']);
  });

  test('is for authors of the run and admins only [F-D2]', () => {
    const stage = new Stage().asks({});
    expect(stage.cancel(MIA).refusal?.code).toBe('not_yours');
    expect(stage.cancel(OTTO, { actor: stage.actor(OTTO, { admin: 'unknown' }) }).refusal?.code).toBe('lookup_failed');
    expect(stage.cancel(ANA, { actor: stage.actor(ANA, { standing: 'deactivated' }) }).refusal?.code).toBe(
      'deactivated',
    );
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.cancel(ANA).refusal).toBeUndefined();
    expect(stage.approval().state).toMatchObject({ is: 'withdrawn', by: ANA });
  });

  test('counts once by its key, also when it is delivered again after the next run has begun [F-B11]', () => {
    const stage = new Stage().asks({});
    const run = stage.run().id;
    stage.say('and then list the notes');
    stage.cancel(DANA, { key: 'k1' });
    stage.start();
    const again = stage.cancel(DANA, { key: 'k1', run });
    expect(again).toMatchObject({ events: [], repeated: true });
    expect(stage.run()).toMatchObject({ id: 'r2', end: null });
  });

  test('before a repeated call is judged ends that call too', () => {
    const stage = new Stage().asks({});
    stage.pass(5 * HOUR_MS);
    stage.do({ type: 'expire', approval: stage.approval().id });
    stage.reply('Nobody decided.');
    stage.askAgain();
    expect(stage.outcomes()).toEqual(['waiting']);
    stage.cancel();
    expect(stage.outcomes()).toEqual(['refused']);
    expect(stage.next().effects).toEqual([]);
  });
});

describe('ask again', () => {
  const expired = (): Stage => {
    const stage = new Stage().asks({ args: { n: 1 } });
    stage.pass(5 * HOUR_MS);
    stage.do({ type: 'expire', approval: stage.approval().id });
    return stage;
  };

  test('repeats the stored call in a new run, under a new call id, approval and digest [F-J8, F-H11]', () => {
    const stage = expired();
    stage.reply('Nobody decided.');
    const [before, card] = [stage.call(), stage.approval()];
    stage.askAgain();
    expect(stage.call()).toMatchObject({ args: { n: 1 }, tool: 'execute', state: { is: 'proposed' } });
    expect(stage.call().id).not.toBe(before.id);
    expect(stage.next().effects).toEqual(['judge']);
    stage.do({ type: 'judge', call: stage.call().id, evidence: stage.look({ args: { n: 1 } }), limits: LIMITS });
    expect(stage.approval()).toMatchObject({ round: 1, state: { is: 'open' } });
    expect(stage.approval().id).not.toBe(card.id);
    expect(stage.approval().digest).not.toBe(card.digest);
    stage.click('approve');
    stage.claim();
    stage.ended();
    expect(stage.outcomes()).toEqual(['done']);
    expect(stage.thread.calls[before.id]).toMatchObject({ repeatedBy: 'r2', state: { is: 'closed' } });
  });

  test('keeps out of the decision everybody whose messages the repeated run had taken in [T-A11, S-44]', () => {
    const stage = new Stage();
    stage.say('do it');
    stage.say('yes, do it', MIA);
    stage.take();
    stage.start();
    stage.reply('', { args: { n: 1 } });
    expect(stage.click('approve').refusal?.code).toBe('requester');
    stage.pass(5 * HOUR_MS);
    stage.do({ type: 'expire', approval: stage.approval().id });
    stage.reply('Nobody decided.');
    stage.askAgain();
    stage.do({ type: 'judge', call: stage.call().id, evidence: stage.look({ args: { n: 1 } }), limits: LIMITS });
    expect(stage.run().requesters).toEqual([DANA, MIA]);
    expect(stage.click('approve', MIA).refusal?.code).toBe('requester');
    expect(stage.click('approve', LEO).refusal).toBeUndefined();
  });

  test('is for a requester, once, after an expiry or a refusal, when nothing else runs', () => {
    const stage = expired();
    expect(stage.askAgain().refusal?.code).toBe('busy');
    stage.reply('Nobody decided.');
    expect(stage.askAgain(MIA).refusal).toMatchObject({ code: 'not_yours', detail: 'again' });
    const call = stage.call();
    const gone = stage.actor(DANA, { standing: 'deactivated' });
    expect(stage.do({ type: 'askAgain', call: call.id, actor: gone, agent: 'a' }).refusal?.code).toBe('deactivated');
    stage.askAgain(DANA, call);
    expect(stage.askAgain(DANA, call).refusal?.code).toBe('nothing_to_do');
    const rejected = new Stage().asks({});
    rejected.click('reject');
    rejected.reply('Rejected.');
    expect(rejected.askAgain().refusal?.code).toBe('nothing_to_do');
  });
});

describe('a rejection', () => {
  test('by mode: replan leaves the run to the model, stop and requester end it and withdraw the others [F-F3]', () => {
    for (const then of ['replan', 'read_only', 'stop', 'requester'] as const) {
      const stage = new Stage().asks(
        { args: 1, verdict: terms({ onReject: then }) },
        { args: 2 },
        { args: 3, verdict: 'allow' },
      );
      stage.claim(stage.call(2), { verdict: 'allow' });
      stage.click('reject', MIA, { reason: 'Not during the sale.' });
      const ends = then === 'stop' || then === 'requester';
      expect(stage.outcomes()).toEqual(['rejected', ends ? 'withdrawn' : 'waiting', 'running']);
      expect(stage.approval().state).toMatchObject({ is: 'rejected', by: MIA, reason: 'Not during the sale.', then });
      expect(stage.run().end?.code ?? null).toBe(
        then === 'stop' ? 'stopped_by_rejection' : then === 'requester' ? 'change_asked' : null,
      );
      stage.ended(stage.call(2));
      expect(stage.outcomes()[2]).toBe('done');
    }
  });

  test('by form says itself what follows', () => {
    const stage = new Stage().asks({});
    stage.click('reject', MIA, { then: 'stop', origin: 'form', key: 'V1.h1' });
    expect(stage.run().end).toMatchObject({ how: 'failed', code: 'stopped_by_rejection' });
  });

  test('is final for that call, and allows one more request in the run, also within one reply [F-C4, F-G6, T-A5b, T-A20b]', () => {
    const stage = new Stage().asks({ args: 1 });
    stage.click('reject');
    stage.reply('', { args: 1 }, { args: 2 }, { args: 3 });
    expect(stage.run().calls.map(id => stage.thread.calls[id]?.state)).toMatchObject([
      { is: 'closed' },
      { is: 'refused', code: 'rejected_before' },
      { is: 'waiting' },
      { is: 'refused', code: 'no_more_requests' },
    ]);
    stage.click('reject', MIA, { on: stage.approval(2) });
    stage.reply('', { args: 4 });
    expect(stage.call(4).state).toMatchObject({ is: 'refused', code: 'no_more_requests' });
    // Also where a rule lets it through by then: a person said no to it.
    stage.reply('', { args: 1, verdict: 'allow' }, { args: 5, verdict: 'allow' });
    expect(stage.call(5).state).toMatchObject({ is: 'refused', code: 'rejected_before' });
    expect(stage.call(6).state.is).toBe('allowed');
  });

  test('with only reading from here on refuses every later write of the run, whatever a later rejection says [F-C4]', () => {
    const stage = new Stage().asks({ args: 1, verdict: terms({ onReject: 'read_only' }) }, { args: 2 });
    stage.click('reject');
    stage.click('reject', MIA, { on: stage.approval(1), then: 'replan' });
    stage.reply('', { args: 3, verdict: 'allow' }, { args: 4 }, { name: 'read_file', verdict: 'allow' });
    expect(
      stage
        .run()
        .calls.slice(2)
        .map(id => stage.thread.calls[id]?.state),
    ).toMatchObject([{ is: 'refused', code: 'read_only' }, { is: 'refused', code: 'read_only' }, { is: 'allowed' }]);
  });
});
