import { describe, expect, test } from 'vitest';
import type { Scope, ThreadEvent } from '../../src/thread/events.ts';
import { threadLog, type MessageTs, type ThreadKey } from '../../src/thread/ids.ts';
import { ANA, KEY, LEO, MIA, SRE, terms, World, type Process } from './rig.ts';

const MINUTE_MS = 60_000;
const LEADS: Scope = { name: 'leads', label: 'Leads', users: [ANA], groups: [] };

/** What has been called out so far, with the minute after the request. */
async function called(world: World): Promise<string[]> {
  const { commits } = await world.log('reader/1').load(threadLog(KEY));
  const startMs = commits.find(commit => commit.events.some(event => event.type === 'approval.requested'))?.atMs ?? 0;
  return commits.flatMap(({ events, atMs }) =>
    (events as ThreadEvent[]).flatMap(event => {
      const minute = Math.round((atMs - startMs) / MINUTE_MS);
      if (event.type === 'reminder.sent') return [`${minute} reminder ${event.n}`];
      if (event.type === 'escalated') return [`${minute} step ${event.step}`];
      return event.type === 'approval.settled' ? [`${minute} ${event.how}`] : [];
    }),
  );
}

/** A request that reminds after 10 and 30 min, reaches Leads after 20, and expires after 60. */
async function asked(...nodes: string[]): Promise<{ world: World; processes: Process[] }> {
  const world = new World();
  world.scopes = [SRE, LEADS];
  world.asks['execute'] = terms({
    ladder: [
      { afterMs: 0, scopes: [SRE] },
      { afterMs: 20 * MINUTE_MS, scopes: [LEADS] },
    ],
    remindMs: [10 * MINUTE_MS, 30 * MINUTE_MS],
    expiresInMs: 60 * MINUTE_MS,
  });
  const processes = nodes.map(node => world.process(node));
  world.reply({ tool: 'execute' });
  await processes[0]?.say('run it');
  await processes[0]?.settle();
  return { world, processes };
}

async function pass(world: World, processes: Process[], minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.clock.advance(MINUTE_MS);
    await Promise.all(processes.map(process => process.worker.tick()));
    for (const process of processes) await process.settle();
  }
}

describe('a request that nobody decides', () => {
  test('says how many people may decide it now, not how many could if nobody does', async () => {
    const { world } = await asked('node1/1');
    const [approval] = Object.values((await world.thread()).approvals);
    expect(approval?.eligible).toBe(2);
  });

  test('reminds, reaches further people and expires as its rule says, each once with two processes [F-J6, S-91]', async () => {
    const { world, processes } = await asked('node1/1', 'node2/1');
    world.say('Nobody decided.');
    await pass(world, processes, 70);
    expect(await called(world)).toEqual(['10 reminder 1', '20 step 1', '30 reminder 2', '60 expired']);
  });

  test('may be decided by further people only from their time on', async () => {
    const { world, processes } = await asked('node1/1');
    const [process] = processes;
    expect((await process?.click('approve', ANA))?.refusal?.code).toBe('not_approver');
    await pass(world, processes, 21);
    world.say('Done.');
    expect((await process?.click('approve', ANA))?.refusal).toBeNull();
  });

  test('makes up in a later process for what was due while none ran: the latest reminder, not all of them', async () => {
    const { world, processes } = await asked('node1/1');
    processes[0]?.kill();
    await world.clock.advance(40 * MINUTE_MS);
    const second = world.process('node2/1');
    await second.worker.tick();
    await second.settle();
    expect(await called(world)).toEqual(['40 step 1', '40 reminder 2'].toSorted());
  });

  test('reminds nobody once it is decided', async () => {
    const { world, processes } = await asked('node1/1');
    world.say('Done.');
    await processes[0]?.click('approve', MIA);
    await processes[0]?.settle();
    await pass(world, processes, 65);
    expect(await called(world)).toEqual(['0 approved']);
  });
});

describe('a quorum that cannot be reached any more', () => {
  test('is told at the click, which counts as soon as it can be', async () => {
    const world = new World();
    world.asks['execute'] = terms({ quorum: 2 });
    const process = world.process();
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    world.deactivated.add(LEO);
    expect((await process.click('approve', MIA)).refusal?.code).toBe('quorum_impossible');
    expect((await process.click('approve', MIA)).refusal?.code).toBe('already_counted');
    world.deactivated.clear();
    world.say('Done.');
    expect((await process.click('approve', LEO)).refusal).toBeNull();
    await process.settle();
    expect(world.ran).toHaveLength(1);
  });

  /** A request that takes two of a group, Dana not among them; and one of Leo's that Ana alone decides. */
  const waiting = async () => {
    const world = new World();
    const group = { ...SRE, groups: ['S0SRE0001'] };
    world.scopes = [group, LEADS];
    world.asks['execute'] = terms({ quorum: 2, ladder: [{ afterMs: 0, scopes: [group] }] });
    world.asks['deploy'] = terms({ ladder: [{ afterMs: 0, scopes: [LEADS] }] });
    const looked: string[] = [];
    const over: string[] = [];
    const { ports } = world.process('probe/1');
    world.listeners.length = 0;
    const process = world.process('node1/1', {
      directory: {
        ...ports.directory,
        deciders: scopes => {
          looked.push(...scopes.map(scope => scope.name));
          return ports.directory.deciders(scopes);
        },
      },
      operators: {
        report: (_, code) => void process.told.push(code),
        resolved: cause => void (cause.startsWith('waits_for_too_few') && over.push(cause)),
      },
    });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    world.reply({ tool: 'deploy' });
    await process.say('deploy it', LEO, { key: OTHER });
    await process.settle();
    looked.length = 0;
    const approval = async () => Object.values((await world.thread()).approvals)[0];
    return { world, process, looked, over, approval };
  };
  const OTHER: ThreadKey = { ...KEY, ts: '1764511299.000100' as MessageTs };
  const settled = async (world: World, process: Process): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      await world.clock.advance(0);
      await process.settle();
    }
  };
  const told = (process: Process): string[] => process.told.filter(line => line.startsWith('waits_for'));

  test('is told at once when somebody leaves, and no more when they are back; only requests of theirs are looked at', async () => {
    const { world, process, looked, over, approval } = await waiting();
    await process.click('approve', MIA);
    await process.settle();
    looked.length = 0;
    world.left.add(LEO);
    world.peopleChanged({ group: 'S0SRE0001' });
    await settled(world, process);
    expect(await approval()).toMatchObject({ eligible: 1, lack: { code: 'quorum_impossible', fromMs: null } });
    expect(new Set(told(process))).toEqual(new Set(['waits_for_too_few']));
    expect(new Set(looked)).toEqual(new Set(['sre']));
    const before = world.trace.length;
    world.peopleChanged({ group: 'S0SRE0001' });
    await settled(world, process);
    expect(world.trace).toHaveLength(before);
    world.peopleChanged({ group: 'S0OTHER01' });
    await settled(world, process);
    expect(world.trace).toHaveLength(before);
    world.left.clear();
    over.length = 0;
    world.peopleChanged({ user: LEO });
    await settled(world, process);
    expect(await approval()).toMatchObject({ eligible: 2, state: { is: 'open' } });
    expect((await approval())?.lack).toBeUndefined();
    expect(over.length).toBeGreaterThan(0);
    world.say('Done.');
    await process.click('approve', LEO);
    await process.settle();
    expect(world.ran).toHaveLength(1);
  });

  test('and nobody who is left are told apart', async () => {
    const { world, process, approval } = await waiting();
    for (const user of [MIA, LEO]) world.left.add(user);
    world.peopleChanged({ group: 'S0SRE0001' });
    await settled(world, process);
    expect((await approval())?.lack).toEqual({ code: 'no_approvers', fromMs: null });
    expect(new Set(told(process))).toEqual(new Set(['waits_for_nobody']));
  });

  test('is looked for again while people cannot be looked up', async () => {
    const { world, process, approval } = await waiting();
    world.left.add(LEO);
    world.directoryIsAway = true;
    world.peopleChanged({ group: 'S0SRE0001' });
    await settled(world, process);
    expect((await approval())?.lack).toBeUndefined();
    world.directoryIsAway = false;
    await world.clock.advance(MINUTE_MS);
    await process.settle();
    expect((await approval())?.lack?.code).toBe('quorum_impossible');
  });

  test('that no event told of is noticed by who reminds, passes on or ticks; later people count from their time on', async () => {
    const { world, processes } = await asked('node1/1', 'node2/1');
    const lack = async () => Object.values((await world.thread()).approvals)[0]?.lack;
    for (const user of [MIA, LEO]) world.left.add(user);
    await pass(world, processes, 11);
    const [approval] = Object.values((await world.thread()).approvals);
    expect(await lack()).toEqual({
      code: 'no_approvers',
      fromMs: (approval?.requestedAtMs ?? 0) + 20 * MINUTE_MS,
    });
    expect(processes.flatMap(process => process.told)).toEqual([]);
    await pass(world, processes, 10);
    expect(await lack()).toBeUndefined();
    const types = (await world.log('reader/1').load(threadLog(KEY))).commits.flatMap(commit => commit.events);
    expect(types.filter(event => event.type === 'approval.rechecked')).toHaveLength(2);
  });
});
