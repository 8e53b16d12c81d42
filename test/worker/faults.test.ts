import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { LogUnavailable, type Answer, type Log } from '../../src/worker/ports.ts';
import { KEY, MIA, NullViews, World, type Process } from './rig.ts';

type Fault = 'before' | 'after';

/** The log, with these calls failing as DynamoDB does: nothing happened, or it happened and the answer was lost. */
function failing(log: Log, wrong: (call: number) => Fault | null): { log: Log; calls: () => number } {
  let calls = 0;
  const through = async <T>(go: () => Promise<T>): Promise<T> => {
    calls += 1;
    const fault = wrong(calls);
    if (fault === 'before') throw new LogUnavailable('The table does not answer.');
    const result = await go();
    if (fault === 'after') throw new LogUnavailable('The answer was lost.');
    return result;
  };
  return {
    calls: () => calls,
    log: {
      load: (...args) => through(() => log.load(...args)),
      append: (...args) => through(() => log.append(...args)),
      offerSnapshot: (...args) => log.offerSnapshot(...args),
      putBlob: (...args) => through(() => log.putBlob(...args)),
      getBlob: (...args) => through(() => log.getBlob(...args)),
      due: (...args) => through(() => log.due(...args)),
      clearWake: (...args) => through(() => log.clearWake(...args)),
      putMark: (...args) => through(() => log.putMark(...args)),
      marksOf: (...args) => through(() => log.marksOf(...args)),
      lately: (...args) => through(() => log.lately(...args)),
    },
  };
}

/** As Slack and people do: once more if it was not taken, or if they were told to try again in a minute. */
async function persistently(world: World, act: () => Promise<boolean | Answer>): Promise<void> {
  for (let attempt = 0; attempt <= 20; attempt += 1) {
    try {
      const answer = await world.until(act());
      if (typeof answer === 'boolean' || answer.refusal?.code !== 'lookup_failed') return;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
    }
    await world.clock.advance(5_000);
  }
  throw new Error('It was never taken.');
}

/** The main job, from the message to the answer, with whatever goes wrong on the way. */
async function story(
  wrong: (call: number) => Fault | null,
): Promise<{ world: World; process: Process; calls: number }> {
  const world = new World();
  const { log, calls } = failing(world.log('node1/1'), wrong);
  const process = world.process('node1/1', { log });
  const model = (): void => {
    world.answers.length = 0;
    world.answers.push(async request => {
      const asked = request.conversation.some(turn => turn.kind === 'result');
      const call = { tool: 'execute', args: '{"n":1}' };
      model();
      return { reply: { model: 'scripted', text: '', calls: asked ? [] : [call], usage: { input: 1, output: 1 } } };
    });
  };
  model();
  const rest = async (): Promise<void> => {
    for (let n = 0; n < 14; n += 1) {
      await world.clock.advance(5_000);
      await process.worker.tick();
    }
  };
  const ts = '1764511300.000001' as never;
  await persistently(world, () => process.say('run it', undefined, { ts }));
  await rest();
  const call = Object.values((await world.thread()).calls)[0];
  if (!call) throw new Error('Nothing was asked.');
  await persistently(world, () => process.click('approve', MIA, { key: 'k1', call }));
  await rest();
  return { world, process, calls: calls() };
}

/** What the log says of the story in the end. */
async function whatCame(world: World): Promise<object> {
  const thread = await world.thread();
  return {
    outcomes: Object.values(thread.calls).map(call => outcomeOf(thread, call).is),
    runs: Object.values(thread.runs).map(run => run.end?.how),
    messages: Object.values(thread.messages).length,
    votes: Object.values(thread.approvals).map(({ state, votes }) => [state.is, ...votes.map(vote => vote.by)]),
    rests: thread.lease === null && thread.rests,
    executions: world.ran.length,
  };
}
const DONE = {
  outcomes: ['done'],
  runs: ['succeeded'],
  messages: 1,
  votes: [['approved', MIA]],
  rests: true,
  executions: 1,
};

describe('a table that does not answer', () => {
  test('once, at any call, whether the write was made or not: one message, one decision, one execution, nothing in doubt [F-B5, F-E1, T-C1, T-C18, T-D4]', async () => {
    const { world, calls } = await story(() => null);
    expect(await whatCame(world)).toEqual(DONE);
    expect(calls).toBeGreaterThan(10);
    for (let call = 1; call <= calls; call += 1)
      for (const fault of ['before', 'after'] as const) {
        const tried = await story(n => (n === call ? fault : null));
        expect(await whatCame(tried.world), `${fault} call ${call}`).toEqual(DONE);
      }
  });

  test('for several calls in a row, from any call on: the same [T-C1]', async () => {
    const { calls } = await story(() => null);
    for (let call = 1; call <= calls; call += 1)
      expect(
        await whatCame(
          (await story(n => (n >= call && n < call + 6 ? (n % 2 === 0 ? 'after' : 'before') : null))).world,
        ),
      ).toEqual(DONE);
  });

  test('now and then for ever: the same [T-C1]', async () => {
    for (const every of [5, 7, 8, 11, 13])
      expect(
        await whatCame((await story(n => (n % every === 0 ? (n % 2 === 0 ? 'after' : 'before') : null))).world),
      ).toEqual(DONE);
  });

  test('when the outcome is to be written: it is insisted on, and operators are told meanwhile [F-B5]', async () => {
    const world = new World();
    let down = false;
    const { log } = failing(world.log('node1/1'), () => (down ? 'before' : null));
    const process = world.process('node1/1', { log });
    world.outcome = () => {
      down = true;
      return { how: 'succeeded', effect: 'done', result: 'hello' };
    };
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await world.clock.advance(120_000);
    expect(world.ran).toHaveLength(1);
    expect(process.told.some(line => line.startsWith('table table_unavailable'))).toBe(true);
    down = false;
    await world.clock.advance(30_000);
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.calls).map(call => outcomeOf(thread, call).is)).toEqual(['done']);
    expect(world.ran).toHaveLength(1);
  });

  test('refuses what people bring by an error, and counts nothing: the same click counts later', async () => {
    const world = new World();
    let down = false;
    const { log } = failing(world.log('node1/1'), () => (down ? 'before' : null));
    const process = world.process('node1/1', { log });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    down = true;
    await expect(process.say('more')).rejects.toThrow(LogUnavailable);
    await expect(process.click('approve')).rejects.toThrow(LogUnavailable);
    down = false;
    expect((await process.click('approve')).refusal).toBeNull();
    expect(Object.values((await world.thread()).messages)).toHaveLength(1);
  });
});

describe('a log that was changed in the table', () => {
  test('stops the thread: nothing more is decided or run, and operators are told [T-A23, T-A9a]', async () => {
    const world = new World();
    const process = world.process('node1/1');
    world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
    await process.say('run it');
    await process.settle();
    for (const [, { commits }] of world.table.partitions)
      for (const [number, stored] of commits)
        if (stored.content?.body.includes('hello'))
          commits.set(number, {
            ...stored,
            content: { ...stored.content, body: stored.content.body.replaceAll('hello', 'rm -rf') },
          });
    const views = new NullViews();
    const other = world.process('node2/1', { views });
    await expect(other.click('approve')).rejects.toThrow('was changed in the table');
    await world.clock.advance(4 * 3_600_000 + 1_000);
    await other.worker.tick();
    await world.clock.advance(0);
    expect(world.ran).toHaveLength(0);
    expect(other.told.some(line => line.includes('thread_damaged'))).toBe(true);
    expect(views.toldDamaged).toEqual([KEY]);
    expect(await other.say('are you there?')).toBe(false);
  });
});
