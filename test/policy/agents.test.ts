import { describe, expect, test } from 'vitest';
import type { ChannelId } from '../../src/thread/ids.ts';
import { loadPolicyFile } from '../../src/policy/policy-file.ts';
import { fileWith, loaded, policyOf, problemsOf } from './policies.ts';

const agentsIn = (...agents: readonly string[]): string =>
  fileWith([], ['agents:', ...agents.map(agent => `  ${agent}`)].join('\n'));
const sentences = (...agents: readonly string[]): string[] =>
  problemsOf(agentsIn(...agents)).map(problem => problem.replace(/^ +\d+:\d+ +/, ''));

/** Who answers in a channel, or in a direct message. */
const answers = (...agents: readonly string[]) => {
  const { policy } = policyOf([], ['agents:', ...agents.map(agent => `  ${agent}`)].join('\n'));
  return (channel: string, direct = false) => policy.agentFor({ channel: channel as ChannelId, direct })?.name ?? null;
};

describe('agents of a policy file', () => {
  test('without any there is one that listens everywhere, to everybody of this organisation, with every tool', () => {
    const { policy } = policyOf([]);
    const everywhere = policy.agentFor({ channel: 'C0GENERAL' as ChannelId, direct: false });
    expect(everywhere).toMatchObject({
      name: 'default',
      requesters: null,
      followUps: 'requester',
      model: null,
      instructions: null,
      tools: null,
      handOffs: [],
    });
    expect(policy.agentFor({ channel: 'D0DANA001' as ChannelId, direct: true })).toBe(everywhere);
    expect(policy.agent('default')).toBe(everywhere);
    expect(policy.agent('other')).toBeUndefined();
  });

  test('have people, a model, words, tools and hand-offs of their own', () => {
    const { policy } = policyOf(
      [],
      [
        'agents:',
        '  contracts:',
        '    listen: { channels: [C0SALES01], follow_ups: never }',
        '    requesters: [sre, dba]',
        '    model: gpt-5.2',
        '    instructions: prompts/contracts.md',
        '    tools: [read_file, "k8s.*"]',
        '    hand_off: { writer: { review: leads, expires: 3d, channel: C0LEGAL01 }, filer: {} }',
        '  writer: { tools: [] }',
        '  filer:',
      ].join('\n'),
    );
    expect(policy.agent('contracts')).toMatchObject({
      requesters: [{ name: 'sre' }, { name: 'dba' }],
      followUps: 'never',
      model: 'gpt-5.2',
      instructions: 'You prepare contracts.',
      tools: ['read_file', 'k8s.*'],
      handOffs: [
        { to: 'writer', review: [{ name: 'leads' }], channel: 'C0LEGAL01', expiresInMs: 3 * 86_400_000 },
        { to: 'filer', review: [], channel: null, expiresInMs: 4 * 3_600_000 },
      ],
    });
    expect(policy.agent('writer')?.tools).toEqual([]);
    expect(policy.agent('filer')?.tools).toBeNull();
  });
});

describe('which agent answers', () => {
  test('is the one that names the channel, else the first', () => {
    const who = answers('ops: {}', 'sales: { listen: { channels: [C0SALES01] } }', 'writer: {}');
    expect([who('C0GENERAL'), who('C0SALES01'), who('D0DANA001', true)]).toEqual(['ops', 'sales', 'ops']);
  });

  test('is nobody where the first one listens elsewhere', () => {
    const who = answers('ops: { listen: { channels: [C0OPS0001], dm: false } }', 'writer: {}');
    expect([who('C0OPS0001'), who('C0GENERAL'), who('D0DANA001', true)]).toEqual(['ops', null, null]);
  });

  test('in a direct message is the one that says so, else the first unless it says no', () => {
    const named = answers('ops: {}', 'helper: { listen: { dm: true } }');
    expect([named('D0DANA001', true), named('C0GENERAL')]).toEqual(['helper', 'ops']);
    const first = answers('ops: { listen: { channels: [C0OPS0001] } }', 'writer: {}');
    expect(first('D0DANA001', true)).toBe('ops');
  });
});

describe('agents with mistakes', () => {
  test('a file of instructions that is not there is a problem with its line and column', () => {
    expect(problemsOf(agentsIn('ops: { instructions: prompts/none.md }'))).toEqual([
      '  7:24   agents.ops: instructions: prompts/none.md is not there',
    ]);
    expect(sentences('ops: { instructions: prompts/empty.md }', 'two: { instructions: /etc/passwd }')).toEqual([
      'agents.ops: instructions: prompts/empty.md is empty',
      'agents.two: instructions must be relative to this file',
    ]);
    expect(loadPolicyFile(agentsIn('ops: { instructions: prompts/ops.md }'), 'x.yaml')).toHaveProperty('problems');
  });

  test('a hand-off to nobody, to itself or round in a circle is refused', () => {
    expect(sentences('ops: { hand_off: { writr: {} } }', 'writer: {}')).toEqual([
      'agents.ops.hand_off.writr: there is no such agent (did you mean writer?)',
    ]);
    expect(sentences('ops: { hand_off: { ops: {} } }')).toEqual([
      'agents.ops.hand_off.ops: work would go round: ops → ops',
    ]);
    expect(
      sentences('a: { hand_off: { b: {}, c: {} } }', 'b: { hand_off: { c: {} } }', 'c: { hand_off: { b: {} } }'),
    ).toEqual(['agents.c.hand_off.b: work would go round: b → c → b']);
    expect(
      loaded(agentsIn('a: { hand_off: { b: {}, c: {} } }', 'b: { hand_off: { c: {} } }', 'c: {}')).agents,
    ).toHaveLength(3);
  });

  test('two agents in one channel, or both in direct messages, are refused', () => {
    expect(
      sentences(
        'ops: { listen: { channels: [C0OPS0001], dm: true } }',
        'sales: { listen: { channels: [C0SALES01, C0OPS0001], dm: true } }',
      ),
    ).toEqual([
      'agents.sales.listen: ops listens in C0OPS0001 already',
      'agents.sales.listen: ops has the direct messages already',
    ]);
  });

  test('names of nobody, unknown keys and odd values are refused', () => {
    expect(
      sentences(
        'Ops: { requesters: [ghost], listen: { chanels: [C0OPS0001], follow_ups: always }, modl: x }',
        'writer: { requesters: [], tools: ["!x"], hand_off: { Ops: { review: nobody, channel: "#x" } } }',
        'filer: { hand_off: { writer: { expires: 3d } } }',
      ),
    ).toEqual([
      'agents.Ops: a name has only small letters, digits, _ and - (at most 40)',
      'agents.Ops: requesters names "ghost"; people has sre, leads, dba',
      'agents.Ops.listen: unknown key "chanels" (did you mean channels?)',
      'agents.Ops.listen: follow_ups must be requester, everyone or never',
      'agents.Ops: unknown key "modl" (did you mean model?)',
      'agents.writer: requesters is empty: it would answer nobody',
      'agents.writer: tools[0] is no name of a tool; only letters, digits, _ . : / - and * (any characters) are',
      'agents.writer.hand_off.Ops: review names "nobody"; people has sre, leads, dba',
      `agents.writer.hand_off.Ops: channel must be a channel id (C… or G…); npm run whois -- '#approvals' prints it`,
      'agents.filer.hand_off.writer: expires means nothing without review',
    ]);
    expect(sentences()[0]).toContain('agents must be a map of keys and values');
  });
});
