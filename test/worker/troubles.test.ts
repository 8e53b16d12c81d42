import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/worker/settings.ts';
import { Troubles } from '../../src/worker/troubles.ts';
import { Worker } from '../../src/worker/worker.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import { threadLog, workspaceLog, type CallId } from '../../src/thread/ids.ts';
import { CardViews } from './card-views.ts';
import { CARD, KEY, MIA, NullViews, TEAM, World } from './rig.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A process that tells operators for real: into the workspace's log. */
function telling(world: World, writer: string) {
  const process = world.process(writer);
  const workspace = new WorkspaceLog(process.ports, defaultSettings.evidenceMs);
  const troubles = new Troubles(workspace, new NullViews(), quiet);
  const worker = new Worker({ ...process.ports, operators: troubles }, workspace, defaultSettings, quiet);
  const standing = async (): Promise<string[]> => {
    await worker.idle();
    await troubles.settled();
    await workspace.tail();
    const all = Object.values(workspace.workspace.troubles);
    return all.filter(trouble => trouble.closedAtMs === null).map(trouble => trouble.code);
  };
  return { process, worker, standing };
}

/** With cards, or where nothing could be posted. */
async function inDoubt(cards = false) {
  const world = new World();
  world.reply({ tool: 'execute' });
  world.say('Done.');
  const dead = world.process('node1/1', cards ? { views: new CardViews(world) } : {});
  await dead.say('run it');
  await dead.settle();
  world.outcome = () => new Promise(() => undefined);
  await dead.click('approve');
  await world.clock.advance(0);
  dead.kill();
  const call = Object.keys((await world.thread()).calls)[0] as CallId;
  const act = { thread: KEY, actor: { user: MIA, team: TEAM }, place: CARD, key: 'k1' };
  return { world, act, doubt: { call, attempt: 1, as: 'ran' } as const };
}

describe('a trouble', () => {
  test('of a doubt is over when people have settled it, also where the thread rests at once', async () => {
    const { world, act, doubt } = await inDoubt();
    const next = telling(world, 'node1/2');
    next.worker.signal(KEY);
    expect(await next.standing()).toEqual(['in_doubt']);
    expect((await next.worker.inbox.settle(act, doubt)).refusal).toBeNull();
    expect(await next.standing()).toEqual([]);
    expect(await world.thread()).toMatchObject({ rests: true, live: [] });
  });

  test.each([
    ['where its card stands', true],
    ['where its thread begins when it has none', false],
  ])('of a doubt says what people call it, and %s', async (_, cards) => {
    const { world, doubt } = await inDoubt(cards);
    const next = telling(world, 'node1/2');
    next.worker.signal(KEY);
    await next.standing();
    const all = (await world.log('reader/1').load(workspaceLog(TEAM))).commits.flatMap(({ events }) => events);
    const opened = all.find(event => event.type === 'trouble.opened');
    const { posts, calls } = await world.thread();
    const card = Object.values(posts).find(({ key }) => key.startsWith('card/'));
    expect(card !== undefined).toBe(cards);
    expect(opened).toMatchObject({
      cause: `in_doubt ${doubt.call}`,
      about: {
        channel: card?.channel ?? KEY.channel,
        ts: card?.ts ?? KEY.ts,
        short: `A-${calls[doubt.call]?.approval?.slice(0, 4)}`,
      },
    });
  });

  test('of a thread that cannot be read says where it begins', async () => {
    const world = new World();
    const workspace = new WorkspaceLog(world.process('node1/1').ports, defaultSettings.evidenceMs);
    const troubles = new Troubles(workspace, new NullViews(), quiet);
    troubles.report(`damaged ${threadLog(KEY)}`, 'thread_damaged', 'chain');
    await troubles.settled();
    const [trouble] = Object.values(workspace.workspace.troubles);
    expect(trouble?.about).toEqual({ channel: KEY.channel, ts: KEY.ts });
  });

  test('that one process has told of is over when another one brings the thread on', async () => {
    const { world, act, doubt } = await inDoubt();
    const finder = telling(world, 'node1/2');
    finder.worker.signal(KEY);
    expect(await finder.standing()).toEqual(['in_doubt']);
    const other = telling(world, 'node2/1');
    expect((await other.worker.inbox.settle(act, doubt)).refusal).toBeNull();
    expect(await other.standing()).toEqual([]);
    expect(await finder.standing()).toEqual([]);
  });
});
