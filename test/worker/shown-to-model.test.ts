import { describe, expect, test } from 'vitest';
import type { PolicyQuestion } from '../../src/worker/ports.ts';
import { World } from './rig.ts';

describe('what the model is shown of a call that waited', () => {
  test('is its result alone: no placeholder before it, none beside it, also where people wrote meanwhile [F-H10, F-I2]', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'read_file' }, { tool: 'execute' });
    world.say('Done.');
    world.say('And that too.');
    await process.say('look, then run it');
    await process.settle();
    await process.say('and hurry');
    await process.settle();
    expect(world.requests).toHaveLength(1);
    await process.click('approve');
    await process.settle();
    for (const { conversation } of world.requests.slice(1)) {
      const calls = conversation.flatMap(turn => (turn.kind === 'reply' ? turn.calls.map(call => call.id) : []));
      const results = conversation.flatMap(turn => (turn.kind === 'result' ? [turn] : []));
      expect(results.map(result => result.call)).toEqual(calls);
      expect(results.map(result => result.outcome)).toMatchObject([
        { is: 'done', ending: { result: 'hello' } },
        { is: 'done', ending: { result: 'hello' } },
      ]);
    }
    expect(world.requests).toHaveLength(3);
  });
});

describe('what policy is asked about', () => {
  test('is the whole call as it would run: every byte of long, invisible and secret-looking arguments [T-A2e, T-A4c]', async () => {
    const args = {
      long: `${'x'.repeat(50_000)}; DROP TABLE users`,
      invisible: 'a\u202eb\u200bc\u0007',
      token: 'xoxb-12345678901-12345678901-AbCdEfGhIjKlMnOpQrStUvWx',
      nested: { deep: [{ key: '  \n\n\n\n\n\n  ' }] },
    };
    const world = new World();
    const asked: PolicyQuestion[] = [];
    const { policy } = world.process('node0/1').ports;
    const judge = (question: PolicyQuestion) => {
      asked.push(question);
      return policy.judge(question);
    };
    const process = world.process('node1/1', { policy: { ...policy, judge } });
    world.reply({ tool: 'execute', args });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await process.settle();
    expect(asked.length).toBeGreaterThan(1);
    for (const question of asked) expect(question.args).toEqual(args);
    expect(world.ran.map(each => each.args)).toEqual([args]);
  });
});
