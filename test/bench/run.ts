/**
 * `npm run bench`: what an approval costs, counted and timed beside a loop written by hand for the same work. It prints and
 * fails nothing, unless the work was not done as it must be. `-- --turns 1,10` measures fewer turns, `--on embedded` or
 * `--on local` one table only.
 *
 * Where COUNTERSIGN_DYNAMODB_LOCAL names an endpoint of Amazon's DynamoDB Local, everything is measured there too, with the
 * transaction floor, which the embedded table cannot do.
 */
import { fork } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { systemClock } from '../../src/compose/clock.ts';
import { dynamoClient } from '../../src/store/requests.ts';
import { createTable, tableSchema } from '../../src/store/table.ts';
import { Account } from './account.ts';
import { BenchClock } from './bench-clock.ts';
import { Countersign } from './countersign.ts';
import { createFloorTable, Floor, floorShape } from './floor.ts';
import { measureTurn, type Measured, type Sample } from './measure.ts';
import { reportOf, type Round } from './report.ts';
import { Effects } from './script.ts';
import type { TableShape } from './units.ts';
import { OFFERS, waysOf } from './ways.ts';

/** Enough turns for a median wherever a thread is short. */
const threadsOf = (k: number): number => Math.max(1, Math.min(40, Math.ceil(60 / k)));
const WARM_UP_THREADS = 3;

interface Backend {
  readonly name: string;
  readonly endpoint: string;
  readonly hasTransactions: boolean;
}

const LOCAL = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** The table's shape as the account needs it. */
function shapeOf(table: string): TableShape {
  const { KeySchema = [], GlobalSecondaryIndexes = [] } = tableSchema(table);
  const names = (keys: readonly { AttributeName?: string | undefined }[]): string[] =>
    keys.flatMap(key => key.AttributeName ?? []);
  return {
    keys: names(KeySchema),
    indexes: GlobalSecondaryIndexes.map(index => ({
      keys: names(index.KeySchema ?? []),
      projected: index.Projection?.NonKeyAttributes ?? [],
    })),
  };
}

async function measuredOn(backend: Backend, model: string): Promise<Measured[]> {
  const stamp = `${process.pid}-${Date.now()}`;
  const watched = (shape: TableShape) => {
    const client = dynamoClient({ endpoint: backend.endpoint, ...LOCAL });
    const account = new Account(shape);
    account.watch(client);
    return { client, account, effects: new Effects(), model };
  };
  const software = [true, false].map(async fresh => {
    const table = `countersign-${fresh ? 'fresh' : 'one'}-${stamp}`;
    const own = watched(shapeOf(table));
    await createTable(own.client, table, systemClock);
    return { ...own, subject: new Countersign({ ...own, table, clock: new BenchClock(), fresh }) };
  });
  const claims = backend.hasTransactions ? (['put', 'transaction'] as const) : (['put'] as const);
  const floors = claims.map(async claim => {
    const own = watched(floorShape);
    const table = `floor-${claim}-${stamp}`;
    await createFloorTable(own.client, table);
    return { ...own, subject: new Floor({ ...own, table, claim }) };
  });
  return Promise.all([...software, ...floors]);
}

/** All subjects do the same turn one after the other, so that drift of the machine falls on all of them. */
async function measure(backend: Backend, model: string, ks: readonly number[]): Promise<Round> {
  const measured = await measuredOn(backend, model);
  let threads = 0;
  for (; threads < WARM_UP_THREADS; threads += 1)
    for (const one of measured) for (const index of [1, 2, 3]) await measureTurn(one, threads, index);
  const samples = new Map<string, Map<number, Sample[]>>(measured.map(({ subject }) => [subject.name, new Map()]));
  for (const k of ks) {
    for (let repeats = threadsOf(k); repeats > 0; repeats -= 1, threads += 1)
      for (let index = 1; index <= k; index += 1)
        for (const one of measured) {
          const bySize = samples.get(one.subject.name);
          bySize?.set(k, [...(bySize.get(k) ?? []), await measureTurn(one, threads, index)]);
        }
    process.stderr.write(`${backend.name}: threads of ${k} turns done\n`);
  }
  return { backend: backend.name, ks, samples };
}

/** The same software under a rule that lets people edit and allow for a while. */
async function measureWays(backend: Backend, model: string): Promise<string[]> {
  const client = dynamoClient({ endpoint: backend.endpoint, ...LOCAL });
  const table = `countersign-ways-${process.pid}-${Date.now()}`;
  await createTable(client, table, systemClock);
  const account = new Account(shapeOf(table));
  account.watch(client);
  const effects = new Effects();
  const clock = new BenchClock();
  const subject = new Countersign({ client, account, effects, model, table, clock, fresh: true, offers: OFFERS });
  return waysOf({ subject, account, effects });
}

const { values: options } = parseArgs({
  options: { turns: { type: 'string', default: '1,10,50,200' }, on: { type: 'string', default: 'embedded,local' } },
});
const ks = z.array(z.coerce.number().int().min(1).max(2_000)).min(1).parse(options.turns.split(','));

const outside = fork(new URL('outside.ts', import.meta.url));
const addresses = await new Promise<unknown>((resolve, reject) => {
  outside.once('message', resolve);
  outside.once('exit', code => reject(new Error(`The table and the model could not be started (exit code ${code}).`)));
});
const { table, model } = z.object({ table: z.string(), model: z.string() }).parse(addresses);
const local = process.env['COUNTERSIGN_DYNAMODB_LOCAL'];
const known: Record<string, Backend | undefined> = {
  embedded: { name: 'the embedded table (dynalite, in memory)', endpoint: table, hasTransactions: false },
  ...(local ? { local: { name: 'DynamoDB Local', endpoint: local, hasTransactions: true } } : {}),
};
const backends = options.on.split(',').flatMap(name => known[name] ?? []);

try {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`;
  console.log(`Measured ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}.\n`);
  for (const backend of backends) {
    console.log(reportOf(await measure(backend, model, ks)).join('\n'));
    console.log((await measureWays(backend, model)).join('\n'));
  }
  if (!local)
    console.log('The transaction floor needs DynamoDB Local: give its endpoint in COUNTERSIGN_DYNAMODB_LOCAL.');
} finally {
  outside.disconnect();
}
