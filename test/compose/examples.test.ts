import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyWords } from '../../src/compose/policy-notes.ts';
import { readPolicy } from '../../src/compose/policy-side.ts';
import { shippedTools } from '../../src/compose/shipped-tools.ts';
import { repositoryRoot } from '../support/repository.ts';
import { command, environmentIn, folder, shippedPolicy } from './stage.ts';

const AGENTS = join(repositoryRoot, 'docs/examples/agents/countersign.yaml');

describe.each([
  ['that comes with Countersign', shippedPolicy],
  ['of three agents and an expert', AGENTS],
])('the policy file %s', (_which, path) => {
  it('passes its own examples with the tools that are here, and has nothing that somebody might not expect', async () => {
    const { code, out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: path }), 'policy:test');
    expect(out.filter(line => !line.startsWith('✓'))).toEqual([expect.stringMatching(/: \d+ as expected, 0 not$/)]);
    expect(code).toBe(0);
    const file = readPolicy(path);
    expect(policyWords(file, shippedTools(file)).notes).toEqual([]);
  });
});

describe('the example of three agents', () => {
  it('reads their instructions beside the policy file, and offers each one only its own way on', () => {
    const { agents } = readPolicy(AGENTS);
    expect(agents.map(({ name, instructions }) => [name, instructions?.split('.')[0]])).toEqual([
      ['planner', 'You are the planner'],
      ['researcher', 'You are the researcher'],
      ['writer', 'You are the writer'],
    ]);
    expect(agents.map(({ handOffs }) => handOffs.map(({ to }) => to))).toEqual([['researcher'], ['writer'], []]);
    expect(agents[1]?.handOffs[0]).toMatchObject({ review: [{ users: ['U0NOOR001'] }], channel: 'C0APPROV1' });
  });

  it('is shown by npm run tools with the agents among the tools', async () => {
    const { out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: AGENTS }), 'tools');
    expect(out).toContainEqual(expect.stringMatching(/^hand_off_to_writer +agents +read +low +allow +hand-on /));
    expect(out).toContainEqual(expect.stringMatching(/^ask_writer +agents +read +low +ask +the defaults /));
    expect(out).toContainEqual(expect.stringMatching(/^ask_user +people +read +low +allow +talks to people /));
    expect(out.at(-1)).toBe('ask_<agent>: only an agent whose `tools` name it has it, whatever the rules say.');
  });
});
