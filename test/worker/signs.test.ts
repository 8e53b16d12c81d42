import { describe, expect, test } from 'vitest';
import { threadLog } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { recordOf } from '../../src/thread/record.ts';
import type { Execution, ToolOutcome } from '../../src/worker/ports.ts';
import { KEY, World, type Process } from './rig.ts';
import { byHand } from './tapped-log.ts';

/** A call that was approved and runs until the test says so; the tool says what the test says. */
async function running(): Promise<{
  world: World;
  process: Process;
  execution: Execution;
  finish: (outcome: ToolOutcome) => void;
}> {
  const world = new World();
  const process = world.process('node1/1');
  const back = byHand<ToolOutcome>();
  world.outcome = () => back.promise;
  world.reply({ tool: 'execute' });
  await process.say('run it');
  await process.settle();
  await process.click('approve');
  await world.clock.advance(0);
  const [execution] = world.ran;
  if (!execution) throw new Error('Nothing runs.');
  return { world, process, execution, finish: back.keep };
}

const signs = async (world: World) => {
  const { commits } = await world.log('reader/1').load(threadLog(KEY));
  const events = commits.flatMap(commit => commit.events);
  return events.flatMap(event => (event.type === 'call.signed' ? [[event.body?.line, event.atMs]] : []));
};

describe('what a call says about its progress', () => {
  test('stands in the log with its time at the next look at the tail, in the commit that is written then anyway', async () => {
    const { world, execution } = await running();
    await world.clock.advance(1_000);
    const atMs = world.clock.nowMs();
    execution.progress('deployment patched');
    const before = world.trace.length;
    await world.clock.advance(1_000);
    expect(await signs(world)).toEqual([['deployment patched', atMs]]);
    const written = world.trace.slice(before).filter(line => line.startsWith('write'));
    expect(written).toEqual([expect.stringContaining('call.signed') as string]);
  });

  test('survives its process: who takes over says in doubt, with the last sign and its time, and so does the record', async () => {
    const { world, process, execution } = await running();
    await world.clock.advance(500);
    const atMs = world.clock.nowMs();
    execution.progress('deployment patched');
    await world.clock.advance(2_000);
    process.kill();
    const second = world.process('node1/2');
    second.worker.signal(KEY);
    await world.clock.advance(0);
    await second.settle();
    const thread = await world.thread();
    const [call] = Object.values(thread.calls);
    if (!call) throw new Error('There is no call.');
    const lastSign = { line: 'deployment patched', atMs };
    expect(outcomeOf(thread, call)).toMatchObject({ is: 'in_doubt', lastSign });
    const { commits } = await world.log('reader/1').load(threadLog(KEY));
    expect(recordOf(KEY, commits, call.id)?.doubts).toMatchObject([{ is: 'in_doubt', lastSign }]);
  });

  test('is written every few seconds at most, later more seldom, however much it says', async () => {
    const { world, execution } = await running();
    const during = async (seconds: number): Promise<number> => {
      const before = (await signs(world)).length;
      for (let second = 0; second < seconds; second += 1) {
        for (let n = 0; n < 10; n += 1) execution.progress(`line ${second}.${n}`);
        await world.clock.advance(1_000);
      }
      return (await signs(world)).length - before;
    };
    expect(await during(12)).toBeLessThanOrEqual(3);
    await during(28);
    expect(await during(20)).toBeLessThanOrEqual(5);
    const all = await signs(world);
    expect(all.at(-1)?.[1]).toBeGreaterThan(world.clock.nowMs() - 10_000);
  });

  test('is not written again when it says the same, or nothing more', async () => {
    const { world, execution } = await running();
    execution.progress('working');
    await world.clock.advance(10_000);
    const before = world.trace.filter(line => line.startsWith('write')).length;
    execution.progress('working');
    await world.clock.advance(20_000);
    expect(world.trace.filter(line => line.startsWith('write'))).toHaveLength(before);
  });

  test('holds nothing up and leaves nothing behind when the call ends: its outcome is the next commit', async () => {
    const { world, process, execution, finish } = await running();
    await world.clock.advance(2_000);
    execution.progress('nearly done');
    world.say('Done.');
    finish({ how: 'succeeded', effect: 'done', result: 'hello' });
    await process.settle();
    expect(await signs(world)).toEqual([]);
    expect(world.trace.filter(line => line.includes('call.ended'))).toHaveLength(1);
  });
});
