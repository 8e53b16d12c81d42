/**
 * What came to version 1 after `version-1-b.jsonl` was frozen: the rule that a permission belongs to. `version-1-c.jsonl` is
 * frozen as well: it was made once, with FREEZE_VERSION_1_C=1 where it was missing, and is never made again.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { threadLog, workspaceLog, type MessageTs, type ThreadKey } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { emptyWorkspace, foldWorkspace } from '../../src/thread/workspace.ts';
import { DANA, KEY, MIA, TEAM, terms, World } from '../worker/rig.ts';
import { readItems, writeItems } from './items.ts';

const path = new URL('version-1-c.jsonl', import.meta.url);
const ARGS = { argv: ['echo', 'hello'] };

/** A world without a past, with a rule that lets its deciders allow the like for a while. */
function worldOfC(): World {
  const world = new World();
  world.asks['execute'] = terms({ grants: { maxMs: 7_200_000, uses: 5, scope: 'channel', where: [] } });
  return world;
}

/** Dana asks for a call; without a permission it waits for people. */
async function ask(world: World, writer: string, key: ThreadKey = KEY): Promise<ReturnType<World['process']>> {
  const process = world.process(writer);
  world.reply({ tool: 'execute', args: ARGS });
  world.say('Done.');
  await process.say('run echo hello', DANA, { key });
  await process.settle();
  return process;
}

/** Mia has allowed the like of a call for a while. */
async function made(): Promise<World> {
  const world = worldOfC();
  const process = await ask(world, 'node1/1');
  const sentence = 'Until 15:05, at most 3 times, in this channel, for Dana: echo.';
  await process.click('approve', MIA, { grant: { forMs: 3_600_000, uses: 3, sentence } });
  await process.settle();
  return world;
}

if (!existsSync(path)) {
  if (process.env['FREEZE_VERSION_1_C'] !== '1')
    throw new Error('version-1-c.jsonl is missing. It is frozen: bring it back from the history.');
  writeItems(path, (await made()).table);
}

describe('what version 1 stores of the rule that a permission belongs to', () => {
  const thawed = async (): Promise<World> => {
    const world = worldOfC();
    readItems(path, world.table);
    await world.clock.advance((await world.thread()).head.atMs - world.clock.nowMs());
    return world;
  };

  it('stands with the decision and in the workspace, the same [F-K4]', async () => {
    const world = await thawed();
    const { commits } = await world.log('reader/1').load(workspaceLog(TEAM));
    const [grant] = Object.values(commits.reduce(foldWorkspace, emptyWorkspace()).grants);
    const thread = await world.log('reader/1').load(threadLog(KEY));
    const [decided] = thread.commits
      .flatMap(commit => commit.events)
      .flatMap(event => (event.type === 'decision.recorded' && event.grant ? [event.grant] : []));
    expect(grant?.ruleDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(decided?.ruleDigest).toBe(grant?.ruleDigest);
  });

  it('means what it meant: the like of the call runs under its rule, and is asked about under another [F-K4]', async () => {
    const other = { ...KEY, ts: '1764511297.000100' as MessageTs };
    const outcomes = async (change: (world: World) => void): Promise<string[]> => {
      const world = await thawed();
      change(world);
      await ask(world, 'node9/1', other);
      const thread = await world.thread(other);
      return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
    };
    expect(await outcomes(() => {})).toEqual(['done']);
    const stricter = terms({ quorum: 2, grants: { maxMs: 7_200_000, uses: 5, scope: 'channel', where: [] } });
    expect(await outcomes(world => (world.asks['execute'] = stricter))).toEqual(['waiting']);
  });
});
