import { describe, expect, test } from 'vitest';
import type { CallId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { LogUnavailable, type ToolOutcome } from '../../src/worker/ports.ts';
import { CARD, DANA, KEY, LEO, MIA, NullViews, TEAM, terms, World, type Process } from './rig.ts';
import { byHand, tapped, type Taps } from './tapped-log.ts';

const outcomes = async (world: World): Promise<string[]> => {
  const thread = await world.thread();
  return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
};
const HELLO: ToolOutcome = { how: 'succeeded', effect: 'done', result: 'hello' };

/** A process that asks, is told yes, and runs a tool that does not come back until the test says so. */
async function running(more: { tool?: string; quorum?: number; timeoutMs?: number } = {}) {
  const world = new World();
  world.asks['execute'] = terms({ quorum: more.quorum ?? 1 });
  if (more.timeoutMs !== undefined) world.timeoutMs = more.timeoutMs;
  const back = byHand<ToolOutcome>();
  const taps: Taps = {};
  const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
  world.outcome = () => back.promise;
  world.reply({ tool: more.tool ?? 'execute' });
  world.say('Done.');
  await process.say('run it');
  await world.clock.advance(0);
  if (more.tool === undefined)
    for (const by of [MIA, LEO].slice(0, more.quorum ?? 1)) await process.click('approve', by);
  await world.clock.advance(0);
  expect(world.ran).toHaveLength(1);
  const call = Object.keys((await world.thread()).calls)[0] as CallId;
  const answer = (of: Process, as: 'ran' | 'not_run' | 'abandoned', by = MIA, attempt = 1) =>
    of.worker.inbox.settle(
      { thread: KEY, actor: { user: by, team: TEAM }, place: CARD, key: `${call}.${by}.${as}` },
      { call, attempt, as },
    );
  return { world, process, back, taps, call, answer };
}

describe('kill -9 while cards wait', () => {
  test('loses nothing: after the restart each of ten requests is answered, and runs once [F-E3, F-E12, F-A11, F-E16]', async () => {
    const world = new World();
    world.limits = { ...world.limits, openRequests: 10 };
    const first = world.process('node1/1');
    world.reply(...Array.from({ length: 10 }, (_, n) => ({ tool: 'execute', args: { n } })));
    await first.say('ten things');
    await first.settle();
    first.kill();
    const second = world.process('node1/2');
    const calls = Object.values((await world.thread()).calls);
    expect(calls).toHaveLength(10);
    for (const call of calls.toReversed()) expect((await second.click('approve', MIA, { call })).refusal).toBeNull();
    world.say('Done.');
    await second.settle();
    expect(new Set(world.ran.map(each => each.args))).toEqual(new Set(calls.map(call => call.args)));
    expect(world.ran).toHaveLength(10);
    expect(new Set(await outcomes(world))).toEqual(new Set(['done']));
    expect((await world.thread()).runs['r1']?.answer).toBe('Done.');
  });

  test('at any moment up to the card: the message is taken up again, and one request stands [F-A13, S-8, T-C18]', async () => {
    for (let writes = 1; writes <= 4; writes += 1) {
      const world = new World();
      const taps: Taps = {};
      let left = writes;
      taps.append = async (_, go) => {
        const result = await go();
        if ((left -= 1) <= 0) process.kill();
        return result;
      };
      const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
      const call = { tool: 'execute', args: { n: 1 } };
      world.reply(call);
      process.say('run it').catch(() => undefined);
      await world.clock.advance(0);
      const second = world.process('node1/2');
      world.answers.length = 0;
      if (Object.keys((await world.thread()).approvals).length === 0) world.reply(call);
      world.say('Done.');
      await world.clock.advance(9 * 60_000);
      await second.worker.tick();
      await second.settle();
      await second.click('approve');
      await second.settle();
      expect(world.ran).toHaveLength(1);
      expect(Object.keys((await world.thread()).approvals)).toHaveLength(1);
      expect((await world.thread()).runCount).toBe(1);
    }
  });
});

describe('kill -9 after the claim', () => {
  test('is in doubt when the same node starts again: at once, and nothing is retried by itself [F-B7, F-K7]', async () => {
    const { world, process } = await running();
    process.kill();
    const next = world.process('node1/2');
    next.worker.signal(KEY);
    await next.settle();
    expect(await outcomes(world)).toEqual(['in_doubt']);
    for (let n = 0; n < 5; n += 1) {
      await world.clock.advance(60 * 60_000);
      await next.worker.tick();
      await next.settle();
    }
    expect(await outcomes(world)).toEqual(['in_doubt']);
    expect(world.ran).toHaveLength(1);
    expect(world.requests).toHaveLength(1);
  });

  test('is in doubt for another node once the holder has been silent for the whole lease on its own clock [F-K7]', async () => {
    const { world, process } = await running();
    process.kill();
    const other = world.process('node2/1');
    const look = async (): Promise<string[]> => {
      other.worker.signal(KEY);
      await other.settle();
      return outcomes(world);
    };
    expect(await look()).toEqual(['running']);
    await world.clock.advance(309_000);
    expect(await look()).toEqual(['running']);
    await world.clock.advance(1_000);
    expect(await look()).toEqual(['in_doubt']);
  });

  test('is in doubt for a node that has not watched a minute after the lease by the wall clock, and the ticker finds it [F-E15, F-K7]', async () => {
    const { world, process } = await running();
    process.kill();
    const look = async (): Promise<string[]> => {
      const other = world.process('node2/1');
      await other.worker.tick();
      await other.settle();
      return outcomes(world);
    };
    await world.clock.advance(310_000 + 59_000);
    expect(await look()).toEqual(['running']);
    await world.clock.advance(1_000);
    expect(await look()).toEqual(['in_doubt']);
  });

  test('commits of others do not make a dead holder look alive', async () => {
    const { world, process } = await running();
    process.kill();
    const other = world.process('node2/1');
    other.worker.signal(KEY);
    await other.settle();
    for (let n = 0; n < 31; n += 1) {
      await world.clock.advance(10_000);
      await other.say(`and? ${n}`);
      await other.settle();
    }
    expect(await outcomes(world)).toEqual(['in_doubt']);
  });

  test('of a call that only reads is simply run again', async () => {
    const { world, process } = await running({ tool: 'read_file' });
    process.kill();
    world.outcome = () => HELLO;
    const next = world.process('node1/2');
    next.worker.signal(KEY);
    await next.settle();
    expect(world.ran).toHaveLength(2);
    expect(await outcomes(world)).toEqual(['done']);
  });

  test('before the tool was handed anything is no doubt: the claim is given back and made again [F-B7]', async () => {
    const world = new World();
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    let unknown = true;
    taps.append = async (events, go) => {
      const result = await go();
      if (!unknown || !events.some(event => event.type === 'call.claimed')) return result;
      unknown = false;
      throw new LogUnavailable('no answer');
    };
    await process.click('approve');
    await world.clock.advance(10_000);
    await process.settle();
    expect(world.ran.map(each => each.execution.slice(-2))).toEqual(['.2']);
    expect(await outcomes(world)).toEqual(['done']);
  });
});

describe('a doubt', () => {
  const doubtful = async (more = {}) => {
    const parts = await running(more);
    parts.process.kill();
    const next = parts.world.process('node1/2');
    next.worker.signal(KEY);
    await next.settle();
    return { ...parts, next };
  };

  test('is settled by "it ran": the agent goes on with that', async () => {
    const { world, next, answer } = await doubtful();
    expect((await answer(next, 'ran', DANA)).refusal?.code).toBe('requester');
    expect((await answer(next, 'ran')).refusal).toBeNull();
    await next.settle();
    expect(await outcomes(world)).toEqual(['said_done']);
    expect(world.requests.at(-1)?.conversation.at(-1)).toMatchObject({ outcome: { is: 'said_done' } });
    expect(world.ran).toHaveLength(1);
    expect((await answer(next, 'ran')).refusal).toBeNull();
    expect((await answer(next, 'abandoned', LEO)).refusal?.code).toBe('already_decided');
  });

  test('is settled by "given up": the model is told that nobody knows', async () => {
    const { world, next, answer } = await doubtful();
    await answer(next, 'abandoned');
    await next.settle();
    expect(world.requests.at(-1)?.conversation.at(-1)).toMatchObject({ outcome: { is: 'given_up' } });
    expect(world.ran).toHaveLength(1);
  });

  test('is settled by "it did not run", not before it must have ended; then it runs once more, under the same key', async () => {
    const { world, next, answer } = await doubtful();
    expect((await answer(next, 'not_run')).refusal?.code).toBe('too_early');
    await world.clock.advance(62_000);
    world.outcome = () => HELLO;
    expect((await answer(next, 'not_run')).refusal).toBeNull();
    await next.settle();
    expect(await outcomes(world)).toEqual(['done']);
    expect(world.ran.map(each => each.execution.slice(-2))).toEqual(['.1', '.2']);
    expect(new Set(world.ran.map(each => each.call)).size).toBe(1);
  });

  test('of a call that two approved: "it did not run" asks both again', async () => {
    const { world, next, answer } = await doubtful({ quorum: 2 });
    await world.clock.advance(62_000);
    world.outcome = () => HELLO;
    await answer(next, 'not_run');
    await next.settle();
    expect(await outcomes(world)).toEqual(['waiting']);
    await next.click('approve', MIA);
    await next.settle();
    expect(world.ran).toHaveLength(1);
    await next.click('approve', LEO);
    await next.settle();
    expect(await outcomes(world)).toEqual(['done']);
  });

  test('in a world that has changed: "it did not run" asks again with the difference', async () => {
    const { world, next, answer } = await doubtful();
    await world.clock.advance(62_000);
    world.facts = { replicas: 2 };
    await answer(next, 'not_run');
    await next.settle();
    expect(await outcomes(world)).toEqual(['waiting']);
    const approval = Object.values((await world.thread()).approvals)[0];
    expect(approval?.changes).toEqual([{ fact: 'replicas', was: null, is: 2 }]);
  });
});

describe('a process that was only paused', () => {
  test('for longer than its lease writes its outcome late: recorded, and no second run [F-B3, F-B7, F-I10, T-C11]', async () => {
    const { world, back, process, taps } = await running();
    const pause = byHand();
    taps.load = async (_, go) => {
      await pause.promise;
      return go();
    };
    const other = world.process('node2/1');
    await world.clock.advance(371_000);
    await other.worker.tick();
    await other.settle();
    expect(await outcomes(world)).toEqual(['in_doubt']);
    pause.keep();
    back.keep(HELLO);
    await world.until(Promise.all([process.worker.idle(), other.worker.idle()]));
    expect(await outcomes(world)).toEqual(['done']);
    await world.clock.advance(61_000);
    await other.worker.tick();
    await other.settle();
    expect(world.ran).toHaveLength(1);
    expect((await world.thread()).runs['r1']?.answer).toBe('Done.');
  });

  test('for longer than its lease, looks into the log before it draws anything: another may have gone on [F-L9, T-C11]', async () => {
    const world = new World();
    world.reply({ tool: 'write_file' });
    world.say('Done.');
    const pause = byHand();
    let isPaused = false;
    const log = tapped(world.log('node1/1'), {
      append: async (events, go) => {
        const won = await go();
        if (!events.some(({ type }) => type === 'call.claimed')) return won;
        isPaused = true;
        await pause.promise;
        return won;
      },
    });
    const outdated: string[] = [];
    class Drawing extends NullViews {
      override behind: NullViews['behind'] = () => true;
      override reconcile: NullViews['reconcile'] = async drawn => {
        const { lease } = await world.thread();
        if (lease?.holder !== drawn.lease?.holder) outdated.push(`${drawn.head.number} of ${drawn.lease?.holder}`);
        return { posted: [], retryAtMs: null };
      };
    }
    const process = world.process('node1/1', { log, views: new Drawing() }, { tailMs: 3_600_000 });
    await process.say('run it');
    await world.clock.advance(5_000);
    expect(isPaused).toBe(true);
    const other = world.process('node2/1');
    for (let look = 0; look < 80; look += 1) {
      await world.clock.advance(5_000);
      await other.worker.tick();
    }
    await other.settle();
    expect(await outcomes(world)).toEqual(['in_doubt']);
    pause.keep();
    await world.clock.advance(10_000);
    expect(outdated).toEqual([]);
  });

  test('and whose doubt people have settled meanwhile: the outcome is recorded as a contradiction, once', async () => {
    for (const [as, ran] of [
      ['ran', { how: 'failed', effect: 'none', code: 'refused', result: 'no' }],
      ['abandoned', HELLO],
    ] as const) {
      const { world, back, process, answer, taps } = await running();
      const pause = byHand();
      taps.load = async (_, go) => {
        await pause.promise;
        return go();
      };
      const other = world.process('node2/1');
      await world.clock.advance(371_000);
      await other.worker.tick();
      await other.settle();
      expect(await outcomes(world)).toEqual(['in_doubt']);
      await answer(other, as);
      await other.settle();
      delete taps.load;
      pause.keep();
      back.keep(ran);
      await world.clock.advance(10_000);
      await other.settle();
      const call = Object.values((await world.thread()).calls)[0];
      expect(call?.contradiction).toMatchObject({ how: ran.how });
      expect(call?.state.is).toBe('settled');
      expect(world.ran).toHaveLength(1);
      process.kill();
    }
  });

  test('before its claim: another claims, the late claim fails, and there is one execution [F-B3, T-C11, T-C20]', async () => {
    const world = new World();
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    const other = world.process('node2/1');
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    const hold = byHand();
    taps.append = async (events, go) => {
      if (events.some(event => event.type === 'call.claimed')) await hold.promise;
      return go();
    };
    await process.click('approve');
    await world.clock.advance(371_000);
    await other.worker.tick();
    await other.settle();
    expect(world.ran).toHaveLength(1);
    hold.keep();
    await world.until(process.worker.idle());
    expect(world.ran).toHaveLength(1);
    expect(await outcomes(world)).toEqual(['done']);
  });
});
