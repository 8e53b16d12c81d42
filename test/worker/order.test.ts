import { describe, expect, test } from 'vitest';
import { CardViews } from './card-views.ts';
import { LEO, MIA, terms, World } from './rig.ts';

/** The trace without what only keeps the lease and the records of posts. */
const told = (world: World): string[] =>
  world.trace
    .map(line => line.replaceAll(/ ?(lease\.(taken|released)|message\.posted)/g, ''))
    .filter(line => line !== 'write');

async function asked(quorum = 1) {
  const world = new World();
  world.asks['execute'] = terms({ quorum });
  const views = new CardViews(world);
  const process = world.process('node1/1', { views });
  world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
  world.say('Done.');
  await process.say('run echo hello');
  await process.settle();
  return { world, views, process };
}

describe('the order of what is written, shown and done', () => {
  test('is: decision in the log, buttons gone, claim in the log, then the tool, then its outcome, then the card [F-B5, F-C10, F-E9, F-L4, S-33, T-D4]', async () => {
    const { world, process } = await asked();
    world.trace.length = 0;
    await process.click('approve');
    await process.settle();
    expect(told(world)).toEqual([
      'write decision.recorded approval.settled',
      'card starting, round 1, 1 votes',
      'write call.claimed',
      'card running, round 1, 1 votes',
      'run execute',
      'write call.ended',
      'card done, round 1, 1 votes',
      'write model.replied run.ended',
    ]);
  });

  test('posts one card per request, and none again when the thread is looked at again or by another process [F-A13, F-B14, S-81]', async () => {
    const { world, process } = await asked(2);
    const cards = () => world.trace.filter(line => line.startsWith('card'));
    expect(cards()).toEqual(['card waiting, round 1, 0 votes with buttons']);
    for (let n = 0; n < 3; n += 1) await process.worker.tick();
    process.worker.signal((await world.thread()).key);
    await process.settle();
    process.kill();
    const other = world.process('node1/2', { views: new CardViews(world) });
    await world.clock.advance(60_000);
    await other.worker.tick();
    await other.settle();
    expect(cards()).toHaveLength(1);
    await other.click('approve', MIA);
    await other.settle();
    expect(cards().at(-1)).toBe('card waiting, round 1, 1 votes with buttons');
    await other.click('approve', LEO);
    await other.settle();
    expect(world.ran).toHaveLength(1);
  });

  test('a card that cannot be posted is told to operators, is tried again, and the request waits on [S-19, F-E10, T-A2d]', async () => {
    const world = new World();
    const views = new CardViews(world);
    views.trouble = () => 'refused';
    const process = world.process('node1/1', { views });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    expect(process.told).toEqual(['undelivered C0APPROV1 undelivered not_in_channel']);
    expect(world.ran).toHaveLength(0);
    expect(Object.values((await world.thread()).approvals)[0]?.state.is).toBe('open');
  });

  test('what must wait for Slack gives the lease back, and is posted later; until then the thread is found by its entry', async () => {
    const world = new World();
    const views = new CardViews(world);
    views.trouble = () => 'wait';
    const process = world.process('node1/1', { views });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    const thread = await world.thread();
    expect(thread).toMatchObject({ lease: null, rests: false });
    views.trouble = null;
    process.kill();
    const other = world.process('node2/1', { views });
    await world.clock.advance(61_000);
    await other.worker.tick();
    await other.settle();
    expect(world.trace.filter(line => line.startsWith('card'))).toEqual([
      'card waiting, round 1, 0 votes with buttons',
    ]);
    expect(await world.thread()).toMatchObject({ lease: null, rests: true });
  });
});
