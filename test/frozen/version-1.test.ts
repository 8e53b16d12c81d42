/**
 * What version 1 stored must be read and gone on with for ever. `version-1.jsonl` holds its items as they stand in the table,
 * one a line. It is frozen: it was made once, with FREEZE_VERSION_1=1 where it was missing, and is never made again.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/thread/digest.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog, workspaceLog, type LogKey } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { emptyThread } from '../../src/thread/thread.ts';
import { emptyWorkspace, foldWorkspace } from '../../src/thread/workspace.ts';
import { agent, KEY, TEAM, World } from '../worker/rig.ts';
import { readItems, writeItems } from './items.ts';
import { processOf, SAMPLES, tableOfEverything } from './story.ts';

const path = new URL('version-1.jsonl', import.meta.url);

/** Writes the file that is then kept for ever. */
const made = async (): Promise<void> => writeItems(path, (await tableOfEverything()).table);

/** A world on a table that holds what the file holds, at the time of its last commit. */
async function thawed(): Promise<World> {
  const world = new World();
  // The agent and the tools' definitions as they were then.
  world.agents = { main: agent('default'), default: agent('default') };
  const now = world.tool.bind(world);
  world.tool = name => {
    const facts = now(name);
    return facts && { ...facts, digest: digestOf({ name }) };
  };
  readItems(path, world.table);
  await world.clock.advance((await world.thread()).head.atMs - world.clock.nowMs());
  return world;
}

if (!existsSync(path)) {
  if (process.env['FREEZE_VERSION_1'] !== '1')
    throw new Error('version-1.jsonl is missing. It is frozen: bring it back from the history.');
  await made();
}

const commitsOf = async (world: World, key: LogKey) => (await world.log('reader/1').load(key)).commits;

describe('what version 1 stored', () => {
  it('is read by this version, with its chain: every event in every form [F-K4]', async () => {
    const world = await thawed();
    const types = new Set<string>();
    for (const key of [threadLog(KEY), threadLog(SAMPLES), workspaceLog(TEAM)])
      for (const commit of await commitsOf(world, key)) for (const event of commit.events) types.add(event.type);
    const told = (await commitsOf(world, threadLog(KEY))).flatMap(commit => commit.events.map(event => event.type));
    for (const type of ['decision.voided', 'call.notStarted', 'message.kept', 'model.away', 'round.opened'])
      expect(told).toContain(type);
    // What has been declared since stands in the later files.
    expect([...types].toSorted()).toMatchSnapshot('types');
    const samples = await commitsOf(world, threadLog(SAMPLES));
    expect(samples.reduce(fold, emptyThread(SAMPLES)).head.number).toBe(samples.length);
  });

  it('means what it meant: each request, run and answer has the end that it had [F-K4]', async () => {
    const world = await thawed();
    const thread = await world.thread();
    expect(Object.values(thread.calls).map(call => `${call.tool} ${outcomeOf(thread, call).is}`)).toMatchSnapshot(
      'calls',
    );
    expect(
      Object.values(thread.runs).map(run => [run.end?.how ?? null, run.end?.code ?? null, run.answer]),
    ).toMatchSnapshot('runs');
    expect(
      Object.values(thread.approvals).map(each => [
        each.round,
        each.card,
        each.votes.map(vote => vote.by),
        each.state.is,
      ]),
    ).toMatchSnapshot('approvals');
    const messages = Object.values(thread.messages).map(
      ({ editedAtMs: _, deleted: __, mention: ___, ...was }) => [was.ts, was] as const,
    );
    expect(Object.fromEntries(messages)).toMatchSnapshot('messages');
    const workspace = (await commitsOf(world, workspaceLog(TEAM))).reduce(foldWorkspace, emptyWorkspace());
    expect(workspace).toMatchObject({ frozen: null, tools: { 'k8s/get': expect.any(String) as string } });
  });

  it('is gone on with: the request that waited is decided, runs once with its arguments, and the agent answers [F-K4]', async () => {
    const world = await thawed();
    const process = processOf(world, 'node9/1');
    await world.clock.advance(60_000);
    world.say('Done at last.');
    expect((await process.click('approve')).refusal).toBeNull();
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([{ n: 7 }]);
    const thread = await world.thread();
    expect(Object.values(thread.runs).at(-1)).toMatchObject({ answer: 'Done at last.', end: { how: 'succeeded' } });
    const results = world.requests[0]?.conversation.filter(turn => turn.kind === 'result').length;
    expect(results).toBe(Object.keys(thread.calls).length);
  });

  it('is gone on with where nobody decides, too: the request expires, and a new message starts the next run [F-K4]', async () => {
    const world = await thawed();
    const process = processOf(world, 'node9/1');
    await world.clock.advance(5 * 3_600_000);
    world.say('Nobody decided.');
    await process.worker.tick();
    await process.settle();
    const thread = await world.thread();
    const last = Object.values(thread.calls).at(-1);
    expect(last && outcomeOf(thread, last).is).toBe('expired');
    world.say('Hello again.');
    await process.say('hello', undefined, { ts: '1796200000.000100' as never });
    await process.settle();
    expect(Object.values((await world.thread()).runs).at(-1)?.answer).toBe('Hello again.');
    expect(world.ran).toEqual([]);
  });
});
