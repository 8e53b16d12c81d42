import { describe, expect, test } from 'vitest';
import type { UserId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { ToolOutcome } from '../../src/worker/ports.ts';
import { done } from './from-inside.ts';
import { ANA, DANA, KEY, MIA, NullViews, SRE, TEAM, World, type Process } from './rig.ts';

const OTTO = 'U0OTTO001' as UserId;
const as = (user: UserId) => ({ user, team: TEAM });

const last = async (world: World): Promise<string | undefined> => {
  const thread = await world.thread();
  const call = Object.values(thread.calls).at(-1);
  return call && outcomeOf(thread, call).is;
};

/** A call that runs until the test says what came of it. */
async function running(): Promise<{
  world: World;
  process: Process;
  finish: (outcome: ToolOutcome) => void;
  call: string;
}> {
  const world = new World();
  const process = world.process();
  let finish: (outcome: ToolOutcome) => void = () => undefined;
  world.outcome = ({ signal }) =>
    new Promise(resolve => {
      finish = resolve;
      signal.addEventListener('abort', () =>
        resolve({ how: 'failed', effect: 'possible', code: 'stopped', result: 'half of it' }),
      );
    });
  world.reply({ tool: 'execute' });
  world.say('Done.');
  await process.say('run it');
  await process.settle();
  await process.click('approve', MIA);
  await world.clock.advance(0);
  const [call] = Object.values((await world.thread()).calls);
  return { world, process, finish: outcome => finish(outcome), call: call?.id ?? '' };
}

describe('Stop on a call that runs', () => {
  test('ends it in the process that runs it, and the outcome says what is known', async () => {
    const { world, process, call } = await running();
    expect((await process.worker.inbox.stop(process.act(OTTO), call as never)).refusal?.code).toBe('not_yours');
    expect((await process.worker.inbox.stop(process.act(DANA), call as never)).refusal).toBeNull();
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.calls)[0]).toMatchObject({
      state: { is: 'ended', ending: { how: 'failed', effect: 'possible', code: 'stopped' } },
      stopped: { by: DANA },
    });
    expect(thread.runs['r1']?.end?.how).toBe('succeeded');
  });

  test('reaches it from another process, when it looks at the log', async () => {
    const { world, process, call } = await running();
    const other = world.process('node2/1');
    expect((await other.worker.inbox.stop(other.act(MIA), call as never)).refusal).toBeNull();
    expect(await last(world)).toBe('running');
    await world.clock.advance(2_000);
    await process.settle();
    expect(await last(world)).toBe('failed');
  });
});

describe("Slack's own Stop", () => {
  test('cancels the run in progress, by who asked or an admin, and says so when there is none', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    const { inbox } = process.worker;
    expect((await inbox.stopThread(KEY, as(MIA), 'stop.1')).refusal?.code).toBe('not_yours');
    expect((await inbox.stopThread(KEY, as(DANA), 'stop.2')).refusal).toBeNull();
    await process.settle();
    expect((await world.thread()).runs['r1']).toMatchObject({
      end: { how: 'cancelled' },
      cancelled: { source: 'stop' },
    });
    expect((await inbox.stopThread(KEY, as(DANA), 'stop.3')).refusal?.code).toBe('nothing_to_do');
  });
});

describe('the brake', () => {
  test('is pulled by every member where policy names nobody, else by whom it names and admins; only admins lift it', async () => {
    const world = new World();
    const guest = 'U0GUS0001' as UserId;
    const { inbox } = world.process().worker;
    world.guests.add(guest);
    expect((await inbox.freeze(as(guest), 'why')).refusal?.code).toBe('guest');
    expect((await inbox.freeze(as(OTTO), '  ')).refusal?.code).toBe('reason_needed');
    expect((await inbox.freeze(as(OTTO), 'bad deploy')).refusal).toBeNull();
    expect((await inbox.unfreeze(as(OTTO))).refusal?.code).toBe('not_admin');
    const lifted = await inbox.unfreeze(as(ANA));
    expect([lifted.refusal, lifted.workspace.frozen]).toEqual([null, null]);
    expect((await inbox.unfreeze(as(ANA))).refusal?.code).toBe('nothing_to_do');
    world.mayFreeze = [SRE];
    const named = world.process('node2/1').worker.inbox;
    expect((await named.freeze(as(OTTO), 'bad deploy')).refusal?.code).toBe('may_not_freeze');
    expect((await named.freeze(as(MIA), 'bad deploy')).refusal).toBeNull();
    expect((await named.freeze(as(ANA), 'worse')).workspace.frozen).toMatchObject({ by: MIA, why: 'bad deploy' });
  });

  test('lists what still runs, lets it finish or be ended, starts nothing more, and needs no model [T-D11]', async () => {
    const { world, process, call } = await running();
    const other = world.process('node2/1', {}, { evidenceMs: 0 });
    const frozen = await other.worker.inbox.freeze(as(OTTO), 'bad deploy');
    expect(frozen.running.map(each => each.call.id)).toEqual([call]);
    expect(world.requests).toHaveLength(1);
    await world.clock.advance(10_000);
    expect(await last(world)).toBe('failed');
    world.outcome = () => done('hello');
    world.answers.length = 0;
    world.reply({ tool: 'read_file' });
    world.say('Done.');
    await process.say('and then?');
    await world.clock.advance(60_000);
    await process.settle();
    expect(world.ran).toHaveLength(1);
    await other.worker.inbox.unfreeze(as(ANA));
    await world.clock.advance(60_000);
    await process.worker.tick();
    await process.settle();
    expect(world.ran.map(each => each.tool)).toEqual(['execute', 'read_file']);
  });

  test('once lifted, lets go on at once what another process had to leave a moment before', async () => {
    const world = new World();
    const [process, other] = [world.process(), world.process('node2/1')];
    await other.worker.inbox.freeze(as(MIA), 'bad deploy');
    world.reply({ tool: 'read_file' });
    world.say('Done.');
    await process.say('look');
    // It sees the lease of the first process, and what it has read is still young when the freeze is lifted.
    expect((await other.worker.inbox.read(KEY)).lease).not.toBeNull();
    await process.settle();
    expect([world.ran, (await world.thread()).lease]).toEqual([[], null]);
    await other.worker.inbox.unfreeze(as(ANA));
    await other.settle();
    expect(world.ran.map(each => each.tool)).toEqual(['read_file']);
  });

  test('is drawn on what waits anywhere, without anybody writing there, and off again', async () => {
    const world = new World();
    const views = new NullViews();
    const seen: (boolean | undefined)[] = [];
    const process = world.process('node1/1', { views });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    views.behind = (_, workspace) => {
      seen.push(workspace.frozen !== null);
      return false;
    };
    await process.worker.inbox.freeze(as(MIA), 'bad deploy');
    await process.settle();
    expect(seen).toContain(true);
    seen.length = 0;
    await process.worker.inbox.unfreeze(as(ANA));
    await process.settle();
    expect(seen).toContain(false);
    expect(seen).not.toContain(true);
  });
});
