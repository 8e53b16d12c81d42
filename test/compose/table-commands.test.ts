import { existsSync } from 'node:fs';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { utc } from '../../src/audit/pen.ts';
import { systemClock, systemFresh } from '../../src/compose/clock.ts';
import { takeNode } from '../../src/compose/node-lock.ts';
import { tellAddresses } from '../../src/compose/running-here.ts';
import { openTable } from '../../src/compose/table-side.ts';
import type { Environment } from '../../src/config/environment.ts';
import { startDynalite } from '../../src/local/dynalite.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import { threadLog, type TeamId, type ThreadKey, type WriterId } from '../../src/thread/ids.ts';
import { openItems } from '../../src/worker/open-items.ts';
import { KEY, Stage } from '../thread/stage.ts';
import { command, environmentIn, folder } from './stage.ts';

async function named(): Promise<Environment> {
  const table = await startDynalite();
  onTestFinished(() => table.close());
  return environmentIn(folder(), { DYNAMODB_TABLE: 'countersign-test', DYNAMODB_ENDPOINT: table.endpoint });
}

interface Wait {
  readonly key?: ThreadKey;
  readonly sinceMs?: number;
  readonly also?: (stage: Stage) => unknown;
}

/** A thread in which the agent has asked for these calls, written to the table as a worker does; `also` goes on with it. */
async function wait(
  environment: Environment,
  summaries: readonly string[],
  { key = KEY, sinceMs = systemClock.nowMs() - 1_000, also = () => undefined }: Wait = {},
): Promise<Stage> {
  const stage = new Stage(key);
  stage.nowMs = sinceMs;
  const inspection = { ok: true, args: {}, impact: null, bind: {}, note: {}, atMs: stage.nowMs } as const;
  stage.asks(...summaries.map((summary, n) => ({ args: { n }, inspection: { ...inspection, args: { n }, summary } })));
  const asked = stage.commits.length;
  also(stage);
  const table = await openTable(environment, systemClock);
  const log = openDynamoLog({
    client: table.client,
    table: table.table,
    macKey: null,
    clock: systemClock,
    fresh: systemFresh,
    writer: 'test/1' as WriterId,
  });
  let head = { number: 0, hash: '' };
  for (const [index, commit] of stage.commits.entries()) {
    // The entry that stands from the request on, whatever comes of it before it is due.
    const wake = index === asked - 1 ? { dueAtMs: 1, open: openItems(stage.thread) } : undefined;
    const result = await log.append(threadLog(key), head, commit.events, wake);
    if ('lost' in result) throw new Error('The commit was lost.');
    head = { number: result.won.number, hash: result.won.hash };
  }
  await table.close();
  return stage;
}

const untilOf = (stage: Stage): string => `${utc(stage.approval().expiresAtMs)} · ${stage.key.channel}/${stage.key.ts}`;
const idOf = (stage: Stage, index = 0): string => `A-${stage.approval(index).id.slice(0, 4)}`;

describe('npm run table:create', () => {
  it('makes the table once, and finds it afterwards', async () => {
    const environment = await named();
    expect(await command(environment, 'table:create')).toEqual({
      code: 0,
      out: ['Made the table countersign-test.'],
      err: [],
    });
    expect(await command(environment, 'table:create')).toEqual({
      code: 0,
      out: ['The table countersign-test is there, and fits.'],
      err: [],
    });
  });

  it('says what to set when no table is named', async () => {
    expect(await command(environmentIn(folder()), 'table:create')).toMatchObject({
      code: 2,
      err: ['DYNAMODB_TABLE is not set. The embedded table needs no creating.'],
    });
  });

  it('says so when nothing answers there', async () => {
    const nowhere = { DYNAMODB_TABLE: 'countersign-test', DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
    const { code, err } = await command(environmentIn(folder(), nowhere), 'table:create');
    expect(code).toBe(1);
    expect(err[0]).toContain('The table countersign-test could not be made');
    expect(err.join('\n')).not.toMatch(/^\s+at /m);
  });
});

describe('npm run pending', () => {
  it('lists what waits, doubts first, in every team, from a table that exists only in the cloud', async () => {
    const environment = await named();
    await command(environment, 'table:create');
    expect((await command(environment, 'pending')).out).toEqual(['Nothing waits.']);
    const one = await wait(environment, ['Run echo later', 'Run echo too']);
    const other = await wait(environment, ['Did it run'], {
      key: { ...KEY, team: 'T0OTHER01' as TeamId },
      also: stage => {
        stage.click('approve');
        stage.claim();
        stage.recover();
      },
    });
    const listed = await command(environment, 'pending');
    expect(listed.out[0]).toMatch(/^❓/);
    expect(listed).toEqual({
      code: 0,
      err: [],
      out: expect.arrayContaining([
        `❓ ${idOf(other)}  Did it run · name of U0DANA001 (U0DANA001) · ${KEY.channel}/${KEY.ts}`,
        `⏳ ${idOf(one)}  Run echo later · name of U0DANA001 (U0DANA001) · until ${untilOf(one)}`,
        `⏳ ${idOf(one, 1)}  Run echo too · name of U0DANA001 (U0DANA001) · until ${untilOf(one)}`,
      ]),
    });
  });

  it('lists nothing that has been decided since, although the index still does', async () => {
    const environment = environmentIn(folder());
    await wait(environment, ['Run echo'], { also: stage => stage.click('reject') });
    expect((await command(environment, 'pending')).out).toEqual(['Nothing waits.']);
  });

  it('lists nothing whose time is over, although no process was there to say so', async () => {
    const environment = environmentIn(folder());
    await wait(environment, ['Run echo'], { sinceMs: Date.UTC(2020, 1, 1) });
    expect((await command(environment, 'pending')).out).toEqual(['Nothing waits.']);
  });

  it('says which thread’s record does not fit together', async () => {
    const environment = await named();
    await command(environment, 'table:create');
    await wait(environment, ['Run echo']);
    const table = await openTable(environment, systemClock);
    const key = { pk: { S: threadLog(KEY) }, sk: { S: 'c#0000000002' } };
    await table.client.send(new DeleteItemCommand({ TableName: table.table, Key: key }));
    await table.close();
    expect((await command(environment, 'pending')).out).toEqual([
      `! The record of the thread ${KEY.channel}/${KEY.ts} does not fit together; nothing in it goes on.`,
    ]);
  });

  it('reads the embedded table, also while a process runs that holds it', async () => {
    const environment = environmentIn(folder());
    const stage = await wait(environment, ['Run echo']);
    const waits = [`⏳ ${idOf(stage)}  Run echo · name of U0DANA001 (U0DANA001) · until ${untilOf(stage)}`];
    expect((await command(environment, 'pending')).out).toEqual(waits);
    const held = await openTable(environment, systemClock);
    onTestFinished(() => held.close());
    onTestFinished(tellAddresses(environment.dataFolder, { workspace: null, table: held.embeddedAt }));
    expect((await command(environment, 'pending')).out).toEqual(waits);
  });

  it('does not trust the address of a process that is gone', async () => {
    const environment = environmentIn(folder());
    await wait(environment, ['Run echo']);
    onTestFinished(tellAddresses(environment.dataFolder, { workspace: null, table: 'http://127.0.0.1:9' }));
    expect((await command(environment, 'pending')).out).toHaveLength(1);
  });

  it('keeps its hands off an embedded table that a process holds and has told nothing about', async () => {
    const environment = environmentIn(folder());
    await wait(environment, ['Run echo']);
    const node = takeNode(environment.dataFolder, systemFresh);
    expect(await command(environment, 'pending')).toMatchObject({
      code: 2,
      err: [expect.stringContaining('is in use by another process')],
    });
    node.release();
    expect((await command(environment, 'pending')).out).toHaveLength(1);
    const next = takeNode(environment.dataFolder, systemFresh);
    expect(next.writer).toMatch(/\/2$/);
    next.release();
  });

  it('makes nothing where nothing has been kept', async () => {
    const environment = environmentIn(folder());
    expect(await command(environment, 'pending')).toMatchObject({
      code: 0,
      out: ['Nothing waits: nothing has been kept yet.'],
    });
    expect(existsSync(environment.dataFolder)).toBe(false);
  });

  it('writes out what could move the cursor of a terminal', async () => {
    const environment = environmentIn(folder());
    const stage = await wait(environment, ['Run \u{1b}[2J echo\n⏳ \u{202e}x']);
    expect((await command(environment, 'pending')).out).toEqual([
      `⏳ ${idOf(stage)}  Run \\u{001b}[2J echo ⏎ ⏳ \\u{202e}x · name of U0DANA001 (U0DANA001) · until ${untilOf(stage)}`,
    ]);
  });

  it('says so when the table is missing', async () => {
    expect(await command(await named(), 'pending')).toMatchObject({
      code: 2,
      err: ['There is no table countersign-test; npm run table:create makes it.'],
    });
  });
});
