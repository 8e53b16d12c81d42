import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Json, Scope } from '../../src/thread/events.ts';
import type { QuestionId, UserId } from '../../src/thread/ids.ts';
import { defineTool, type ExecuteContext } from '../../src/tools/define.ts';
import type { ToolError } from '../../src/tools/error.ts';
import type { Told, ToolOutcome } from '../../src/worker/ports.ts';
import { call, project, type Project } from './project.ts';

const DAY_MS = 86_400_000;

const tool = (execute: (context: ExecuteContext) => Promise<unknown>) =>
  defineTool({
    name: 'tool',
    description: 'A tool.',
    parameters: z.object({}),
    effect: 'write',
    risk: 'low',
    summary: () => 'Do it',
    execute: async (_, context) => JSON.stringify((await execute(context)) ?? null),
  });

const answered = (value: Json): Told => ({
  is: 'answered',
  question: 'Q' as QuestionId,
  value,
  by: 'U0DANA001' as UserId,
  name: 'Dana Ito',
});

/** A call as the log would keep it: attempts, what was told, which steps began and what they returned. */
async function log(execute: (context: ExecuteContext) => Promise<unknown>) {
  const world = await project({ tools: [tool(execute)] });
  const told: Record<string, Told> = {};
  const steps: Record<string, Json> = {};
  const begun: string[] = [];
  const attempt = (more: Parameters<Project['execute']>[2] = {}): Promise<ToolOutcome> =>
    world.execute(
      'tool',
      {},
      {
        told,
        steps: { ...steps },
        beginStep: async name => void begun.push(name),
        stepDone: async (name, value) => void (steps[name] = value),
        ...more,
      },
    );
  return { ...world, told, steps, begun, attempt };
}

const never = () => new Promise<never>(() => {});
const ended = (value: unknown) => ({ how: 'succeeded', effect: 'done', result: JSON.stringify(value) });
const experts: Scope = { name: 'legal', label: 'Legal', users: ['U0NOOR001' as UserId], groups: [] };

describe('a question from inside a tool', () => {
  test('ends the attempt without an outcome, and the tool begins anew with the answer', async () => {
    const seen: string[] = [];
    const { attempt, told, clock } = await log(async ({ ask }) => {
      seen.push('begins');
      const city = await ask('city', { prompt: 'From which city?' });
      seen.push(city);
      return city;
    });
    expect(await attempt()).toEqual({
      how: 'suspended',
      name: 'city',
      asking: {
        on: 'question',
        kind: 'question',
        prompt: 'From which city?',
        form: { type: 'text' },
        scopes: [],
        channel: null,
        expiresInMs: DAY_MS,
      },
    });
    // Nobody waits for the rest of its time, nor for the grace behind it.
    expect(clock.sleeping()).toBe(0);
    told['city'] = answered('Berlin');
    expect(await attempt()).toEqual(ended('Berlin'));
    expect(seen).toEqual(['begins', 'begins', 'Berlin']);
  });

  test.each<[string, Json]>([
    ['yes_no', false],
    ['yes_no', true],
    ['number', 0],
    ['number', -0.5],
    ['text', ''],
    ['text', '0'],
  ] as const)('of the form %s is answered with exactly %j [F-A6]', async (type, value) => {
    const { attempt, told } = await log(({ ask }) =>
      ask('q', { prompt: 'Well?', form: { type: type as 'text' | 'number' | 'yes_no' } }),
    );
    told['q'] = answered(value);
    expect(await attempt()).toEqual(ended(value));
  });

  test.each<Json>([0, false, '', null, [], { a: [0] }, 'v41'])(
    'with options is answered with exactly the value of one: %j [F-A6]',
    async value => {
      const options = [
        { value: 'no', label: 'None of it' },
        { value, label: 'This' },
      ];
      const { attempt, told } = await log(({ choose }) => choose('q', { prompt: 'Which?', options }));
      told['q'] = answered(value);
      expect(await attempt()).toEqual(ended(value));
    },
  );

  test.each<[Json[]]>([[[]], [[0, false]], [['', 0]]])(
    'with several options is answered with exactly the list %j [F-A6]',
    async chosen => {
      const options = [0, false, ''].map(value => ({ value, label: JSON.stringify(value) }));
      const { attempt, told } = await log(({ choose }) => choose('q', { prompt: 'Which?', options, several: true }));
      expect(await attempt()).toMatchObject({ asking: { kind: 'choice', form: { type: 'choices', options, min: 0 } } });
      told['q'] = answered(chosen);
      expect(await attempt()).toEqual(ended(chosen));
    },
  );

  test('has the type of its form or of its options', async () => {
    await log(async ({ ask, choose, approve, step }) => {
      expectTypeOf(ask('a', { prompt: '?' })).resolves.toEqualTypeOf<string>();
      expectTypeOf(ask('a', { prompt: '?', form: { type: 'number', min: 1 } })).resolves.toEqualTypeOf<number>();
      expectTypeOf(
        ask('a', { prompt: '?', form: { type: 'yes_no' }, check: sure => (sure ? null : 'Be sure.') }),
      ).resolves.toEqualTypeOf<boolean>();
      const options = [
        { value: 1, label: 'One' },
        { value: 'two', label: 'Two' },
      ] as const;
      expectTypeOf(choose('a', { prompt: '?', options })).resolves.toEqualTypeOf<1 | 'two'>();
      expectTypeOf(choose('a', { prompt: '?', options, several: true })).resolves.toEqualTypeOf<
        readonly (1 | 'two')[]
      >();
      expectTypeOf(choose('a', { prompt: '?', options, other: true })).resolves.toEqualTypeOf<string | 1>();
      expectTypeOf(step('a', async () => ({ n: 1 }))).resolves.toEqualTypeOf<{ n: number }>();
      const decided = await approve('a', { summary: 'x', options: [{ value: 'v41', label: 'v41' }] });
      if (decided.approved) expectTypeOf(decided.option).toEqualTypeOf<'v41' | null>();
    });
  });

  test('is answered with other words where that is allowed, and only there', async () => {
    const asking = (other: boolean) =>
      log(({ choose }) => choose('q', { prompt: '?', options: [{ value: 1, label: 'One' }], other }));
    const free = await asking(true);
    free.told['q'] = answered('Two, and a half');
    expect(await free.attempt()).toEqual(ended('Two, and a half'));
    const strict = await asking(false);
    strict.told['q'] = answered('Two');
    expect(await strict.attempt()).toMatchObject({ how: 'failed', effect: 'none', code: 'asked_otherwise' });
  });

  test('stays open when the tool does not take the answer, with its reason, and the tool does not go on [F-C6]', async () => {
    const seen: string[] = [];
    const { attempt, told } = await log(async ({ ask }) => {
      const check = (city: string) => (city === 'Atlantis' ? `"${city}" is not a city I know.` : null);
      seen.push(await ask('city', { prompt: 'From which city?', check }));
    });
    told['city'] = answered('Atlantis');
    expect(await attempt()).toEqual({
      how: 'answer_refused',
      question: 'Q',
      why: '"Atlantis" is not a city I know.',
    });
    expect(seen).toEqual([]);
    told['city'] = answered('Berlin');
    await attempt();
    expect(seen).toEqual(['Berlin']);
  });

  test('that nobody answered is an error that the tool may catch, and that changed nothing [F-C8]', async () => {
    const { attempt, told } = await log(({ ask }) => ask('city', { prompt: 'From which city?' }));
    told['city'] = { is: 'over', why: 'Nobody answered by 16:05.' };
    expect(await attempt()).toEqual({
      how: 'failed',
      effect: 'none',
      code: 'not_answered',
      result: 'Nobody answered by 16:05.',
    });
    const catching = await log(({ ask }) => ask('city', { prompt: '?' }).catch(error => (error as ToolError).code));
    catching.told['city'] = { is: 'over', why: 'Nobody answered.' };
    expect(await catching.attempt()).toEqual(ended('not_answered'));
  });

  test('that nobody answered after a step was done does not say that nothing happened', async () => {
    const { attempt, told } = await log(async ({ step, ask }) => {
      await step('reserve', () => 'seat 1');
      await ask('pay', { prompt: 'Pay?' });
    });
    told['pay'] = { is: 'over', why: 'Nobody answered.' };
    expect(await attempt()).toMatchObject({ how: 'failed', effect: 'possible', code: 'not_answered' });
  });

  test('is never answered by anything but what was told: not by its prompt, other names, or the prototype [F-C8]', async () => {
    const { attempt, told } = await log(({ ask }) => ask('constructor', { prompt: 'yes' }));
    told['city'] = answered('Berlin');
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'constructor' });
  });

  test('is one question under one name, however often it is asked', async () => {
    const { attempt, told } = await log(async ({ ask }) => [
      await ask('city', { prompt: 'From where?' }),
      await ask('city', { prompt: 'From where?' }),
    ]);
    told['city'] = answered('Berlin');
    expect(await attempt()).toEqual(ended(['Berlin', 'Berlin']));
  });

  test.each(['', 'City', 'a b', '__proto__', 'x'.repeat(61), 'é'])('cannot be named %j', async name => {
    const { attempt } = await log(({ ask }) => ask(name, { prompt: '?' }));
    expect(await attempt()).toMatchObject({ how: 'failed', result: expect.stringContaining('is named by a-z, 0-9') });
  });
});

describe('a tool that waits', () => {
  test('cannot swallow it, whatever it catches, and nothing after it counts [F-C13]', async () => {
    const after: string[] = [];
    const { attempt } = await log(async ({ ask, step }) => {
      try {
        return await ask('city', { prompt: 'From which city?' });
      } catch {
        after.push('caught');
      } finally {
        after.push('finally');
      }
      await step('late', () => after.push('step'));
      return 'swallowed';
    });
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'city' });
    await new Promise(resolve => setImmediate(resolve));
    expect(after).toEqual([]);
  });

  test('is told by its signal that it was left; what fails then goes nowhere, and it can say nothing more', async () => {
    const signs: string[] = [];
    let reason: unknown;
    const { attempt } = await log(({ ask, signal, progress }) => {
      const work = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          progress('too late');
          reject(new Error('connection closed'));
        }),
      );
      progress('in time');
      return Promise.all([work, ask('city', { prompt: '?' })]);
    });
    const unhandled: unknown[] = [];
    const hear = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', hear);
    expect(await attempt({ progress: line => signs.push(line) })).toMatchObject({ how: 'suspended' });
    await new Promise(resolve => setImmediate(resolve));
    process.off('unhandledRejection', hear);
    expect([signs, unhandled]).toEqual([['in time'], []]);
    expect(reason).toMatchObject({ name: 'FrameLeft' });
  });

  test('and then gives up waiting by a clock of its own has still been left [F-C2]', async () => {
    const { attempt } = await log(({ ask, signal }) =>
      Promise.race([
        ask('sure', { prompt: 'Sure?', form: { type: 'yes_no' } }),
        new Promise(resolve => signal.addEventListener('abort', () => resolve(true))),
      ]),
    );
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'sure' });
  });

  test('that asks two things at once is told one after the other', async () => {
    const { attempt, told } = await log(({ ask }) =>
      Promise.all([ask('a', { prompt: 'A?' }), ask('b', { prompt: 'B?' })]),
    );
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'a' });
    told['a'] = answered('1');
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'b' });
    told['b'] = answered('2');
    expect(await attempt()).toEqual(ended(['1', '2']));
  });

  test('first for an approval and then for an answer makes two interrupts in order [F-I11]', async () => {
    const { attempt, told } = await log(async ({ approve, ask }) => {
      const paid = await approve('pay', { summary: 'Pay 20', impact: 'Money goes.', args: { amount: 20 } });
      return [paid, await ask('note', { prompt: 'What for?' })];
    });
    expect(await attempt()).toEqual({
      how: 'suspended',
      name: 'pay',
      asking: { on: 'call', summary: 'Pay 20', impact: 'Money goes.', args: { amount: 20 }, bind: {}, options: [] },
    });
    told['pay'] = { is: 'approved', option: null, by: ['U0MIA0001' as UserId] };
    expect(await attempt()).toMatchObject({ how: 'suspended', name: 'note', asking: { on: 'question' } });
    told['note'] = answered('lunch');
    expect(await attempt()).toEqual(ended([{ approved: true, option: null, by: ['U0MIA0001'] }, 'lunch']));
  });

  test('and is stopped does not ask any more', async () => {
    const stop = new AbortController();
    const { attempt } = await log(async ({ ask }) => {
      stop.abort();
      return ask('city', { prompt: '?' });
    });
    expect(await attempt({ signal: stop.signal })).toMatchObject({ how: 'failed', code: 'aborted' });
  });
});

describe('an approval from inside a tool', () => {
  const ways = [
    { value: 'v41', label: 'v41 (yesterday)' },
    { value: 'v40', label: 'v40 (Monday)' },
  ] as const;
  const rollBack = () => log(({ approve }) => approve('version', { summary: 'Roll billing back', options: ways }));

  test('with options is answered with one of them', async () => {
    const { attempt, told } = await rollBack();
    expect(await attempt()).toMatchObject({ asking: { on: 'call', options: ways } });
    told['version'] = { is: 'approved', option: 'v40', by: ['U0MIA0001' as UserId] };
    expect(await attempt()).toEqual(ended({ approved: true, option: 'v40', by: ['U0MIA0001'] }));
  });

  test.each<[string, Told]>([
    ['is no option', { is: 'approved', option: 'v99', by: [] }],
    ['names no option where there are some', { is: 'approved', option: null, by: [] }],
    ['is the answer to a question', answered('v41')],
  ])('that %s approves nothing [F-C7]', async (_, what) => {
    const { attempt, told } = await rollBack();
    told['version'] = what;
    expect(await attempt()).toMatchObject({ how: 'failed', effect: 'none', code: 'asked_otherwise' });
  });

  test.each<[Told]>([
    [{ is: 'not_approved', why: 'Rejected by Mia Chen: “Not now.”' }],
    [{ is: 'over', why: 'Nobody decided by 16:05.' }],
  ])('that did not come is a value: %j', async what => {
    const { attempt, told } = await rollBack();
    told['version'] = what;
    expect(await attempt()).toEqual(ended({ approved: false, why: 'why' in what ? what.why : '' }));
  });

  test('needs a summary, and options that are not alike', async () => {
    const bad = async (asked: Parameters<ExecuteContext['approve']>[1]) =>
      (await log(({ approve }) => approve('x', asked))).attempt();
    expect(await bad({ summary: ' ' })).toMatchObject({ how: 'failed' });
    const twice = { value: 'a' as never, label: 'A' };
    expect(await bad({ summary: 'x', options: [twice, twice] })).toMatchObject({
      result: expect.stringContaining('Two options of a request have one value.'),
    });
    for (const label of ['a ', ' '])
      expect(await bad({ summary: 'x', options: [twice, { value: 'b' as never, label }] })).toMatchObject({
        result: expect.stringContaining('Each option of a request needs words of its own'),
      });
  });
});

describe('a review', () => {
  const reviewing = () =>
    log(({ review }) =>
      review('draft', { title: 'Contract', draft: 'We …', reviewers: [experts], expiresInMs: 1_000 }),
    );

  test.each<Json>([{ action: 'accept' }, { action: 'edit', text: 'You …' }, { action: 'return', why: 'clause 4' }])(
    'comes back as the expert gave it, with who gave it: %j',
    async said => {
      const { attempt, told } = await reviewing();
      expect(await attempt()).toMatchObject({
        asking: { kind: 'review', form: { type: 'review', draft: 'We …' }, scopes: [experts], expiresInMs: 1_000 },
      });
      told['draft'] = answered(said);
      expect(await attempt()).toEqual(ended({ ...(said as object), by: 'U0DANA001', name: 'Dana Ito' }));
    },
  );

  test('that says anything else is none', async () => {
    const { attempt, told } = await reviewing();
    told['draft'] = answered('ok');
    expect(await attempt()).toMatchObject({ how: 'failed', code: 'asked_otherwise' });
  });

  test('needs somebody who may review', async () => {
    const { attempt } = await log(({ review }) =>
      review('draft', { title: 'x', draft: 'y', reviewers: [], expiresInMs: 1 }),
    );
    expect(await attempt()).toMatchObject({ how: 'failed', result: expect.stringContaining('names nobody') });
  });
});

describe('another agent', () => {
  test('is given a task, and its answer comes back', async () => {
    const { attempt, told } = await log(({ run }) => run('research', { agent: 'researcher', task: 'Find it.' }));
    expect(await attempt()).toEqual({
      how: 'suspended',
      name: 'research',
      asking: { on: 'run', agent: 'researcher', task: 'Find it.' },
    });
    told['research'] = { is: 'done', text: 'Found.' };
    expect(await attempt()).toEqual(ended('Found.'));
    told['research'] = { is: 'over', why: 'The run was cancelled.' };
    expect(await attempt()).toMatchObject({ how: 'failed', code: 'agent_failed', result: 'The run was cancelled.' });
  });
});

describe('a step', () => {
  test('is done once, in the log before and after, and its result is given again in later attempts [F-B4, F-B5, S-58]', async () => {
    const effects: string[] = [];
    const { attempt, told, steps, begun } = await log(async ({ step, ask, key }) => {
      const seat = await step('reserve', () => {
        effects.push(key);
        return { seat: 0, free: false };
      });
      return [seat, await ask('pay', { prompt: 'Pay?' })];
    });
    await attempt();
    expect([effects, begun, steps]).toEqual([[call], ['reserve'], { reserve: { seat: 0, free: false } }]);
    told['pay'] = answered('yes');
    expect(await attempt()).toEqual(ended([{ seat: 0, free: false }, 'yes']));
    expect(effects).toEqual([call]);
  });

  test('begins only when that stands in the log, and its tool goes on only when its result does [F-B5]', async () => {
    const order: string[] = [];
    const { attempt } = await log(async ({ step }) => {
      await step('s', () => order.push('work'));
      order.push('on');
    });
    let begin = () => {};
    let keep = () => {};
    const running = attempt({
      beginStep: () => new Promise(resolve => (begin = () => (order.push('begun'), resolve()))),
      stepDone: () => new Promise(resolve => (keep = () => (order.push('kept'), resolve()))),
    });
    const settle = () => new Promise(resolve => setImmediate(resolve));
    await settle();
    expect(order).toEqual([]);
    begin();
    await settle();
    expect(order).toEqual(['begun', 'work']);
    keep();
    await running;
    expect(order).toEqual(['begun', 'work', 'kept', 'on']);
  });

  test('that returns nothing, null, 0, false or an empty list is done [F-A6]', async () => {
    let done = 0;
    const values = [undefined, null, 0, false, '', []];
    const { attempt, steps } = await log(async ({ step }) => {
      for (const [index, value] of values.entries()) {
        await step(`s${index}`, () => {
          done += 1;
          return value as Json;
        });
      }
    });
    await attempt();
    expect(Object.values(steps)).toEqual([null, null, 0, false, '', []]);
    await attempt();
    expect(done).toBe(values.length);
  });

  test('of one name runs once in an attempt, also when it is asked for twice at once', async () => {
    let done = 0;
    const { attempt } = await log(({ step }) => Promise.all(['s', 's'].map(name => step(name, () => (done += 1)))));
    expect(await attempt()).toEqual(ended([1, 1]));
  });

  test('that fails keeps nothing and is done again next time', async () => {
    let tries = 0;
    const { attempt, steps } = await log(({ step }) =>
      step('s', () => {
        tries += 1;
        if (tries === 1) throw new Error('no route');
        return tries;
      }),
    );
    expect(await attempt()).toMatchObject({ how: 'failed', effect: 'possible' });
    expect(steps).toEqual({});
    expect(await attempt()).toEqual(ended(2));
  });

  test.each<[string, unknown]>([
    ['a date', new Date(0)],
    ['not a number', Number.NaN],
    ['a hole', { a: undefined }],
    ['a function', () => {}],
    ['a number too large for JSON', 1n],
    ['half a surrogate pair', '\ud800'],
    ['more than 32 KB', 'x'.repeat(40_000)],
  ])('that returns %s is told so in a sentence', async (_, value) => {
    const { attempt, steps } = await log(({ step }) => step('s', () => value as Json));
    expect(await attempt()).toMatchObject({
      how: 'failed',
      effect: 'possible',
      result: expect.stringMatching(/The step "s" (did not return JSON|returned \d+ bytes; at most)/),
    });
    expect(steps).toEqual({});
  });

  test('that runs while something is asked ends first, so that it is not done again', async () => {
    let finish = () => {};
    const { attempt, told, steps } = await log(({ step, ask }) =>
      Promise.all([
        step('slow', () => new Promise<string>(resolve => (finish = () => resolve('slow')))),
        ask('city', { prompt: '?' }),
      ]),
    );
    const running = attempt();
    await new Promise(resolve => setImmediate(resolve));
    finish();
    expect(await running).toMatchObject({ how: 'suspended', name: 'city' });
    expect(steps).toEqual({ slow: 'slow' });
    told['city'] = answered('Berlin');
    expect(await attempt()).toEqual(ended(['slow', 'Berlin']));
  });

  test('that does not end while something is asked is stopped at the end of the time', async () => {
    const { attempt, clock } = await log(({ step, ask }) =>
      Promise.all([step('slow', never), ask('city', { prompt: '?' })]),
    );
    const running = attempt();
    await clock.advance(35_000);
    expect(await running).toMatchObject({ how: 'failed', effect: 'possible', code: 'timed_out' });
  });

  test('cannot wait for people, also when it has been told already', async () => {
    const { attempt, told } = await log(({ step, ask }) => step('s', () => ask('city', { prompt: '?' })));
    const says = {
      how: 'failed',
      result: expect.stringContaining('"city" was asked inside the step "s". A step cannot wait for people'),
    };
    expect(await attempt()).toMatchObject(says);
    told['city'] = answered('Berlin');
    expect(await attempt()).toMatchObject(says);
  });
});
