import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/worker/settings.ts';
import { Troubles } from '../../src/worker/troubles.ts';
import { Worker } from '../../src/worker/worker.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import type { CallId } from '../../src/thread/ids.ts';
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

async function inDoubt() {
  const world = new World();
  world.reply({ tool: 'execute' });
  world.say('Done.');
  const dead = world.process('node1/1');
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
