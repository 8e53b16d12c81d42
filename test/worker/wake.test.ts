import { describe, expect, test } from 'vitest';
import { threadLog, type MessageTs, type ThreadKey } from '../../src/thread/ids.ts';
import { next } from '../../src/thread/next.ts';
import { wakeAfter } from '../../src/thread/wake.ts';
import { fold } from '../../src/thread/fold.ts';
import { emptyThread } from '../../src/thread/thread.ts';
import type { ToolOutcome } from '../../src/worker/ports.ts';
import { CardViews } from './card-views.ts';
import { DANA, KEY, LEO, MIA, TEAM, terms, World, type Process } from './rig.ts';
import { byHand, tapped, type Taps } from './tapped-log.ts';

const entries = (world: World) => world.log('reader/1').due(TEAM, Number.MAX_SAFE_INTEGER);

/** A process whose every commit is followed by a look at the index: does an entry stand in time? */
function watched(world: World): { process: Process; late: string[]; seen: () => number } {
  const late: string[] = [];
  let seen = 0;
  const taps: Taps = {
    append: async (events, go, key) => {
      const result = await go();
      if (key !== threadLog(KEY) || 'lost' in result) return result;
      seen += 1;
      const { commits } = await world.log('reader/1').load(key);
      const thread = commits.reduce(fold, emptyThread(KEY));
      const needed = wakeAfter(thread, [], world.clock.nowMs());
      const standing = (await entries(world)).map(entry => entry.dueAtMs);
      if (needed !== null && Math.min(...standing) > needed) late.push(events.map(event => event.type).join(' '));
      return result;
    },
  };
  const log = tapped(world.log('node1/1'), taps);
  return { process: world.process('node1/1', { log, views: new CardViews(world) }), late, seen: () => seen };
}

describe('the wake index', () => {
  test('after every commit of a long story holds an entry that is due no later than the thread needs it [F-E15, S-60]', async () => {
    const world = new World();
    const { process, late, seen } = watched(world);
    world.asks['execute'] = terms({ quorum: 2 });
    world.reply({ tool: 'execute', args: 1 }, { tool: 'read_file' }, { tool: 'execute', args: 2 });
    world.say('Done.');
    await process.say('do it');
    await process.settle();
    await process.click('approve', MIA);
    await process.settle();
    await process.say('and hurry');
    await process.settle();
    for (const by of [MIA, LEO]) await process.click('approve', by);
    await process.settle();
    await process.click('reject', DANA);
    await process.settle();
    await world.clock.advance(4 * 3_600_000);
    await process.worker.tick();
    await process.settle();
    expect(late).toEqual([]);
    expect(seen()).toBeGreaterThan(12);
    expect(Object.values((await world.thread()).runs).map(run => run.end?.how)).toContain('succeeded');
  });

  test('is clean once nothing is open: entries that are due are removed by the ticker, never moved', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await process.settle();
    expect((await entries(world)).length).toBeGreaterThan(0);
    const before = (await world.thread()).head.number;
    await world.clock.advance(5 * 3_600_000);
    await process.worker.tick();
    await process.worker.tick();
    expect(await entries(world)).toEqual([]);
    expect((await world.thread()).head.number).toBe(before);
  });

  test('keeps exactly the entry of the expiry while only people can bring a thread on', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    await world.clock.advance(10 * 60_000);
    await process.worker.tick();
    const expiresAtMs = Object.values((await world.thread()).approvals)[0]?.expiresAtMs;
    expect((await entries(world)).map(entry => entry.dueAtMs)).toEqual([expiresAtMs]);
  });

  test('is clean for a thread whose holder died with everything done but the release', async () => {
    const world = new World();
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    taps.append = (events, go) =>
      events.some(event => event.type === 'lease.released') ? new Promise(() => undefined) : go();
    world.say('Hello.');
    await process.say('hello');
    await world.clock.advance(0);
    process.kill();
    expect((await world.thread()).lease).not.toBeNull();
    const other = world.process('node2/1');
    await world.clock.advance(20 * 60_000);
    for (let n = 0; n < 3; n += 1) {
      await other.worker.tick();
      await other.settle();
      await world.clock.advance(5 * 60_000);
    }
    expect(await world.thread()).toMatchObject({ lease: null, rests: true });
    expect(await entries(world)).toEqual([]);
  });
});

describe('the ticker', () => {
  test('finds what was decided and never resumed, because its process died or the signal was lost [F-E15, S-8, S-60, T-C16]', async () => {
    const world = new World();
    const first = world.process('node1/1');
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await first.say('run it');
    await first.settle();
    const taps: Taps = {};
    const second = world.process('node2/1', { log: tapped(world.log('node2/1'), taps) });
    taps.append = async (_, go) => {
      const result = await go();
      second.kill();
      return result;
    };
    first.kill();
    second.click('approve').catch(() => undefined);
    await world.clock.advance(0);
    expect(Object.values((await world.thread()).approvals)[0]?.state.is).toBe('approved');
    const third = world.process('node3/1');
    await world.clock.advance(369_000);
    await third.worker.tick();
    await third.settle();
    expect(world.ran).toHaveLength(0);
    await world.clock.advance(1_000);
    await third.worker.tick();
    await third.settle();
    expect(world.ran).toHaveLength(1);
  });

  test('finds at its start what an earlier boot of the same node has left, without waiting for its lease [S-60, F-E12]', async () => {
    const world = new World();
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    taps.append = async (_, go) => {
      const result = await go();
      process.kill();
      return result;
    };
    process.click('approve').catch(() => undefined);
    await world.clock.advance(0);
    world.say('Done.');
    const again = world.process('node1/2');
    const running = again.worker.run();
    await world.clock.advance(0);
    await again.settle();
    expect(world.ran).toHaveLength(1);
    await world.until(again.worker.stop());
    await world.until(running);
  });

  test('finds a message whose process died right after the acknowledgement [S-8, F-I4, T-C18]', async () => {
    const world = new World();
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    taps.append = async (_, go) => {
      const result = await go();
      queueMicrotask(() => process.kill());
      return result;
    };
    process.say('hello').catch(() => undefined);
    await world.clock.advance(0);
    expect((await world.thread()).queue).toHaveLength(1);
    world.say('Hello.');
    const other = world.process('node2/1');
    await world.clock.advance(371_000);
    await other.worker.tick();
    await other.settle();
    expect((await world.thread()).runs['r1']?.answer).toBe('Hello.');
  });

  test('expires a request that nobody decided, tells the thread once, and two tickers do no harm [F-E13, F-C2, F-J1]', async () => {
    const world = new World();
    const processes = [world.process('node1/1'), world.process('node2/1')];
    const [one] = processes;
    world.reply({ tool: 'execute' });
    world.say('Nobody decided.');
    await one?.say('run it');
    await one?.settle();
    await world.clock.advance(4 * 3_600_000);
    await world.until(Promise.all(processes.map(process => process.worker.tick())));
    await world.until(Promise.all(processes.map(process => process.worker.idle())));
    const thread = await world.thread();
    expect(Object.values(thread.approvals)[0]?.state).toMatchObject({ is: 'expired' });
    const { commits } = await world.log('reader/1').load(threadLog(KEY));
    const settled = commits.flatMap(commit => commit.events).filter(event => event.type === 'approval.settled');
    expect(settled).toHaveLength(1);
    expect(world.ran).toHaveLength(0);
    expect(world.requests.at(-1)?.conversation.at(-1)).toMatchObject({ outcome: { is: 'expired' } });
  });

  test('is not held up by a thread whose tool takes long', async () => {
    const world = new World();
    const process = world.process('node1/1');
    const back = byHand<ToolOutcome>();
    world.outcome = () => back.promise;
    world.reply({ tool: 'write_slow' });
    const first = process.worker.inbox.receive(KEY, message('one'));
    await first;
    await world.clock.advance(0);
    expect(world.ran).toHaveLength(1);
    const other: ThreadKey = { ...KEY, ts: '1764511299.000100' as MessageTs };
    world.say('Hello.');
    await world.log('node0/1').append(threadLog(other), { number: 0, hash: '' }, [received('two')], {
      dueAtMs: world.clock.nowMs() + 400_000,
      open: [],
    });
    const running = process.worker.run();
    await world.clock.advance(410_000);
    expect((await world.thread(other)).runs['r1']?.answer).toBe('Hello.');
    expect(world.ran).toHaveLength(1);
    back.keep({ how: 'succeeded', effect: 'done', result: '' });
    world.say('Done.');
    await world.clock.advance(10_000);
    await world.until(process.worker.stop());
    await world.until(running);
  });
});

const message = (text: string) => ({
  ts: '1764511300.000001' as MessageTs,
  channel: KEY.channel,
  author: DANA,
  team: TEAM,
  name: 'Dana Ito',
  text,
  files: [],
  mention: true,
  direct: false,
});
const received = (text: string) => {
  const { text: words, name, files, ...facts } = message(text);
  return { type: 'message.received' as const, ...facts, body: { text: words, name, files } };
};

describe('what is next', () => {
  test('is nothing in a thread that rests', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.say('Hello.');
    await process.say('hello');
    await process.settle();
    const { limits } = process.ports.policy;
    const calm = {
      nowMs: world.clock.nowMs(),
      me: process.ports.writer,
      lease: 'free',
      frozen: false,
      limits,
      policy: process.ports.policy.loaded.digest,
      definition: () => null,
      checks: () => false,
    } as const;
    expect(next(await world.thread(), { ...calm, executing: new Set() })).toEqual({ effects: [] });
  });
});
