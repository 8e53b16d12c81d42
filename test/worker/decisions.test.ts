import { describe, expect, test } from 'vitest';
import type { TeamId, UserId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Call, Thread } from '../../src/thread/thread.ts';
import { ANA, CARD, DANA, KEY, LEO, MIA, SRE, TEAM, terms, World, type Process } from './rig.ts';

const outcomes = (thread: Thread): string[] => Object.values(thread.calls).map(call => outcomeOf(thread, call).is);
const callsOf = async (world: World): Promise<Call[]> => Object.values((await world.thread()).calls);

async function asking(world: World, process: Process, ...args: number[]): Promise<void> {
  world.reply(...args.map(n => ({ tool: 'execute', args: { n } })));
  world.say('Done.');
  await process.say('run it');
  await process.settle();
}

describe('three calls in one turn, one of them harmless', () => {
  test('the harmless one runs at once; each other by its own decision; rejecting one leaves the other alone [F-A8, F-F3, F-F7, T-A5b]', async () => {
    const world = new World();
    const process = world.process();
    world.outcome = ({ tool }) => ({ how: 'succeeded', effect: 'done', result: `result of ${tool}` });
    world.reply({ tool: 'read_file' }, { tool: 'execute', args: { n: 1 } }, { tool: 'execute', args: { n: 2 } });
    world.say('Two of three.');
    await process.say('do three things');
    await process.settle();
    expect(world.ran.map(each => each.tool)).toEqual(['read_file']);
    expect(world.requests).toHaveLength(1);
    const [, one, two] = await callsOf(world);
    await process.click('approve', MIA, { call: two as Call });
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([{}, { n: 2 }]);
    expect(world.requests).toHaveLength(1);
    await process.click('reject', LEO, { call: one as Call, reason: 'no' });
    await process.settle();
    expect(outcomes(await world.thread())).toEqual(['done', 'rejected', 'done']);
    const results = world.requests[1]?.conversation.flatMap(turn => (turn.kind === 'result' ? [turn.outcome.is] : []));
    expect(results).toEqual(['done', 'rejected', 'done']);
    expect(world.ran).toHaveLength(3 - 1);
  });
});

describe('clicks', () => {
  test('of people who may not decide are refused by name, on record, and leave the card to others [F-D1, F-D5, F-E10, S-49, T-A12d]', async () => {
    const world = new World();
    const process = world.process();
    await asking(world, process, 1);
    expect((await process.click('approve', DANA)).refusal?.code).toBe('requester');
    expect((await process.click('approve', ANA)).refusal?.code).toBe('not_approver');
    world.deactivated.add(MIA);
    expect((await process.click('approve', MIA)).refusal?.code).toBe('deactivated');
    world.deactivated.clear();
    world.unreachable.add(MIA);
    expect((await process.click('approve', MIA)).refusal?.code).toBe('lookup_failed');
    world.unreachable.clear();
    const approval = Object.values((await world.thread()).approvals)[0];
    const act = { thread: KEY, actor: { user: MIA, team: 'T0PARTNER' as TeamId }, place: CARD, key: 'k' };
    const foreign = {
      approval: approval?.id ?? ('' as never),
      round: 1,
      verdict: 'approve',
      reason: null,
      then: null,
    } as const;
    expect((await process.worker.inbox.decide(act, { ...foreign, origin: 'click' })).refusal?.code).toBe('external');
    const elsewhere = { ...act, thread: { ...KEY, team: 'T0PARTNER' as TeamId } };
    expect((await process.worker.inbox.decide(elsewhere, { ...foreign, origin: 'click' })).refusal?.code).toBe(
      'not_found',
    );
    expect(world.ran).toHaveLength(0);
    expect((await process.click('approve', MIA)).refusal).toBeNull();
    await process.settle();
    expect(world.ran).toHaveLength(1);
  });

  test('of the same act delivered five times are one decision and one execution [F-B2, F-B11, S-58, T-A15c, T-C20]', async () => {
    const world = new World();
    const [one, other] = [world.process('node1/1'), world.process('node2/1')];
    await asking(world, one, 1);
    const answers = await world.until(
      Promise.all([one, one, other, other, one].map(process => process.click('approve', MIA, { key: 'same' }))),
    );
    await one.settle();
    await other.settle();
    expect(answers.map(answer => answer.refusal)).toEqual([null, null, null, null, null]);
    expect(
      (await other.click('approve', MIA, { key: 'same', call: (await callsOf(world))[0] as Call })).refusal,
    ).toBeNull();
    expect(world.ran).toHaveLength(1);
    expect((await world.thread()).decisions).toMatchObject({ same: { by: MIA } });
  });

  test('fifty at once from two processes: one decision, one execution, and the others learn who decided [F-B1, F-B3, S-55, T-C10, T-C20]', async () => {
    const world = new World();
    const crowd = Array.from({ length: 50 }, (_, n) => `U0CROWD${String(n).padStart(2, '0')}` as UserId);
    const everybody = { ...SRE, name: 'crowd', users: crowd };
    world.scopes = [everybody];
    world.asks['execute'] = terms({ ladder: [{ afterMs: 0, scopes: [everybody] }] });
    const [one, other] = [world.process('node1/1'), world.process('node2/1')];
    await asking(world, one, 1);
    const answers = await world.until(
      Promise.all(
        crowd.map((user, n) =>
          (n % 2 === 0 ? one : other).click(n % 5 === 4 ? 'reject' : 'approve', user, { key: `k${n}` }),
        ),
      ),
    );
    await world.until(Promise.all([one.worker.idle(), other.worker.idle()]));
    const won = answers.filter(answer => answer.refusal === null);
    expect(won).toHaveLength(1);
    const thread = await world.thread();
    const approval = Object.values(thread.approvals)[0];
    const decider = approval?.votes[0]?.by;
    for (const { refusal } of answers.filter(answer => answer.refusal !== null))
      expect(refusal).toMatchObject({ code: 'already_decided', by: decider });
    expect(world.ran).toHaveLength(approval?.state.is === 'approved' ? 1 : 0);
    expect(approval?.votes).toHaveLength(1);
  });

  test('fifty approvals where two are needed: two different people, one execution [S-42, S-55]', async () => {
    const world = new World();
    world.asks['execute'] = terms({ quorum: 2 });
    const [one, other] = [world.process('node1/1'), world.process('node2/1')];
    await asking(world, one, 1);
    const people = Array.from({ length: 50 }, (_, n) => (n % 10 === 9 ? LEO : MIA));
    const answers = await world.until(
      Promise.all(people.map((user, n) => (n % 3 === 0 ? one : other).click('approve', user, { key: `k${n}` }))),
    );
    await world.until(Promise.all([one.worker.idle(), other.worker.idle()]));
    expect(answers.filter(answer => answer.refusal === null)).toHaveLength(2);
    const codes = new Set(answers.flatMap(answer => answer.refusal?.code ?? []));
    expect([...codes].sort()).toEqual(['already_counted', 'already_decided']);
    expect(world.ran).toHaveLength(1);
  });
});

describe('a vote whose person loses the right before the claim', () => {
  test('falls; the request waits again in the same round, and runs once somebody else fills in [T-A9a, T-A12b]', async () => {
    const world = new World();
    world.asks['execute'] = terms({ quorum: 2 });
    const process = world.process();
    await asking(world, process, 1);
    await process.click('approve', MIA);
    world.deactivated.add(MIA);
    await process.click('approve', LEO);
    await process.settle();
    expect(world.ran).toHaveLength(0);
    const thread = await world.thread();
    expect(outcomes(thread)).toEqual(['waiting']);
    expect(Object.values(thread.approvals)[0]).toMatchObject({ round: 1, votes: [{ by: LEO }] });
    world.deactivated.clear();
    await process.click('approve', MIA);
    await process.settle();
    expect(world.ran).toHaveLength(1);
  });

  test('or cannot be looked up: nothing runs until somebody can be asked, and then it runs by itself [S-50, S-60]', async () => {
    const world = new World();
    const process = world.process();
    await asking(world, process, 1);
    await process.click('approve', MIA);
    world.unreachable.add(MIA);
    await process.settle();
    await world.clock.advance(5_000);
    expect(world.ran).toHaveLength(0);
    expect(outcomes(await world.thread())).toEqual(['starting']);
    world.unreachable.clear();
    await world.clock.advance(60_000);
    await process.settle();
    expect(world.ran).toHaveLength(1);
  });
});

describe('the world between approval and claim', () => {
  test('changed: asked again with the difference, at most twice, and never run on the old approval [F-H1, F-H8, T-A9a]', async () => {
    const world = new World();
    const process = world.process();
    world.facts = { replicas: 6 };
    await asking(world, process, 1);
    for (const replicas of [7, 8, 9]) {
      await process.click('approve', MIA);
      world.facts = { replicas };
      await process.settle();
      expect(world.ran).toHaveLength(0);
    }
    const [approval] = Object.values((await world.thread()).approvals);
    expect(approval).toMatchObject({ card: 3, state: { is: 'refused', code: 'changed_too_often' } });
    expect(approval?.closedCards.map(closed => closed.changes)).toEqual([
      [{ fact: 'replicas', was: 6, is: 7 }],
      [{ fact: 'replicas', was: 7, is: 8 }],
    ]);
    const told = world.requests.at(-1)?.conversation.at(-1);
    expect(told).toMatchObject({ kind: 'result', outcome: { is: 'not_run', code: 'changed_too_often' } });
  });

  test('lost the tool, the requester or the permission: refused, and the model is told [F-C1, F-E6, T-A9a, T-A20c]', async () => {
    for (const change of [
      (world: World) => void world.denies.add('execute'),
      (world: World) => void world.gone.add('execute'),
      (world: World) => void world.deactivated.add(DANA),
    ]) {
      const world = new World();
      const process = world.process();
      await asking(world, process, 1);
      await process.click('approve', MIA);
      change(world);
      await process.settle();
      expect(world.ran).toHaveLength(0);
      expect(outcomes(await world.thread())).toEqual(['not_run']);
      expect(world.requests).toHaveLength(2);
    }
  });
});

describe('the address of a thread', () => {
  test('is its log’s key: what runs and what is answered belongs to the requester’s thread, not the card’s channel [S-63, S-64]', async () => {
    const world = new World();
    const process = world.process();
    await asking(world, process, 1);
    await process.click('approve', MIA);
    await process.settle();
    const threads = [...world.table.partitions.keys()].filter(key => key.startsWith('thread#'));
    expect(threads).toEqual([`thread#${TEAM}#${KEY.channel}#${KEY.ts}`]);
    const thread = await world.thread();
    expect(thread.runs['r1']).toMatchObject({ answer: 'Done.', end: { how: 'succeeded' } });
  });
});
