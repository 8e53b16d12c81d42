/** Owns `npm run policy:test`: the examples in the policy file, judged by its rules; exit code 1 if one is judged otherwise. */
import { runPolicyTests, type PolicyTestResult } from '../../policy/policy-tests.ts';
import { readPolicy } from '../policy-side.ts';
import { shippedTools } from '../shipped-tools.ts';
import type { Command } from './command.ts';

export const policyTest: Command = ({ environment, terminal }) => {
  const file = readPolicy(environment.policyFile);
  const { facts } = shippedTools(file);
  const results = runPolicyTests(file, facts);
  for (const line of results.flatMap(resultLines)) terminal.print(line);
  const failed = results.filter(({ passed }) => !passed).length;
  terminal.print(
    results.length === 0
      ? `${file.fileName} has no tests.`
      : `${file.fileName}: ${results.length - failed} as expected, ${failed} not`,
  );
  return Promise.resolve(failed === 0 ? 0 : 1);
};

function resultLines({ test, passed, got, errors }: PolicyTestResult): string[] {
  const expected = test.expect.rule === null ? test.expect.verdict : `${test.expect.verdict} ${test.expect.rule}`;
  const came = passed ? got : `${got}, expected ${expected}`;
  return [
    `${passed ? '✓' : '✗'} ${test.place.padEnd(6)} ${test.tool} ${JSON.stringify(test.args)}: ${came}`,
    ...errors.map(({ rule, cause }) => `         rule ${rule} could not be evaluated: ${cause}`),
  ];
}
