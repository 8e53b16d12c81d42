import { expect, test } from 'vitest';
import type { Json, Scope } from '../../src/thread/events.ts';
import type { ChannelId, QuestionId, UserId } from '../../src/thread/ids.ts';
import type { Agent, Told } from '../../src/worker/ports.ts';
import { project } from './project.ts';

const legal: Scope = { name: 'legal', label: 'Legal', users: ['U0NOOR001' as UserId], groups: [] };

const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name,
  requesters: null,
  followUps: 'requester',
  model: null,
  instructions: null,
  tools: [],
  handOffs: [],
  ...more,
});

const planner = agent('planner', {
  tools: ['read_*', 'ask_researcher'],
  handOffs: [{ to: 'writer', review: [legal], channel: 'C0LEGAL01' as ChannelId, expiresInMs: 5_000 }],
});
const agents = [
  planner,
  agent('researcher', { tools: ['list_files', 'ask_*'] }),
  agent('writer', { tools: ['write_file'] }),
];

const names = async (of: string, all: readonly Agent[] = agents) =>
  (await project({ agents: all })).tools.offered(of).map(({ name }) => name);

const reviewed = (value: Json): Told => ({
  is: 'answered',
  question: 'Q' as QuestionId,
  value,
  by: 'U0NOOR001' as UserId,
  name: 'Noor Aziz',
});

test('an agent is offered what its patterns name, its hand-offs, and the tools that ask people; never itself', async () => {
  const people = ['ask_user', 'ask_approvers'];
  expect(await names('planner')).toEqual(['read_file', ...people, 'ask_researcher', 'hand_off_to_writer']);
  expect(await names('researcher')).toEqual(['list_files', ...people, 'ask_planner', 'ask_writer']);
  expect(await names('writer')).toEqual(['write_file', ...people]);
  expect(await names('gone')).toEqual([]);
});

test('an agent without patterns is offered every tool that is not another agent', async () => {
  const all = ['execute', 'list_files', 'read_file', 'write_file', 'delete_file', 'ask_user', 'ask_approvers'];
  expect(await names('a', [agent('a', { tools: null }), agent('b')])).toEqual(all);
  expect(await names('a', [agent('a', { tools: ['*'] }), agent('b')])).toEqual([...all, 'ask_b']);
});

test('an agent whose work an expert reviews on its way to another has no other way to that one', async () => {
  const asking = agent('planner', { tools: ['ask_*'] });
  expect(await names('planner', [asking, ...agents.slice(1)])).toContain('ask_writer');
  expect(await names('planner', [{ ...asking, handOffs: planner.handOffs }, ...agents.slice(1)])).toEqual([
    'ask_user',
    'ask_approvers',
    'ask_researcher',
    'hand_off_to_writer',
  ]);
  const direct = planner.handOffs.map(handOff => ({ ...handOff, review: [] }));
  expect(await names('planner', [{ ...asking, handOffs: direct }, ...agents.slice(1)])).toContain('ask_writer');
});

test('a tool that an agent is not offered is no tool of its, whatever name its model writes', async () => {
  const { tools } = await project({ agents });
  expect(tools.facts('read_file', 'planner')?.name).toBe('read_file');
  expect(tools.facts('execute', 'planner')).toBeUndefined();
  expect(tools.facts('execute')?.name).toBe('execute');
});

test('an agent runs only what it is offered, whatever name its model writes', async () => {
  const { execute } = await project({ agents, files: { 'a.txt': 'secret' } });
  const by = (name: string, tool: string, args: Json) => execute(tool, args, { agent: name });
  expect(await by('planner', 'read_file', { path: 'a.txt' })).toMatchObject({ how: 'succeeded' });
  const none = { how: 'failed', effect: 'none', code: 'not_offered' };
  expect(await by('writer', 'read_file', { path: 'a.txt' })).toMatchObject({
    ...none,
    result: 'read_file is none of the tools of the agent writer.',
  });
  expect(await by('researcher', 'ask_researcher', { task: 'x' })).toMatchObject(none);
  expect(await by('researcher', 'hand_off_to_writer', { draft: 'x' })).toMatchObject(none);
  expect(await by('gone', 'read_file', { path: 'a.txt' })).toMatchObject(none);
});

test('asking an agent is a call with words of its own, and its result is what the agent answers', async () => {
  const { inspect, run } = await project({ agents });
  const task = `Collect what a contract must say. ${'x'.repeat(100)}`;
  expect(await inspect('ask_researcher', { task })).toMatchObject({
    summary: `Ask researcher: “${task.slice(0, 80)}…”`,
    args: { task },
  });
  expect(await run('ask_researcher', { task }, { agent: 'planner' })).toEqual({
    how: 'suspended',
    name: 'run',
    asking: { on: 'run', agent: 'researcher', task },
  });
  const told: Record<string, Told> = { run: { is: 'done', text: 'Three things.' } };
  expect(await run('ask_researcher', { task }, { agent: 'planner', told })).toEqual({
    how: 'succeeded',
    effect: 'none',
    result: 'Three things.',
  });
});

test('a hand-off passes the expert whom the policy names, where and as long as it says', async () => {
  const { inspect, run } = await project({ agents });
  const draft = 'Contract with Acme\nWe …';
  expect(await inspect('hand_off_to_writer', { draft })).toMatchObject({
    summary: 'Hand over to writer: “Contract with Acme We …”',
  });
  expect(await run('hand_off_to_writer', { draft }, { agent: 'planner' })).toEqual({
    how: 'suspended',
    name: 'review',
    asking: {
      on: 'question',
      kind: 'review',
      prompt: 'Contract with Acme',
      form: { type: 'review', title: 'Contract with Acme', draft },
      scopes: [legal],
      channel: 'C0LEGAL01',
      expiresInMs: 5_000,
    },
  });
});

test.each<[string, Json, string, string]>([
  ['accepted', { action: 'accept' }, 'We …', 'Noor Aziz accepted the draft.'],
  ['edited', { action: 'edit', text: 'You …' }, 'You …', 'Noor Aziz changed the draft.'],
])('a draft that was %s goes on as it left the expert', async (_, said, task, words) => {
  const { run, end } = await project({ agents });
  const told = { review: reviewed(said) };
  expect(await run('hand_off_to_writer', { draft: 'We …' }, { agent: 'planner', told })).toEqual({
    how: 'suspended',
    name: 'run',
    asking: { on: 'run', agent: 'writer', task },
  });
  const done: Record<string, Told> = { ...told, run: { is: 'done', text: 'Dear Acme' } };
  const { result } = await end('hand_off_to_writer', { draft: 'We …' }, { agent: 'planner', told: done });
  expect(result.split('\n')).toEqual([expect.stringContaining(words), 'Dear Acme']);
});

test('a draft that was returned goes nowhere, and the agent is told what the expert wants', async () => {
  const { run } = await project({ agents });
  const told = { review: reviewed({ action: 'return', why: 'clause 4' }) };
  expect(await run('hand_off_to_writer', { draft: 'We …' }, { agent: 'planner', told })).toMatchObject({
    how: 'succeeded',
    effect: 'none',
    result: expect.stringMatching(/^The draft was not handed over: Noor Aziz returned it.*“clause 4”/),
  });
});

test('a draft that nobody reviewed in time goes nowhere [F-C2]', async () => {
  const { run } = await project({ agents });
  const told: Record<string, Told> = { review: { is: 'over', why: 'Nobody reviewed it by 16:05.' } };
  expect(await run('hand_off_to_writer', { draft: 'We …' }, { agent: 'planner', told })).toMatchObject({
    how: 'failed',
    effect: 'none',
    code: 'not_answered',
  });
});

test('a hand-off without reviewers goes on at once', async () => {
  const direct = agent('planner', { handOffs: [{ to: 'writer', review: [], channel: null, expiresInMs: 1 }] });
  const { run } = await project({ agents: [direct, agent('writer')] });
  expect(await run('hand_off_to_writer', { draft: 'We …' }, { agent: 'planner' })).toMatchObject({
    asking: { on: 'run', agent: 'writer', task: 'We …' },
  });
});

test('who reviews a hand-off is part of its definition: other reviewers are another tool [T-A7b]', async () => {
  const digest = async (change: object) => {
    const [handOff] = planner.handOffs;
    const changed = { ...planner, handOffs: handOff ? [{ ...handOff, ...change }] : [] };
    const { tools } = await project({ agents: [changed, ...agents.slice(1)] });
    return tools.facts('hand_off_to_writer')?.digest;
  };
  const same = await digest({});
  expect(await digest({ review: [{ ...legal, label: 'Counsel' }] })).toBe(same);
  const others = [{ review: [] }, { review: [{ ...legal, users: [] }] }, { channel: null }, { expiresInMs: 1 }];
  const digests = [same, ...(await Promise.all(others.map(digest)))];
  expect(new Set(digests).size).toBe(digests.length);
  expect((await project({ agents })).tools.facts('hand_off_to_writer')).toMatchObject({
    server: 'agents',
    effect: 'read',
  });
});
