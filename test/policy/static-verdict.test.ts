import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runPolicyTests } from '../../src/policy/policy-tests.ts';
import { conditionsText, idlePatterns, policyLine, staticVerdict } from '../../src/policy/static-verdict.ts';
import { fitsPattern } from '../../src/thread/text/pattern.ts';
import { fileWith, loaded } from './policies.ts';

const ours = loaded(readFileSync(new URL('../../countersign.yaml', import.meta.url), 'utf8'));
const builtin = (name: string) => ({ name, server: 'builtin' });
const TOOLS = ['execute', 'list_files', 'read_file', 'write_file', 'delete_file'].map(builtin);
const ASK_USER = { name: 'ask_user', server: 'people' };

describe('what can be said without a call', () => {
  test('the start says how many tools are allowed and how many ask', () => {
    expect(policyLine(ours, TOOLS)).toBe('countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask');
  });

  test('what only talks to people is allowed unless a rule names it, and is not counted', () => {
    expect(policyLine(ours, [...TOOLS, ASK_USER])).toBe('countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask');
    expect(staticVerdict(ours, ASK_USER)).toEqual({ verdict: 'allow', rule: null, conditions: 0 });
    const named = loaded(fileWith([`{ id: seldom, allow: [ask_user], when: 'args.prompt != ""' }`]));
    expect(staticVerdict(named, ASK_USER)).toEqual({ verdict: 'ask', rule: null, conditions: 1 });
  });

  test('a tool has the verdict of the first rule without a condition, and the conditions before it are counted', () => {
    const verdicts = TOOLS.map(tool => staticVerdict(ours, tool));
    expect(verdicts.map(({ verdict, rule }) => `${verdict} ${rule}`)).toEqual([
      'ask run-a-command',
      'allow look-freely',
      'allow look-freely',
      'ask write-a-file',
      'ask delete-a-file',
    ]);
    expect(verdicts.map(conditionsText)).toEqual(['+1 condition', '', '+1 condition', '', '']);
  });

  test('a deny without a condition comes first, and what no rule names asks', () => {
    const file = loaded(
      fileWith([
        '{ id: yes, allow: ["*"] }',
        '{ id: no, deny: [b], why: No. }',
        `{ id: perhaps, deny: [a], when: 'args.x == 1', why: No. }`,
        `{ id: late, ask: [a], when: 'args.x == 1' }`,
      ]),
    );
    expect(staticVerdict(file, builtin('b'))).toEqual({ verdict: 'deny', rule: 'no', conditions: 0 });
    expect(staticVerdict(file, builtin('a'))).toEqual({ verdict: 'allow', rule: 'yes', conditions: 1 });
    expect(policyLine(file, [builtin('a'), builtin('b')])).toBe(
      'countersign.yaml: 4 rules · 2 tools: 1 allowed, 0 ask, 1 denied',
    );
    expect(staticVerdict(loaded(fileWith([])), builtin('a'))).toEqual({ verdict: 'ask', rule: null, conditions: 0 });
  });

  test('a pattern that names no tool is told, because in a deny it would be no protection', () => {
    const file = loaded(fileWith(['{ id: no, deny: [excute, read_file], why: No. }']));
    expect(idlePatterns(file, TOOLS)).toEqual(['Rule no: "excute" names no tool that is here.']);
    expect(idlePatterns(ours, TOOLS)).toEqual([]);
    const agents = loaded(fileWith([], 'agents: { one: { tools: [read_file, "web.*"] } }'));
    expect(idlePatterns(agents, TOOLS)).toEqual(['Agent one: "web.*" names no tool that is here.']);
  });
});

describe('names of tools with *', () => {
  test.each([
    ['execute', 'execute', true],
    ['execute', 'execute2', false],
    ['execute', 'Execute', false],
    ['*', 'anything.at_all', true],
    ['k8s.*', 'k8s.scale', true],
    ['k8s.*', 'k8sxscale', false],
    ['k8s.*', 'my.k8s.scale', false],
    ['github.search_*', 'github.search_code', true],
    ['*.get', 'k8s.get', true],
    ['*.get', 'k8s.get.all', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['**', 'x', true],
    ['a.c', 'abc', false],
  ])('%s and %s: %s', (pattern, tool, fits) => {
    expect(fitsPattern(pattern, tool)).toBe(fits);
  });
});

describe("the file's own examples", () => {
  test('those of the file that comes with Countersign are all judged as they say, and name every rule', () => {
    const results = runPolicyTests(ours);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(new Set(results.map(({ test }) => test.expect.rule))).toEqual(new Set(ours.rules.map(({ id }) => id)));
  });

  const file = loaded(
    fileWith(
      [`{ id: small, allow: [pay], when: 'args.n < 10' }`, `{ id: risky, ask: [pay], when: 'tool.risk == "high"' }`],
      'tests: [{ call: pay, args: { n: 5 }, expect: allow small }, { call: pay, expect: ask },' +
        ' { call: pay, args: { n: 50 }, expect: ask risky }]',
    ),
  );

  test('each one says what came of it, where it stands, and which conditions could not be evaluated', () => {
    const results = runPolicyTests(file);
    expect(results.map(({ passed, got }) => [passed, got])).toEqual([
      [true, 'allow small'],
      [true, 'ask'],
      [false, 'ask'],
    ]);
    expect(results.map(({ errors }) => errors.map(({ cause }) => cause))).toEqual([[], ['field not found: n'], []]);
    expect(results[0]?.test.place).toBe('6:9');
  });

  test('what is known of a tool can be given', () => {
    const results = runPolicyTests(file, () => ({ server: 'bank', effect: 'write', risk: 'high' }));
    expect(results.map(({ got }) => got)).toEqual(['allow small', 'ask risky', 'ask risky']);
  });
});
