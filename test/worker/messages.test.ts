import { describe, expect, test } from 'vitest';
import { threadLog, type MessageTs, type RunId, type UserId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Act } from '../../src/worker/ports.ts';
import { agent, ANA, CARD, DANA, KEY, LEO, MIA, TEAM, World, type Process } from './rig.ts';
import { CardViews } from './card-views.ts';
import { tapped, type Taps } from './tapped-log.ts';

const outcomes = async (world: World): Promise<string[]> => {
  const thread = await world.thread();
  return Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
};
const OTTO = 'U0OTTO001' as UserId;
const by = (user = DANA, key = 'k'): Act => ({ thread: KEY, actor: { user, team: TEAM }, place: CARD, key });
const stamp = (n: number): MessageTs => `1764519000.${String(n).padStart(6, '0')}` as MessageTs;

async function waiting({ never = false } = {}): Promise<{ world: World; process: Process }> {
  const world = new World();
  if (never) world.agents = { main: agent('main', { followUps: 'never' }) };
  const process = world.process();
  world.reply({ tool: 'execute', args: { n: 1 } });
  await process.say('run it');
  await process.settle();
  return { world, process };
}

describe('a burst of messages from two processes', () => {
  test('loses nothing, keeps the order of each sender, and counts what is delivered twice once [F-B6, S-3, T-C9, T-C10, T-C18, T-D2]', async () => {
    const world = new World();
    const model = (): void =>
      void world.answers.push(
        () => (model(), { reply: { model: 'm', text: 'ok', calls: [], usage: { input: 1, output: 1 } } }),
      );
    model();
    const processes = [world.process('node1/1'), world.process('node2/1')];
    const sends = Array.from({ length: 500 }, (_, n) => async (): Promise<boolean> => {
      const process = processes[n % 2];
      const again = processes[(n + 1) % 2];
      const message = { ts: stamp(n) };
      const taken = process?.say(`message ${n}`, n % 2 === 0 ? DANA : MIA, message);
      if (n % 10 === 0) await again?.say(`message ${n}`, n % 2 === 0 ? DANA : MIA, message);
      return taken ?? false;
    });
    const taken = await world.until(Promise.all(sends.map(send => send())));
    await world.until(Promise.all(processes.map(process => process.worker.idle())));
    expect(taken.every(Boolean)).toBe(true);
    const { commits } = await world.log('reader/1').load(threadLog(KEY));
    const received = commits.flatMap(commit => commit.events).filter(event => event.type === 'message.received');
    expect(received).toHaveLength(500);
    for (const author of [DANA, MIA]) {
      // Those that were delivered through both processes may have come first through the other one.
      const once = received.filter(event => event.author === author && !event.ts.endsWith('0')).map(event => event.ts);
      expect(once).toEqual(once.toSorted());
      expect(once.length).toBeGreaterThan(150);
    }
    const thread = await world.thread();
    const answered = Object.values(thread.runs).flatMap(run => run.messages);
    expect([...answered, ...thread.queue].toSorted()).toEqual(received.map(event => event.ts).toSorted());
    expect(thread.queue).toEqual([]);
  }, 30_000);

  test('in one process shares commits; nothing is looked up before a message is written [F-B12]', async () => {
    const world = new World();
    world.say('ok');
    const process = world.process();
    const taken = await world.until(
      Promise.all(Array.from({ length: 100 }, (_, n) => process.say(`${n}`, DANA, { ts: stamp(n) }))),
    );
    expect(taken).toHaveLength(100);
    const first = world.trace.filter(line => line.includes('message.received'));
    expect(first.length).toBeLessThan(10);
    expect(world.trace[0]).toMatch(/^write message.received.*lease.taken$/);
  });
});

describe('a message that arrives while the model thinks', () => {
  test('in another process is not swallowed by the run that began without it [F-I4, F-I5, T-C18]', async () => {
    const world = new World();
    const other = world.process('node2/1');
    const process = world.process('node1/1');
    world.answers.push(async () => {
      await other.say('and this too', DANA, { ts: stamp(2) });
      return { reply: { model: 'm', text: 'first', calls: [], usage: { input: 1, output: 1 } } };
    });
    world.say('second');
    await process.say('this', DANA, { ts: stamp(1) });
    await world.until(Promise.all([process.worker.idle(), other.worker.idle()]));
    for (let n = 0; n < 80; n += 1) {
      await world.clock.advance(5_000);
      await other.worker.tick();
    }
    const thread = await world.thread();
    expect(Object.values(thread.runs).map(run => [run.messages, run.answer])).toEqual([
      [[stamp(1)], 'first'],
      [[stamp(2)], 'second'],
    ]);
  });

  test('of somebody else, or unmentioned, is read as the house says: mentioned begins the next run, unmentioned is dropped [S-46, S-47, S-68]', async () => {
    const { world, process } = await waiting();
    expect(await process.say('hm?', MIA, { mention: false })).toBe(false);
    expect(await process.say('@Countersign and me?', MIA)).toBe(true);
    expect(await process.say('yes approve', DANA, { mention: false })).toBe(true);
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.approvals)[0]).toMatchObject({ round: 2, state: { is: 'open' } });
    expect(thread.queue).toHaveLength(2);
    expect(await outcomes(world)).toEqual(['waiting']);
  });
});

describe('several people in one thread', () => {
  test('are told apart by the model: each turn stands under its author, also those of one run and as changed since [S-68, S-70]', async () => {
    const { world, process } = await waiting();
    await process.say('<@U0BOT0001> and me', MIA, { ts: stamp(1) });
    await process.say('and the notes', DANA, { ts: stamp(2), mention: false });
    await process.say('forget this', DANA, { ts: stamp(3) });
    await process.worker.inbox.amend(KEY, { ts: stamp(1), author: MIA, text: 'and me, in staging' });
    await process.worker.inbox.remove(KEY, stamp(3));
    world.say('Done.');
    world.say('All done.');
    const [approval] = Object.values((await world.thread()).approvals);
    await process.click('approve', LEO, { round: approval?.round ?? 0 });
    await process.settle();
    const said = (world.requests.at(-1)?.conversation ?? []).flatMap(turn =>
      turn.kind === 'message' ? [[turn.author, turn.name, turn.text]] : [],
    );
    expect(said).toEqual([
      [DANA, DANA, 'run it'],
      [MIA, MIA, 'and me, in staging'],
      [DANA, DANA, 'and the notes'],
    ]);
    expect((await world.thread()).runs['r2']).toMatchObject({ requesters: [MIA, DANA], answer: 'All done.' });
  });
});

describe('a requester who writes while a card waits', () => {
  test('may use the new message instead: the card is withdrawn and the message runs', async () => {
    const { world, process } = await waiting();
    world.say('Notes listed.');
    await process.say('no, list the notes', DANA, { ts: stamp(5) });
    expect((await process.worker.inbox.useInstead(by(MIA), stamp(5))).refusal?.code).toBe('not_yours');
    expect((await process.worker.inbox.useInstead(by(), stamp(4))).refusal?.code).toBe('not_found');
    expect((await process.worker.inbox.useInstead(by(), stamp(5))).refusal).toBeNull();
    await process.settle();
    const thread = await world.thread();
    expect(await outcomes(world)).toEqual(['withdrawn']);
    expect(thread.runs['r2']).toMatchObject({ messages: [stamp(5)], answer: 'Notes listed.' });
    expect((await process.worker.inbox.useInstead(by(DANA, 'k'), stamp(5))).refusal).toBeNull();
    expect((await process.worker.inbox.useInstead(by(DANA, 'k2'), stamp(5))).refusal?.code).toBe('nothing_to_do');
    expect(Object.keys((await world.thread()).runs)).toHaveLength(2);
  });

  test('may keep waiting: the message stays queued, and is answered when the run has ended', async () => {
    const { world, process } = await waiting();
    await process.say('how long?', DANA, { ts: stamp(5) });
    expect((await process.worker.inbox.keepWaiting(by(MIA), stamp(5))).refusal?.code).toBe('not_yours');
    expect((await process.worker.inbox.keepWaiting(by(), stamp(5))).refusal).toBeNull();
    expect((await world.thread()).messages[stamp(5)]).toMatchObject({ kept: true, run: null });
    world.say('Done.');
    world.say('Not long.');
    await process.click('approve');
    await process.settle();
    const thread = await world.thread();
    expect(thread.runs['r1']?.answer).toBe('Done.');
    expect(thread.runs['r2']).toMatchObject({ messages: [stamp(5)], answer: 'Not long.' });
  });
});

describe('"cancel"', () => {
  test('as the whole message withdraws what waits, and is no message for the model [F-I9, F-B15]', async () => {
    for (const word of ['cancel', '<@U0BOT0001> 取消。', 'STOP!']) {
      const { world, process } = await waiting();
      expect(await process.say(word, DANA, { mention: false })).toBe(true);
      await process.settle();
      expect(await outcomes(world)).toEqual(['withdrawn']);
      const thread = await world.thread();
      expect(thread.runs['r1']?.end).toMatchObject({ how: 'cancelled', by: DANA });
      expect(Object.keys(thread.messages)).toHaveLength(1);
      expect(world.requests).toHaveLength(1);
    }
  });

  test('delivered four times, also after the next run has begun and from two processes, cancels one run [F-B11, T-C18, T-C20]', async () => {
    const { world, process } = await waiting();
    const other = world.process('node2/1');
    await process.say('and the notes', DANA, { ts: stamp(3) });
    world.reply({ tool: 'execute', args: { n: 2 } });
    const deliveries = [process, other, process, other].map(each => each.say('cancel', DANA, { ts: stamp(4) }));
    expect(await world.until(Promise.all(deliveries))).toEqual([true, true, true, true]);
    await world.until(Promise.all([process.worker.idle(), other.worker.idle()]));
    expect(await process.say('cancel', DANA, { ts: stamp(4) })).toBe(true);
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.runs).map(run => run.end?.how ?? null)).toEqual(['cancelled', null]);
    expect(await outcomes(world)).toEqual(['withdrawn', 'waiting']);
  });

  test.each([
    ['mentioned', true],
    ['unmentioned', false],
  ])('by somebody who may not cancel is refused, and becomes no message: %s [F-D2, S-68]', async (_, mention) => {
    const { world, process } = await waiting();
    world.guests.add('U0GUS0001' as UserId);
    for (const person of [MIA, OTTO, 'U0GUS0001' as UserId])
      expect(await process.say('<@U0BOT0001> cancel', person, { mention })).toBe(true);
    expect(process.refusals).toEqual([MIA, OTTO, 'U0GUS0001'].map(person => ({ to: person, code: 'not_yours' })));
    await process.settle();
    expect(await outcomes(world)).toEqual(['waiting']);
    world.say('Done.');
    await process.click('approve');
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.runs).map(({ requesters }) => requesters)).toEqual([[DANA]]);
    expect(Object.values(thread.messages).map(({ author }) => author)).toEqual([DANA]);
    expect(thread.queue).toEqual([]);
  });

  test('by an admin cancels, without a mention too; also by the requester where only mentions are listened to', async () => {
    for (const by of [ANA, DANA]) {
      const { world, process } = await waiting({ never: true });
      expect(await process.say('cancel', by, { mention: false })).toBe(true);
      expect((await world.thread()).runs['r1']?.end).toMatchObject({ how: 'cancelled', by });
      expect(process.refusals).toEqual([]);
    }
  });

  test('where nothing is at work is told so, starts no run, and is dropped from whom nobody listens to [F-L10]', async () => {
    const { world, process } = await waiting();
    const nothing = (to: UserId) => ({ to, code: 'nothing_to_do' });
    await process.say('cancel');
    await process.settle();
    expect(await process.say('cancel', DANA, { mention: false })).toBe(true);
    expect(await process.say('<@U0BOT0001> stop', OTTO)).toBe(true);
    expect(await process.say('stop', OTTO, { mention: false })).toBe(false);
    expect(process.refusals).toEqual([nothing(DANA), nothing(OTTO)]);
    const elsewhere = { ...KEY, ts: stamp(9) };
    expect(await process.say('<@U0BOT0001> cancel', DANA, { key: elsewhere })).toBe(true);
    expect(await process.say('cancel', MIA, { key: { ...KEY, ts: stamp(8) }, mention: false, direct: true })).toBe(
      true,
    );
    await process.settle();
    expect(process.refusals.slice(2)).toEqual([nothing(DANA), nothing(MIA)]);
    expect(Object.keys((await world.thread()).runs)).toEqual(['r1']);
    for (const ts of [stamp(8), stamp(9)])
      expect((await world.log('reader/1').load(threadLog({ ...KEY, ts }))).commits).toEqual([]);
  });

  test('before the run has begun cancels what its author has just written, and nothing runs [F-I9]', async () => {
    for (const pause of [true, false]) {
      const world = new World();
      const process = world.process();
      const said = process.say('run it');
      if (pause) await said;
      expect(await process.say('cancel')).toBe(true);
      await process.settle();
      const thread = await world.thread();
      expect(Object.values(thread.runs).map(({ end, messages }) => [end?.how, messages.length])).toEqual([
        ['cancelled', 1],
      ]);
      expect([thread.calls, thread.queue, process.refusals]).toEqual([{}, [], []]);
    }
  });

  test('that was delivered late does not cancel what was asked for after it [S-2]', async () => {
    const { world, process } = await waiting();
    expect(await process.say('cancel', DANA, { ts: '1764511199.000100' as MessageTs })).toBe(true);
    expect(process.refusals).toEqual([{ to: DANA, code: 'nothing_to_do' }]);
    expect(await outcomes(world)).toEqual(['waiting']);
  });

  test('by button is for authors and admins, and says when there is nothing to cancel [F-D2, F-L10]', async () => {
    const { world, process } = await waiting();
    expect((await process.worker.inbox.cancel(by(MIA), 'r1' as RunId)).refusal?.code).toBe('not_yours');
    expect((await process.worker.inbox.cancel(by(), 'r9' as RunId)).refusal?.code).toBe('not_found');
    expect((await process.worker.inbox.cancel(by(), 'r1' as RunId)).refusal).toBeNull();
    expect((await process.worker.inbox.cancel(by(), 'r1' as RunId)).refusal).toBeNull();
    expect((await process.worker.inbox.cancel(by(DANA, 'k2'), 'r1' as RunId)).refusal?.code).toBe('nothing_to_do');
    expect(await outcomes(world)).toEqual(['withdrawn']);
  });

  test('while the model thinks ends the call to it, and what it says later changes nothing [F-I10]', async () => {
    const world = new World();
    const process = world.process();
    let aborted = false;
    world.answers.push(
      ({ signal }) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve({
              reply: { model: 'm', text: '', calls: [{ tool: 'execute', args: '{}' }], usage: { input: 1, output: 1 } },
            });
          }),
        ),
    );
    await process.say('run it');
    await world.clock.advance(0);
    await process.say('stop');
    await process.settle();
    expect(aborted).toBe(true);
    const thread = await world.thread();
    expect(thread.calls).toEqual({});
    expect(thread.runs['r1']?.end?.how).toBe('cancelled');
  });
});

describe('ask again', () => {
  test('after an expiry runs the stored call under a new id and a new approval, without asking the model what to do [F-J8]', async () => {
    const { world, process } = await waiting();
    world.say('Nobody decided.');
    await world.clock.advance(4 * 3_600_000);
    await process.worker.tick();
    await process.settle();
    const [first] = Object.values((await world.thread()).calls);
    expect((await process.worker.inbox.askAgain(by(MIA), first?.id as never)).refusal?.code).toBe('not_yours');
    expect((await process.worker.inbox.askAgain(by(), first?.id as never)).refusal).toBeNull();
    await process.settle();
    expect(await outcomes(world)).toEqual(['expired', 'waiting']);
    expect(world.requests).toHaveLength(2);
    expect((await process.worker.inbox.askAgain(by(DANA, 'k2'), first?.id as never)).refusal?.code).toBe(
      'nothing_to_do',
    );
    world.say('Done.');
    await process.click('approve');
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([{ n: 1 }]);
    expect(world.ran[0]?.call).not.toBe(first?.id);
    expect(await outcomes(world)).toEqual(['expired', 'done']);
  });
});

describe('a queue whose log is slow', () => {
  test('is written in the order of arrival, whatever the log does', async () => {
    const world = new World();
    const taps: Taps = {};
    let slow = true;
    taps.append = async (_, go) => {
      if (slow) await world.clock.sleep(100);
      slow = !slow;
      return go();
    };
    world.say('ok');
    const process = world.process('node1/1', { log: tapped(world.log('node1/1'), taps) });
    const sends: Promise<boolean>[] = [];
    for (let n = 0; n < 20; n += 1) {
      sends.push(process.say(`${n}`, DANA, { ts: stamp(n) }));
      await world.clock.advance(7);
    }
    await world.until(Promise.all(sends));
    await world.until(process.worker.idle());
    expect(Object.values((await world.thread()).messages).map(message => message.text)).toEqual(
      sends.map((_, n) => `${n}`),
    );
  });
});

describe('a message of ours that somebody has taken away', () => {
  test('is out of line from then on, so that it is drawn again while people can act on it; one that is none changes nothing', async () => {
    const world = new World();
    const views = new CardViews(world);
    const process = world.process('node1/1', { views });
    world.reply({ tool: 'execute', args: { n: 1 } });
    await process.say('run it');
    await process.settle();
    const [post] = Object.values((await world.thread()).posts);
    if (!post?.ts) throw new Error('No card was posted.');
    const drawn = (): number => world.trace.filter(line => line.startsWith('card waiting')).length;
    const before = drawn();
    const elsewhere = { channel: post.channel, ts: stamp(1) };
    expect(await process.worker.inbox.lost(KEY, elsewhere)).toBe(false);
    expect(await process.worker.inbox.lost(KEY, { channel: post.channel, ts: post.ts })).toBe(true);
    await process.settle();
    expect(drawn()).toBe(before + 1);
    expect((await world.thread()).posts[post.key]?.hash).toBe(post.hash);
  });
});
