/**
 * What came to version 1 after `version-1-c.jsonl` was frozen: the instructions that agents had, and where somebody finds what
 * operators are told of. `version-1-d.jsonl` is frozen as well: it was made once, with FREEZE_VERSION_1_D=1 where it was
 * missing, and is never made again.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/thread/digest.ts';
import { threadLog, workspaceLog, type LogKey } from '../../src/thread/ids.ts';
import { recordOf, sourcesIn } from '../../src/thread/record.ts';
import { emptyWorkspace, foldWorkspace } from '../../src/thread/workspace.ts';
import { defaultSettings } from '../../src/worker/settings.ts';
import { Troubles } from '../../src/worker/troubles.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import { agent, CARD, KEY, MIA, NullViews, TEAM, terms, World } from '../worker/rig.ts';
import { readItems, writeItems } from './items.ts';

const path = new URL('version-1-d.jsonl', import.meta.url);
const TEXT = 'You look after the cluster.\n';

const ABOUT = { ...CARD, short: 'A-7F3K' };

/** An agent with instructions of its own asked for a call; Mia approved it, and operators were told of another one. */
async function made(): Promise<World> {
  const world = new World();
  world.agents = { main: { ...agent('main'), instructions: TEXT } };
  world.asks['execute'] = terms();
  const process = world.process('node1/1');
  await process.worker.start();
  world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
  world.say('Done.');
  await process.say('run echo hello');
  await process.settle();
  await process.click('approve', MIA);
  await process.settle();
  const workspace = new WorkspaceLog(process.ports, defaultSettings.evidenceMs);
  const troubles = new Troubles(workspace, new NullViews(), { info: () => {}, warn: () => {}, error: () => {} });
  troubles.report('in_doubt CALL', 'in_doubt', 'Run echo hello', ABOUT);
  await troubles.settled();
  return world;
}

if (!existsSync(path)) {
  if (process.env['FREEZE_VERSION_1_D'] !== '1')
    throw new Error('version-1-d.jsonl is missing. It is frozen: bring it back from the history.');
  writeItems(path, (await made()).table);
}

describe('what version 1 stores of instructions and of where to look', () => {
  const commitsOf = async (key: LogKey) => {
    const world = new World();
    readItems(path, world.table);
    return (await world.log('reader/1').load(key)).commits;
  };

  it('has instructions by content with the policy, and in force in the fold [F-K4]', async () => {
    const commits = await commitsOf(workspaceLog(TEAM));
    const texts = commits.flatMap(({ events }) =>
      events.flatMap(event => (event.type === 'policy.loaded' ? [event.body?.instructions] : [])),
    );
    expect(texts).toEqual([{ main: TEXT }]);
    expect(commits.reduce(foldWorkspace, emptyWorkspace()).instructions).toEqual({ main: sha256(TEXT) });
  });

  it('has with a trouble where operators find it [F-K4]', async () => {
    const { troubles } = (await commitsOf(workspaceLog(TEAM))).reduce(foldWorkspace, emptyWorkspace());
    expect(Object.values(troubles)).toMatchObject([{ code: 'in_doubt', detail: 'Run echo hello', about: ABOUT }]);
  });

  it('has with a reply which instructions its agent had [F-K4]', async () => {
    const commits = await commitsOf(threadLog(KEY));
    const [proposed] = commits.flatMap(({ events }) =>
      events.flatMap(event => (event.type === 'model.replied' ? event.calls : [])),
    );
    if (!proposed) throw new Error('Nothing was proposed.');
    const sources = sourcesIn(await commitsOf(workspaceLog(TEAM)));
    const record = recordOf(KEY, commits, proposed.call, sources);
    expect(record?.called.instructions).toEqual({ digest: sha256(TEXT), loadedAtMs: expect.any(Number) });
    expect(record?.findings).toEqual([]);
  });
});
