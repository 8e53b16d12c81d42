import { describe, expect, test } from 'vitest';
import type { RunId } from '../../src/thread/ids.ts';
import { activeRuns } from '../../src/thread/thread.ts';
import { DANA, LEO, LIMITS, ME, MIA, Stage, terms, type Asked } from './stage.ts';

/** A run that had a writer work for it; the writer asks for these calls. */
function nested(...asked: readonly Asked[]): Stage {
  const stage = new Stage().asks({ name: 'ask_writer', verdict: 'allow' });
  stage.claim(stage.call(), { verdict: 'allow' });
  stage.suspend('writer', { on: 'run', agent: 'writer', task: 'write it' });
  reply(stage, 'r2', ...asked);
  return stage;
}
function reply(stage: Stage, id: string, ...asked: readonly Asked[]): void {
  const run = stage.run(id as RunId);
  stage.do({
    type: 'reply',
    holder: ME,
    run: run.id,
    turn: run.turn + 1,
    model: 'scripted',
    text: '',
    calls: asked.map(({ name = 'execute', args }) => ({ tool: name, args: JSON.stringify(args ?? {}) })),
    usage: { input: 1, output: 1 },
    evidence: asked.map(each => stage.look(each)),
    limits: LIMITS,
  });
}
const states = (stage: Stage, id: string) =>
  stage.run(id as RunId).calls.map(call => {
    const { state } = stage.thread.calls[call] ?? { state: { is: 'none' } };
    return 'code' in state ? state.code : state.is;
  });

describe('a rejection says what comes next', () => {
  test.each([
    ['replan', null, ['closed', 'waiting'], true],
    ['read_only', null, ['closed', 'waiting'], true],
    ['requester', 'change_asked', ['closed', 'closed'], false],
    ['stop', 'stopped_by_rejection', ['closed', 'closed'], false],
  ] as const)('%s: of the rule, or as the person chose it in the form', (then, code, calls, goesOn) => {
    const byRule = new Stage().asks({ args: 1, verdict: terms({ onReject: then }) }, { args: 2 });
    byRule.click('reject');
    const byForm = new Stage().asks({ args: 1, verdict: terms({ onReject: 'replan' }) }, { args: 2 });
    byForm.click('reject', MIA, { then, origin: 'form' });
    for (const stage of [byRule, byForm]) {
      expect(stage.approval().state).toMatchObject({ is: 'rejected', by: MIA, then });
      expect(states(stage, 'r1')).toEqual(calls);
      expect(stage.run().end?.code ?? null).toBe(code);
      expect(stage.run().end === null).toBe(goesOn);
      expect(stage.run().rejected).toMatchObject({ then, readOnly: then === 'read_only' });
    }
  });

  test('Ask Dana to change it ends the run for her; her next message begins another, where it may be asked again', () => {
    const stage = new Stage().asks({ args: 1, verdict: terms({ onReject: 'requester' }) });
    stage.click('reject', MIA, { reason: 'only in staging' });
    expect(stage.run().end).toMatchObject({ how: 'failed', code: 'change_asked' });
    stage.say('then in staging');
    stage.start();
    stage.reply('', { args: 1 });
    expect(stage.outcomes()).toEqual(['waiting']);
  });
});

describe('a rejection in a run and those nested in it', () => {
  test('the same call is refused without a card in each of them', () => {
    const stage = nested({ args: 1 });
    stage.click('reject', MIA, { on: stage.approval() });
    reply(stage, 'r2', { args: 1 });
    expect(states(stage, 'r2')).toEqual(['closed', 'rejected_before']);
    reply(stage, 'r2');
    expect(stage.run('r2' as RunId).end?.how).toBe('succeeded');
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended(stage.thread.calls[stage.run('r1' as RunId).calls[0] ?? '']);
    reply(stage, 'r1', { args: 1 });
    expect(states(stage, 'r1')).toContain('rejected_before');
  });

  test('at most one further request comes in all of them together', () => {
    const stage = nested({ args: 1 });
    stage.click('reject', MIA, { on: stage.approval() });
    reply(stage, 'r2', { args: 2 }, { args: 3 });
    expect(states(stage, 'r2')).toEqual(['closed', 'waiting', 'no_more_requests']);
    stage.click('approve', MIA, { on: stage.approval(1) });
    stage.claim(stage.call(1));
    stage.ended(stage.call(1));
    reply(stage, 'r2', { args: 4 });
    expect(states(stage, 'r2')).toContain('no_more_requests');
  });

  test('only reading from here on holds for the nested run, and for the outer one', () => {
    const stage = nested({ args: 1 });
    stage.click('reject', MIA, { on: stage.approval(), then: 'read_only' });
    reply(stage, 'r2', { args: 2, verdict: 'allow' }, { name: 'read_file', verdict: 'allow' });
    expect(states(stage, 'r2')).toEqual(['closed', 'read_only', 'allowed']);
    expect(stage.run('r1' as RunId).rejected).toMatchObject({ readOnly: true });
  });

  test('to stop it ends all of them', () => {
    for (const then of ['stop', 'requester'] as const) {
      const stage = nested({ args: 1 }, { args: 2 });
      stage.click('reject', MIA, { on: stage.approval(), then });
      expect(activeRuns(stage.thread)).toEqual([]);
      expect(['r1', 'r2'].map(id => stage.run(id as RunId).end?.how)).toEqual(['failed', 'failed']);
      expect(states(stage, 'r2')).toEqual(['closed', 'closed']);
      expect(states(stage, 'r1')).toEqual(['ended']);
      expect(stage.next().effects).toEqual([]);
    }
  });
});

describe('who asked for what a nested run asks', () => {
  test('is everybody whose messages the outermost run took in: none of them decides it [F-D9, S-44]', () => {
    const stage = new Stage();
    stage.say('do it', DANA);
    stage.say('and in production', LEO);
    stage.take();
    stage.start();
    stage.reply('', { name: 'ask_writer', verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('writer', { on: 'run', agent: 'writer', task: 'write it' });
    reply(stage, 'r2', { args: 1 });
    expect(stage.approval().requesters).toEqual([DANA, LEO]);
    expect(stage.click('approve', LEO).refusal?.code).toBe('requester');
    const round = stage.approval().round;
    stage.say('hurry', LEO);
    expect(stage.approval().round).toBe(round + 1);
    expect(stage.click('approve', MIA).refusal).toBeUndefined();
  });

  test('may approve their own with a reason where the rule lets them, which the record keeps [F-D12, S-43]', () => {
    const stage = nested({ args: 1, verdict: terms({ selfApproval: 'with_reason' }) });
    expect(stage.click('approve', DANA).refusal?.code).toBe('reason_needed');
    const { events } = stage.click('approve', DANA, { reason: 'nobody else is here' });
    expect(events[0]).toMatchObject({
      type: 'decision.recorded',
      by: DANA,
      origin: 'click',
      body: { reason: 'nobody else is here' },
    });
  });
});
