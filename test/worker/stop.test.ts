import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { LogUnavailable, type ToolOutcome } from '../../src/worker/ports.ts';
import { KEY, World } from './rig.ts';
import { byHand, tapped } from './tapped-log.ts';

const outcomes = async (world: World): Promise<string[]> => {
  const thread = await world.thread();
  return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
};

/** A process whose claim stands in the log, while it was told that the table did not answer. */
async function claimedUnheard(): Promise<{ world: World; process: ReturnType<World['process']> }> {
  const world = new World();
  const log = tapped(world.log('node1/1'), {
    append: async (events, go) => {
      const appended = await go();
      if (events.some(event => event.type === 'call.claimed')) throw new LogUnavailable('No answer.');
      return appended;
    },
  });
  const process = world.process('node1/1', { log });
  world.reply({ tool: 'execute' });
  await process.say('run it');
  await process.settle();
  await process.click('approve');
  await world.clock.advance(0);
  await process.worker.idle();
  return { world, process };
}

describe('a stop', () => {
  test('lets a running tool end, records it, gives the lease back and leaves nothing in doubt', async () => {
    const world = new World();
    const process = world.process('node1/1');
    const back = byHand<ToolOutcome>();
    world.outcome = () => back.promise;
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await world.clock.advance(0);
    expect(process.worker.executing).toBe(1);
    const stopped = process.worker.stop();
    await world.clock.advance(10_000);
    expect(world.ran[0]?.signal.aborted).toBe(false);
    back.keep({ how: 'succeeded', effect: 'done', result: 'hello' });
    await world.until(stopped);
    expect(await outcomes(world)).toEqual(['done']);
    expect((await world.thread()).lease).toBeNull();
    expect(world.requests).toHaveLength(1);
    world.say('Done.');
    const next = world.process('node1/2');
    await world.clock.advance(61_000);
    await next.worker.tick();
    await next.settle();
    expect((await world.thread()).runs['r1']?.answer).toBe('Done.');
  });

  test('aborts a tool that needs longer than 25 s: failed, with a possible effect, not in doubt', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.outcome = ({ signal }) =>
      new Promise(resolve => {
        const killed = (): void => resolve({ how: 'failed', effect: 'possible', code: 'aborted', result: 'killed' });
        signal.addEventListener('abort', killed);
      });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await world.clock.advance(0);
    const stopped = process.worker.stop();
    await world.clock.advance(24_999);
    expect(await outcomes(world)).toEqual(['running']);
    await world.clock.advance(1);
    await world.until(stopped);
    expect(await outcomes(world)).toEqual(['failed']);
    expect((await world.thread()).lease).toBeNull();
  });

  test('gives a claim back of which it did not learn that it stands in the log', async () => {
    const { world, process } = await claimedUnheard();
    expect(await outcomes(world)).toEqual(['running']);
    await world.until(process.worker.stop());
    expect(world.ran).toHaveLength(0);
    expect(await outcomes(world)).toEqual(['starting']);
  });

  test('gives back a claim that a failed drive left, also when the log was read since', async () => {
    const { world, process } = await claimedUnheard();
    await process.worker.inbox.read(KEY);
    await world.until(process.worker.stop());
    expect(world.ran).toHaveLength(0);
    expect(await outcomes(world)).toEqual(['starting']);
  });

  test('makes no new claim; what is approved runs at the next start', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await world.until(process.worker.stop());
    expect((await process.click('approve')).refusal).toBeNull();
    await process.settle();
    expect(world.ran).toHaveLength(0);
    expect(await outcomes(world)).toEqual(['starting']);
    const next = world.process('node1/2');
    await world.clock.advance(61_000);
    await next.worker.tick();
    await next.settle();
    expect(await outcomes(world)).toEqual(['done']);
  });

  test('ends a model call at once, loses no message, and asks again at the next start [F-E1, F-I5]', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.answers.push(
      ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve({ away: 'aborted' }))),
    );
    await process.say('hello');
    await world.clock.advance(0);
    await world.until(process.worker.stop());
    expect(world.clock.sleeping()).toBe(0);
    const taken = await process.say('and this');
    expect(taken).toBe(true);
    expect((await world.thread()).lease).toBeNull();
    world.say('Hello.');
    world.say('That too.');
    const next = world.process('node1/2');
    await world.clock.advance(61_000);
    await next.worker.tick();
    await next.settle();
    const thread = await world.thread();
    expect(thread.queue).toEqual([]);
    expect(Object.values(thread.messages).map(message => message.run !== null)).toEqual([true, true]);
    expect(Object.values(thread.runs).every(run => run.end?.how === 'succeeded')).toBe(true);
  });
});
