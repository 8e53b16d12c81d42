/**
 * What version 1 stored must be read and gone on with for ever. `version-1.jsonl` holds its items as they stand in the table,
 * one a line. It is frozen: it was made once, with FREEZE_VERSION_1=1 where it was missing, and is never made again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../../src/store/codec.ts';
import type { Item } from '../../src/store/items.ts';
import { threadEvents, workspaceEvents } from '../../src/thread/events.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog, workspaceLog, type LogKey } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { emptyThread } from '../../src/thread/thread.ts';
import { emptyWorkspace, foldWorkspace } from '../../src/thread/workspace.ts';
import { KEY, TEAM, World } from '../worker/rig.ts';
import { processOf, SAMPLES, tableOfEverything } from './story.ts';

const path = new URL('version-1.jsonl', import.meta.url);

type Written = Readonly<Record<string, { readonly S?: string; readonly N?: string; readonly B?: string }>>;

const written = (item: Item): Written =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? (value as Written[string]) : { B: Buffer.from(value.B).toString('base64') },
    ]),
  );
const read = (item: Written): Item =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      (value.B === undefined ? value : { B: Buffer.from(value.B, 'base64') }) as AttributeValue,
    ]),
  );

/** Writes the file that is then kept for ever. */
async function made(): Promise<void> {
  const { table } = await tableOfEverything();
  const items = [...table.partitions].flatMap(([key, { commits }]) =>
    [...commits.values()].map(stored => written(toItem(key, stored))),
  );
  writeFileSync(path, items.map(item => `${JSON.stringify(item)}\n`).join(''));
}

/** A world on a table that holds what the file holds, at the time of its last commit. */
async function thawed(): Promise<World> {
  const world = new World();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const item = JSON.parse(line) as Written;
    const key = (item['pk']?.S ?? '') as LogKey;
    const stored = fromItem(key, read(item));
    world.table.partition(key).commits.set(stored.number, stored);
  }
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
    const declared = [...Object.keys(threadEvents), ...Object.keys(workspaceEvents)];
    expect(declared.filter(type => !types.has(type))).toEqual([]);
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
    expect(thread.messages).toMatchSnapshot('messages');
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
