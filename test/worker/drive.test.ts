import { describe, expect, test } from 'vitest';
import { MIA, terms, World } from './rig.ts';

describe('a drive', () => {
  test('sets no more timers once what it had to try again is not wanted any more', async () => {
    const world = new World();
    const process = world.process();
    world.asks['execute'] = terms({ expiresInMs: 5 * 60_000 });
    world.reply({ tool: 'execute' });
    world.say('It expired.');
    await process.say('run it');
    await process.settle();
    await process.click('approve', MIA);
    world.unreachable.add(MIA);
    await world.clock.advance(4 * 60_000);
    expect(world.clock.sleeping()).toBe(1);
    await world.clock.advance(60_000);
    await process.worker.idle();
    await world.clock.advance(120_000);
    expect(Object.values((await world.thread()).approvals).map(approval => approval.state.is)).toEqual(['expired']);
    expect(world.clock.sleeping()).toBe(0);
  });
});
