/** The contract of the log: every implementation passes it, as it stands here. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommitTooLarge } from '../../src/store/codec.ts';
import type { StoredCommit } from '../../src/store/sealed.ts';
import type { Head } from '../../src/thread/commit.ts';
import { sha256 } from '../../src/thread/digest.ts';
import type { Event, Json } from '../../src/thread/events.ts';
import {
  threadLog,
  workspaceLog,
  type ApprovalId,
  type LogKey,
  type TeamId,
  type ThreadKey,
  type UserId,
} from '../../src/thread/ids.ts';
import { LogDamaged, type Log, type Mark, type OpenItem } from '../../src/worker/ports.ts';
import { erase, type Backend } from './fixture.ts';
import {
  answer,
  EMPTY,
  freshKey,
  headOf,
  insist,
  message,
  openItem,
  proposal,
  result,
  textsOf,
  write,
} from './samples.ts';

/** Describes the contract for the backend that `start` makes; it is made once, and each test has a log of its own. */
export function describeLog(name: string, start: () => Promise<Backend & { close?: () => void }>): void {
  describe(`The log ${name}`, () => {
    let backend: Backend & { close?: () => void };
    let log: Log;
    beforeAll(async () => {
      backend = await start();
      log = backend.open();
    });
    afterAll(() => backend.close?.());

    describe('appends', () => {
      it('to an empty log, and gives back what a reader will find', async () => {
        const key = freshKey();
        expect(await log.load(key)).toEqual({ snapshot: null, commits: [], wakes: [] });
        const [first, second] = await write(log, key, 'one', 'two');
        expect(await backend.open().load(key)).toEqual({ snapshot: null, commits: [first, second], wakes: [] });
        expect(second).toMatchObject({ number: 2, previous: first?.hash });
      });

      it('in a workspace log as in a thread', async () => {
        const key = workspaceLog('T0CONTRACT' as TeamId);
        const frozen: Event = {
          type: 'freeze.set',
          by: 'U0ANA0001' as never,
          body: { why: 'bad deploy', name: 'Ana Ruiz' },
        };
        await log.append(key, EMPTY, [frozen]);
        expect((await log.load(key)).commits[0]?.events).toEqual([frozen]);
      });

      it('behind a stale head never: the race is lost and what is stored stays as it was [F-B3]', async () => {
        const key = freshKey();
        const [first] = await write(log, key, 'one', 'two');
        const before = await backend.behind.read(key, 2);
        expect(await log.append(key, first ?? EMPTY, [message('late')])).toEqual({ lost: true });
        expect(await backend.behind.read(key, 2)).toEqual(before);
        expect(await backend.behind.count(key)).toBe(2);
      });

      it('of 12 writers at once, of which none loses anything [T-C10]', async () => {
        const key = freshKey();
        const writers = Array.from({ length: 12 }, () => backend.open());
        const lost = await Promise.all(
          writers.map(async (writer, index) => {
            const first = await insist(writer, key, [message(`${index}.1`)]);
            const second = await insist(writer, key, [message(`${index}.2`)], first.head);
            return first.lost + second.lost;
          }),
        );
        const texts = textsOf((await log.load(key)).commits);
        expect(texts.length).toBe(24);
        expect(new Set(texts).size).toBe(24);
        for (const index of writers.keys()) {
          expect(texts.filter(text => text.startsWith(`${index}.`))).toEqual([1, 2].map(step => `${index}.${step}`));
        }
        expect(
          lost.reduce((sum, races) => sum + races, 0),
          'the writers did get into each other’s way',
        ).toBeGreaterThan(0);
      });

      it('of 50 at once make one chain [T-D2]', async () => {
        const key = freshKey();
        const appended = await Promise.all(
          Array.from({ length: 50 }, (_, index) => log.append(key, EMPTY, [message(String(index))])),
        );
        expect(appended.filter(each => 'won' in each).length).toBe(1);
        await Promise.all(
          Array.from({ length: 7 }, async (_, writer) => {
            let head: Head = EMPTY;
            for (let step = 0; step < 7; step++) {
              ({ head } = await insist(log, key, [message(`again ${writer}.${step}`)], head));
            }
          }),
        );
        const { commits } = await log.load(key);
        expect(commits.map(commit => commit.number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
        expect(new Set(textsOf(commits)).size).toBe(50);
      });

      it('of parallel results are all there after a reload [F-B6]', async () => {
        const key = freshKey();
        await write(log, key, 'run three');
        await Promise.all(['A', 'B', 'C'].map(call => insist(backend.open(), key, [result(call)])));
        const ended = (await log.load(key)).commits.flatMap(commit =>
          commit.events.flatMap(event => (event.type === 'call.ended' ? [event.call as string] : [])),
        );
        expect(ended.sort()).toEqual(['A', 'B', 'C']);
      });

      it('keep their order by number though the clock steps back [T-D7]', async () => {
        const key = freshKey();
        await write(log, key, 'first');
        backend.clock.wallMs -= 3_600_000;
        await write(log, key, 'second');
        backend.clock.wallMs += 3_600_000;
        const { commits } = await log.load(key);
        expect(textsOf(commits)).toEqual(['first', 'second']);
        expect(commits[1]?.atMs).toBeLessThan(commits[0]?.atMs ?? 0);
      });

      it('are refused, before anything is written, for events that could not be read again', async () => {
        const key = freshKey();
        const broken = { ...message('x'), ts: '' } as Event;
        await expect(log.append(key, EMPTY, [broken])).rejects.toThrow(
          'message.received does not have its declared form',
        );
        await expect(log.append(key, EMPTY, [])).rejects.toThrow('at least one event');
        expect(await backend.behind.count(key)).toBe(0);
      });

      it('are refused over the size of an item, and the log stays as it was [F-K3]', async () => {
        const key = freshKey();
        await write(log, key, 'small');
        const head = await headOf(log, key);
        const large = message(noise(600 * 1024));
        await expect(log.append(key, head, [large])).rejects.toThrow(CommitTooLarge);
        await expect(log.append(key, head, [large])).rejects.toThrow(
          /would take \d+ KB; the table has room for 380 KB/,
        );
        expect(textsOf((await log.load(key)).commits)).toEqual(['small']);
        expect(await backend.behind.count(key)).toBe(1);
      });

      it('hold up to the size of an item, and come back whole [F-K3]', async () => {
        const key = freshKey();
        const text = noise(450 * 1024);
        await write(log, key, text);
        expect(textsOf((await log.load(key)).commits)).toEqual([text]);
      });
    });

    describe('loads', () => {
      it('only what is behind the head that a reader knows', async () => {
        const key = freshKey();
        const [, second, third] = await write(log, key, 'one', 'two', 'three');
        expect((await log.load(key, second)).commits).toEqual([third]);
        expect((await log.load(key, third)).commits).toEqual([]);
      });

      it('false, 0, empty text, empty list and null as they were [F-A6]', async () => {
        const key = freshKey();
        const values: Json[] = [false, 0, '', [], null, {}, [false, 0, '', [], null]];
        for (const value of values) await insist(log, key, [answer(value)]);
        const found = (await log.load(key)).commits.flatMap(commit =>
          commit.events.map(event => (event.type === 'question.answered' ? event.body?.value : undefined)),
        );
        expect(found).toEqual(values);
      });

      it('any JSON value as it was', async () => {
        const key = freshKey();
        const value = fc.jsonValue({ noUnicodeString: false }).map(each => JSON.parse(JSON.stringify(each)) as Json);
        const samples = fc.sample(value, { numRuns: 60, seed: 7 });
        const appended = await log.append(key, EMPTY, samples.map(proposal));
        expect('won' in appended && appended.won.events).toEqual(samples.map(proposal));
        expect((await log.load(key)).commits[0]?.events).toEqual(samples.map(proposal));
      });

      it('data that looks like objects of a program as inert data [T-A23]', async () => {
        const key = freshKey();
        const shapes = [
          '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
          '{"lc":1,"type":"constructor","id":["langchain","schema","SystemMessage"],"kwargs":{"content":"hi"}}',
          '{"$ref":"#/definitions/x","$type":"System.Diagnostics.Process","toJSON":"x","then":"y"}',
          '{"a":{"__proto__":{"__proto__":null}},"S":{"N":"1"},"B":"AA=="}',
        ];
        for (const shape of shapes) await insist(log, key, [proposal(JSON.parse(shape) as Json), message(shape)]);
        const { commits } = await backend.open().load(key);
        const args = commits.map(({ events: [reply] }) =>
          reply?.type === 'model.replied' ? reply.body?.calls[0]?.args : null,
        );
        const inOrder = (text: string): unknown => JSON.parse(text);
        expect(args.map(each => JSON.stringify(sortedKeys(each)))).toEqual(
          shapes.map(shape => JSON.stringify(sortedKeys(inOrder(shape)))),
        );
        expect(textsOf(commits)).toEqual(shapes);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      });

      it('the same 48 hours after everything has expired [T-C6]', async () => {
        const key = freshKey();
        await write(log, key, 'one', 'two');
        const before = await log.load(key);
        backend.clock.advance(48 * 3_600_000);
        expect(await backend.open().load(key)).toEqual(before);
      });

      it('a log whose bodies were erased, with a chain that holds', async () => {
        const key = freshKey();
        await write(log, key, 'secret', 'kept');
        await erase(backend.behind, key, 1);
        const { commits } = await backend.open().load(key);
        expect(commits.map(({ events: [event] }) => event?.body)).toEqual([
          null,
          { text: 'kept', name: 'Dana Ito', files: [] },
        ]);
        expect('won' in (await log.append(key, commits.at(-1) ?? EMPTY, [message('on')]))).toBe(true);
      });
    });

    describe('is damaged, and says where, when somebody', () => {
      const cases: [string, number, (key: LogKey) => Promise<void>][] = [
        [
          'alters a fact',
          2,
          key => change(key, 2, stored => ({ facts: stored.facts.replace('U0DANA001', 'U0LEO0001') })),
        ],
        [
          'adds a fact',
          2,
          key => change(key, 2, stored => ({ facts: stored.facts.replace('"type"', '"more":1,"type"') })),
        ],
        [
          'alters a text',
          2,
          key =>
            change(key, 2, ({ content }) => ({
              content: content && { ...content, body: content.body.replace('two', 'owt') },
            })),
        ],
        [
          'alters a salt',
          2,
          key => change(key, 2, ({ content }) => ({ content: content && { ...content, salt: 'x' } })),
        ],
        ['alters a time', 2, key => change(key, 2, stored => ({ atMs: stored.atMs + 1 }))],
        ['alters a writer', 2, key => change(key, 2, () => ({ writer: 'somebody/else' }))],
        ['alters a hash', 2, key => change(key, 2, () => ({ hash: sha256('x') }))],
        ['alters the last commit', 4, key => change(key, 4, () => ({ writer: 'somebody/else' }))],
        ['alters the first commit', 1, key => change(key, 1, () => ({ writer: 'somebody/else' }))],
        ['writes no JSON', 2, key => change(key, 2, () => ({ facts: '[{' }))],
        ['deletes the first', 2, key => backend.behind.remove(key, 1)],
        ['deletes one in the middle', 3, key => backend.behind.remove(key, 2)],
        [
          'exchanges two',
          2,
          async key => {
            const [second, third] = [await backend.behind.read(key, 2), await backend.behind.read(key, 3)];
            await backend.behind.write(key, 2, third);
            await backend.behind.write(key, 3, second);
          },
        ],
        [
          'overwrites one with a sound commit of another log',
          2,
          async key => {
            const other = freshKey();
            await write(log, other, 'one', 'swapped');
            await backend.behind.write(key, 2, await backend.behind.read(other, 2));
          },
        ],
        ['appends a copy of the last', 5, async key => backend.behind.write(key, 5, await backend.behind.read(key, 4))],
      ];
      const change = async (key: LogKey, number: number, alter: (stored: StoredCommit) => Partial<StoredCommit>) => {
        const stored = await backend.behind.read(key, number);
        await backend.behind.write(key, number, { ...stored, ...alter(stored) });
      };

      it.each(cases)('%s [T-A23]', async (_what, number, damage) => {
        const key = freshKey();
        await write(log, key, 'one', 'two', 'three', 'four');
        await damage(key);
        const loading = backend.open().load(key);
        await expect(loading).rejects.toThrow(LogDamaged);
        await expect(loading).rejects.toThrow(`Commit ${number} of ${key} `);
      });

      it('alters what is behind the head that a reader knows, or that head itself', async () => {
        const key = freshKey();
        const [first, second] = await write(log, key, 'one', 'two', 'three');
        await change(key, 3, () => ({ writer: 'somebody/else' }));
        await expect(log.load(key, second)).rejects.toThrow(LogDamaged);
        await expect(log.load(key, { number: 1, hash: sha256('another first') })).rejects.toThrow('Commit 2 of');
        expect(first?.number).toBe(1);
      });

      it('writes in a form of another version', async () => {
        const key = freshKey();
        await write(log, key, 'one');
        await change(key, 1, () => ({ version: 99 }));
        await expect(log.load(key)).rejects.toThrow('was written in form 99; this version of Countersign reads form 1');
      });
    });

    it('shares nothing between threads whose keys differ in one component [T-A21a, F-A7]', async () => {
      const part = (pattern: string) => fc.stringMatching(new RegExp(`^${pattern}$`));
      const keys = fc.record({
        team: part('T[A-Z0-9]{1,6}'),
        channel: part('[CGD][A-Z0-9]{1,6}'),
        ts: part('1[0-9]{3}\\.[0-9]{6}'),
      });
      const different = fc.constantFrom('team', 'channel', 'ts' as const);
      await fc.assert(
        fc.asyncProperty(keys, keys, different, async (one, two, component) => {
          fc.pre(one[component] !== two[component]);
          const [a, b] = [one, { ...one, [component]: two[component] }] as unknown as [ThreadKey, ThreadKey];
          const [left, right] = [threadLog(a), threadLog(b)];
          const secret = Buffer.from(`secret of ${left}`);
          await insist(log, left, [message('left')]);
          const blob = await log.putBlob(left, secret);
          const before = await log.load(right);
          expect(before.commits.flatMap(commit => textsOf([commit]))).not.toContain('left');
          await expect(log.getBlob(right, blob, sha256(secret))).rejects.toThrow('is missing');
          await insist(log, right, [message('right')], before.commits.at(-1));
          expect(textsOf((await log.load(left)).commits)).not.toContain('right');
        }),
        { numRuns: 20, seed: 11 },
      );
    });

    describe('wakes', () => {
      const team = (name: string) => `T0WAKE${name}` as TeamId;
      const carry = async (key: LogKey, dueAtMs: number, open = [openItem('A')]) => {
        const appended = await log.append(key, await headOf(log, key), [message('x')], { dueAtMs, open });
        if ('lost' in appended) throw new Error('lost');
        return { key, number: appended.won.number, nonce: appended.won.nonce, dueAtMs };
      };

      it('stand on the commit that carries them, and are listed oldest first once they are due', async () => {
        const own = team('DUE');
        const [late, early, future] = [
          await carry(freshKey(own), 3000),
          await carry(freshKey(own), 1000),
          await carry(freshKey(own), 9000),
        ];
        await carry(freshKey(team('OTHER')), 1);
        const listed = (...entries: object[]) => entries.map(entry => ({ ...entry, open: [openItem('A')] }));
        expect(await log.due(own, 3000)).toEqual(listed(early, late));
        expect(await log.due(own, 999)).toEqual([]);
        expect(await log.due(own, 9000)).toEqual(listed(early, late, future));
        expect((await log.load(late.key)).wakes).toEqual([late]);
      });

      it('are cleared without a trace, also twice, and leave the commit as it was', async () => {
        const own = team('CLEAR');
        const [entry, other] = [await carry(freshKey(own), 1000), await carry(freshKey(own), 2000)];
        await log.clearWake(entry);
        await log.clearWake(entry);
        const left = [{ ...other, open: [openItem('A')] }];
        expect(await log.due(own, 5000)).toEqual(left);
        expect(await backend.open().due(own, 5000)).toEqual(left);
        const loaded = await backend.open().load(entry.key);
        expect(loaded.wakes).toEqual([]);
        expect(textsOf(loaded.commits)).toEqual(['x']);
      });

      it('of a commit that is not there are cleared without bringing an item into being', async () => {
        const key = freshKey(team('GHOST'));
        await log.clearWake({ key, number: 7, nonce: 'gone', dueAtMs: 1 });
        expect(await backend.behind.count(key)).toBe(0);
        expect(await log.due(team('GHOST'), 10)).toEqual([]);
      });

      it('stand outside the chain: clearing one changes no hash', async () => {
        const key = freshKey(team('CHAIN'));
        const entry = await carry(key, 1000);
        const before = await log.load(key);
        await log.clearWake(entry);
        expect((await log.load(key)).commits).toEqual(before.commits);
      });
    });

    describe('wakes tell what was open when they were written', () => {
      const listed = async (open: readonly OpenItem[]) => {
        const key = freshKey(`T0OPEN${++teams}` as TeamId);
        await log.append(key, EMPTY, [message('x')], { dueAtMs: 1000, open });
        return (await log.due(`T0OPEN${teams}` as TeamId, 1000))[0]?.open;
      };
      let teams = 0;

      it('nothing, one thing, or of many long ones as many as fit', async () => {
        expect(await listed([])).toEqual([]);
        expect(await listed([openItem('A'), openItem('B')])).toEqual([openItem('A'), openItem('B')]);
        const many = Array.from({ length: 30 }, (_, index) => openItem(`${index}`, 'x'.repeat(200)));
        const shown = (await listed(many)) ?? [];
        expect(shown.length).toBeGreaterThan(3);
        expect(shown.length).toBeLessThan(30);
        expect(shown[0]).toEqual({ ...many[0], summary: `${'x'.repeat(39)}…` });
      });
    });

    describe('marks', () => {
      let teams = 0;
      const freshTeam = () => `T0MARK${++teams}` as TeamId;
      const mark = (short: string, more: Partial<Mark> = {}): Mark => ({
        short,
        approval: `${short}${'A'.repeat(22)}` as ApprovalId,
        key: freshKey(),
        people: ['U0DANA001' as UserId],
        atMs: 1_790_000_000_000,
        when: 'asked',
        ...more,
      });

      it('find a request by its short id, and only in its own team', async () => {
        const [own, other] = [freshTeam(), freshTeam()];
        const [one, two] = [mark('7F3K'), mark('7F3L')];
        for (const each of [one, two]) await log.putMark(own, each);
        expect(await backend.open().marksOf(own, '7F3K')).toEqual([one]);
        expect(await log.marksOf(other, '7F3K')).toEqual([]);
        expect(await log.marksOf(own, '7F3')).toEqual([]);
      });

      it('find every request that has the same short id by chance', async () => {
        const own = freshTeam();
        const twins = ['A', 'B'].map(end => mark('7F3K', { approval: `7F3K${end.repeat(22)}` as ApprovalId }));
        for (const each of twins) await log.putMark(own, each);
        expect(await log.marksOf(own, '7F3K')).toEqual(twins);
      });

      it('are put once: the same again, by another process, changes nothing and is no error', async () => {
        const own = freshTeam();
        const first = mark('7F3K');
        await log.putMark(own, first);
        await Promise.all(Array.from({ length: 4 }, () => backend.open().putMark(own, first)));
        await log.putMark(own, { ...first, key: freshKey() });
        expect(await log.marksOf(own, '7F3K')).toEqual([first]);
        expect(await log.lately(own, 'U0DANA001' as UserId, 10)).toEqual([first]);
      });

      it('list what happened lately to each of their people, newest first, as many as are asked for', async () => {
        const own = freshTeam();
        const [dana, mia] = ['U0DANA001', 'U0MIA0001'] as [UserId, UserId];
        const asked = Array.from({ length: 5 }, (_, index) =>
          mark(`AAA${'BCDEF'[index] ?? ''}`, { atMs: 1_790_000_000_000 + index }),
        );
        for (const each of asked) await log.putMark(own, each);
        const [first] = asked;
        if (!first) throw new Error('There is no mark.');
        const over: Mark = { ...first, people: [dana, mia, dana], atMs: first.atMs + 9, when: 'over' };
        await log.putMark(own, over);
        expect(await log.lately(own, dana, 3)).toEqual([over, asked[4], asked[3]]);
        expect(await log.lately(own, dana, 100)).toEqual([over, ...asked.toReversed()]);
        expect(await log.lately(own, mia, 100)).toEqual([over]);
        expect(await log.lately(own, dana, 0)).toEqual([]);
        expect(await log.lately(own, 'U0LEO0001' as UserId, 5)).toEqual([]);
        expect(await log.marksOf(own, first.short), 'one for a request, as it was asked').toEqual([first]);
      });

      it('are found by no text that is no short id', async () => {
        const own = freshTeam();
        await log.putMark(own, mark('7F3K'));
        for (const text of ['', '#', '7F3K#', 'a7f3', '~', 'x'.repeat(3000)])
          expect(await log.marksOf(own, text)).toEqual([]);
      });

      it('stand in no log: a thread with marks is read as it was', async () => {
        const own = freshTeam();
        const key = freshKey(own);
        await write(log, key, 'one');
        const before = await log.load(key);
        await log.putMark(own, mark('7F3K', { key }));
        expect(await log.load(key)).toEqual(before);
        expect(await backend.behind.count(key)).toBe(1);
      });
    });

    describe('keeps a snapshot', () => {
      const state: Json = { version: 1, runs: ['r1'], n: 0 };
      const longLog = async (): Promise<LogKey> => {
        const key = freshKey();
        for (const index of [0, 1, 2]) await write(log, key, noise(150 * 1024, String(index)));
        return key;
      };

      it('only for who had to read more than 256 KB, and only once', async () => {
        const short = freshKey();
        await write(log, short, 'short');
        await log.load(short);
        await log.offerSnapshot(short, await headOf(log, short), state);
        expect(await backend.behind.snapshot(short)).toBeUndefined();

        const long = await longLog();
        await backend.open().offerSnapshot(long, await headOf(log, long), state);
        expect(await backend.behind.snapshot(long), 'nothing was read by who offers').toBeUndefined();
        await log.offerSnapshot(long, await headOf(log, long), state);
        expect(await backend.behind.snapshot(long)).toBeDefined();
      });

      it('from which a reader starts, with a chain that goes on from it', async () => {
        const key = await longLog();
        const head = await headOf(log, key);
        await log.offerSnapshot(key, head, state);
        const [fourth] = await write(log, key, 'four');
        const loaded = await backend.open().load(key);
        expect(loaded.snapshot).toEqual({ state, head });
        expect(loaded.commits).toEqual([fourth]);
        await log.offerSnapshot(key, fourth ?? EMPTY, {});
        expect((await backend.open().load(key)).snapshot?.head, 'little was read, nothing is written').toEqual(head);
      });

      it('that is ignored by who has another key or none, or when it was altered', async () => {
        const key = await longLog();
        const head = await headOf(log, key);
        await log.offerSnapshot(key, head, state);
        const strangers = [backend.open({ macKey: null }), backend.open({ macKey: Buffer.alloc(32, 8) })];
        for (const stranger of strangers)
          expect(await stranger.load(key)).toMatchObject({ snapshot: null, commits: { length: 3 } });
        const item = (await backend.behind.snapshot(key)) ?? {};
        const forgeries = [
          { ...item, number: { N: '2' } },
          { ...item, hash: { S: sha256('x') } },
          { ...item, v: { N: '99' } },
          { ...item, state: { B: Buffer.from('\0{"runs":[]}') } },
          { ...item, state: { B: Buffer.from([1, 2, 3]) } },
          { pk: { S: key }, sk: { S: 's' } },
        ];
        for (const forgery of forgeries) {
          await backend.behind.putSnapshot(key, forgery);
          expect(await backend.open().load(key)).toMatchObject({ snapshot: null, commits: { length: 3 } });
        }
      });

      it('that does not stand in the way of who knows the head', async () => {
        const key = await longLog();
        const head = await headOf(log, key);
        await log.offerSnapshot(key, head, state);
        expect(await log.load(key, head)).toEqual({ snapshot: null, commits: [], wakes: [] });
      });

      it('that does not hide damage: removed, altered or rewritten commits', async () => {
        const key = await longLog();
        const head = await headOf(log, key);
        await log.offerSnapshot(key, head, state);
        const third = await backend.behind.read(key, 3);
        await backend.behind.remove(key, 3);
        await expect(backend.open().load(key)).rejects.toThrow('commits were removed');
        await backend.behind.write(key, 3, { ...third, writer: 'somebody/else' });
        await expect(backend.open().load(key)).rejects.toThrow('Commit 3 of');
        for (const number of [1, 2, 3]) await backend.behind.remove(key, number);
        for (const text of ['a', 'sound', 'chain']) await insist(log, key, [message(text)]);
        await expect(backend.open().load(key)).rejects.toThrow('Commit 3 of');
      });

      it('that does not hide a gap behind it', async () => {
        const key = await longLog();
        await log.offerSnapshot(key, await headOf(log, key), state);
        await write(log, key, 'four', 'five');
        for (const number of [1, 2, 3, 4]) await backend.behind.remove(key, number);
        await expect(backend.open().load(key)).rejects.toThrow(LogDamaged);
      });

      it('never of a state that the table has no room for, and never fails', async () => {
        const key = await longLog();
        const head = await headOf(log, key);
        await expect(log.offerSnapshot(key, head, noise(800 * 1024))).resolves.toBeUndefined();
        expect(await backend.behind.snapshot(key)).toBeUndefined();
      });
    });

    describe('keeps long results', () => {
      it('of any bytes and any length, by their digest', async () => {
        const key = freshKey();
        for (const bytes of [
          Buffer.of(),
          Buffer.of(0, 255, 1),
          Buffer.from('text '.repeat(9000)),
          Buffer.from(noise(900 * 1024)),
        ]) {
          const id = await log.putBlob(key, bytes);
          expect(Buffer.from(await backend.open().getBlob(key, id, sha256(bytes))).equals(bytes)).toBe(true);
        }
        expect((await log.load(key)).commits).toEqual([]);
      });

      it('and says when one is missing, changed or incomplete', async () => {
        const key = freshKey();
        const bytes = Buffer.from(noise(900 * 1024));
        const id = await log.putBlob(key, bytes);
        await expect(log.getBlob(key, id, sha256('other'))).rejects.toThrow('is not the one that was recorded');
        await backend.behind.changeBlob(key, id, items => items.slice(0, 1));
        await expect(log.getBlob(key, id, sha256(bytes))).rejects.toThrow(LogDamaged);
        await expect(log.getBlob(key, 'nosuch', sha256(bytes))).rejects.toThrow('is missing');
        await expect(log.getBlob(key, 'x#y', sha256(bytes))).rejects.toThrow(LogDamaged);
      });
    });
  });
}

/** Text that compresses to about three quarters, the same for the same seed. */
function noise(length: number, seed = ''): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < length; index++) {
    const part = Buffer.from(sha256(`${seed}${index}`), 'hex').toString('base64');
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => [name, sortedKeys(own)]);
}
