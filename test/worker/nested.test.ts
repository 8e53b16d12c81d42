import { describe, expect, test } from 'vitest';
import { openQuestions, type Call } from '../../src/thread/thread.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Execution, ModelAnswer, ModelRequest, ToolOutcome } from '../../src/worker/ports.ts';
import { answered, done, question, run, waits } from './from-inside.ts';
import { agent, DANA, MIA, NullViews, terms, World, type Process } from './rig.ts';

/** What a model of the test says at its n-th turn (from 1), by agent. */
type Script = Readonly<
  Record<string, (turn: number, request: ModelRequest) => string | { tool: string; args?: unknown }[]>
>;

const usage = { input: 1, output: 1 };

/** A world of agents: tool `ask_<agent>` runs that agent with a task. */
function agents(script: Script): { world: World; process: Process; views: NullViews } {
  const world = new World();
  const views = new NullViews();
  world.agents = Object.fromEntries(['main', ...Object.keys(script)].map(name => [name, agent(name)]));
  const reply = (request: ModelRequest): ModelAnswer => {
    world.answers.push(reply);
    const turn = request.conversation.filter(each => each.kind === 'reply').length + 1;
    const said = script[request.agent]?.(turn, request) ?? 'Nothing to say.';
    request.onText?.(typeof said === 'string' ? said : '…');
    const calls = typeof said === 'string' ? [] : said;
    const text = typeof said === 'string' ? said : '';
    const asked = calls.map(({ tool, args }) => ({ tool, args: JSON.stringify(args ?? {}) }));
    return { reply: { model: 'scripted', text, calls: asked, usage } };
  };
  world.answers.push(reply);
  world.outcome = execution => (execution.tool.startsWith('ask_') ? ofAgent(execution) : done(`${execution.tool} ran`));
  return { world, process: world.process('node1/1', { views }), views };
}

function ofAgent(execution: Execution): ToolOutcome {
  const told = execution.told['answer'];
  if (told?.is === 'done') return done(told.text);
  if (told?.is === 'over') return { how: 'failed', effect: 'none', code: 'agent', result: told.why };
  const { task } = execution.args as { task?: string };
  return waits('answer', run(execution.tool.slice('ask_'.length), task ?? 'work'));
}

const find = async (world: World, tool: string): Promise<Call | undefined> =>
  Object.values((await world.thread()).calls).findLast(call => call.tool === tool);
const outcome = async (world: World, tool: string): Promise<string | undefined> => {
  const thread = await world.thread();
  const call = await find(world, tool);
  return call && outcomeOf(thread, call).is;
};

/** Main asks a, a asks b; b calls what the test wants. */
const deep = (leaf: string) =>
  agents({
    main: turn => (turn === 1 ? [{ tool: 'ask_a', args: { task: 'first' } }] : 'All done.'),
    a: turn => (turn === 1 ? [{ tool: 'ask_b', args: { task: 'second' } }] : 'A is done.'),
    b: turn => (turn === 1 ? [{ tool: leaf }] : 'B is done.'),
  });

describe('an agent as a tool', () => {
  test('holds the gate at every depth: what policy asks about, inside or outside, waits for people [F-C12]', async () => {
    for (const depth of [1, 2, 3]) {
      const { world, process } = agents({
        main: turn => (turn > 1 ? 'Done.' : [{ tool: depth === 1 ? 'execute' : 'ask_a' }]),
        a: turn => (turn > 1 ? 'Done.' : [{ tool: depth === 2 ? 'execute' : 'ask_b' }]),
        b: turn => (turn > 1 ? 'Done.' : [{ tool: 'execute' }]),
      });
      await process.say('run it');
      await process.settle();
      expect([depth, await outcome(world, 'execute')]).toEqual([depth, 'waiting']);
      expect(world.ran.map(each => each.tool)).not.toContain('execute');
      await process.click('approve', MIA);
      await process.settle();
      expect([depth, await outcome(world, 'execute')]).toEqual([depth, 'done']);
      expect((await world.thread()).runs['r1']?.end?.how).toBe('succeeded');
    }
  });

  test('is shown its own task and turns alone, and its answer is the result of the call', async () => {
    const { world, process, views } = deep('read_file');
    await process.say('look');
    await process.settle();
    const ofB = world.requests.filter(request => request.agent === 'b').at(-1);
    expect(ofB?.conversation.map(turn => turn.kind)).toEqual(['task', 'reply', 'result']);
    expect(ofB?.conversation[0]).toEqual({ kind: 'task', text: 'second' });
    const ofMain = world.requests.filter(request => request.agent === 'main').at(-1);
    expect(ofMain?.conversation.at(-1)).toMatchObject({ outcome: { is: 'done', ending: { result: 'A is done.' } } });
    expect(views.written).toEqual(['r1: …', 'r1: All done.']);
  });

  test('approve, reject, edit and questions all work two deep; after a rejection one more request comes at most [F-G6]', async () => {
    const { world, process } = agents({
      main: turn => (turn === 1 ? [{ tool: 'ask_a' }] : 'All done.'),
      a: turn => (turn === 1 ? [{ tool: 'ask_b' }] : 'A is done.'),
      b: turn => {
        if (turn === 1) return [{ tool: 'execute', args: { n: 1 } }];
        if (turn === 2) return [{ tool: 'execute', args: { n: 2 } }];
        if (turn === 3) return [{ tool: 'execute', args: { n: 3 } }];
        return turn === 4 ? [{ tool: 'wonder' }] : 'B is done.';
      },
    });
    world.asks['execute'] = terms({ edit: ['n'] });
    const usual = world.outcome;
    world.outcome = execution => {
      if (execution.tool !== 'wonder') return usual(execution);
      const answer = answered(execution, 'why');
      return answer === undefined ? waits('why', question('Why?')) : done(JSON.stringify(answer));
    };
    await process.say('run it');
    await process.settle();
    await process.click('reject', MIA, { reason: 'No.' });
    await process.settle();
    const second = await find(world, 'execute');
    const [approval] = Object.values((await world.thread()).approvals).filter(each => each.call === second?.id);
    if (!approval) throw new Error('No request waits.');
    const change = { approval: approval.id, round: approval.round, args: { n: 5 } };
    const preview = await process.worker.inbox.previewEdit(process.act(MIA), change);
    if (preview.refusal !== null) throw new Error(preview.refusal.code);
    expect(preview.approves).toBe(true);
    const { shown } = preview;
    expect((await process.worker.inbox.edit(process.act(MIA), { ...change, shown })).refusal).toBeNull();
    await process.settle();
    expect(world.ran.filter(each => each.tool === 'execute').map(each => each.args)).toEqual([{ n: 5 }]);
    const told = world.requests.filter(request => request.agent === 'b').at(-1);
    expect(told?.conversation.filter(turn => turn.kind === 'result')[1]).toMatchObject({ editedTo: { n: 5 } });
    const third = await find(world, 'execute');
    expect(third?.state).toMatchObject({ is: 'refused', code: 'no_more_requests' });
    expect(openQuestions(await world.thread())[0]).toMatchObject({ prompt: 'Why?', to: [DANA] });
    await process.answer({ text: 'Because.' });
    await process.settle();
    expect((await world.thread()).runs['r1']).toMatchObject({ answer: 'All done.', end: { how: 'succeeded' } });
  });

  test('keeps the state of two runs of one agent apart [F-G2]', async () => {
    const { world, process } = agents({
      main: turn =>
        turn === 1
          ? [
              { tool: 'ask_a', args: { task: 'left' } },
              { tool: 'ask_a', args: { task: 'right' } },
            ]
          : 'All done.',
      a: (turn, { conversation }) => {
        const [task] = conversation;
        const text = task?.kind === 'task' ? task.text : '?';
        return turn === 1 ? [{ tool: 'execute', args: { of: text } }] : `${text} is done.`;
      },
    });
    await process.say('both');
    await process.settle();
    const waiting = Object.values((await world.thread()).calls).filter(call => call.tool === 'execute');
    expect(waiting.map(call => call.args)).toEqual([{ of: 'left' }, { of: 'right' }]);
    for (const call of waiting.toReversed()) {
      await process.click('approve', MIA, { call });
      await process.settle();
    }
    const thread = await world.thread();
    const asked = Object.values(thread.calls).filter(call => call.tool === 'ask_a');
    expect(asked.map(call => call.state)).toMatchObject([
      { ending: { result: 'left is done.' } },
      { ending: { result: 'right is done.' } },
    ]);
  });

  test('ends with the run that asked for it: what waits inside is withdrawn', async () => {
    const { world, process } = deep('execute');
    await process.say('run it');
    await process.settle();
    await process.say('cancel');
    await process.settle();
    const thread = await world.thread();
    expect(Object.values(thread.runs).map(each => each.end?.how)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await outcome(world, 'execute')).toBe('withdrawn');
    expect(world.ran.map(each => each.tool)).toEqual(['ask_a', 'ask_b']);
  });

  test('goes on in another process, whatever was going on inside', async () => {
    const { world, process } = deep('execute');
    await process.say('run it');
    await process.settle();
    process.kill();
    const second = world.process('node2/1');
    await second.click('approve', MIA);
    await second.settle();
    expect((await world.thread()).runs['r1']).toMatchObject({ answer: 'All done.' });
    expect(world.ran.filter(each => each.tool === 'execute')).toHaveLength(1);
  });

  test('that does not come to an answer is a failed call of the agent that asked', async () => {
    const { world } = agents({
      main: turn => (turn === 1 ? [{ tool: 'ask_a' }] : 'I could not.'),
      a: () => [{ tool: 'read_file' }],
    });
    world.limits = { ...world.limits, steps: 3 };
    const process = world.process('node3/1');
    await process.say('look');
    await process.settle();
    expect(await outcome(world, 'ask_a')).toBe('failed');
    expect((await world.thread()).runs['r1']?.end?.how).toBe('succeeded');
  });
});
