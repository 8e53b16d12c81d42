import { describe, expect, it } from 'vitest';
import { whereAnswered } from '../../src/compose/agents-line.ts';
import { loadPolicyFile } from '../../src/policy/policy-file.ts';

const agentsIn = (agents: string) => {
  const people = 'people: { sre: { group: S0SRE0001 }, leads: { group: S0LEADS01 }, dana: { users: [U0DANA001] } }';
  const read = loadPolicyFile(`version: 1\n${people}\ndefaults: { approvers: [sre] }\n${agents}\n`, 'test.yaml');
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.ok.agents;
};

describe('where the start invites Dana to write', () => {
  it.each([
    ['', '#general'],
    ['agents: { one: {}, two: { listen: { channels: [C0OPS0001] } } }', '#general'],
    ['agents: { one: { listen: { channels: [C0OPS0001] } }, two: {} }', '#ops'],
    ['agents: { one: { listen: { channels: [C0SALES01], dm: true } } }', 'a direct message'],
    ['agents: { one: { listen: { channels: [C0SALES01], dm: false } } }', null],
    ['agents: { one: { requesters: [leads] }, two: { listen: { channels: [C0OPS0001] }, requesters: [sre] } }', '#ops'],
    ['agents: { one: { requesters: [leads] } }', null],
    ['agents: { one: { requesters: [dana] } }', '#general'],
  ])('%j: %j', (agents, where) => {
    expect(whereAnswered(agentsIn(agents))).toBe(where);
  });
});
