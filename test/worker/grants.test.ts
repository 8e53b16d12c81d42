import { describe, expect, test } from 'vitest';
import type { Event, Json } from '../../src/thread/events.ts';
import { workspaceLog, type ChannelId, type GrantId, type MessageTs, type ThreadKey } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { LogUnavailable } from '../../src/worker/ports.ts';
import type { Grant } from '../../src/thread/grant.ts';
import { ANA, DANA, KEY, LEO, MIA, TEAM, terms, World, type Process } from './rig.ts';
import { tapped, type Taps } from './tapped-log.ts';

const ARGS: Json = { argv: ['echo', 'hello'] };
const OTHER: ThreadKey = { ...KEY, channel: 'C0OPS0001' as ChannelId, ts: '1764511299.000100' as MessageTs };
const grant = { forMs: 3_600_000, uses: 2, sentence: 'Until 15:05, at most 2 times, in this channel, for Dana: echo.' };

/** A rule that lets its deciders allow the like for a while, and one such permission given by Mia for a first call. */
async function granted(): Promise<{ world: World; process: Process; taps: Taps; id: GrantId }> {
  const world = new World();
  const taps: Taps = {};
  world.asks['execute'] = terms({ grants: { maxMs: 7_200_000, uses: 5, scope: 'channel', where: [] } });
  const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
  world.reply({ tool: 'execute', args: ARGS });
  world.say('Done.');
  await process.say('run echo hello');
  await process.settle();
  expect((await process.click('approve', MIA, { grant })).refusal).toBeNull();
  await process.settle();
  const [given] = await grants(process);
  if (!given) throw new Error('Nothing was given.');
  return { world, process, taps, id: given.grant as GrantId };
}

const grants = async (process: Process): Promise<readonly Grant[]> =>
  (await process.worker.inbox.overview({ user: MIA, team: TEAM })).grants;

/** Dana asks for a call; what came of it. */
async function ask(
  world: World,
  process: Process,
  args: Json = ARGS,
  key: ThreadKey = KEY,
): Promise<string | undefined> {
  world.reply({ tool: 'execute', args });
  world.say('Done.');
  await process.say('once more', DANA, { key });
  await process.settle();
  world.answers.length = 0;
  return last(world, key);
}

async function last(world: World, key: ThreadKey = KEY): Promise<string | undefined> {
  const thread = await world.thread(key);
  const call = Object.values(thread.calls).at(-1);
  return call && outcomeOf(thread, call).is;
}

const workspaceEvents = async (world: World): Promise<string[]> =>
  (await world.log('reader/1').load(workspaceLog(TEAM))).commits.flatMap(commit =>
    commit.events.map((event: Event) => event.type),
  );

describe('a permission that a decision gave', () => {
  test('is listed with its sentence and what is left of it, lets the like run without a card, and is used up [F-M1, F-M4]', async () => {
    const { world, process } = await granted();
    expect(await grants(process)).toMatchObject([{ sentence: grant.sentence, uses: 2, used: [], who: DANA, by: MIA }]);
    expect(await ask(world, process)).toBe('done');
    expect((await grants(process))[0]?.used).toHaveLength(1);
    expect(await ask(world, process)).toBe('done');
    expect(await grants(process)).toEqual([]);
    expect(await ask(world, process)).toBe('waiting');
    expect(world.ran).toHaveLength(3);
  });

  test('is said to apply to nothing while its rule or its tool is another than when it was given', async () => {
    const { world, process } = await granted();
    const idle = async () => (await process.worker.inbox.overview({ user: MIA, team: TEAM })).idle;
    const [given] = await grants(process);
    expect(await idle()).toEqual([]);
    world.goneRules.add(String(given?.ruleDigest));
    expect(await idle()).toEqual([given?.grant]);
    expect(await grants(process)).toHaveLength(1);
    world.goneRules.clear();
    expect(await idle()).toEqual([]);
  });

  test('covers only what it says: other arguments, another channel, another person and a later time ask again [F-M2]', async () => {
    const { world, process } = await granted();
    expect(await ask(world, process, { argv: ['echo', 'bye'] })).toBe('waiting');
    await process.click('reject', MIA);
    await process.settle();
    expect(await ask(world, process, ARGS, OTHER)).toBe('waiting');
    await world.clock.advance(3_600_000);
    expect(await ask(world, process)).toBe('waiting');
  });

  test('counts each use before the claim that relies on it, and once, however often the call is claimed', async () => {
    const { world, process, taps } = await granted();
    let late = 1;
    const order: string[] = [];
    taps.append = async (events, go) => {
      const result = await go();
      order.push(...events.map(event => event.type).filter(type => type === 'grant.used' || type === 'call.claimed'));
      if (events.some(event => event.type === 'call.claimed') && late-- > 0) await world.clock.sleep(2_000);
      return result;
    };
    world.reply({ tool: 'execute', args: ARGS });
    world.say('Done.');
    await process.say('once more');
    await world.until(process.worker.idle(), 500);
    expect(order).toEqual(['grant.used', 'call.claimed', 'call.claimed']);
    expect(await last(world)).toBe('done');
    expect((await workspaceEvents(world)).filter(type => type === 'grant.used')).toHaveLength(1);
  });

  test('stops at its revocation: what is claimed and has not started asks people instead [F-M5]', async () => {
    const { world, process, taps, id } = await granted();
    taps.append = async (events, go) => {
      if (events.some(event => event.type === 'call.claimed'))
        await world.workspace({ type: 'grant.revoked', grant: id, by: MIA, body: {} });
      return go();
    };
    expect(await ask(world, process)).toBe('waiting');
    expect(world.ran).toHaveLength(1);
  });

  test('is revoked by who gave it and by admins, by nobody else, and the next call asks [F-M5]', async () => {
    const { world, process, id } = await granted();
    const revoke = async (user: typeof DANA) =>
      (await process.worker.inbox.revokeGrant({ user, team: TEAM }, id)).refusal?.code ?? 'ok';
    expect(await revoke(DANA)).toBe('not_yours');
    expect(await revoke(LEO)).toBe('not_yours');
    expect(await revoke(ANA)).toBe('ok');
    expect(await revoke(MIA)).toBe('nothing_to_do');
    expect(await grants(process)).toEqual([]);
    expect(await ask(world, process)).toBe('waiting');
  });

  test('never lets pass what policy denies, and nothing while the workspace cannot be read', async () => {
    const { world, process, taps } = await granted();
    world.denies.add('execute');
    expect(await ask(world, process)).toBe('refused');
    world.denies.clear();
    await world.clock.advance(10_000);
    taps.load = (key, go) =>
      key === workspaceLog(TEAM) ? Promise.reject(new LogUnavailable('The table is away.')) : go();
    expect(await ask(world, process)).toBe('waiting');
  });

  test('is told to the workspace by whoever comes next, when its process died with the decision', async () => {
    const world = new World();
    world.asks['execute'] = terms({ grants: { maxMs: 7_200_000, uses: 5, scope: 'thread', where: [] } });
    const taps: Taps = {};
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    world.reply({ tool: 'execute', args: ARGS });
    world.say('Done.');
    await process.say('run echo hello');
    await process.settle();
    taps.append = async (_, go, key) => {
      if (key === workspaceLog(TEAM)) process.kill();
      return go();
    };
    await process.click('approve', MIA, { grant });
    await world.clock.advance(0);
    const second = world.process('node1/2');
    second.worker.signal(KEY);
    await second.settle();
    expect(await grants(second)).toHaveLength(1);
    expect((await world.thread()).grants).toEqual([]);
  });
});
