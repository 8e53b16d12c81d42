import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/thread/decide/command.ts';
import { ANA, DANA, HOUR_MS, LEADS, LEO, MIA, OTTO, SRE, Stage, terms } from './stage.ts';

const running = (): Stage => {
  const stage = new Stage().asks({ args: 1 });
  stage.click('approve');
  stage.claim();
  return stage;
};
let clicks = 0;
const stop = (stage: Stage, by = DANA, more: Partial<Extract<Command, { type: 'stop' }>> = {}) =>
  stage.do({
    type: 'stop',
    call: stage.call().id,
    actor: stage.actor(by),
    defaults: [],
    key: `stop${(clicks += 1)}`,
    ...more,
  });

describe('Stop', () => {
  test('is for who asked, who may decide, and admins; once for what runs now', () => {
    for (const by of [DANA, MIA, LEO, ANA]) {
      const stage = running();
      expect(stop(stage, by).events.map(event => event.type)).toEqual(['call.stopRequested']);
      expect(stage.call()).toMatchObject({
        state: { is: 'claimed' },
        stopped: { by, execution: `${stage.call().id}.1` },
      });
      expect(stop(stage, by)).toMatchObject({ repeated: true, events: [] });
      expect(stop(stage, by === LEO ? MIA : LEO).refusal).toMatchObject({
        code: 'already_decided',
        by,
        detail: 'stop',
      });
      expect(stage.replayed()).toEqual(stage.thread);
    }
    const stage = running();
    expect(stop(stage, OTTO).refusal).toMatchObject({ code: 'not_yours', detail: 'stop' });
    const guest = { actor: stage.actor(MIA, { standing: 'guest' }) } as const;
    expect(stop(stage, MIA, guest).refusal?.code).toBe('guest');
    const unknown = { actor: stage.actor(OTTO, { unknownScopes: ['sre'] }) };
    expect(stop(stage, OTTO, unknown).refusal?.code).toBe('lookup_failed');
    expect(stop(stage, OTTO, { actor: stage.actor(OTTO, { admin: 'unknown' }) }).refusal?.code).toBe('lookup_failed');
    expect(stage.call().stopped).toBeNull();
  });

  test('what already happened stays: the outcome is what the tool says, and the next attempt is not stopped by it', () => {
    const stage = running();
    stop(stage);
    stage.ended();
    expect(stage.outcomes()).toEqual(['done']);
    const lost = running();
    stop(lost);
    lost.recover(lost.call(), true);
    lost.claim();
    expect(lost.call().state).toMatchObject({ claim: { attempt: 2 } });
    expect(stop(lost, MIA).events).toHaveLength(1);
  });

  test('says so where nothing runs: not yet, in doubt, or over since when', () => {
    const waiting = new Stage().asks({});
    expect(stop(waiting).refusal).toMatchObject({ code: 'nothing_to_do' });
    const done = running();
    done.ended();
    const { nowMs } = done;
    done.pass(HOUR_MS);
    expect(stop(done).refusal).toMatchObject({ code: 'already_decided', atMs: nowMs });
    const doubtful = running();
    doubtful.recover();
    expect(stop(doubtful).refusal).toMatchObject({ code: 'nothing_to_do', atMs: doubtful.nowMs });
    doubtful.settle('ran');
    expect(stop(doubtful).refusal?.code).toBe('already_decided');
    expect(stop(waiting, DANA, { call: 'Q'.repeat(26) as never }).refusal?.code).toBe('not_found');
  });

  test('of a call that no rule asked about is for who asked, admins, and those whom the defaults name', () => {
    const allowed = () => {
      const stage = new Stage().asks({ verdict: 'allow' });
      stage.claim(stage.call(), { verdict: 'allow' });
      return stage;
    };
    expect(stop(allowed(), MIA).refusal?.code).toBe('not_yours');
    expect(stop(allowed(), MIA, { defaults: [SRE] }).refusal).toBeUndefined();
    expect(stop(allowed(), MIA, { defaults: [LEADS] }).refusal?.code).toBe('not_yours');
  });

  test('of what a nested run does is also for who asked for the outermost', () => {
    const ladder = [{ afterMs: 0, scopes: [LEADS] }];
    const stage = new Stage().asks({ name: 'ask_writer', verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('writer', { on: 'run', agent: 'writer', task: 'write' });
    stage.reply('', { args: 1, verdict: terms({ ladder }) });
    expect(stage.run().id).toBe('r2');
    stage.click('approve', ANA);
    stage.claim(stage.call(), { verdict: terms({ ladder }) });
    expect(stop(stage, MIA).refusal?.code).toBe('not_yours');
    expect(stop(stage, DANA).refusal).toBeUndefined();
    const outer = stage.thread.calls[stage.run('r1' as never).calls[0] ?? ''];
    expect(stop(stage, DANA, { call: outer?.id as never }).refusal?.code).toBe('nothing_to_do');
  });
});
