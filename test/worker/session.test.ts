import { describe, expect, test } from 'vitest';
import { World, DANA, KEY } from './rig.ts';

describe('a session', () => {
  test('has the same thread as the log, also where something was decided earlier than it was written', async () => {
    const world = new World();
    const process = world.process();
    world.answers.push(async () => {
      await world.clock.sleep(4_000);
      return { reply: { model: 'scripted', text: 'Hello.', calls: [], usage: { input: 1, output: 1 } } };
    });
    await process.say('hello', DANA);
    await world.clock.advance(5_000);
    await process.worker.idle();
    const own = await process.worker.inbox.read(KEY);
    expect(own.runs['r1']?.end?.how).toBe('succeeded');
    expect(own).toEqual(await world.thread());
  });
});
