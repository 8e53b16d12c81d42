/** What is looked at anew: at a start under other rules, and of what nobody knows whether it ran. */
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { done } from './from-inside.ts';
import { KEY, MIA, terms, World, type Process } from './rig.ts';

const last = async (world: World): Promise<string | undefined> => {
  const thread = await world.thread();
  const call = Object.values(thread.calls).at(-1);
  return call && outcomeOf(thread, call).is;
};

async function waiting(): Promise<{ world: World; process: Process }> {
  const world = new World();
  const process = world.process();
  await process.worker.start();
  world.reply({ tool: 'execute' });
  world.say('Done.');
  await process.say('run it');
  await process.settle();
  return { world, process };
}

/** A start as in production: what is open is looked at in the background, then the ticker runs. */
async function started(world: World, writer: string): Promise<void> {
  const process = world.process(writer);
  await process.worker.start();
  const running = process.worker.run();
  await process.settle();
  await process.settle();
  await process.worker.stop();
  await running;
}

describe('a start under another policy', () => {
  test('looks at what waits at once: what is denied now is closed, without a click', async () => {
    const { world, process } = await waiting();
    // Until nothing of it is due for hours.
    await world.clock.advance(30 * 60_000);
    await process.worker.tick();
    await process.settle();
    process.kill();
    world.policyText = 'stricter';
    world.denies.add('execute');
    await started(world, 'node1/2');
    expect(await last(world)).toBe('not_run');
  });

  test('asks again on a new card where another rule or definition holds, and leaves alone what is the same', async () => {
    for (const change of ['nothing', 'rule', 'definition'] as const) {
      const { world, process } = await waiting();
      process.kill();
      world.policyText = 'newer';
      if (change === 'rule') world.asks['execute'] = terms({ quorum: 2 });
      if (change === 'definition') world.definitions['execute'] = 'second';
      await started(world, 'node1/2');
      const [approval] = Object.values((await world.thread()).approvals);
      expect([change, approval?.round, approval?.card]).toEqual([change, ...(change === 'nothing' ? [1, 1] : [2, 2])]);
    }
  });

  test('under the same one reads nothing but what is due', async () => {
    const { world, process } = await waiting();
    process.kill();
    const before = (await world.thread()).head.number;
    await started(world, 'node1/2');
    expect((await world.thread()).head.number).toBe(before);
  });
});

describe('an execution whose process is gone', () => {
  async function lost(
    found: 'ran' | 'not_run' | 'unknown',
  ): Promise<{ world: World; process: Process; asked: string[] }> {
    const { world, process } = await waiting();
    const asked: string[] = [];
    world.checks.add('execute');
    world.check = (tool, key) => {
      asked.push(`${tool} ${key}`);
      return found;
    };
    world.outcome = () => new Promise(() => undefined);
    await process.click('approve', MIA);
    await world.clock.advance(0);
    process.kill();
    const second = world.process('node1/2');
    second.worker.signal(KEY);
    await second.settle();
    world.outcome = () => done('hello');
    return { world, process: second, asked };
  }

  test('that ran by its own check is done at once, and nobody is asked', async () => {
    const { world, asked } = await lost('ran');
    const [call] = Object.values((await world.thread()).calls);
    expect(asked).toEqual([`execute ${call?.id}`]);
    expect(call?.state).toMatchObject({ is: 'ended', ending: { how: 'succeeded', effect: 'done', code: 'checked' } });
    expect(world.ran).toHaveLength(1);
  });

  test('that did not run by its own check runs again, but not before it can be running no more', async () => {
    const { world, process } = await lost('not_run');
    expect(await last(world)).toBe('in_doubt');
    await world.clock.advance(62_000);
    await process.worker.tick();
    await process.settle();
    expect(world.ran.map(each => each.execution.slice(-2))).toEqual(['.1', '.2']);
    expect(await last(world)).toBe('done');
  });

  test('of which its own check knows nothing is for people, and is not asked about for ever', async () => {
    const { world, process, asked } = await lost('unknown');
    for (let n = 0; n < 5; n += 1) {
      await world.clock.advance(62_000);
      await process.worker.tick();
      await process.settle();
    }
    expect(await last(world)).toBe('in_doubt');
    expect(asked).toHaveLength(2);
  });
});

describe('what only people can settle', () => {
  test('stays in every list of what waits for as long as nobody has settled it, and leaves it then', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = () => new Promise(() => undefined);
    world.reply({ tool: 'send' });
    await process.say('send it');
    await world.clock.advance(0);
    process.kill();
    const second = world.process('node1/2');
    second.worker.signal(KEY);
    await second.settle();
    for (let hour = 0; hour < 30; hour += 1) {
      await world.clock.advance(3_600_000);
      await second.worker.tick();
      await second.settle();
    }
    const settled = async (): Promise<string[]> =>
      (await second.worker.inbox.overview({ user: MIA, team: KEY.team })).waitingForYou.map(each => each.call.tool);
    expect(await settled()).toEqual(['send']);
    const [call] = Object.values((await world.thread()).calls);
    if (!call) throw new Error('There is no call.');
    world.say('It ran.');
    await second.worker.inbox.settle(second.act(MIA), { call: call.id, attempt: 1, as: 'ran' });
    await second.settle();
    expect(await settled()).toEqual([]);
    await world.clock.advance(3_600_000);
    await second.worker.tick();
    expect(await world.log('reader/1').due(KEY.team, Number.MAX_SAFE_INTEGER)).toEqual([]);
  });
});
