import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/thread/digest.ts';
import type { EventOf } from '../../src/thread/events.ts';
import { threadLog, workspaceLog, type LogKey } from '../../src/thread/ids.ts';
import { recordOf, sourcesIn, textsIn } from '../../src/thread/record.ts';
import { agent, KEY, TEAM, World } from './rig.ts';

const commitsOf = async (world: World, key: LogKey) => (await world.log('reader/1').load(key)).commits;

/** What of the policy the workspace's log has, in order. */
const loaded = async (world: World): Promise<EventOf<'policy.loaded'>[]> =>
  (await commitsOf(world, workspaceLog(TEAM))).flatMap(({ events }) =>
    events.flatMap(event => (event.type === 'policy.loaded' ? [event] : [])),
  );

/** A world whose agent is told this beside the built-in rules. */
function told(instructions: string | null): World {
  const world = new World();
  world.agents = { main: { ...agent('main'), instructions } };
  return world;
}

describe('what a start puts on record', () => {
  test('is the policy with the instructions of its agents, by content, once [F-K4]', async () => {
    const world = told('Be brief.');
    for (const writer of ['node1/1', 'node2/1']) await world.process(writer).worker.start();
    expect(await loaded(world)).toMatchObject([
      { instructions: { main: sha256('Be brief.') }, body: { text: 'policy', instructions: { main: 'Be brief.' } } },
    ]);
  });

  test('is loaded anew when only an instruction has changed, and when one is gone', async () => {
    const world = told('Be brief.');
    await world.process('node1/1').worker.start();
    for (const instructions of ['Be thorough.', null]) {
      world.agents = { main: { ...agent('main'), instructions } };
      await world.process(`node2/${instructions === null ? 2 : 1}`).worker.start();
    }
    const events = await loaded(world);
    expect(events.map(({ body }) => body?.instructions?.['main'] ?? null)).toEqual(['Be brief.', 'Be thorough.', null]);
    const texts = textsIn(await commitsOf(world, workspaceLog(TEAM)));
    for (const text of ['Be brief.', 'Be thorough.']) expect(texts.get(sha256(text))).toBe(text);
    expect(new Set(events.map(({ policy }) => policy)).size).toBe(1);
    expect(Object.keys(events.at(-1) ?? {})).not.toContain('instructions');
  });
});

describe('a call that the model proposed', () => {
  test('has on record which instructions its agent had, and since when they were loaded', async () => {
    const world = told('Be brief.');
    const process = world.process();
    await process.worker.start();
    world.reply({ tool: 'read_file' });
    world.say('Done.');
    await process.say('look');
    await process.settle();
    const commits = await commitsOf(world, threadLog(KEY));
    const house = await commitsOf(world, workspaceLog(TEAM));
    const [call] = Object.keys((await world.thread()).calls);
    const record = recordOf(KEY, commits, call as never, sourcesIn(house));
    expect(record?.called).toMatchObject({
      model: 'scripted',
      instructions: { digest: sha256('Be brief.'), loadedAtMs: house[0]?.atMs },
    });
    expect(record?.asked.agent).toBe('main');
  });

  test('by an agent that has none of its own says nothing of them', async () => {
    const world = told(null);
    const process = world.process();
    world.say('Hello.');
    await process.say('hi');
    await process.settle();
    const events = (await commitsOf(world, threadLog(KEY))).flatMap(({ events }) => events);
    const replied = events.find(event => event.type === 'model.replied');
    expect(Object.keys(replied ?? {})).not.toContain('instructions');
  });
});
