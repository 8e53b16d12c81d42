import { describe, expect, test } from 'vitest';
import { executionId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { ANA, CARD, DANA, frozen, HOUR_MS, LEO, MIA, OTTO, Stage, terms, type Asked } from './stage.ts';

/** A call whose process went away while it ran. */
function doubtful(asked: Asked = {}): Stage {
  const stage = new Stage().asks({ args: 1, ...asked });
  const quorum = typeof asked.verdict === 'object' ? asked.verdict.quorum : 1;
  if (asked.verdict !== 'allow') for (const by of [MIA, LEO].slice(0, quorum)) stage.click('approve', by);
  stage.claim(stage.call(), asked);
  stage.recover();
  expect(stage.outcomes()).toEqual(['in_doubt']);
  return stage;
}

describe('a claim whose process is gone', () => {
  test('is in doubt, and nothing brings it on but people [F-B7, F-K7]', () => {
    const stage = doubtful();
    stage.pass(10 * HOUR_MS);
    expect(stage.next({ lease: 'free' }).effects).toEqual([]);
    expect(stage.claim().events).toEqual([]);
    expect(stage.do({ type: 'expire', approval: stage.approval().id }).events).toEqual([]);
    expect(stage.click('approve', LEO).refusal?.code).toBe('already_decided');
    expect(stage.outcomes()).toEqual(['in_doubt']);
    expect(stage.call().attempts).toBe(1);
  });

  test('of a call that may be run again is given back, and runs under the same key', () => {
    const stage = new Stage().asks({ name: 'read_file', verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.next().effects).toEqual(['recover']);
    stage.recover(stage.call(), true);
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.call()).toMatchObject({ attempts: 2, state: { is: 'claimed' } });
  });

  test('is not recovered while this process executes it', () => {
    const stage = new Stage().asks({ verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    const { state } = stage.call();
    if (state.is !== 'claimed') throw new Error('not claimed');
    expect(stage.next({ executing: new Set([state.claim.execution]) }).effects).toEqual([]);
  });
});

describe('what an execution said of its progress', () => {
  const sign = (stage: Stage, line: string, attempt = 1) => {
    const call = stage.call();
    return stage.do({ type: 'sign', call: call.id, execution: executionId(call.id, attempt), line, atMs: stage.nowMs });
  };
  const running = (): Stage => {
    const stage = new Stage().asks({ verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    return stage;
  };

  test('is known of it when nobody knows whether it ran, with the time at which it was said', () => {
    const stage = running();
    sign(stage, 'deployment patched');
    const saidAtMs = stage.nowMs;
    stage.pass(5_000);
    stage.recover();
    const lastSign = { line: 'deployment patched', atMs: saidAtMs };
    expect(outcomeOf(stage.thread, stage.call())).toMatchObject({ is: 'in_doubt', lastSign });
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test('that comes while it is in doubt is taken in: it was alive then', () => {
    const stage = running();
    stage.recover();
    sign(stage, 'still at it');
    expect(stage.call().state).toMatchObject({ is: 'in_doubt', lastSign: { line: 'still at it' } });
    expect(stage.outcomes()).toEqual(['in_doubt']);
  });

  test('is not put on record twice, not of another attempt, not once it is over', () => {
    const stage = running();
    sign(stage, 'one');
    expect(sign(stage, 'one').events).toEqual([]);
    expect(sign(stage, 'two', 2).events).toEqual([]);
    stage.ended();
    stage.pass(1_000);
    expect(sign(stage, 'two').events).toEqual([]);
  });
});

describe('the three answers', () => {
  test('it ran: the run goes on with that, and the answer is not asked again', () => {
    const stage = doubtful();
    expect(stage.settle('ran').refusal).toBeUndefined();
    expect(stage.outcomes()).toEqual(['said_done']);
    expect(stage.call().state).toMatchObject({ by: MIA, as: 'ran' });
    expect(stage.settle('ran', LEO).refusal).toMatchObject({ code: 'already_decided', by: MIA });
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('given up: nobody knows, and nothing runs', () => {
    const stage = doubtful();
    stage.settle('abandoned');
    expect(stage.outcomes()).toEqual(['given_up']);
    expect(stage.claim().events).toEqual([]);
  });

  test('it did not run: a fresh approval by that person, and one more attempt with the same call [F-B16]', () => {
    const stage = doubtful();
    const { digest, id } = stage.approval();
    stage.pass(HOUR_MS);
    stage.settle('not_run');
    expect(stage.approval()).toMatchObject({ id, round: 2, card: 1, state: { is: 'approved' }, votes: [{ by: MIA }] });
    expect(stage.approval().digest).not.toBe(digest);
    expect(stage.approval().expiresAtMs).toBe(stage.nowMs + 4 * HOUR_MS);
    stage.claim();
    expect(stage.call()).toMatchObject({ attempts: 2, state: { is: 'claimed' } });
    stage.ended();
    expect(stage.outcomes()).toEqual(['done']);
  });

  test('it did not run, said before it must have ended, is refused with the time from which on it may be said', () => {
    const stage = doubtful();
    const { state } = stage.call();
    const endsByMs = state.is === 'in_doubt' ? state.claim.endsByMs : 0;
    expect(stage.settle('not_run').refusal).toMatchObject({ code: 'too_early', untilMs: endsByMs });
    expect(stage.outcomes()).toEqual(['in_doubt']);
    stage.pass(endsByMs - stage.nowMs - 1);
    expect(stage.settle('not_run').refusal?.code).toBe('too_early');
    stage.pass(1);
    expect(stage.settle('not_run').refusal).toBeUndefined();
  });

  test('it did not run, where two must decide: asked again, and one voice alone runs nothing', () => {
    const verdict = terms({ quorum: 2 });
    const stage = doubtful({ verdict });
    stage.pass(HOUR_MS);
    stage.settle('not_run', MIA, { look: { verdict } });
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.approval()).toMatchObject({ round: 2, votes: [], state: { is: 'open' } });
    stage.click('approve', MIA);
    expect(stage.outcomes()).toEqual(['waiting']);
    stage.click('approve', LEO);
    expect(stage.outcomes()).toEqual(['starting']);
  });

  test('it did not run, of a call that its card does not show whole: asked again, so that it is read first [F-H3]', () => {
    for (const room of ['form', 'file'] as const) {
      const stage = new Stage().asks({ args: 1, room });
      stage.click('approve', MIA, { origin: 'form' });
      stage.claim();
      stage.recover();
      stage.pass(HOUR_MS);
      stage.settle('not_run', LEO, { look: { room } });
      expect(stage.outcomes()).toEqual(['waiting']);
      expect(stage.approval()).toMatchObject({ round: 2, votes: [], state: { is: 'open' } });
      expect(stage.click('approve', LEO).refusal?.code).toBe('review_needed');
    }
  });

  test('it did not run, in a world that has changed: asked again with the difference [F-H8]', () => {
    const stage = doubtful({ bind: { replicas: 6 } });
    stage.pass(HOUR_MS);
    stage.settle('not_run', MIA, { look: { bind: { replicas: 2 } } });
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.approval()).toMatchObject({ card: 2, changes: [{ fact: 'replicas', was: 6, is: 2 }] });
  });

  test('it did not run, and now nobody may be asked, the tool is gone or a rule denies it: not run', () => {
    for (const [look, code] of [
      [{ tool: null }, 'incompatible'],
      [{ verdict: 'deny' }, 'denied'],
      [{ bind: { replicas: 9 }, eligible: [] }, 'no_approvers'],
      [{ verdict: 'allow', bind: { replicas: 9 } }, 'altered'],
    ] as const) {
      const stage = doubtful();
      stage.pass(HOUR_MS);
      stage.settle('not_run', MIA, { look });
      expect(stage.approval().state).toMatchObject({ is: 'refused', code });
      expect(stage.outcomes()).toEqual(['not_run']);
    }
  });

  test('it did not run, of an allowed call: judged again, and allowed or asked about', () => {
    for (const [verdict, outcome] of [
      ['allow', 'running'],
      [terms(), 'waiting'],
      ['deny', 'refused'],
    ] as const) {
      const stage = doubtful({ verdict: 'allow' });
      stage.pass(HOUR_MS);
      stage.settle('not_run', MIA, { look: { verdict: 'allow' } });
      stage.claim(stage.call(), { verdict });
      expect(stage.outcomes()).toEqual([outcome]);
    }
  });
});

describe('who settles a doubt', () => {
  test('one person of the scope, or an admin; never the requester alone; each refusal by its name', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    expect(stage.settle('ran', DANA).refusal?.code).toBe('requester');
    expect(stage.settle('ran', OTTO).refusal?.code).toBe('not_approver');
    const as = (more: Parameters<Stage['actor']>[1]) =>
      stage.settle('ran', MIA, { actor: stage.actor(MIA, more) }).refusal?.code;
    expect(as({ standing: 'guest' })).toBe('guest');
    expect(as({ standing: 'unknown' })).toBe('lookup_failed');
    expect(as({ scopes: [], unknownScopes: ['sre'] })).toBe('lookup_failed');
    expect(as({ scopes: [], admin: 'unknown' })).toBe('lookup_failed');
    expect(stage.settle('ran', MIA, { card: { ...CARD, is: 'wrong' } }).refusal?.code).toBe('wrong_card');
    expect(stage.settle('ran', MIA, { attempt: 2 }).refusal?.code).toBe('nothing_to_do');
    expect(stage.outcomes()).toEqual(['in_doubt']);
    expect(stage.settle('ran', ANA).refusal).toBeUndefined();
  });

  test('an admin outside the scope may say that it did not run, but that is no approval: people are asked', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    stage.settle('not_run', ANA);
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.approval().votes).toEqual([]);
  });

  test('a requester who may approve alone may settle, but not by that approve the next attempt', () => {
    const verdict = terms({ selfApproval: 'with_reason' });
    const stage = new Stage().asks({ verdict });
    stage.click('approve', DANA, { reason: 'alone here' });
    stage.claim(stage.call(), { verdict });
    stage.recover();
    stage.pass(HOUR_MS);
    stage.settle('not_run', DANA, { look: { verdict, eligible: [DANA] } });
    expect(stage.outcomes()).toEqual(['waiting']);
  });

  test('nobody runs it again while everything is frozen or the world cannot be looked at; that it ran may be said', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    const workspace = frozen(stage.nowMs);
    expect(stage.settle('not_run', MIA, { workspace }).refusal?.code).toBe('frozen');
    expect(stage.settle('not_run', MIA, { evidence: null }).refusal?.code).toBe('lookup_failed');
    expect(stage.settle('not_run', MIA, { look: { eligible: 'unknown' } }).refusal?.code).toBe('lookup_failed');
    expect(stage.settle('ran', MIA, { workspace }).refusal).toBeUndefined();
  });

  test('the same answer delivered twice counts once; with another content it is refused [F-B11]', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    stage.settle('not_run', MIA, { key: 'k1' });
    expect(stage.settle('not_run', MIA, { key: 'k1', attempt: 1 })).toMatchObject({ events: [], repeated: true });
    expect(stage.settle('ran', MIA, { key: 'k1', attempt: 1 }).refusal?.code).toBe('key_reused');
    expect(stage.outcomes()).toEqual(['starting']);
  });
});

describe('a true outcome that comes late', () => {
  test('while in doubt ends the call as it really ended', () => {
    const stage = doubtful();
    stage.ended(stage.call(), { result: 'hello' }, 1);
    expect(stage.outcomes()).toEqual(['done']);
    expect(stage.settle('ran').refusal?.code).toBe('nothing_to_do');
  });

  test('after an answer is recorded, and kept as a contradiction where it says something else [F-I10]', () => {
    for (const [as, outcome, contradicts] of [
      ['ran', { how: 'succeeded', effect: 'done' }, false],
      ['ran', { how: 'failed', effect: 'none', code: 'refused' }, true],
      ['ran', { how: 'failed', effect: 'possible', code: 'exit_1' }, true],
      ['abandoned', { how: 'succeeded', effect: 'done' }, true],
    ] as const) {
      const stage = doubtful();
      stage.settle(as);
      stage.do({ type: 'release', holder: stage.writer, synced: true });
      const before = stage.outcomes();
      expect(stage.ended(stage.call(), outcome, 1).events).toHaveLength(1);
      expect(stage.outcomes()).toEqual(before);
      expect(stage.call().contradiction !== null).toBe(contradicts);
      expect(stage.thread.live).toEqual([stage.run().id]);
      expect(stage.ended(stage.call(), outcome, 1).events).toEqual([]);
      expect(stage.replayed()).toEqual(stage.thread);
    }
  });

  test('after "it did not run", that it ran after all: what has not started again does not [F-B2, F-B4]', () => {
    for (const verdict of [terms(), terms({ quorum: 2 }), 'allow'] as const) {
      const stage = doubtful({ verdict });
      stage.pass(HOUR_MS);
      stage.settle('not_run', MIA, { look: { verdict } });
      stage.ended(stage.call(), { result: 'it ran' }, 1);
      expect(stage.outcomes()).toEqual(['done']);
      expect(stage.call().contradiction).toMatchObject({ result: 'it ran' });
      expect(stage.claim(stage.call(), { verdict }).events).toEqual([]);
      const late = verdict === 'allow' ? undefined : stage.click('approve', LEO).refusal?.code;
      expect(late ?? 'already_decided').toBe('already_decided');
      expect(stage.next().effects).toEqual(['ask_model']);
      expect(stage.replayed()).toEqual(stage.thread);
    }
  });

  test('after "it did not run" and a second start is kept beside the second outcome', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    stage.settle('not_run');
    stage.claim();
    stage.ended(stage.call(), { result: 'first' }, 1);
    expect(stage.outcomes()).toEqual(['running']);
    stage.ended(stage.call(), { result: 'second' }, 2);
    expect(stage.outcomes()).toEqual(['done']);
    expect(stage.call()).toMatchObject({ contradiction: { result: 'first' }, state: { ending: { result: 'second' } } });
  });

  test('that nothing had happened agrees with "it did not run": the next attempt goes on', () => {
    const stage = doubtful();
    stage.pass(HOUR_MS);
    stage.settle('not_run');
    stage.ended(stage.call(), { how: 'failed', effect: 'none', code: 'refused' }, 1);
    expect(stage.outcomes()).toEqual(['starting']);
    expect(stage.call().contradiction).toBeNull();
  });
});

describe('it did not run, where policy would let it through by now', () => {
  test('is still decided by as many as were asked, under the rule that they were shown', () => {
    const verdict = terms({ quorum: 2 });
    const stage = doubtful({ verdict }).pass(HOUR_MS);
    const { ruleDigest, eligible } = stage.approval();
    stage.settle('not_run', MIA, { look: { verdict: 'allow', eligible: [] } });
    expect(stage.approval()).toMatchObject({ round: 2, state: { is: 'open' }, terms: verdict, ruleDigest, eligible });
    stage.click('approve', MIA);
    stage.click('approve', LEO);
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.call().state).toMatchObject({ is: 'claimed', claim: { attempt: 2 } });
  });
});

describe('a tool’s own check of a doubt', () => {
  const check = (stage: Stage, found: 'ran' | 'not_run' | 'unknown', attempt = 1) => {
    const execution = `${stage.call().id}.${attempt}` as never;
    return stage.do({ type: 'checked', call: stage.call().id, execution, found });
  };
  const CHECKS = { checks: () => true };

  test('that it ran ends it as done, and says how that is known; nobody need be asked', () => {
    const stage = doubtful();
    expect(check(stage, 'ran').events.map(event => event.type)).toEqual(['call.checked', 'call.ended']);
    expect(stage.outcomes()).toEqual(['done']);
    expect(stage.call().state).toMatchObject({ ending: { how: 'succeeded', effect: 'done', code: 'checked' } });
    expect(stage.settle('ran').refusal?.code).toBe('nothing_to_do');
    expect(stage.next(CHECKS).effects).toEqual(['ask_model']);
    expect(check(stage, 'not_run').events).toEqual([]);
  });

  test('is no outcome: the true one is still recorded, once, and shown where it is another', () => {
    const ran = doubtful();
    check(ran, 'ran');
    ran.ended(ran.call(), { result: '3 deleted' });
    expect(ran.call()).toMatchObject({ contradiction: null, state: { ending: { code: null, result: '3 deleted' } } });
    expect(ran.ended().events).toEqual([]);
    // Nor does a late word of another check say anything by then.
    expect(ran.ended(ran.call(), { code: 'checked', result: '' }).events).toEqual([]);

    const failed = doubtful();
    check(failed, 'ran');
    failed.ended(failed.call(), { how: 'failed', effect: 'possible', code: 'exit_code' });
    expect(failed.call()).toMatchObject({ contradiction: { how: 'failed' }, state: { ending: { code: 'checked' } } });
    expect(failed.replayed()).toEqual(failed.thread);

    const notRun = doubtful().pass(HOUR_MS);
    check(notRun, 'not_run');
    notRun.ended(notRun.call(), { result: 'done after all' });
    expect(notRun.call()).toMatchObject({ contradiction: { how: 'succeeded' }, state: { is: 'ended' } });
    expect(notRun.next(CHECKS).effects).toEqual(['ask_model']);
  });

  test('that it did not run counts only when it can be running no more; then it is looked at anew before it runs', () => {
    const stage = doubtful();
    expect(check(stage, 'not_run').events.map(event => event.type)).toEqual(['call.checked']);
    expect(stage.outcomes()).toEqual(['in_doubt']);
    const { state } = stage.call();
    if (state.is !== 'in_doubt') throw new Error('no doubt');
    stage.pass(state.claim.endsByMs - stage.nowMs);
    expect(stage.next(CHECKS).effects).toEqual(['check']);
    check(stage, 'not_run');
    expect(stage.call()).toMatchObject({ state: { is: 'approved' }, checked: { found: 'not_run' } });
    expect(stage.next(CHECKS).effects).toEqual(['claim']);
    stage.claim(stage.call(), { verdict: 'deny' });
    expect(stage.outcomes()).toEqual(['not_run']);
    const again = doubtful().pass(HOUR_MS);
    check(again, 'not_run');
    again.claim();
    expect(again.call().state).toMatchObject({ is: 'claimed', claim: { attempt: 2 } });
    expect(check(again, 'ran').events).toEqual([]);
  });

  test('is kept apart from what people say and from what its process reports: who or what ended each doubt', () => {
    const end = (stage: Stage) => stage.call().doubtEnds;
    const said = doubtful().pass(HOUR_MS);
    said.settle('not_run');
    expect(end(said)).toMatchObject([{ how: 'said', as: 'not_run', by: { id: MIA } }]);
    const found = doubtful().pass(HOUR_MS);
    check(found, 'not_run');
    found.claim();
    found.recover();
    check(found, 'ran', 2);
    expect(end(found)).toMatchObject([
      { how: 'checked', as: 'not_run', by: null },
      { how: 'checked', as: 'ran', by: null },
    ]);
    const late = doubtful();
    late.ended(late.call(), {}, 1);
    expect(end(late)).toMatchObject([{ how: 'reported', as: 'ran', by: null }]);
    const never = doubtful();
    const execution = executionId(never.call().id, 1);
    never.do({ type: 'notStarted', call: never.call().id, execution, why: 'too_late' });
    expect(end(never)).toMatchObject([{ how: 'reported', as: 'not_run', by: null }]);
    for (const stage of [said, found, late, never]) expect(stage.replayed()).toEqual(stage.thread);
  });

  test('that does not know leaves it to people, and is asked once', () => {
    const stage = doubtful().pass(HOUR_MS);
    expect(stage.next(CHECKS).effects).toEqual(['check']);
    check(stage, 'unknown');
    expect(stage.outcomes()).toEqual(['in_doubt']);
    expect(stage.next(CHECKS).effects).toEqual([]);
    expect(stage.settle('abandoned').refusal).toBeUndefined();
  });

  test('changes nothing about what people have said, or about another attempt', () => {
    for (const as of ['ran', 'abandoned'] as const) {
      const stage = doubtful().pass(HOUR_MS);
      stage.settle(as);
      const before = stage.outcomes();
      for (const found of ['ran', 'not_run', 'unknown'] as const) expect(check(stage, found).events).toEqual([]);
      expect(stage.outcomes()).toEqual(before);
    }
    expect(check(doubtful().pass(HOUR_MS), 'ran', 2).events).toEqual([]);
  });

  test('in a run that is over, starts nothing again', () => {
    for (const verdict of ['allow', terms()] as const) {
      const stage = doubtful({ verdict });
      stage.cancel();
      stage.pass(HOUR_MS);
      check(stage, 'not_run');
      expect(stage.claim().events).toEqual([]);
      expect(stage.call().state.is).toBe(verdict === 'allow' ? 'refused' : 'closed');
      expect(stage.replayed()).toEqual(stage.thread);
    }
  });
});
