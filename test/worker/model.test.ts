import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { ModelRequest, Turn } from '../../src/worker/ports.ts';
import { DANA, LEO, MIA, terms, World, type Process } from './rig.ts';

const outcomes = async (world: World): Promise<string[]> => {
  const thread = await world.thread();
  return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
};
/** What of a conversation is not in its place: a result without its call, a call without its result. */
function misplaced(conversation: readonly Turn[]): string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const turn of conversation) {
    if (turn.kind === 'result') {
      if (open.shift() !== turn.call) wrong.push(`result ${turn.call}`);
      continue;
    }
    wrong.push(...open);
    open = turn.kind === 'reply' ? turn.calls.map(call => call.id) : [];
  }
  return [...wrong, ...open];
}
const usage = { input: 10, output: 5 };

/** A model that always wants one more call. */
const endless = (world: World, tool = 'read_file'): void => {
  let count = 0;
  const again = (): void => {
    world.answers.push(() => {
      again();
      return { reply: { model: 'm', text: '', calls: [{ tool, args: `{"n":${(count += 1)}}` }], usage } };
    });
  };
  again();
};

describe('what the model is shown', () => {
  test('is messages, its own replies, and one result per call, also after messages meanwhile, rejections and ended runs [F-B9, F-F1, F-F5, F-I2, F-H9, F-H10]', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'execute', args: { n: 1 } }, { tool: 'read_file' }, { tool: 'gone' });
    world.reply({ tool: 'execute', args: { n: 2 } });
    world.say('That is all.');
    await process.say('do it');
    await process.settle();
    await process.say('and hurry');
    await process.settle();
    await process.click('reject', MIA, { reason: 'no' });
    await process.settle();
    await process.click('approve', MIA);
    world.answers.push(() => ({ reply: { model: 'm', text: 'Hurried.', calls: [], usage } }));
    await process.settle();
    await process.say('thanks');
    world.say('Welcome.');
    await process.settle();
    expect(world.requests.length).toBeGreaterThanOrEqual(4);
    expect(world.requests.flatMap(({ conversation }) => misplaced(conversation))).toEqual([]);
    const last = world.requests.at(-1)?.conversation ?? [];
    const results = last.flatMap(turn => (turn.kind === 'result' ? [turn.outcome.is] : []));
    expect(results).toEqual(['rejected', 'done', 'refused', 'done']);
    expect(last.filter(turn => turn.kind === 'message')).toHaveLength(3);
  });

  test('of a run that was cancelled before anything was said is that it was, so that its message is not done later', async () => {
    const world = new World();
    const process = world.process();
    world.answers.push(
      ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve({ away: 'x' }))),
    );
    await process.say('delete everything');
    await world.clock.advance(0);
    await process.say('cancel');
    await process.settle();
    world.say('Hello.');
    await process.say('hello');
    await process.settle();
    const [, second] = world.requests;
    expect(second?.conversation.map(turn => turn.kind)).toEqual(['message', 'reply', 'message']);
  });
});

describe('arguments that cannot be used', () => {
  test('unknown tools, broken JSON and lone surrogates are results for the model; nothing runs, nobody is asked [F-C6, F-E6, T-A1c]', async () => {
    const world = new World();
    const process = world.process();
    const calls = [
      { tool: 'gone', args: '{}' },
      { tool: 'execute', args: '{"argv": [' },
      { tool: 'execute', args: '{"argv": ["\\ud800"]}' },
      { tool: 'execute', args: `{"argv": ["\ud800"]}` },
      { tool: 'execute', args: JSON.stringify({ text: 'x'.repeat(70_000) }) },
    ];
    world.answers.push(() => ({ reply: { model: 'm', text: 'a\udfffb', calls, usage } }));
    world.say('Sorry.');
    await process.say('do it');
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.calls).map(call => call.state)).toMatchObject([
      { is: 'refused', code: 'unknown_tool' },
      { is: 'refused', code: 'invalid_arguments' },
      { is: 'refused', code: 'invalid_arguments' },
      { is: 'refused', code: 'invalid_arguments' },
      { is: 'refused', code: 'too_long' },
    ]);
    expect(thread.approvals).toEqual({});
    expect(world.ran).toEqual([]);
    expect(thread.runs['r1']?.answer).toBe('Sorry.');
  });
});

describe('a model that never stops', () => {
  const story = async (
    limits: Partial<World['limits']>,
    minutesATurn = 0,
  ): Promise<{ world: World; process: Process }> => {
    const world = new World();
    world.limits = { ...world.limits, ...limits };
    const process = world.process();
    endless(world);
    if (minutesATurn > 0)
      world.outcome = async () => {
        await world.clock.sleep(minutesATurn * 60_000);
        return { how: 'succeeded', effect: 'none', result: '' };
      };
    await process.say('go on for ever');
    await world.until(process.worker.idle(), 30_000);
    return { world, process };
  };

  test('ends at the configured steps, tokens or time, and says which; a new message begins a new run', async () => {
    for (const [limits, minutes, code, turns] of [
      [{ steps: 7 }, 0, 'steps', 7],
      [{ tokens: 45 }, 0, 'tokens', 3],
      [{ wallMs: 10 * 60_000 }, 3, 'wall', 4],
    ] as const) {
      const { world, process } = await story(limits, minutes);
      const run = (await world.thread()).runs['r1'];
      expect(run?.end).toMatchObject({ how: 'exhausted', code });
      expect(run?.turn).toBe(turns);
      expect(world.ran.length).toBeLessThanOrEqual(turns);
      world.answers.length = 0;
      world.say('Hello again.');
      await process.say('hello?');
      await world.until(process.worker.idle());
      expect((await world.thread()).runs['r2']?.answer).toBe('Hello again.');
    }
  });

  test('is not helped by a restart: what was used stays used', async () => {
    const world = new World();
    world.limits = { ...world.limits, steps: 5 };
    const process = world.process();
    const five = (): void => {
      world.answers.length = 0;
      endless(world);
    };
    world.reply({ tool: 'read_file' }, { tool: 'execute' });
    await process.say('go on');
    await process.settle();
    process.kill();
    five();
    const next = world.process('node1/2');
    await next.click('reject', MIA);
    await next.settle();
    const run = (await world.thread()).runs['r1'];
    expect(run).toMatchObject({ turn: 5, end: { how: 'exhausted', code: 'steps' } });
    expect(world.requests).toHaveLength(5);
  });

  test('waiting for people costs no time: a run goes on after days', async () => {
    const world = new World();
    world.asks['execute'] = terms({ expiresInMs: 14 * 24 * 3_600_000 });
    const process = world.process();
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await world.clock.advance(13 * 24 * 3_600_000);
    await process.click('approve');
    await process.settle();
    expect(await outcomes(world)).toEqual(['done']);
    expect((await world.thread()).runs['r1']?.end?.how).toBe('succeeded');
  });
});

describe('a model that is away', () => {
  const away = (world: World, times: number): void => {
    for (let n = 0; n < times; n += 1) world.answers.push(() => ({ away: 'timeout' }));
  };

  test('is tried again, operators are told once, and the run goes on from what was done when it is back [F-E1, F-E15]', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'execute' });
    away(world, 4);
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await process.settle();
    expect((await world.thread()).runs['r1']?.away).toMatchObject({ code: 'timeout' });
    expect(await outcomes(world)).toEqual(['done']);
    for (let n = 0; n < 12; n += 1) {
      await world.clock.advance(10_000);
      await process.settle();
    }
    const thread = await world.thread();
    expect(thread.runs['r1']).toMatchObject({ away: null, answer: 'Done.', end: { how: 'succeeded' } });
    expect(world.ran).toHaveLength(1);
    expect(Object.keys(thread.approvals)).toHaveLength(1);
  });

  test('for longer than the patience ends the run; what was done stays done, and a message begins again', async () => {
    const world = new World();
    const process = world.process();
    away(world, 200);
    await process.say('hello');
    await process.settle();
    for (let n = 0; n < 100; n += 1) {
      await world.clock.advance(10_000);
      await process.settle();
    }
    const asked = world.requests.length;
    expect(asked).toBeLessThan(40);
    expect((await world.thread()).runs['r1']?.end).toMatchObject({ how: 'failed', code: 'model_away' });
    expect(await world.thread()).toMatchObject({ lease: null });
    world.answers.length = 0;
    world.say('Here.');
    await process.say('again');
    await process.settle();
    expect((await world.thread()).runs['r2']?.answer).toBe('Here.');
  });

  test('does not keep a cancel, a message or a stop from being taken [F-I4]', async () => {
    const world = new World();
    const process = world.process();
    away(world, 3);
    await process.say('hello');
    await process.settle();
    expect(await process.say('cancel')).toBe(true);
    await process.settle();
    expect((await world.thread()).runs['r1']?.end?.how).toBe('cancelled');
    await world.until(process.worker.stop());
  });

  test('that refuses to answer ends the run with its reason, and operators are told', async () => {
    const world = new World();
    const process = world.process();
    world.answers.push((_: ModelRequest) => ({ refused: 'refused', detail: 'content filter' }));
    await process.say('hello');
    await process.settle();
    expect((await world.thread()).runs['r1']?.end).toMatchObject({
      how: 'failed',
      code: 'refused',
      detail: 'content filter',
    });
    expect(process.told.some(line => line.includes('content filter'))).toBe(true);
  });
});

describe('rejections', () => {
  test('by mode lead to the model, to reading only, or to the end of the run [F-F3, F-G6, T-A20b]', async () => {
    for (const [then, asked, end] of [
      ['replan', 2, 'succeeded'],
      ['read_only', 2, 'succeeded'],
      ['stop', 1, 'failed'],
      ['requester', 1, 'failed'],
    ] as const) {
      const world = new World();
      const process = world.process();
      world.asks['execute'] = terms({ onReject: then });
      world.reply({ tool: 'execute' });
      world.say('Understood.');
      await process.say('run it');
      await process.settle();
      await process.click('reject', LEO, { reason: 'Not during the sale.' });
      await process.settle();
      expect(world.requests).toHaveLength(asked);
      expect((await world.thread()).runs['r1']?.end?.how).toBe(end);
      expect(await outcomes(world)).toEqual(['rejected']);
      expect(world.ran).toHaveLength(0);
    }
  });

  test('allow one more request in the run, whether it is put in one reply or several [F-G6, T-A5b]', async () => {
    const world = new World();
    const process = world.process();
    world.reply({ tool: 'execute', args: { n: 1 } });
    world.reply(
      { tool: 'execute', args: { n: 1 } },
      { tool: 'execute', args: { n: 2 } },
      { tool: 'execute', args: { n: 3 } },
    );
    world.reply({ tool: 'execute', args: { n: 4 } });
    world.say('I give up.');
    await process.say('run it', DANA);
    await process.settle();
    for (let n = 0; n < 2; n += 1) {
      await process.click('reject', MIA);
      await process.settle();
    }
    expect(await outcomes(world)).toEqual(['rejected', 'refused', 'rejected', 'refused', 'refused']);
    expect((await world.thread()).runs['r1']?.answer).toBe('I give up.');
  });
});
