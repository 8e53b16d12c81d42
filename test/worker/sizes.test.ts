import { describe, expect, test } from 'vitest';
import { MAX_ITEM_BYTES } from '../../src/store/items.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { MessageTs } from '../../src/thread/ids.ts';
import { DANA, World } from './rig.ts';

/** Text that does not get smaller when it is packed. */
function noise(characters: number, seed: number): string {
  let state = seed + 1;
  const letters: string[] = [];
  for (let n = 0; n < characters; n += 1) {
    state = (state * 48_271) % 2_147_483_647;
    letters.push(String.fromCharCode(33 + (state % 90)));
  }
  return letters.join('');
}

describe('what is too much for one commit', () => {
  test('many messages at once take several, and none is lost [F-K3, T-C9]', async () => {
    const world = new World();
    const process = world.process();
    for (let n = 0; n < 40; n += 1) world.say('Read.');
    const sends = Array.from({ length: 40 }, (_, n) =>
      process.say(noise(30_000, n), DANA, { ts: `1764519000.${String(n).padStart(6, '0')}` as MessageTs }),
    );
    expect(await world.until(Promise.all(sends))).toEqual(sends.map(() => true));
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.messages)).toHaveLength(40);
    expect(thread.queue).toEqual([]);
    const each = world.trace.filter(line => line.includes('message.received'));
    expect(each.length).toBeGreaterThan((40 * 30_000) / MAX_ITEM_BYTES);
  });

  test('many results of reads do not wait for the reply to be written together [F-K3, F-K8]', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = ({ args }) => ({
      how: 'succeeded',
      effect: 'none',
      result: noise(32_000, (args as { n: number }).n),
    });
    world.reply(...Array.from({ length: 30 }, (_, n) => ({ tool: 'read_file', args: { n } })));
    world.say('All read.');
    await process.say('read everything');
    await world.until(process.worker.idle());
    const thread = await world.thread();
    expect(Object.values(thread.calls).every(call => outcomeOf(thread, call).is === 'done')).toBe(true);
    expect(thread.runs['r1']?.answer).toBe('All read.');
    expect(process.told).toEqual([]);
  });

  test('a reply with endless arguments is refused to the model in part, and the run goes on [F-K3]', async () => {
    const world = new World();
    const process = world.process();
    world.reply(...Array.from({ length: 12 }, (_, n) => ({ tool: 'execute', args: { text: noise(60_000, n) } })));
    world.say('Then less.');
    await process.say('write a lot');
    await process.settle();
    const calls = Object.values((await world.thread()).calls);
    expect(calls.map(call => call.state.is).filter(state => state === 'refused').length).toBe(9);
    for (let n = 0; n < 3; n += 1) {
      await process.click('reject');
      await process.settle();
    }
    expect((await world.thread()).runs['r1']?.answer).toBe('Then less.');
  });

  test('a fault of our own is told once, and is not tried again without end', async () => {
    const world = new World();
    const process = world.process();
    const broken = (): void =>
      void world.answers.push(() => {
        broken();
        throw new Error('a fault');
      });
    broken();
    await process.say('hello');
    await process.settle();
    for (let n = 0; n < 60; n += 1) {
      await world.clock.advance(10_000);
      await process.worker.tick();
      await process.settle();
    }
    expect(world.requests.length).toBeLessThan(20);
    expect(process.told.some(line => line.includes('a fault'))).toBe(true);
  });
});
