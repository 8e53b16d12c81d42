/** Owns the run of the file's own examples against its rules. */
import type { PolicyQuestion } from '../worker/ports.ts';
import type { PolicyFile, PolicyTest } from './normal-form.ts';
import { type ConditionError, createPolicy } from './policy.ts';

/** One example and what came of it; `errors` are conditions that could not be evaluated for it. */
export interface PolicyTestResult {
  readonly test: PolicyTest;
  readonly passed: boolean;
  /** As `expect` is written: `ask prod-scale-down`. */
  readonly got: string;
  readonly errors: readonly ConditionError[];
}

/**
 * Judges every example. `tool` says what is known of a tool by name; a tool that it does not know counts as one that
 * writes, with medium risk.
 */
export const runPolicyTests = (
  file: PolicyFile,
  tool: (name: string) => Omit<PolicyQuestion['tool'], 'name'> | undefined = () => undefined,
): PolicyTestResult[] =>
  file.tests.map(test => {
    const errors: ConditionError[] = [];
    const policy = createPolicy(file, { onConditionError: error => errors.push(error) });
    const known = tool(test.tool) ?? { server: 'unknown', effect: 'write', risk: 'medium' };
    const { server, effect, risk } = known;
    const judged = policy.judge({
      tool: { name: test.tool, server, effect, risk },
      args: test.args,
      facts: test.facts,
      requester: test.requester,
      channel: test.channel,
      thread: { tainted: test.tainted },
    });
    const passed =
      judged.verdict === test.expect.verdict && (test.expect.rule === null || judged.rule === test.expect.rule);
    return { test, passed, got: judged.rule === null ? judged.verdict : `${judged.verdict} ${judged.rule}`, errors };
  });
