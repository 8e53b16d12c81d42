import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, systemFresh } from '../../src/compose/clock.ts';
import { takeNode } from '../../src/compose/node-lock.ts';
import { tellAddresses } from '../../src/compose/running-here.ts';
import { openTable } from '../../src/compose/table-side.ts';
import type { Environment } from '../../src/config/environment.ts';
import { startDynalite } from '../../src/local/dynalite.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import type { LogKey, UserId, WriterId } from '../../src/thread/ids.ts';
import type { OpenItem } from '../../src/worker/ports.ts';
import { command, environmentIn, folder } from './stage.ts';

async function named(): Promise<Environment> {
  const table = await startDynalite();
  onTestFinished(() => table.close());
  return environmentIn(folder(), { DYNAMODB_TABLE: 'countersign-test', DYNAMODB_ENDPOINT: table.endpoint });
}

const item = (id: string, summary: string, untilMs: number, kind: OpenItem['kind'] = 'approval'): OpenItem => ({
  id,
  kind,
  summary,
  by: 'U0DANA001' as UserId,
  untilMs,
});

/** Puts what is open in a thread into the table, as a worker does. */
async function wait(environment: Environment, thread: string, open: readonly OpenItem[]): Promise<void> {
  const table = await openTable(environment, systemClock);
  const log = openDynamoLog({
    client: table.client,
    table: table.table,
    macKey: null,
    clock: systemClock,
    fresh: systemFresh,
    writer: 'test/1' as WriterId,
  });
  const key = `thread#${thread}` as LogKey;
  const head = { number: 0, hash: '' };
  await log.append(key, head, [{ type: 'lease.released', holder: 'test/1' as WriterId, synced: true, body: {} }], {
    dueAtMs: 1,
    open,
  });
  await table.close();
}

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
  const until = Date.UTC(2026, 10, 30, 16, 5);

  it('lists what waits, soonest first, in every team, from a table that exists only in the cloud', async () => {
    const environment = await named();
    await command(environment, 'table:create');
    expect((await command(environment, 'pending')).out).toEqual(['Nothing waits.']);
    await wait(environment, 'T0ACME001#C0GENERAL#1.1', [item('ABCDEFGH', 'Run echo later', until + 60_000)]);
    await wait(environment, 'T0OTHER01#C0GENERAL#1.1', [
      item('QRSTUVWX', 'Did it run', 0, 'in_doubt'),
      item('IJKLMNOP', 'Run echo soon', until),
    ]);
    expect(await command(environment, 'pending')).toEqual({
      code: 0,
      err: [],
      out: [
        '❓ A-QRST  Did it run · U0DANA001',
        '⏳ A-IJKL  Run echo soon · U0DANA001 · until 2026-11-30T16:05:00Z',
        '⏳ A-ABCD  Run echo later · U0DANA001 · until 2026-11-30T16:06:00Z',
      ],
    });
  });

  it('reads the embedded table, also while a process runs that holds it', async () => {
    const environment = environmentIn(folder());
    await wait(environment, 'T0ACME001#C0GENERAL#1.1', [item('ABCDEFGH', 'Run echo', until)]);
    const waits = ['⏳ A-ABCD  Run echo · U0DANA001 · until 2026-11-30T16:05:00Z'];
    expect((await command(environment, 'pending')).out).toEqual(waits);
    const held = await openTable(environment, systemClock);
    onTestFinished(() => held.close());
    onTestFinished(tellAddresses(environment.dataFolder, { workspace: null, table: held.embeddedAt }));
    expect((await command(environment, 'pending')).out).toEqual(waits);
  });

  it('does not trust the address of a process that is gone', async () => {
    const environment = environmentIn(folder());
    await wait(environment, 'T0ACME001#C0GENERAL#1.1', [item('ABCDEFGH', 'Run echo', until)]);
    onTestFinished(tellAddresses(environment.dataFolder, { workspace: null, table: 'http://127.0.0.1:9' }));
    expect((await command(environment, 'pending')).out).toHaveLength(1);
  });

  it('keeps its hands off an embedded table that a process holds and has told nothing about', async () => {
    const environment = environmentIn(folder());
    await wait(environment, 'T0ACME001#C0GENERAL#1.1', [item('ABCDEFGH', 'Run echo', until)]);
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
    await wait(environment, 'T0ACME001#C0GENERAL#1.1', [item('ABCDEFGH', 'Run \u{1b}[2J echo\n⏳ \u{202e}x', until)]);
    expect((await command(environment, 'pending')).out).toEqual([
      '⏳ A-ABCD  Run \\u{1b}[2J echo\\u{a}⏳ \\u{202e}x · U0DANA001 · until 2026-11-30T16:05:00Z',
    ]);
  });

  it('says so when the table is missing', async () => {
    expect(await command(await named(), 'pending')).toMatchObject({
      code: 2,
      err: ['There is no table countersign-test; npm run table:create makes it.'],
    });
  });
});
