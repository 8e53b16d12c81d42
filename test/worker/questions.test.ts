import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import { openQuestions, type Call, type Thread } from '../../src/thread/thread.ts';
import { answered, done, question, request, waits } from './from-inside.ts';
import { DANA, LEO, MIA, SRE, World, type Process } from './rig.ts';

const first = (thread: Thread): Call => {
  const [call] = Object.values(thread.calls);
  if (!call) throw new Error('There is no call.');
  return call;
};

/** A tool that books once it knows the city; nobody has to approve it. */
async function booking(form: Parameters<typeof question>[1] = {}): Promise<{ world: World; process: Process }> {
  const world = new World();
  const process = world.process();
  world.outcome = execution => {
    const told = execution.told['city'];
    if (told?.is === 'over') return done(told.why);
    const city = answered(execution, 'city');
    return city === undefined
      ? waits('city', question('From which city?', form))
      : done(`From ${JSON.stringify(city)}`);
  };
  world.reply({ tool: 'book' });
  world.say('Booked.');
  await process.say('book a flight');
  await process.settle();
  return { world, process };
}

describe('a tool that asks from inside', () => {
  test('waits with nothing under way, whatever time passes and however often it is looked at, until a person answers [F-C8]', async () => {
    const { world, process } = await booking();
    expect(first(await world.thread()).state).toMatchObject({ is: 'suspended', name: 'city' });
    for (let n = 0; n < 3; n += 1) {
      await world.clock.advance(10 * 60_000);
      await process.worker.tick();
      await process.settle();
    }
    expect(world.ran).toHaveLength(1);
    expect(process.worker.executing).toBe(0);
    expect((await process.answer({ text: 'Bern' })).refusal).toBeNull();
    await process.settle();
    const thread = await world.thread();
    expect(first(thread).state).toMatchObject({ is: 'ended', ending: { result: 'From "Bern"' } });
    expect(thread.runs['r1']?.end?.how).toBe('succeeded');
  });

  test('goes on in another process, with what was answered while none ran', async () => {
    const { world, process } = await booking();
    process.kill();
    const second = world.process('node2/1');
    await second.answer({ text: 'Bern' });
    await second.settle();
    expect(world.ran.map(each => each.execution.slice(-2))).toEqual(['.1', '.2']);
    expect(world.ran[1]?.told).toMatchObject({ city: { is: 'answered', value: 'Bern', by: DANA } });
    expect(first(await world.thread()).state.is).toBe('ended');
  });

  test.each([
    [{ type: 'number' } as const, '0', 0],
    [{ type: 'yes_no' } as const, false, false],
    [{ type: 'choices', options: [{ value: 'a', label: 'A' }] } as const, [], []],
  ] as const)('is given exactly what was answered to %j', async (form, given, value) => {
    const { world, process } = await booking({ form: form as never });
    const answer = typeof given === 'string' ? { text: given } : { value: given as Json };
    expect((await process.answer(answer)).refusal).toBeNull();
    await process.settle();
    expect(world.ran[1]?.told['city']).toMatchObject({ value });
  });

  test('takes the next message of the person asked as the answer', async () => {
    const { world, process } = await booking();
    await process.say('Bern', DANA, { mention: false });
    await process.settle();
    const thread = await world.thread();
    expect(first(thread).state).toMatchObject({ is: 'ended', ending: { result: 'From "Bern"' } });
    expect(thread.queue).toEqual([]);
    expect(Object.keys(thread.runs)).toEqual(['r1']);
  });

  test('that does not take an answer asks again, says why, and runs on with the next one', async () => {
    const { world, process } = await booking();
    const take = world.outcome;
    world.outcome = execution => {
      const told = execution.told['city'];
      if (told?.is === 'answered' && told.value === 'Atlantis')
        return { how: 'answer_refused', question: told.question, why: '"Atlantis" is not a city I know.' };
      return take(execution);
    };
    await process.answer({ text: 'Atlantis' });
    await process.settle();
    const [open] = openQuestions(await world.thread());
    expect(open).toMatchObject({ asked: 1, wrong: { given: 'Atlantis', why: '"Atlantis" is not a city I know.' } });
    await process.answer({ text: 'Bern' });
    await process.settle();
    expect(first(await world.thread()).state.is).toBe('ended');
  });

  test('hears that nobody answered, once the time is over', async () => {
    const { world, process } = await booking();
    await world.clock.advance(3_600_000);
    await process.worker.tick();
    await process.settle();
    expect(first(await world.thread()).state).toMatchObject({ ending: { result: 'Nobody answered in time.' } });
  });

  test('asks experts where it names them: others are refused, and the requester is', async () => {
    const { world, process } = await booking({
      scopes: [SRE],
      kind: 'review',
      form: { type: 'review', title: 'Draft', draft: 'text' },
    });
    const accept = { value: { action: 'accept' } } as const;
    expect((await process.answer(accept, DANA)).refusal?.code).toBe('requester');
    expect((await process.answer(accept, 'U0OTTO001' as never)).refusal?.code).toBe('not_asked');
    expect((await process.answer(accept, MIA)).refusal).toBeNull();
    await process.settle();
    expect(first(await world.thread()).state.is).toBe('ended');
  });

  test('fails at once where nobody could answer but who asked for the work: no question waits for nobody', async () => {
    const form = { type: 'review', title: 'Draft', draft: 'text' } as const;
    for (const users of [[DANA], []]) {
      const { world } = await booking({ scopes: [{ ...SRE, users }], kind: 'review', form });
      const thread = await world.thread();
      expect(first(thread).state).toMatchObject({ is: 'ended', ending: { how: 'failed', code: 'no_experts' } });
      expect(Object.keys(thread.questions)).toEqual([]);
    }
  });

  test('ends when its run is cancelled, and its question with it', async () => {
    const { world, process } = await booking();
    await process.say('cancel');
    await process.settle();
    const thread = await world.thread();
    expect(first(thread).state).toMatchObject({ is: 'ended', ending: { code: 'cancelled', effect: 'none' } });
    expect(openQuestions(thread)).toEqual([]);
    expect(world.ran).toHaveLength(1);
  });

  test('is not let on while everything is frozen, and is after that', async () => {
    const { world, process } = await booking();
    await process.worker.inbox.freeze({ user: MIA, team: process.ports.team }, 'bad deploy');
    await process.answer({ text: 'Bern' });
    await process.settle();
    expect(world.ran).toHaveLength(1);
    await process.worker.inbox.unfreeze({ user: 'U0ANA0001' as never, team: process.ports.team });
    await process.settle();
    expect(world.ran).toHaveLength(2);
  });
});

describe('a tool that needs approval first and asks later', () => {
  test('makes two interrupts in order, and its approval is not asked for again [F-I11]', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = execution => {
      const city = answered(execution, 'city');
      return city === undefined
        ? waits('city', question('From which city?', { expiresInMs: 24 * 3_600_000 }))
        : done(`From ${JSON.stringify(city)}`);
    };
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    expect(openQuestions(await world.thread())).toEqual([]);
    expect(world.ran).toHaveLength(0);
    await process.click('approve');
    await process.settle();
    expect(openQuestions(await world.thread())).toHaveLength(1);
    // Longer than the request itself would have waited.
    await world.clock.advance(5 * 3_600_000);
    await process.answer({ text: 'Bern' });
    await process.settle();
    const thread = await world.thread();
    expect(Object.keys(thread.approvals)).toHaveLength(1);
    expect(first(thread).state).toMatchObject({ is: 'ended', ending: { result: `From "Bern"` } });
  });
});

describe('a step of a tool', () => {
  test('runs once: after an interrupt and in another process its result is there', async () => {
    const world = new World();
    const process = world.process();
    let booked = 0;
    world.outcome = async execution => {
      if (execution.steps['hold'] === undefined) {
        await execution.beginStep('hold');
        booked += 1;
        await execution.stepDone('hold', { seat: 0 });
      }
      return answered(execution, 'sure') === undefined
        ? waits('sure', question('Sure?', { form: { type: 'yes_no' } }))
        : done('booked');
    };
    world.reply({ tool: 'book' });
    world.say('Done.');
    await process.say('book it');
    await process.settle();
    process.kill();
    const second = world.process('node2/1');
    await second.answer({ value: false });
    await second.settle();
    expect(booked).toBe(1);
    expect(world.ran[1]?.steps).toEqual({ hold: { seat: 0 } });
    expect(first(await world.thread()).state.is).toBe('ended');
  });

  test('has begun in the log before it begins, and is over there before the tool goes on', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = async execution => {
      await execution.beginStep('hold');
      world.trace.push('step');
      await execution.stepDone('hold', 1);
      world.trace.push('after');
      return done('booked');
    };
    world.reply({ tool: 'book' });
    world.say('Done.');
    await process.say('book it');
    await process.settle();
    const from = world.trace.findIndex(line => line === 'run book');
    expect(world.trace.slice(from, from + 6)).toEqual([
      'run book',
      'write step.claimed',
      'step',
      'write step.done',
      'after',
      'write call.ended',
    ]);
  });
});

describe('a request that a tool puts to people from inside', () => {
  const versions = [
    { value: 'v41', label: 'v41 (yesterday)' },
    { value: 'v40', label: 'v40 (Monday)' },
  ];

  async function rollback(
    options = versions,
  ): Promise<{ world: World; process: Process; inner: () => Promise<Call | undefined> }> {
    const world = new World();
    const process = world.process();
    world.outcome = execution => {
      const told = execution.told['version'];
      if (told?.is === 'approved') return done(`Rolled back to ${told.option}`);
      return told
        ? done(told.is === 'not_approved' ? told.why : 'odd')
        : waits('version', request('Which one?', options));
    };
    world.reply({ tool: 'roll_back' });
    world.say('Done.');
    await process.say('roll back');
    await process.settle();
    const inner = async (): Promise<Call | undefined> =>
      Object.values((await world.thread()).calls).find(call => call.within !== null);
    return { world, process, inner };
  }

  test('is a card of its own, asked although policy allows its tool, and the tool goes on with the way that was chosen [F-M6]', async () => {
    const { world, process, inner } = await rollback();
    const call = await inner();
    expect(call).toMatchObject({ state: { is: 'waiting' }, options: versions, within: { name: 'version' } });
    expect((await process.click('approve', MIA)).refusal?.code).toBe('option_needed');
    expect((await process.click('approve', DANA, { option: 'v40' })).refusal?.code).toBe('requester');
    expect((await process.click('approve', LEO, { option: 'v40' })).refusal).toBeNull();
    await process.settle();
    expect(world.ran.map(each => each.tool)).toEqual(['roll_back', 'roll_back']);
    expect(world.ran[1]?.told).toEqual({ version: { is: 'approved', option: 'v40', by: [LEO] } });
    expect(first(await world.thread()).state).toMatchObject({ ending: { result: 'Rolled back to v40' } });
  });

  test('that nobody lets pass is told to the tool, with the reason', async () => {
    const { world, process } = await rollback();
    await process.click('reject', MIA, { reason: 'Not during the sale.' });
    await process.settle();
    expect(first(await world.thread()).state).toMatchObject({
      ending: { result: `Rejected by ${MIA}: “Not during the sale.”` },
    });
  });

  test('never reaches the tool as a call, also when its process dies before it has resumed', async () => {
    const { world, process, inner } = await rollback();
    const id = (await inner())?.id;
    await process.click('approve', MIA, { option: 'v41' });
    process.kill();
    const second = world.process('node1/2');
    second.worker.signal((await world.thread()).key);
    await second.settle();
    expect(world.ran.map(each => each.call)).not.toContain(id);
    expect(first(await world.thread()).state).toMatchObject({ ending: { result: 'Rolled back to v41' } });
  });
});

describe('what a tool puts to people from inside', () => {
  test('is decided by people also where a rule lets the tool itself run', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = ({ told }) =>
      told['sure'] === undefined ? waits('sure', request('Delete 3 backups')) : done(told['sure'].is);
    world.reply({ tool: 'prune' });
    world.say('Done.');
    await process.say('prune');
    await process.settle();
    const inner = Object.values((await world.thread()).calls).find(call => call.within !== null);
    expect(inner?.state.is).toBe('waiting');
    expect(world.ran).toHaveLength(1);
  });
});
