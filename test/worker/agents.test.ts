import { describe, expect, test } from 'vitest';
import type { Scope } from '../../src/thread/events.ts';
import type { MessageTs, UserId } from '../../src/thread/ids.ts';
import { currentRun } from '../../src/thread/thread.ts';
import { agent, DANA, KEY, LEO, MIA, SRE, World, type Process } from './rig.ts';

const OTTO = 'U0OTTO001' as UserId;
const OPS: Scope = { name: 'ops', label: 'Ops', users: [OTTO], groups: [] };

/** A process whose agents listen as the test says. */
function listening(agents: World['agents']): { world: World; process: Process } {
  const world = new World();
  world.scopes = [SRE, OPS];
  world.agents = agents;
  return { world, process: world.process() };
}

const runs = async (world: World) => Object.values((await world.thread()).runs);

describe('who is listened to', () => {
  test('is nobody where no agent listens: the message leaves no trace', async () => {
    const { world, process } = listening({});
    expect(await process.say('hello')).toBe(false);
    expect((await world.thread()).head.number).toBe(0);
  });

  test('is who the agent answers: somebody else is told so, by a run that ends at once', async () => {
    const { world, process } = listening({ main: agent('main', { requesters: [SRE] }) });
    await process.say('hello', OTTO);
    await process.settle();
    expect(await runs(world)).toMatchObject([{ end: { how: 'failed', code: 'agent_closed', detail: 'SRE' } }]);
    world.say('Hello.');
    await process.say('hello', MIA);
    await process.settle();
    expect((await runs(world))[1]).toMatchObject({ agent: 'main', requesters: [MIA], end: { how: 'succeeded' } });
  });

  test('without a mention is whom the agent follows: those who have asked, everybody, or nobody', async () => {
    for (const [followUps, heard] of [
      ['requester', [true, false]],
      ['everyone', [true, true]],
      ['never', [false, false]],
    ] as const) {
      const { world, process } = listening({ main: agent('main', { followUps }) });
      world.say('Hello.');
      await process.say('hello');
      await process.settle();
      const takes = async (by: UserId): Promise<boolean> => {
        world.say('Hello again.');
        const taken = await process.say('and then?', by, { mention: false });
        await process.settle();
        world.answers.length = 0;
        return taken;
      };
      expect([followUps, await takes(DANA), await takes(LEO)]).toEqual([followUps, ...heard]);
    }
  });

  test.each([
    ['does not answer it any more', { main: agent('main', { requesters: [OPS] }) }, 'agent_closed'],
    ['is gone', { other: agent('other') }, 'agent_gone'],
  ])('loses what waits for it when its agent %s', async (_, agents, code) => {
    const { world, process } = listening({ main: agent('main') });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    world.agents = agents;
    world.say('Fine.');
    await process.click('approve', MIA);
    await process.settle();
    const [approval] = Object.values((await world.thread()).approvals);
    expect(approval?.state).toMatchObject({ is: 'refused', code });
    expect(world.ran).toHaveLength(0);
  });

  test('goes on in a thread whose agent has stopped listening there, as long as it exists', async () => {
    const { world, process } = listening({ main: agent('main') });
    world.say('Hello.');
    await process.say('hello');
    await process.settle();
    const silent = world.process('node2/1', {
      policy: { ...process.ports.policy, agentFor: () => null },
    });
    world.say('Hello again.');
    expect(await silent.say('and then?', DANA, { mention: false, ts: '1764511299.000100' as MessageTs })).toBe(true);
    await silent.settle();
    expect(await runs(world)).toHaveLength(2);
    expect(await silent.say('me too', LEO, { mention: false, ts: '1764511299.000200' as MessageTs })).toBe(false);
  });
});

describe('a message that its author changes or takes back', () => {
  /** A message that began a run which waits for a decision; its ts. */
  async function asked(): Promise<{ world: World; process: Process; ts: MessageTs }> {
    const { world, process } = listening({ main: agent('main') });
    world.reply({ tool: 'execute' });
    await process.say('run it');
    await process.settle();
    const [message] = Object.values((await world.thread()).messages);
    if (!message) throw new Error('It was not taken.');
    return { world, process, ts: message.ts };
  }

  test('never starts a run: taken back before anything ran it withdraws what waits, and is ignored afterwards [S-70]', async () => {
    const { world, process, ts } = await asked();
    const { inbox } = process.worker;
    expect(await inbox.remove(KEY, '1764511299.000900' as MessageTs)).toBe(false);
    expect(await inbox.remove(KEY, ts)).toBe(true);
    await process.settle();
    expect(await runs(world)).toMatchObject([
      { end: { how: 'cancelled' }, cancelled: { source: 'deleted', by: DANA } },
    ]);
    expect(await inbox.remove(KEY, ts)).toBe(true);
    expect(await inbox.amend(KEY, { ts, author: DANA, text: 'run it twice' })).toBe(true);
    await process.settle();
    expect(await runs(world)).toHaveLength(1);
    expect(world.ran).toHaveLength(0);
  });

  test('after the call has run changes nothing any more [S-70]', async () => {
    const { world, process, ts } = await asked();
    world.say('Done.');
    await process.click('approve', MIA);
    await process.settle();
    await process.worker.inbox.remove(KEY, ts);
    await process.settle();
    expect(await runs(world)).toMatchObject([{ end: { how: 'succeeded' } }]);
  });

  test('opens a new round of the request that it asked for, so that nobody approves words that are gone', async () => {
    const { world, process, ts } = await asked();
    const { inbox } = process.worker;
    expect(await inbox.amend(KEY, { ts, author: DANA, text: 'run it in staging' })).toBe(true);
    expect((await process.click('approve', MIA, { round: 1 })).refusal?.code).toBe('stale_round');
    const thread = await world.thread();
    expect(thread.messages[ts]?.text).toBe('run it in staging');
    expect(Object.values(thread.approvals)[0]?.round).toBe(2);
    expect(currentRun(thread)?.end).toBeNull();
  });

  test('in a thread that nobody has asked anything in is none of ours', async () => {
    const { process } = listening({ main: agent('main') });
    const message = { ts: KEY.ts, author: DANA, text: 'hello' };
    expect(await process.worker.inbox.amend(KEY, message)).toBe(false);
    expect(await process.worker.inbox.remove(KEY, KEY.ts)).toBe(false);
  });
});
