/** Every way on which somebody can act on a request, tried by somebody who may not, and then by somebody who may. */
import { describe, expect, test } from 'vitest';
import type { CallId, UserId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Answer } from '../../src/worker/ports.ts';
import { ANA, CARD, DANA, KEY, MIA, TEAM, World, type Process } from './rig.ts';

const OTTO = 'U0OTTO001' as UserId;

interface Scene {
  readonly world: World;
  process: Process;
}
const outcome = async ({ world }: Scene): Promise<string | undefined> => {
  const thread = await world.thread();
  return Object.values(thread.calls)
    .map(call => outcomeOf(thread, call).is)
    .at(-1);
};

async function waiting(): Promise<Scene> {
  const world = new World();
  const process = world.process();
  world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
  world.say('Done.');
  await process.say('run echo hello');
  await process.settle();
  return { world, process };
}

async function written(): Promise<Scene> {
  const scene = await waiting();
  await scene.process.say('and hurry');
  await scene.process.settle();
  scene.world.say('Hurried.');
  return scene;
}

async function expired(): Promise<Scene> {
  const scene = await waiting();
  await scene.world.clock.advance(4 * 3_600_000);
  await scene.process.worker.tick();
  await scene.process.settle();
  return scene;
}

async function inDoubt(): Promise<Scene> {
  const scene = await waiting();
  scene.world.outcome = () => new Promise(() => undefined);
  await scene.process.click('approve');
  await scene.world.clock.advance(0);
  scene.process.kill();
  scene.process = scene.world.process('node1/2');
  scene.process.worker.signal(KEY);
  await scene.process.settle();
  await scene.world.clock.advance(62_000);
  scene.world.outcome = () => ({ how: 'succeeded', effect: 'done', result: 'hello' });
  return scene;
}

let acts = 0;
const act = (user: UserId) => ({ thread: KEY, actor: { user, team: TEAM }, place: CARD, key: `act.${(acts += 1)}` });

type Way = readonly [
  name: string,
  scene: () => Promise<Scene>,
  go: (scene: Scene, by: UserId) => Promise<Answer>,
  refusal: string,
  may: UserId,
  after: string,
];

const decide =
  (verdict: 'approve' | 'reject', origin: 'click' | 'form') =>
  async ({ world, process }: Scene, by: UserId): Promise<Answer> => {
    const [approval] = Object.values((await world.thread()).approvals);
    if (!approval) throw new Error('No request waits.');
    const decision = { approval: approval.id, round: approval.round, verdict, reason: null, then: null, origin };
    return process.worker.inbox.decide(act(by), decision);
  };
const settle =
  (as: 'ran' | 'not_run' | 'abandoned') =>
  async ({ world, process }: Scene, by: UserId): Promise<Answer> => {
    const call = Object.keys((await world.thread()).calls)[0] as CallId;
    return process.worker.inbox.settle(act(by), { call, attempt: 1, as });
  };
const cancel = async ({ world, process }: Scene, by: UserId): Promise<Answer> =>
  process.worker.inbox.cancel(act(by), (await world.thread()).current ?? ('' as never));
const instead = async ({ world, process }: Scene, by: UserId): Promise<Answer> =>
  process.worker.inbox.useInstead(act(by), (await world.thread()).queue[0] ?? ('' as never));
const askAgain = async ({ world, process }: Scene, by: UserId): Promise<Answer> =>
  process.worker.inbox.askAgain(act(by), Object.keys((await world.thread()).calls)[0] as CallId);

const ways: readonly Way[] = [
  ['Approve on the card', waiting, decide('approve', 'click'), 'not_approver', MIA, 'done'],
  ['Reject on the card', waiting, decide('reject', 'click'), 'not_approver', MIA, 'rejected'],
  ['the form that reviews', waiting, decide('approve', 'form'), 'not_approver', MIA, 'done'],
  ['the form that rejects', waiting, decide('reject', 'form'), 'not_approver', MIA, 'rejected'],
  ['It ran, in doubt', inDoubt, settle('ran'), 'not_approver', MIA, 'said_done'],
  ['It did not run, in doubt', inDoubt, settle('not_run'), 'not_approver', MIA, 'done'],
  ['Give it up, in doubt', inDoubt, settle('abandoned'), 'not_approver', MIA, 'given_up'],
  ['Cancel', waiting, cancel, 'not_yours', ANA, 'withdrawn'],
  ['Use this instead', written, instead, 'not_yours', DANA, 'withdrawn'],
  ['Ask again', expired, askAgain, 'not_yours', DANA, 'waiting'],
];

describe('who may not', () => {
  test.each(ways)(
    'is refused by the same rule on each way, which stays open to who may: %s [S-39, F-D2, F-E10]',
    async (_name, open, go, refusal, may, after) => {
      const scene = await open();
      const [before, ran, runs] = [await outcome(scene), scene.world.ran.length, (await scene.world.thread()).runCount];
      expect((await go(scene, OTTO)).refusal?.code).toBe(refusal);
      await scene.process.settle();
      expect(await outcome(scene)).toBe(before);
      expect(scene.world.ran).toHaveLength(ran);
      expect((await scene.world.thread()).runCount).toBe(runs);
      scene.world.reply();
      expect((await go(scene, may)).refusal).toBeNull();
      await scene.process.settle();
      const thread = await scene.world.thread();
      expect(Object.values(thread.calls).map(call => outcomeOf(thread, call).is)).toContain(after);
    },
  );

  test('cannot cancel by a word either; who may, can, and the rule is the same one [F-D2, F-I3]', async () => {
    for (const [by, after] of [
      [OTTO, 'waiting'],
      [MIA, 'waiting'],
      [DANA, 'withdrawn'],
      [ANA, 'withdrawn'],
    ] as const) {
      const scene = await waiting();
      await scene.process.say('cancel', by);
      await scene.process.settle();
      expect([by, await outcome(scene)]).toEqual([by, after]);
      expect(scene.world.ran).toHaveLength(0);
    }
  });

  test('approves nothing by a word, whoever writes it: the same words of somebody entitled decide as little [F-D2, F-I3]', async () => {
    for (const by of [OTTO, MIA, DANA])
      for (const text of ['approve', 'yes', 'Approve A-7F3K', '批准']) {
        const scene = await waiting();
        await scene.process.say(text, by);
        await scene.process.settle();
        expect(await outcome(scene)).toBe('waiting');
        expect(scene.world.ran).toHaveLength(0);
      }
  });
});
