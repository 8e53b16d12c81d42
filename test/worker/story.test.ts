import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { DANA, MIA, World } from './rig.ts';

describe('the main job', () => {
  test('a sensitive call waits for a person, then runs once, and the agent answers', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
    world.say('Done.');
    await process.say('run echo hello');
    await process.settle();
    expect(world.ran).toHaveLength(0);
    expect((await process.click('approve', DANA)).refusal?.code).toBe('requester');
    expect((await process.click('approve', MIA)).refusal).toBeNull();
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([{ argv: ['echo', 'hello'] }]);
    const thread = await world.thread();
    expect(Object.values(thread.calls).map(call => outcomeOf(thread, call).is)).toEqual(['done']);
    expect(Object.values(thread.runs).map(run => run.end?.how)).toEqual(['succeeded']);
    expect(thread.lease).toBeNull();
    expect(process.told).toEqual([]);
  });
});
