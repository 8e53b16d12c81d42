/**
 * What version 1 stores beside plain requests (questions, waits from inside, edits, grants, …), and a checkpoint of fold version 2, must be read and gone on with for ever.
 * `version-1-b.jsonl` is frozen: it was made once, with FREEZE_VERSION_1_B=1 where it was missing, and is never made again. An
 * event or an optional fact that comes later gets a file of its own beside it.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { openMemoryLog } from '../../src/store/memory-log.ts';
import { threadEvents, workspaceEvents, type Event } from '../../src/thread/events.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog, workspaceLog, type LogKey, type WriterId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { recordOf } from '../../src/thread/record.ts';
import { emptyThread, FOLD_VERSION, openQuestions, type Thread } from '../../src/thread/thread.ts';
import { emptyWorkspace, foldWorkspace } from '../../src/thread/workspace.ts';
import { DANA, KEY, LEO, TEAM, World } from '../worker/rig.ts';
import { readItems, writeItems } from './items.ts';
import { processOf, SAMPLES } from './story.ts';
import { MAC_KEY, SAMPLES_B, tableOfB, worldAfterB } from './story-b.ts';

const path = new URL('version-1-b.jsonl', import.meta.url);
const earlier = new URL('version-1.jsonl', import.meta.url);
const later = ['c', 'd', 'e'].map(each => new URL(`version-1-${each}.jsonl`, import.meta.url));

if (!existsSync(path)) {
  if (process.env['FREEZE_VERSION_1_B'] !== '1')
    throw new Error('version-1-b.jsonl is missing. It is frozen: bring it back from the history.');
  writeItems(path, (await tableOfB()).table);
}

/** A world on a table that holds what the file holds, at the time of its last commit. */
async function thawed(): Promise<World> {
  const world = worldAfterB();
  readItems(path, world.table);
  await world.clock.advance((await world.thread()).head.atMs - world.clock.nowMs());
  return world;
}

const commitsOf = async (world: World, key: LogKey) => (await world.log('reader/1').load(key)).commits;

/** Every event of all files. */
async function everyEvent(): Promise<readonly Event[]> {
  const old = new World();
  readItems(earlier, old.table);
  const after = later.map(file => {
    const one = new World();
    readItems(file, one.table);
    return one;
  });
  const world = await thawed();
  const logs = [
    ...[threadLog(KEY), threadLog(SAMPLES_B), workspaceLog(TEAM)].map(key => commitsOf(world, key)),
    ...[threadLog(KEY), threadLog(SAMPLES), workspaceLog(TEAM)].map(key => commitsOf(old, key)),
    ...after.flatMap(one => [threadLog(KEY), workspaceLog(TEAM)].map(key => commitsOf(one, key))),
  ];
  return (await Promise.all(logs)).flat().flatMap(commit => commit.events);
}

/** What a declaration allows to be left out, deep in it too: `grant`, `body.options`, `terms.grants`. */
function optionalIn(schema: z.ZodType, at = ''): string[] {
  if (schema instanceof z.ZodExactOptional) return [at, ...optionalIn(schema.unwrap() as z.ZodType, at)];
  if (schema instanceof z.ZodNullable) return optionalIn(schema.unwrap() as z.ZodType, at);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.entries(shape).flatMap(([name, field]) => optionalIn(field, at === '' ? name : `${at}.${name}`));
}

const has = (value: unknown, path: readonly string[]): boolean => {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Record<string, unknown>)[name], rest);
};

describe('what version 1 stores beside plain requests', () => {
  it('is, with what it stored before, every event that is declared, with every fact that may be left out [F-K4]', async () => {
    const events = await everyEvent();
    const missing = Object.entries({ ...workspaceEvents, ...threadEvents }).flatMap(([type, declared]) => {
      const own = events.filter(event => event.type === type);
      const optional = [...optionalIn(declared.facts), ...optionalIn(declared.body, 'body')];
      return [
        ...(own.length === 0 ? [type] : []),
        ...optional.filter(each => !own.some(event => has(event, each.split('.')))).map(each => `${type} ${each}`),
      ];
    });
    expect(missing).toEqual([]);
  });

  it('is read and folded by this version: every event in every form, and a story that real processes wrote [F-K4]', async () => {
    const world = await thawed();
    const samples = await commitsOf(world, threadLog(SAMPLES_B));
    expect(samples.reduce(fold, emptyThread(SAMPLES_B)).head.number).toBe(samples.length);
    const told = (await commitsOf(world, threadLog(KEY))).flatMap(commit => commit.events.map(event => event.type));
    for (const type of [
      'question.asked',
      'question.answered',
      'question.refused',
      'question.closed',
      'call.proposed',
      'call.suspended',
      'call.stopRequested',
      'step.claimed',
      'step.done',
      'approval.edited',
      'reminder.sent',
      'escalated',
      'approval.rechecked',
      'grant.settled',
      'message.edited',
      'message.deleted',
    ])
      expect(told).toContain(type);
  });

  it('means what it meant: each call, question, run and grant has the end that it had [F-K4]', async () => {
    const world = await thawed();
    const thread = await world.thread();
    expect(Object.values(thread.calls).map(call => `${call.tool} ${outcomeOf(thread, call).is}`)).toMatchSnapshot(
      'calls',
    );
    expect(Object.values(thread.questions).map(each => [each.kind, each.state])).toMatchSnapshot('questions');
    expect(
      Object.values(thread.runs).map(run => [run.agent, run.end?.how ?? null, run.end?.code ?? null, run.answer]),
    ).toMatchSnapshot('runs');
    expect(
      Object.values(thread.approvals).map(each => [
        each.round,
        each.card,
        each.votes.map(vote => [vote.by, vote.option]),
        each.state.is,
        each.reminders.length,
        each.escalations.length,
        each.inquiries.length,
        each.editedBy?.by ?? null,
      ]),
    ).toMatchSnapshot('approvals');
    const workspace = (await commitsOf(world, workspaceLog(TEAM))).reduce(foldWorkspace, emptyWorkspace());
    expect([workspace.frozen, workspace.grants]).toMatchSnapshot('workspace');
  });

  it('fits together: no record of it has a finding', async () => {
    const world = await thawed();
    const commits = await commitsOf(world, threadLog(KEY));
    const thread = await world.thread();
    for (const call of Object.values(thread.calls))
      expect([call.tool, recordOf(KEY, commits, call.id)?.findings]).toEqual([call.tool, []]);
  });

  it('has a checkpoint of fold version 2: while that is the version, a reader starts from it and comes to the same [F-K4]', async () => {
    const world = await thawed();
    const { table, clock, fresh } = world;
    const log = openMemoryLog({ table, macKey: MAC_KEY, clock, fresh, writer: 'reader/2' as WriterId });
    const loaded = await log.load(threadLog(KEY));
    expect(loaded.snapshot !== null, 'one of another version is as if it were not there').toBe(FOLD_VERSION === 2);
    const start = loaded.snapshot === null ? emptyThread(KEY) : (loaded.snapshot.state as unknown as Thread);
    expect(loaded.commits.reduce(fold, start)).toEqual(await world.thread());
  });

  it('is gone on with, from its checkpoint: the question is answered, the request decided, both run once, the agent answers [F-K4]', async () => {
    const world = await thawed();
    const { table, clock, fresh } = world;
    const log = openMemoryLog({ table, macKey: MAC_KEY, clock, fresh, writer: 'node9/1' as WriterId });
    const process = world.process('node9/1', { log, views: processOf(world, 'node9/0').ports.views });
    await world.clock.advance(60_000);
    const seats = openQuestions(await world.thread()).find(question => question.call !== null);
    if (!seats) throw new Error('No tool waits for an answer.');
    const { id, asked } = seats;
    await process.worker.inbox.answer(process.act(DANA), {
      question: id,
      given: { value: 0 },
      asked,
      origin: 'form',
    });
    await process.settle();
    world.say('Done at last.');
    expect((await process.click('approve', LEO)).refusal).toBeNull();
    await process.settle();
    expect(world.ran.map(each => [each.tool, each.args, each.steps])).toEqual([
      ['book', { to: 'Oslo' }, { quote: { price: 12, currency: null } }],
      ['execute', { n: 9 }, {}],
    ]);
    const thread = await world.thread();
    expect(Object.values(thread.runs).at(-1)).toMatchObject({ answer: 'Done at last.', end: { how: 'succeeded' } });
    expect(openQuestions(thread)).toEqual([]);
  });

  it('is gone on with where nobody answers or decides, too [F-K4]', async () => {
    const world = await thawed();
    const process = processOf(world, 'node9/1');
    world.say('Nobody was there.');
    await world.clock.advance(5 * 3_600_000);
    await process.worker.tick();
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.runs).at(-1)).toMatchObject({ answer: 'Nobody was there.' });
    expect(
      Object.values(thread.calls)
        .slice(-2)
        .map(call => outcomeOf(thread, call).is),
    ).toEqual(['expired', 'failed']);
    expect(openQuestions(thread)).toEqual([]);
  });
});
