import { describe, expect, test } from 'vitest';
import { workspaceLog } from '../../src/thread/ids.ts';
import type { ToolOutcome } from '../../src/worker/ports.ts';
import { CardViews } from './card-views.ts';
import { TEAM, World, type Process } from './rig.ts';
import { tapped } from './tapped-log.ts';

const writes = (world: World): string[] => world.trace.filter(line => line.startsWith('write'));

function reading(): { world: World; process: Process } {
  const world = new World();
  const process = world.process('node1/1', { views: new CardViews(world) });
  world.reply({ tool: 'read_file' });
  world.reply({ tool: 'execute' });
  return { world, process };
}

describe('what a turn writes', () => {
  test('is eight commits and one for each read: nothing has one of its own that can ride with another', async () => {
    const { world, process } = reading();
    world.say('Done.');
    await process.say('look, then run it');
    await process.settle();
    await process.click('approve');
    await process.settle();
    expect(writes(world)).toEqual([
      'write message.received lease.taken',
      'write run.started model.replied call.judged',
      'write call.claimed call.ended model.replied call.judged approval.requested',
      'write message.posted lease.released',
      'write decision.recorded approval.settled lease.taken',
      'write message.posted call.claimed',
      'write message.posted call.ended',
      'write message.posted model.replied run.ended',
      'write lease.released',
    ]);
    expect(world.ran.map(each => each.tool)).toEqual(['read_file', 'execute']);
  });

  test('is written while a tool takes long: what rides with the next commit waits no longer than the look at the tail', async () => {
    const { world, process } = reading();
    await process.say('look, then run it');
    await process.settle();
    let finish: (outcome: ToolOutcome) => void = () => undefined;
    world.outcome = () => new Promise(resolve => (finish = resolve));
    await process.click('approve');
    await world.clock.advance(0);
    expect(writes(world).at(-1)).toBe('write message.posted call.claimed');
    await world.clock.advance(2_000);
    expect(writes(world).at(-1)).toBe('write message.posted');
    finish({ how: 'succeeded', effect: 'done', result: 'hello' });
    world.say('Done.');
    await process.settle();
    expect(writes(world)).toContain('write call.ended');
  });

  test('does not hold a read that was under way when its process died: it is read again, and has one result', async () => {
    const world = new World();
    const first = world.process('node1/1');
    world.reply({ tool: 'read_file' });
    world.outcome = () => new Promise(() => undefined);
    await first.say('look');
    await world.clock.advance(0);
    expect(writes(world).at(-1)).toBe('write run.started model.replied call.judged');
    first.kill();
    world.outcome = () => ({ how: 'succeeded', effect: 'none', result: 'text' });
    world.say('Done.');
    const second = world.process('node1/2');
    second.worker.signal((await world.thread()).key);
    await second.settle();
    const [call] = Object.values((await world.thread()).calls);
    expect(call?.state).toMatchObject({ is: 'ended', ending: { result: 'text' } });
    expect(call?.attempts).toBe(1);
  });
});

describe('what a turn reads', () => {
  test("of the workspace's log is its tail behind the claim alone, as long as the ticker has just looked", async () => {
    const world = new World();
    let looks = 0;
    const log = tapped(world.log('node1/1'), {
      load: (key, go) => {
        if (key === workspaceLog(TEAM)) looks += 1;
        return go();
      },
    });
    const process = world.process('node1/1', { log });
    const looksDuring = async (step: () => Promise<unknown>): Promise<number> => {
      await world.clock.advance(60_000);
      await process.worker.tick();
      looks = 0;
      await step();
      await process.settle();
      return looks;
    };
    world.reply({ tool: 'read_file' });
    world.reply({ tool: 'execute' });
    world.say('Done.');
    expect(await looksDuring(() => process.say('look, then run it'))).toBe(0);
    expect(await looksDuring(() => process.click('approve'))).toBe(1);
    expect(world.ran).toHaveLength(2);
  });
});
