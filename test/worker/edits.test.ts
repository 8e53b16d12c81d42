import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import type { Approval } from '../../src/thread/thread.ts';
import type { EditPreview } from '../../src/worker/ports.ts';
import { DANA, LEO, MIA, terms, World, type Process } from './rig.ts';

interface Scene {
  readonly world: World;
  readonly process: Process;
  readonly approval: () => Promise<Approval>;
}

/** A request whose replicas may be edited. */
async function asked(more: Parameters<typeof terms>[0] = {}): Promise<Scene> {
  const world = new World();
  world.asks['execute'] = terms({ edit: ['replicas'], ...more });
  const process = world.process();
  world.reply({ tool: 'execute', args: { name: 'billing', replicas: 2 } });
  world.say('Done.');
  await process.say('scale billing to 2');
  await process.settle();
  const approval = async (): Promise<Approval> => {
    const [found] = Object.values((await world.thread()).approvals);
    if (!found) throw new Error('No request waits.');
    return found;
  };
  return { world, process, approval };
}

const four = { name: 'billing', replicas: 4 };

async function preview({ process, approval }: Scene, args: Json = four, by = MIA): Promise<EditPreview> {
  const { id, round } = await approval();
  return process.worker.inbox.previewEdit(process.act(by), { approval: id, round, args });
}

const shown = async (scene: Scene, args: Json = four) => {
  const seen = await preview(scene, args);
  if (seen.refusal !== null) throw new Error(seen.refusal.code);
  return seen.shown;
};

const edit = async (scene: Scene, digest: Awaited<ReturnType<typeof shown>>, args: Json = four, by = MIA) => {
  const { id, round } = await scene.approval();
  const { refusal } = await scene.process.worker.inbox.edit(scene.process.act(by), {
    approval: id,
    round,
    args,
    shown: digest,
  });
  return refusal?.code ?? 'ok';
};

describe('an edit', () => {
  test('changes nothing before its second submit, then runs what was shown, and the agent is told', async () => {
    const scene = await asked();
    const { world, process } = scene;
    const digest = await shown(scene);
    expect(await scene.approval()).toMatchObject({ round: 1, state: { is: 'open' } });
    expect(await edit(scene, digest)).toBe('ok');
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([four]);
    const turns = world.requests.at(-1)?.conversation ?? [];
    expect(turns.find(turn => turn.kind === 'result')).toMatchObject({ editedTo: four });
    // What the model itself wrote stays what it wrote.
    expect(turns.find(turn => turn.kind === 'reply')).toMatchObject({
      calls: [{ args: '{"name":"billing","replicas":2}' }],
    });
  });

  test('with more people needed counts as one of them, for the edited call alone', async () => {
    const scene = await asked({ quorum: 2 });
    const { world, process } = scene;
    await process.click('approve', LEO);
    const seen = await preview(scene);
    expect(seen).toMatchObject({ refusal: null, approves: false });
    expect(await edit(scene, await shown(scene))).toBe('ok');
    expect((await scene.approval()).votes.map(vote => vote.by)).toEqual([MIA]);
    await process.settle();
    expect(world.ran).toHaveLength(0);
    await process.click('approve', LEO);
    await process.settle();
    expect(world.ran.map(each => each.args)).toEqual([four]);
  });

  test('is shown again when the world has changed between the two views', async () => {
    const scene = await asked();
    const digest = await shown(scene);
    scene.world.facts = { replicas: 9 };
    expect(await edit(scene, digest)).toBe('changed_since');
    expect(await edit(scene, await shown(scene))).toBe('ok');
  });

  test('is refused to who may not decide, for arguments that the rule does not name, and for what policy denies', async () => {
    const scene = await asked();
    expect((await preview(scene, four, DANA)).refusal?.code).toBe('requester');
    expect((await preview(scene, { ...four, name: 'search' })).refusal?.code).toBe('not_editable');
    expect((await preview(scene, { name: 'billing', replicas: 2 })).refusal?.code).toBe('unchanged');
    scene.world.denies.add('execute');
    expect((await preview(scene)).refusal?.code).toBe('denied');
    expect(await scene.approval()).toMatchObject({ round: 1, state: { is: 'open' } });
  });
});

describe("an approver's question", () => {
  test("reaches the requester's thread, and is answered there by the next message, which opens no new round", async () => {
    const scene = await asked();
    const { process, world } = scene;
    const { id, round } = await scene.approval();
    const inquire = async (by: typeof MIA) =>
      (await process.worker.inbox.inquire(process.act(by), { approval: id, round, text: 'Which cluster?' })).refusal
        ?.code;
    expect(await inquire(DANA)).toBe('requester');
    expect(await inquire(MIA)).toBeUndefined();
    await process.settle();
    const [question] = Object.values((await world.thread()).questions);
    expect(question).toMatchObject({ to: [DANA], about: id, askedBy: { by: MIA }, prompt: 'Which cluster?' });
    await process.say('eu-1', DANA, { mention: false });
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.questions)[0]?.state).toMatchObject({ is: 'answered', value: 'eu-1', by: DANA });
    expect([(await scene.approval()).round, thread.queue]).toEqual([round, []]);
  });
});
