import { describe, expect, test } from 'vitest';
import { openMemoryLog } from '../../src/store/memory-log.ts';
import { threadLog, type WriterId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Clock, ToolOutcome } from '../../src/worker/ports.ts';
import { KEY, MIA, World, type Process } from './rig.ts';
import { byHand } from './tapped-log.ts';

const MINUTES = 60_000;

/** A process whose wall clock is wrong by so much; what it sleeps and measures is right. */
function off(world: World, writer: string, byMs: number): Process {
  const { clock: right, table, fresh } = world;
  const clock: Clock = {
    nowMs: () => right.nowMs() + byMs,
    monotonicMs: () => right.monotonicMs(),
    sleep: (ms, signal) => right.sleep(ms, signal),
  };
  const log = openMemoryLog({ table, macKey: null, clock, fresh, writer: writer as WriterId });
  return world.process(writer, { clock, log });
}

const outcomes = async (world: World): Promise<string[]> => {
  const thread = await world.thread();
  return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
};

describe('two processes whose clocks differ by ten minutes, one way or the other', () => {
  test('ask, decide and run as one: nobody is shut out, and there is one execution [T-C11, T-C20]', async () => {
    for (const skew of [-10 * MINUTES, 10 * MINUTES]) {
      const world = new World();
      const [asks, decides] = [off(world, 'node1/1', 0), off(world, 'node2/1', skew)];
      world.reply({ tool: 'execute' });
      world.say('Done.');
      await asks.say('run it');
      await asks.settle();
      expect((await decides.click('approve', MIA)).refusal).toBeNull();
      for (let n = 0; n < 200 && world.ran.length === 0; n += 1) {
        await world.clock.advance(5_000);
        for (const process of [asks, decides]) await process.worker.tick();
      }
      await world.until(Promise.all([asks.worker.idle(), decides.worker.idle()]));
      expect(world.ran).toHaveLength(1);
      expect(await outcomes(world)).toEqual(['done']);
    }
  });

  test('never run a call twice, also where one takes the other for dead: what looks in doubt ends as it really ended [F-B7, T-C11]', async () => {
    const world = new World();
    const [slow, ahead] = [off(world, 'node1/1', 0), off(world, 'node2/1', 10 * MINUTES)];
    const back = byHand<ToolOutcome>();
    world.outcome = () => back.promise;
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await slow.say('run it');
    await slow.settle();
    await slow.click('approve', MIA);
    await world.clock.advance(0);
    ahead.worker.signal(KEY);
    await world.clock.advance(1_000);
    expect(await outcomes(world)).toEqual(['in_doubt']);
    back.keep({ how: 'succeeded', effect: 'done', result: 'hello' });
    await world.until(Promise.all([slow.worker.idle(), ahead.worker.idle()]));
    for (let n = 0; n < 100; n += 1) {
      await world.clock.advance(5_000);
      for (const process of [slow, ahead]) await process.worker.tick();
    }
    expect(await outcomes(world)).toEqual(['done']);
    expect(world.ran).toHaveLength(1);
    expect((await world.thread()).runs['r1']?.answer).toBe('Done.');
  });

  test('do not let an approval live longer than its time by either clock and the stated bound [T-C11, F-J4]', async () => {
    for (const skew of [-10 * MINUTES, 10 * MINUTES]) {
      const world = new World();
      const [asks, decides] = [off(world, 'node1/1', 0), off(world, 'node2/1', skew)];
      world.reply({ tool: 'execute' });
      world.say('Nobody decided.');
      await asks.say('run it');
      await asks.settle();
      await world.clock.advance(4 * 60 * MINUTES + 10 * MINUTES);
      expect((await decides.click('approve', MIA)).refusal?.code).toBe('expired');
      expect(world.ran).toHaveLength(0);
    }
  });
});

describe('a clock that steps back', () => {
  test('changes no order: events stand by their number, and the thread goes on [T-D7]', async () => {
    const world = new World();
    world.reply({ tool: 'execute' });
    world.say('Done.');
    const before = off(world, 'node1/1', 0);
    await before.say('run it');
    await before.settle();
    before.kill();
    const after = off(world, 'node1/2', -30 * MINUTES);
    expect((await after.click('approve', MIA)).refusal).toBeNull();
    await after.settle();
    expect(await outcomes(world)).toEqual(['done']);
    const { commits } = await world.log('reader/1').load(threadLog(KEY));
    expect(commits.map(commit => commit.number)).toEqual(commits.map((_, index) => index + 1));
    expect(commits.map(commit => commit.atMs)).not.toEqual(
      commits.map(commit => commit.atMs).toSorted((a, b) => a - b),
    );
  });
});
