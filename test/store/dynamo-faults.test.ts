/** What the log does when the table does not answer as it should; every request is made to go wrong in every way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynalite, type EmbeddedTable } from '../../src/local/dynalite.ts';
import type { Patience } from '../../src/store/requests.ts';
import { sha256 } from '../../src/thread/digest.ts';
import type { ApprovalId, LogKey, UserId } from '../../src/thread/ids.ts';
import { LogDamaged, LogUnavailable, type Log, type Mark } from '../../src/worker/ports.ts';
import { FATES, faultClient, KINDS, type Fate, type FaultClient, type Kind } from './fault-client.ts';
import { dynamoBackend, makeGhost, type DynamoBackend } from './fixture.ts';
import { EMPTY, freshKey, headOf, insist, message, openItem, TEAM, textsOf, write } from './samples.ts';

let embedded: EmbeddedTable;
let backend: DynamoBackend;
beforeAll(async () => {
  embedded = await startDynalite();
  backend = await dynamoBackend(embedded.endpoint);
});
afterAll(async () => {
  backend.close();
  await embedded.close();
});

const faulty = (): FaultClient => faultClient(embedded.endpoint);
/** The log of a process that reaches the table through such a client. */
const through = ({ client, clock }: FaultClient, patience: Partial<Patience> = {}): Log =>
  backend.openWith({ client, clock, patience });

/** A short life of a log: every kind of request that the log makes. What a reader then finds is what is compared. */
async function story(log: Log, key: LogKey): Promise<void> {
  let head = EMPTY;
  for (const text of ['one', 'two']) {
    const appended = await log.append(key, head, [message(text)], { dueAtMs: 1000, open: [openItem('A')] });
    if ('lost' in appended) throw new Error('Nobody else writes here.');
    head = appended.won;
  }
  const { wakes } = await log.load(key);
  for (const entry of wakes.slice(1)) await log.clearWake(entry);
  await log.getBlob(key, await log.putBlob(key, Buffer.from('result')), sha256('result'));
  await log.putMark(TEAM, markOf(key));
  await log.marksOf(TEAM, shortOf(key));
  await log.lately(TEAM, personOf(key), 5);
}

const shortOf = (key: LogKey): string =>
  sha256(key)
    .toUpperCase()
    .replaceAll(/[^A-F2-7]/g, '')
    .slice(0, 20);
const personOf = (key: LogKey): UserId => `U${shortOf(key)}` as UserId;
const markOf = (key: LogKey): Mark => ({
  short: shortOf(key),
  approval: shortOf(key) as ApprovalId,
  key,
  people: [personOf(key)],
  atMs: 1_790_000_000_000,
  when: 'asked',
});

async function found(key: LogKey) {
  const { commits, wakes } = await backend.open().load(key);
  const [byShort, byPerson] = [
    await backend.open().marksOf(TEAM, shortOf(key)),
    await backend.open().lately(TEAM, personOf(key), 5),
  ];
  return {
    texts: textsOf(commits),
    wakes: wakes.map(entry => entry.number),
    items: await backend.behind.count(key),
    marks: [byShort.length, byPerson.length],
  };
}

describe('A log whose table fails once', () => {
  const expected = { texts: ['one', 'two'], wakes: [1], items: 3, marks: [1, 1] };
  const ways: [Kind, Fate][] = KINDS.flatMap(kind => FATES.map((fate): [Kind, Fate] => [kind, fate]));

  it.each(ways.filter(([kind]) => kind === 'error' || kind === 'silence'))(
    'by %s, the request being %s, at every request in turn, ends as if nothing had been [T-C1]',
    async (kind, fate) => {
      const clean = faulty();
      await story(through(clean), freshKey());
      expect(clean.requests.length).toBe(10);
      await Promise.all(
        clean.requests.map(async (_request, index) => {
          const [key, client] = [freshKey(), faulty()];
          client.fail(index, kind, fate);
          await story(through(client), key);
          const before = await found(key);
          await client.settleLate();
          expect([before, await found(key)], `request ${index}`).toEqual([expected, expected]);
        }),
      );
    },
  );

  it.each(ways)(
    'by %s, a put being %s, comes to the same with 0, 1 and 3 retries of its own [T-C2]',
    async (kind, fate) => {
      for (const retries of [0, 1, 3]) {
        const [key, client] = [freshKey(), faulty()];
        client.fail(1, kind, fate);
        const log = through(client, { retries });
        const first = await log.append(key, EMPTY, [message('one')]);
        const second = await log.append(key, 'won' in first ? first.won : EMPTY, [message('two')]);
        await client.settleLate();
        expect('won' in second, `${retries} retries`).toBe(true);
        expect((await found(key)).texts).toEqual(['one', 'two']);
      }
    },
  );

  it('while another writer takes the number has lost, whatever became of its own put', async () => {
    for (const [kind, fate] of ways.filter(way => way[1] !== 'applied')) {
      const [key, client] = [freshKey(), faulty()];
      await write(backend.open(), key, 'rival');
      client.fail(0, kind, fate);
      expect(await through(client).append(key, EMPTY, [message('mine')])).toEqual({
        lost: true,
      });
      await client.settleLate();
      expect((await found(key)).texts).toEqual(['rival']);
    }
  });
});

describe('A log whose table fails on', () => {
  it.each(KINDS)('by %s is unavailable after bounded time, and says what it saw', async kind => {
    const [key, client] = [freshKey(), faulty()];
    const log = through(client);
    client.failAll(kind);
    const from = client.clock.monotonicMs();
    await expect(log.append(key, EMPTY, [message('x')])).rejects.toThrow(LogUnavailable);
    await expect(log.load(key)).rejects.toThrow('did not answer');
    await expect(log.due(TEAM, 1)).rejects.toThrow(LogUnavailable);
    await expect(log.clearWake({ key, number: 1, nonce: 'n', dueAtMs: 1 })).rejects.toThrow(LogUnavailable);
    await expect(log.putBlob(key, Buffer.from('x'))).rejects.toThrow(LogUnavailable);
    await expect(log.putMark(TEAM, markOf(key))).rejects.toThrow(LogUnavailable);
    await expect(log.lately(TEAM, personOf(key), 5)).rejects.toThrow(LogUnavailable);
    expect(client.clock.monotonicMs() - from).toBeLessThan(8 * (8000 + 2 * 2000));
    client.mend();
    expect(await log.load(key)).toMatchObject({ commits: [] });
    expect(client.clock.sleeping, 'no timer is left behind').toBe(0);
  });

  it('leaves an append open, which may still land: then it is found on the next load', async () => {
    const [key, client] = [freshKey(), faulty()];
    const log = through(client, { retries: 0 });
    client.fail(0, 'error', 'later');
    client.fail(1, 'error', 'lost');
    await expect(log.append(key, EMPTY, [message('late')])).rejects.toThrow(LogUnavailable);
    await client.settleLate();
    expect((await found(key)).texts).toEqual(['late']);
    await insist(log, key, [message('next')]);
    expect((await found(key)).texts).toEqual(['late', 'next']);
  });

  it('is not asked again after a refusal for good', async () => {
    const [key, client] = [freshKey(), faulty()];
    client.refuse('PutItemCommand', 'AccessDeniedException');
    const log = through(client);
    await expect(log.append(key, EMPTY, [message('x')])).rejects.toThrow(/refused a request \(AccessDeniedException/);
    expect(client.requests.length).toBe(1);
  });

  it('because there is none is told so', async () => {
    const client = faulty();
    client.refuse('QueryCommand', 'ResourceNotFoundException');
    await expect(through(client).load(freshKey())).rejects.toThrow(`There is no table ${backend.table} here.`);
  });
});

describe('What the log asks of the table', () => {
  it('is one conditional put per commit, and one query per load, by a client that repeats nothing', async () => {
    const [key, client] = [freshKey(), faulty()];
    const log = through(client);
    const appended = await log.append(key, EMPTY, [message('one')], { dueAtMs: 1, open: [] });
    await log.load(key);
    await log.load(key, 'won' in appended ? appended.won : EMPTY);
    expect(client.requests.map(({ command }) => command)).toEqual(['PutItemCommand', 'QueryCommand', 'QueryCommand']);
    expect(client.requests[0]?.input['ConditionExpression']).toBe('attribute_not_exists(pk)');
    expect(await client.client.config.maxAttempts()).toBe(1);
  });

  it('is always a strongly consistent read, except of the index, which cannot give one [F-E14]', async () => {
    const [key, client] = [freshKey(), faulty()];
    client.fail(0, 'error', 'applied');
    const log = through(client);
    await story(log, key);
    await log.due(TEAM, 0);
    const reads = client.requests.filter(({ command }) => command === 'QueryCommand' || command === 'GetItemCommand');
    const [ofIndex, ofLogs] = [
      reads.filter(read => read.input['IndexName']),
      reads.filter(read => !read.input['IndexName']),
    ];
    expect(ofIndex.length).toBeGreaterThan(0);
    expect(ofLogs.map(read => read.command)).toContain('GetItemCommand');
    expect(ofLogs.every(read => read.input['ConsistentRead'] === true)).toBe(true);
  });

  it('goes no further back than to a snapshot, and over as many pages as it takes', async () => {
    const [key, client] = [freshKey(), faulty()];
    const log = through(client);
    const long = Array.from({ length: 8 }, (_, index) => incompressible(260_000, index));
    for (const text of long) await write(log, key, text);
    const pages = async () => {
      const before = client.requests.length;
      const loaded = await log.load(key);
      return { loaded, pages: client.requests.length - before };
    };
    const whole = await pages();
    expect(whole.pages).toBeGreaterThan(1);
    expect(whole.loaded.commits.map(commit => commit.number)).toEqual(
      Array.from({ length: 8 }, (_, index) => index + 1),
    );
    await log.offerSnapshot(key, await headOf(log, key), { state: 'folded' });
    const short = await pages();
    expect(short).toMatchObject({ pages: 1, loaded: { snapshot: { state: { state: 'folded' } }, commits: [] } });
  });

  it('keeps nothing by which a commit could expire [T-C6]', async () => {
    const key = freshKey();
    await backend.open().append(key, EMPTY, [message('one')], { dueAtMs: 1, open: [openItem('A')] });
    await insist(backend.open(), key, [message('two')]);
    const names = (await backend.items(key)).map(item => Object.keys(item).sort());
    expect(names).toEqual([
      ['at', 'b', 'd', 'due', 'dueAt', 'f', 'hash', 'nonce', 'open', 'pk', 'sk', 'v', 'w'],
      ['at', 'b', 'd', 'f', 'hash', 'nonce', 'pk', 'prev', 'sk', 'v', 'w'],
    ]);
  });
});

describe('An item that Countersign did not write', () => {
  it('stops the log, at a load and at an append, and says so [T-A23]', async () => {
    const key = freshKey();
    const log = backend.open();
    await write(log, key, 'one');
    await makeGhost(backend, key, 2);
    await expect(log.load(key)).rejects.toThrow(`${key} holds an item (c#0000000002) that Countersign did not write.`);
    const head = { number: 1, hash: (await backend.behind.read(key, 1)).hash };
    await expect(log.append(key, head, [message('two')])).rejects.toThrow(LogDamaged);
    await expect(log.load(key, head)).rejects.toThrow(LogDamaged);
  });

  it('has no place in the lists of what is due', async () => {
    const [key, own] = [freshKey(), faulty()];
    own.pretend('QueryCommand', {
      Items: [
        { pk: { S: key }, sk: { S: 'c#0000000001' }, dueAt: { N: '1' } },
        { pk: { S: key }, sk: { S: 'x' } },
      ],
    });
    const log = through(own);
    expect(await log.due(TEAM, 10)).toEqual([]);
  });
});

describe('An index that disagrees with the table', () => {
  it('lists a cleared entry for other processes only, which may clear it again', async () => {
    const [key, lagging] = [freshKey('T0LAGGING' as never), faulty()];
    await backend.open().append(key, EMPTY, [message('x')], { dueAtMs: 5, open: [openItem('A')] });
    lagging.pretend('UpdateItemCommand', {});
    const log = through(lagging);
    const [entry] = await log.due('T0LAGGING' as never, 10);
    await log.clearWake(entry ?? { key, number: 0, nonce: '', dueAtMs: 0 });
    expect(await log.due('T0LAGGING' as never, 10)).toEqual([]);
    expect(await backend.open().due('T0LAGGING' as never, 10)).toEqual([entry]);
  });
});

function incompressible(length: number, seed: number): string {
  let text = '';
  for (let index = 0; text.length < length; index++)
    text += Buffer.from(sha256(`${seed}.${index}`), 'hex').toString('base64');
  return text;
}
