/** Policy files and questions that the policy's tests share. */
import type { ChannelId, UserId } from '../../src/thread/ids.ts';
import type { PolicyQuestion } from '../../src/worker/ports.ts';
import type { PolicyFile } from '../../src/policy/normal-form.ts';
import { loadPolicyFile } from '../../src/policy/policy-file.ts';
import { type ConditionError, createPolicy } from '../../src/policy/policy.ts';

/** A file that is right but for its rules; `more` are further lines at the top level. */
export const fileWith = (rules: readonly string[], more = ''): string =>
  [
    'version: 1',
    'people: { sre: { group: S0SRE0001 }, leads: { group: S0LEADS01 }, dba: { users: [U0KIM0001, U0LEE0001] } }',
    'channels: { approvals: C0APPROV1, operators: C0OPSALRT }',
    'roles: { admins: [leads] }',
    'defaults: { approvers: [sre] }',
    more,
    'rules:',
    ...(rules.length > 0 ? rules.map(rule => `  - ${rule}`) : ['  []']),
  ].join('\n');

/** Files beside the policy file: instructions, by their paths. */
const BESIDE: Readonly<Record<string, string>> = {
  'prompts/ops.md': 'You look after the servers of Acme.',
  'prompts/contracts.md': 'You prepare contracts.',
  'prompts/writer.md': 'You write what was agreed.',
  'prompts/empty.md': ' \n',
};
const beside = (path: string) => {
  const text = BESIDE[path];
  return text === undefined ? { why: 'is not there' } : { text };
};

/** The file, or an error that lists its problems. */
export function loaded(text: string): PolicyFile {
  const read = loadPolicyFile(text, 'countersign.yaml', beside);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.ok;
}

/** The problems of a file that must have some. */
export function problemsOf(text: string): string[] {
  const read = loadPolicyFile(text, 'countersign.yaml', beside);
  if ('ok' in read) throw new Error('This file was expected to be refused.');
  return read.problems;
}

/** A policy of rules, and what it reports about conditions. */
export function policyOf(rules: readonly string[], more = '') {
  const errors: ConditionError[] = [];
  const policy = createPolicy(loaded(fileWith(rules, more)), { onConditionError: error => errors.push(error) });
  return { policy, errors };
}

/** A call that Dana's run proposes. */
export const question = (
  tool: string,
  args: PolicyQuestion['args'] = {},
  other: Partial<Omit<PolicyQuestion, 'tool' | 'args'>> & Partial<PolicyQuestion['tool']> = {},
): PolicyQuestion => ({
  tool: {
    name: tool,
    server: other.server ?? 'builtin',
    effect: other.effect ?? 'write',
    risk: other.risk ?? 'medium',
    ...(other.mustAsk === undefined ? {} : { mustAsk: other.mustAsk }),
  },
  args,
  facts: other.facts ?? {},
  requester: other.requester ?? { id: 'U0DANA001' as UserId, groups: ['sre'] },
  channel: other.channel ?? ('C0GENERAL' as ChannelId),
  thread: other.thread ?? { tainted: false },
});
