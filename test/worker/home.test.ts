import { describe, expect, test } from 'vitest';
import type { ChannelId, MessageTs, ThreadKey, UserId } from '../../src/thread/ids.ts';
import { shortId } from '../../src/thread/ids.ts';
import type { OpenCall } from '../../src/worker/ports.ts';
import { LogUnavailable } from '../../src/worker/ports.ts';
import { CardViews } from './card-views.ts';
import { done, question, waits } from './from-inside.ts';
import { ANA, CARD, DANA, KEY, LEO, MIA, SRE, TEAM, terms, World, type Process } from './rig.ts';
import { tapped, type Taps } from './tapped-log.ts';

const OTTO = 'U0OTTO001' as UserId;
const NOOR = 'U0NOOR001' as UserId;
const SECOND: ThreadKey = { ...KEY, channel: 'C0OPS0001' as ChannelId, ts: '1764511299.000100' as MessageTs };
const as = (user: UserId) => ({ user, team: TEAM });
const tools = (calls: readonly OpenCall[]): string[] => calls.map(each => each.call.tool);

/** Dana has asked for something in a thread; it waits. */
async function asked(world: World, process: Process, tool = 'execute', key: ThreadKey = KEY, by = DANA): Promise<void> {
  world.asks[tool] ??= terms();
  world.answers.unshift(() => ({
    reply: { model: 'scripted', text: '', calls: [{ tool, args: '{}' }], usage: { input: 1, output: 1 } },
  }));
  await process.say(`${tool} it`, by, { key });
  await process.settle();
}

async function waiting(): Promise<{ world: World; process: Process; taps: Taps }> {
  const world = new World();
  const taps: Taps = {};
  const process = world.process('node1/1', { views: new CardViews(world), log: tapped(world.log('node1/1'), taps) });
  await asked(world, process);
  return { world, process, taps };
}

describe('what waits for a person', () => {
  test('is what they may decide now, in every thread, with what they asked for beside it', async () => {
    const { world, process } = await waiting();
    await asked(world, process, 'deploy', SECOND, LEO);
    const { inbox } = process.worker;
    const mia = await inbox.overview(as(MIA));
    expect(tools(mia.waitingForYou).toSorted()).toEqual(['deploy', 'execute']);
    expect([mia.youAsked, mia.complete, mia.mayFreeze, mia.mayUnfreeze]).toEqual([[], true, true, false]);
    const dana = await inbox.overview(as(DANA));
    expect([tools(dana.waitingForYou), tools(dana.youAsked)]).toEqual([['deploy'], ['execute']]);
    const otto = await inbox.overview(as(OTTO));
    expect([otto.waitingForYou, otto.youAsked]).toEqual([[], []]);
    expect((await inbox.overview(as(ANA))).mayUnfreeze).toBe(true);
  });

  test('does not list what they have voted on, or what has come to an end since the index was written', async () => {
    const world = new World();
    const process = world.process();
    world.asks['execute'] = terms({ quorum: 2 });
    await asked(world, process);
    await process.click('approve', MIA);
    await process.settle();
    expect((await process.worker.inbox.overview(as(MIA))).waitingForYou).toEqual([]);
    expect(tools((await process.worker.inbox.overview(as(LEO))).waitingForYou)).toEqual(['execute']);
    await process.click('reject', LEO);
    world.say('Fine.');
    await process.settle();
    expect((await process.worker.inbox.overview(as(LEO))).waitingForYou).toEqual([]);
  });

  test('has questions, to who is named and to experts', async () => {
    const world = new World();
    const process = world.process();
    world.scopes = [SRE, { name: 'legal', label: 'Legal', users: [NOOR], groups: [] }];
    world.outcome = () => waits('city', question('From which city?'));
    world.reply({ tool: 'book' });
    await process.say('book');
    await process.settle();
    world.outcome = () => waits('draft', question('Fine?', { scopes: world.scopes.slice(1) }));
    world.reply({ tool: 'write' });
    await process.say('write', LEO, { key: SECOND });
    await process.settle();
    const prompts = async (user: UserId): Promise<string[]> =>
      (await process.worker.inbox.overview(as(user))).questionsForYou.map(each => each.question.prompt);
    expect([await prompts(DANA), await prompts(NOOR), await prompts(OTTO)]).toEqual([
      ['From which city?'],
      ['Fine?'],
      [],
    ]);
  });

  test('lists what a call of theirs waits for, not the call: the question, and not beside it the call that asks', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = () => waits('city', question('From which city?'));
    world.reply({ tool: 'book' });
    await process.say('book');
    await process.settle();
    const mine = await process.worker.inbox.overview(as(DANA));
    expect([mine.questionsForYou.length, tools(mine.youAsked)]).toEqual([1, []]);
  });

  test('lists a call of theirs that experts look at', async () => {
    const world = new World();
    const process = world.process();
    world.scopes = [SRE, { name: 'legal', label: 'Legal', users: [NOOR], groups: [] }];
    world.outcome = () => waits('draft', question('Fine?', { scopes: world.scopes.slice(1) }));
    world.reply({ tool: 'write' });
    await process.say('write');
    await process.settle();
    expect(tools((await process.worker.inbox.overview(as(DANA))).youAsked)).toEqual(['write']);
  });

  test('says that it is not everything when a table or a look-up does not answer', async () => {
    const { world, process, taps } = await waiting();
    world.unreachable.add(MIA);
    expect(await process.worker.inbox.overview(as(MIA))).toMatchObject({ waitingForYou: [], complete: false });
    world.unreachable.clear();
    taps.load = (key, go) =>
      key.startsWith('thread#') ? Promise.reject(new LogUnavailable('The table is away.')) : go();
    expect(await process.worker.inbox.overview(as(MIA))).toMatchObject({ waitingForYou: [], complete: false });
  });

  test('lists what has ended lately for who asked and who decided, newest first, once each', async () => {
    const { world, process } = await waiting();
    world.say('Done.');
    await process.click('approve', MIA);
    await process.settle();
    await world.clock.advance(1_000);
    await asked(world, process, 'deploy', SECOND);
    world.say('Fine.');
    await process.click('reject', LEO, { thread: SECOND });
    await process.settle();
    const { inbox } = process.worker;
    expect(tools((await inbox.overview(as(DANA))).lately)).toEqual(['deploy', 'execute']);
    expect(tools((await inbox.overview(as(MIA))).lately)).toEqual(['execute']);
    expect(tools((await inbox.overview(as(LEO))).lately)).toEqual(['deploy']);
  });
});

describe('marks', () => {
  test('are put once when people are asked and once when it is over, and a table that does not take them stops nothing', async () => {
    const world = new World();
    const put: string[] = [];
    let away = true;
    const log = world.log('node1/1');
    const marking = {
      ...tapped(log, {}),
      putMark: async (...args: Parameters<typeof log.putMark>) => {
        if (away) throw new LogUnavailable('The table is away.');
        put.push(args[1].when);
        return log.putMark(...args);
      },
    };
    const process = world.process('node1/1', { log: marking });
    await asked(world, process);
    expect(put).toEqual([]);
    away = false;
    await process.say('and hurry');
    await process.settle();
    expect(put).toEqual(['asked']);
    world.say('Done.');
    world.say('Hurried.');
    await process.click('approve', MIA);
    await process.settle();
    process.worker.signal(KEY);
    await process.settle();
    expect(put).toEqual(['asked', 'over']);
    expect(world.ran).toHaveLength(1);
  });
});

describe('a record', () => {
  const open = async (process: Process, user: UserId, wanted: Parameters<Process['worker']['inbox']['record']>[1]) => {
    const { refusal, calls } = await process.worker.inbox.record(as(user), wanted);
    return refusal?.code ?? tools(calls).join();
  };

  test('is found by its short id, however it is written, and by nothing that only looks like one', async () => {
    const { world, process } = await waiting();
    const [approval] = Object.values((await world.thread()).approvals);
    const short = shortId(approval?.id ?? ('' as never));
    for (const text of [short, short.toLowerCase(), short.slice(2), ` ${short} `])
      expect(await open(process, MIA, { short: text })).toBe('execute');
    for (const text of ['A-2222', 'A-', '', approval?.id ?? ''])
      expect(await open(process, MIA, { short: text })).toBe('not_found');
  });

  test('is found by its card in another channel, by a reply under it, and by any message of its thread', async () => {
    const { world, process } = await waiting();
    const card = Object.values((await world.thread()).posts)[0];
    const { channel } = CARD;
    const ts = card?.ts ?? ('' as MessageTs);
    expect(await open(process, MIA, { place: { channel, ts, threadTs: null } })).toBe('execute');
    const reply = '1764519999.000100' as MessageTs;
    expect(await open(process, MIA, { place: { channel, ts: reply, threadTs: ts } })).toBe('execute');
    expect(await open(process, MIA, { place: { channel: KEY.channel, ts: reply, threadTs: KEY.ts } })).toBe('execute');
    expect(await open(process, MIA, { place: { channel, ts: reply, threadTs: null } })).toBe('not_found');
  });

  test('is read whole, by the log: also when somebody was refused', async () => {
    const { process } = await waiting();
    await process.click('approve', DANA);
    const [found] = (
      await process.worker.inbox.record(as(MIA), { place: { channel: KEY.channel, ts: KEY.ts, threadTs: null } })
    ).calls;
    if (!found) throw new Error('Nothing was found.');
    const { refused, findings } = await process.worker.inbox.wholeRecord(found);
    expect(refused).toMatchObject([{ by: { id: DANA }, code: 'requester', verdict: 'approve' }]);
    expect(refused[0]?.atMs).toEqual(expect.any(Number));
    expect(findings).toEqual([]);
  });

  test('opens for who asked, who may decide or has decided, auditors and admins; for nobody else', async () => {
    const { world, process } = await waiting();
    world.scopes = [SRE, { name: 'audit', label: 'Audit', users: [NOOR], groups: [] }];
    world.auditors = world.scopes.slice(1);
    const second = world.process('node2/1');
    const place = { place: { channel: KEY.channel, ts: KEY.ts, threadTs: null } };
    const codes: string[] = [];
    for (const user of [DANA, MIA, LEO, ANA, NOOR, OTTO]) codes.push(await open(second, user, place));
    expect(codes).toEqual(['execute', 'execute', 'execute', 'execute', 'execute', 'not_your_record']);
    expect(await open(process, MIA, place)).toBe('execute');
  });
});

describe('requests of one person that wait at once', () => {
  const threads = Array.from({ length: 12 }, (_, index): ThreadKey => {
    return { ...KEY, ts: `17645${String(20_000 + index)}.000100` as MessageTs };
  });
  /** A model that asks for one call in each thread, and speaks when it was refused. */
  const eager = (world: World): void => {
    const calls = [{ tool: 'execute', args: '{}' }];
    const usage = { input: 1, output: 1 };
    for (const _ of [...threads, ...threads])
      world.answers.push(({ conversation }) => {
        const isTold = conversation.some(turn => turn.kind === 'result');
        return { reply: { model: 'm', text: isTold ? 'Too many.' : '', calls: isTold ? [] : calls, usage } };
      });
  };
  const waitingIn = async (world: World): Promise<number> => {
    const all = await Promise.all(threads.map(key => world.thread(key)));
    return all.flatMap(({ calls }) => Object.values(calls)).filter(({ state }) => state.is === 'waiting').length;
  };
  /** Every read and write of the table takes a while, so that whatever can overlap does. */
  const slowly = (world: World, writer: string): Process => {
    const log = world.log(writer);
    const late = async <T>(go: () => Promise<T>): Promise<T> => {
      await world.clock.sleep(5);
      return go();
    };
    return world.process(writer, {
      log: {
        ...tapped(log, { load: (_, go) => late(go), append: (_, go) => late(go) }),
        due: (...of) => late(() => log.due(...of)),
        putMark: (...of) => late(() => log.putMark(...of)),
        lately: (...of) => late(() => log.lately(...of)),
      },
    });
  };

  test('are no more than the limit where they are made at the same moment in many threads of one process', async () => {
    const world = new World();
    world.limits = { ...world.limits, personOpenRequests: 5 };
    const process = slowly(world, 'node1/1');
    eager(world);
    await world.until(Promise.all(threads.map(key => process.say('run it', DANA, { key }))));
    await world.until(process.settle());
    expect(await waitingIn(world)).toBe(5);
  });

  test('are at most one more with two processes at the same moment, and no more than the limit one after the other', async () => {
    const world = new World();
    world.limits = { ...world.limits, personOpenRequests: 5 };
    const processes = [slowly(world, 'node1/1'), slowly(world, 'node2/1')];
    const of = (index: number): Process => processes[index % 2] as Process;
    eager(world);
    await world.until(Promise.all(threads.map((key, index) => of(index).say('run it', DANA, { key }))));
    await world.until(Promise.all(processes.map(process => process.settle())));
    const atOnce = await waitingIn(world);
    expect(atOnce).toBeGreaterThanOrEqual(5);
    expect(atOnce).toBeLessThanOrEqual(6);

    const calm = new World();
    calm.limits = { ...calm.limits, personOpenRequests: 5 };
    const both = [slowly(calm, 'node1/1'), slowly(calm, 'node2/1')];
    eager(calm);
    for (const [index, key] of threads.entries()) {
      const process = both[index % 2] as Process;
      await calm.until(process.say('run it', DANA, { key }));
      await calm.until(process.settle());
      await calm.clock.advance(1_200);
    }
    expect(await waitingIn(calm)).toBe(5);
  });

  test('cost nothing where a call asks nobody, or is the first; then one read each', async () => {
    const world = new World();
    let looks = 0;
    const log = world.log('node1/1');
    const counting = {
      ...tapped(log, {}),
      lately: (...of: Parameters<typeof log.lately>) => {
        looks += 1;
        return log.lately(...of);
      },
    };
    const process = world.process('node1/1', { log: counting });
    world.reply({ tool: 'read_file' }, { tool: 'deploy' });
    world.reply({ tool: 'execute' });
    await process.say('go');
    await process.settle();
    expect(looks).toBe(0);
    world.reply({ tool: 'execute' });
    await process.say('once more', DANA, { key: SECOND });
    await process.settle();
    expect(looks).toBe(1);
    world.reply({ tool: 'execute', args: { n: 1 } }, { tool: 'execute', args: { n: 2 } });
    await process.say('both', LEO, { key: { ...SECOND, ts: '1764511399.000100' as MessageTs } });
    await process.settle();
    expect(looks).toBe(2);
  });

  test('are limited over all threads: one more is refused without a card, and let in when one is decided', async () => {
    const world = new World();
    world.limits = { ...world.limits, personOpenRequests: 1 };
    const process = world.process();
    await asked(world, process);
    world.say('There is too much.');
    await asked(world, process, 'deploy', SECOND);
    expect(Object.values((await world.thread(SECOND)).calls).map(call => call.state)).toMatchObject([
      { is: 'refused', code: 'too_many_open' },
    ]);
    world.say('Fine.');
    await process.click('reject', MIA);
    await process.settle();
    await asked(world, process, 'deploy', SECOND);
    expect(Object.values((await world.thread(SECOND)).calls).at(-1)?.state.is).toBe('waiting');
  });

  test('count what another process has put to people', async () => {
    const world = new World();
    world.limits = { ...world.limits, personOpenRequests: 1 };
    await asked(world, world.process('node1/1'));
    const second = world.process('node2/1');
    world.say('There is too much.');
    await asked(world, second, 'deploy', SECOND);
    expect(Object.values((await world.thread(SECOND)).calls)[0]?.state).toMatchObject({ code: 'too_many_open' });
    world.outcome = () => done('');
    await asked(world, second, 'other', { ...SECOND, ts: '1764511399.000100' as MessageTs }, LEO);
    expect((await second.worker.inbox.overview(as(LEO))).youAsked).toHaveLength(1);
  });
});
