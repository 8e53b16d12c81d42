import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { loadPolicyFile, problemsText } from '../../src/policy/policy-file.ts';
import { runPolicyTests } from '../../src/policy/policy-tests.ts';
import { fileWith, loaded, problemsOf } from './policies.ts';

const ours = readFileSync(new URL('../../countersign.yaml', import.meta.url), 'utf8');
const opsTeam = readFileSync(new URL('ops-team.yaml', import.meta.url), 'utf8');

/** Problems without their places. */
const sentences = (text: string): string[] => problemsOf(text).map(problem => problem.replace(/^ +\d+:\d+ +/, ''));
const ofRule = (rule: string): string[] => sentences(fileWith([rule]));

describe('a file that is right', () => {
  test('the one that comes with Countersign has no problem and nothing that somebody might not expect', () => {
    const file = loaded(ours);
    expect(file).toMatchObject({ environment: 'local', language: 'en', roles: { freeze: 'everyone' } });
    expect(file.channels).toEqual({ approvals: 'C0APPROV1', operators: 'C0OPSALRT' });
    expect(file.rules.map(({ id }) => id)).toEqual([
      'never-as-root',
      'secret-files',
      'look-freely',
      'run-a-command',
      'write-a-file',
      'delete-a-file',
    ]);
    expect(file.notes).toEqual([]);
  });

  test('three lines are enough for one person who tries it out', () => {
    const file = loaded(
      'version: 1\npeople: {me: {users: [U0DANA001]}}\ndefaults: {approvers: [me], self_approval: with_reason}\n',
    );
    expect(file.defaults).toMatchObject({
      ladder: [{ afterMs: 0, scopes: [{ name: 'me', label: 'ME', users: ['U0DANA001'], groups: [] }] }],
      selfApproval: 'with_reason',
      channel: null,
    });
    expect(file).toMatchObject({ environment: 'local', language: 'en', rules: [], roles: { admins: [] } });
  });

  test('a scope is called by its label, by capitals up to three letters, else capitalised', () => {
    const file = loaded(
      [
        'version: 1',
        'people: { sre: { group: S0SRE0001 }, leads: { group: S0LEADS01 }, ops: { group: S0OPS0001, label: Operators } }',
        'defaults: { approvers: [sre] }',
      ].join('\n'),
    );
    expect([...file.people.values()].map(({ label }) => label)).toEqual(['SRE', 'Leads', 'Operators']);
  });

  test('durations and counts are read in their units', () => {
    const file = loaded(
      fileWith(
        ['30s', '30m', '4h', '3d'].map((expires, n) => `{ id: r${n}, ask: [a], expires: ${expires} }`),
        'limits: { run: { steps: 12, tokens: 2M, wall: 90m }, thread: { open_requests: 3 }, person: { open_requests: 2 } }',
      ),
    );
    const expiries = file.rules.map(rule => rule.verdict === 'ask' && rule.terms.expiresInMs / 1_000);
    expect(expiries).toEqual([30, 1_800, 14_400, 259_200]);
    expect(file.limits).toEqual({
      steps: 12,
      tokens: 2_000_000,
      wallMs: 5_400_000,
      openRequests: 3,
      personOpenRequests: 2,
    });
    expect(loaded(fileWith([])).limits).toMatchObject({ openRequests: 8, personOpenRequests: 5 });
  });

  test('references of YAML are followed', () => {
    const file = loaded(
      fileWith(['{ id: one, ask: &tools [a, b] }', '{ id: two, ask: *tools, approvers: &who [leads] }']),
    );
    expect(file.rules.map(({ tools }) => tools)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});

describe('keys that are not in force', () => {
  test('each one is refused by name, and nothing else of a full file is', () => {
    expect(sentences(opsTeam)).toEqual([
      '"mcp" is not in force in this version',
      '"tools" is not in force in this version',
      'limits.person: "tokens_per_day" is not in force in this version',
      '"retention" is not in force in this version',
    ]);
  });

  test('without them the full file is right, and its own examples pass', () => {
    const document = parseDocument(opsTeam);
    for (const key of ['mcp', 'tools', 'retention']) document.delete(key);
    document.deleteIn(['limits', 'person', 'tokens_per_day']);
    const results = runPolicyTests(loaded(String(document)));
    expect(results.map(({ passed, got }) => [passed, got])).toEqual([
      [true, 'ask prod-scale-down'],
      [true, 'allow staging-is-cheap'],
      [true, 'deny never-drop'],
    ]);
  });
});

describe('how long people are waited for', () => {
  const termsOf = (rule: string, more = '') => {
    const [read] = loaded(fileWith([rule], more)).rules;
    if (read?.verdict !== 'ask') throw new Error('no rule that asks');
    return read.terms;
  };

  test('reminders and steps of the ladder are kept in the order in which they come', () => {
    const terms = termsOf(
      '{ id: r, ask: [a], expires: 2h, remind: [1h, 30m], escalate: [{ after: 45m, to: [leads] }, { after: 90m, to: [dba] }] }',
    );
    expect(terms.remindMs).toEqual([1_800_000, 3_600_000]);
    expect(terms.ladder.map(({ afterMs, scopes }) => [afterMs, scopes.map(({ name }) => name)])).toEqual([
      [0, ['sre']],
      [2_700_000, ['leads']],
      [5_400_000, ['dba']],
    ]);
    expect(termsOf('{ id: r, ask: [a], escalate: { after: 1h, to: [leads] } }').ladder).toHaveLength(2);
  });

  test('the defaults hold in every rule that does not say otherwise, as far as they come before its expiry', () => {
    const defaults = (rule: string) => {
      const text = fileWith([rule]).replace(
        'defaults: { approvers: [sre] }',
        'defaults: { approvers: [sre], remind: [30m, 2h], escalate: { after: 1h, to: [leads] } }',
      );
      const [read] = loaded(text).rules;
      if (read?.verdict !== 'ask') throw new Error('no rule that asks');
      return [
        read.terms.remindMs.map(ms => ms / 60_000),
        read.terms.ladder.slice(1).map(step => step.afterMs / 60_000),
      ];
    };
    expect(defaults('{ id: r, ask: [a] }')).toEqual([[30, 120], [60]]);
    expect(defaults('{ id: r, ask: [a], expires: 45m }')).toEqual([[30], []]);
    expect(defaults('{ id: r, ask: [a], remind: [], escalate: [] }')).toEqual([[], []]);
    expect(defaults('{ id: r, ask: [a], approvers: [dba] }')).toEqual([[30, 120], [60]]);
  });

  test('a reminder or a step that would come after the expiry is refused', () => {
    expect(ofRule('{ id: r, ask: [a], expires: 1h, remind: [30m, 1h] }')).toEqual([
      'rules[0] "r": remind has 1h, but it expires at 1h',
    ]);
    expect(ofRule('{ id: r, ask: [a], escalate: { after: 5h, to: [leads] } }')).toEqual([
      'rules[0] "r": escalate: after is 5h, but it expires at 4h',
    ]);
    expect(ofRule('{ id: r, ask: [a], escalate: [{ after: 1h, to: [leads] }, { after: 30m, to: [dba] }] }')).toEqual([
      'rules[0] "r": escalate[1]: must come later than the step before it',
    ]);
  });

  test('a ladder that names nobody, or nobody who is known, is refused [T-A12a]', () => {
    expect(ofRule('{ id: r, ask: [a], escalate: { after: 1h } }')).toEqual(['rules[0] "r": escalate: to is missing']);
    expect(ofRule('{ id: r, ask: [a], escalate: { after: 1h, to: [] } }')).toEqual([
      'rules[0] "r": escalate: to is empty: nobody would be added',
    ]);
    expect(ofRule('{ id: r, ask: [a], escalate: { after: 1h, to: [ghost] } }')).toEqual([
      'rules[0] "r": escalate: to names "ghost"; people has sre, leads, dba',
    ]);
    expect(ofRule('{ id: r, ask: [a], remind: 1h }')).toEqual([
      'rules[0] "r": remind must be a list of durations such as [30m, 1h]',
    ]);
  });

  test('a quorum that not even the whole ladder reaches is refused [F-D15]', () => {
    const people = fileWith(['{ id: r, ask: [a], approvers: [dba], quorum: 4, escalate: { after: 1h, to: [one] } }']);
    const text = people.replace('people: {', 'people: { one: { users: [U0ONE0001] },');
    expect(sentences(text)).toEqual(['rules[0] "r": quorum is 4, but approvers and escalate have 3 people together']);
    expect(loaded(text.replace('quorum: 4', 'quorum: 3')).rules).toHaveLength(1);
    expect(loaded(text.replace('to: [one]', 'to: [one, leads]')).rules).toHaveLength(1);
  });
});

describe('grants', () => {
  test('are what a rule offers at most; without a scope, in the thread; without arguments, the same call', () => {
    const file = loaded(
      fileWith([
        '{ id: one, ask: [a], grants: { max: 1h, uses: 5 } }',
        '{ id: two, ask: [b], grants: { max: 30m, uses: 2, scope: channel, where: [namespace] } }',
        '{ id: none, ask: [c] }',
      ]),
    );
    expect(file.rules.map(rule => (rule.verdict === 'ask' ? rule.terms.grants : null))).toEqual([
      { maxMs: 3_600_000, uses: 5, scope: 'thread', where: [] },
      { maxMs: 1_800_000, uses: 2, scope: 'channel', where: ['namespace'] },
      undefined,
    ]);
  });

  test('without an end or a count are refused, as is an empty list of arguments [F-C15]', () => {
    expect(ofRule('{ id: r, ask: [a], grants: { scope: thread } }')).toEqual([
      'rules[0] "r": grants: max is missing: nothing would end it',
      'rules[0] "r": grants: uses is missing: nothing would count it',
    ]);
    expect(ofRule('{ id: r, ask: [a], grants: { max: 1h, uses: 5, where: [] } }')).toEqual([
      'rules[0] "r": grants: where is empty',
    ]);
    expect(ofRule('{ id: r, allow: [a], grants: { max: 1h, uses: 5 } }')).toEqual([
      'rules[0] "r": grants means nothing in a rule with allow; only ask has it',
    ]);
  });

  test('and arguments to edit do not belong in the defaults', () => {
    const text = fileWith([]).replace(
      '{ approvers: [sre] }',
      '{ approvers: [sre], edit: [argv], grants: { max: 1h } }',
    );
    expect(sentences(text)).toEqual([
      'defaults: edit is about the arguments of a tool, and so belongs in a rule',
      'defaults: grants is about the arguments of a tool, and so belongs in a rule',
    ]);
  });
});

describe('a file with mistakes', () => {
  test('all of them are listed at once, in the order of the file, with line and column', () => {
    const text = [
      'version: 1',
      'people: { sre: { group: S0SRE0001 }, dba: { users: [U0KIM0001] } }',
      'defaults:',
      '  approvers: [sre]',
      '  quorom: 2',
      'rules:',
      '  - id: scale',
      '    ask: [k8s.scale]',
      `    when: 'arg.replicas < facts.replicas'`,
      '    approvers: [sres]',
      '  - id: scale',
      '    allow: []',
    ].join('\n');
    expect(problemsText('countersign.yaml', problemsOf(text))).toBe(
      [
        'countersign.yaml has 5 problems; nothing was started.',
        '  5:3    defaults: unknown key "quorom" (did you mean quorum?)',
        '  9:11   rules[0] "scale" when: no such variable "arg" (did you mean args?)',
        '                  arg.replicas < facts.replicas',
        '                  ^',
        '  10:5   rules[0] "scale": approvers names "sres"; people has sre, dba',
        '  11:5   rules[1] "scale": another rule has this id',
        '  12:5   rules[1] "scale": allow is empty: it names no tool; for every tool write "*"',
      ].join('\n'),
    );
  });

  test('one problem is called one', () => {
    expect(problemsText('x.yaml', ['  1:1    something'])).toBe(
      'x.yaml has 1 problem; nothing was started.\n  1:1    something',
    );
  });

  test.each([
    ['[]', 'approvers is empty: nobody could decide'],
    ['sre', 'approvers must be a list of names of people'],
    ['', 'approvers must be a list of names of people'],
    ['[ghost]', 'approvers names "ghost"; people has sre, leads, dba'],
    ['[sre, sre]', 'approvers names somebody twice'],
  ])('approvers %s of a rule stop the start [F-D4, T-A12a]', (approvers, sentence) => {
    expect(ofRule(`{ id: r, ask: [a], approvers: ${approvers} }`)).toEqual([`rules[0] "r": ${sentence}`]);
  });

  test('without approvers in the defaults, or people, nothing starts [F-D4, T-A12a]', () => {
    expect(sentences('version: 1')).toEqual([
      'people is missing: it says who may decide',
      'defaults.approvers is missing: it says who decides where no rule does',
    ]);
    expect(sentences('version: 1\npeople: {me: {label: Me}}\ndefaults: {approvers: [me]}')).toEqual([
      'people.me needs users or group',
    ]);
    expect(sentences('version: 1\npeople: {me: {users: []}}\ndefaults: {approvers: [me]}')).toEqual([
      'people.me: users is empty',
    ]);
  });

  test('an empty list or pattern of tools is no wildcard [F-C15]', () => {
    for (const verdict of ['ask', 'allow'])
      expect(ofRule(`{ id: r, ${verdict}: [] }`)).toEqual([
        `rules[0] "r": ${verdict} is empty: it names no tool; for every tool write "*"`,
      ]);
    expect(ofRule('{ id: r, allow: [""] }')[0]).toContain('allow[0] is no name of a tool');
    expect(ofRule('{ id: r, deny: ["!execute"], why: No. }')[0]).toContain('deny[0] is no name of a tool');
  });

  test('a quorum that the listed people cannot reach is refused before any card [F-D15]', () => {
    expect(ofRule('{ id: r, ask: [a], approvers: [dba], quorum: 3 }')).toEqual([
      'rules[0] "r": quorum is 3, but approvers has 2 people',
    ]);
    expect(loaded(fileWith(['{ id: r, ask: [a], approvers: [dba, sre], quorum: 3 }'])).rules).toHaveLength(1);
  });

  test('what a rule cannot mean is refused, not passed over', () => {
    expect(ofRule('{ id: r, allow: [a], approvers: [sre], quorum: 2 }')).toEqual([
      'rules[0] "r": approvers means nothing in a rule with allow; only ask has it',
      'rules[0] "r": quorum means nothing in a rule with allow; only ask has it',
    ]);
    expect(ofRule('{ id: r, allow: [a], deny: [b], why: No. }')).toEqual([
      'rules[0] "r": has deny and allow; a rule has one',
    ]);
    expect(ofRule('{ id: r, why: No. }')).toEqual(['rules[0] "r": needs deny, ask or allow']);
    expect(ofRule('{ id: r, deny: [a] }')).toEqual(['rules[0] "r": a rule with deny needs why; people are told it']);
    expect(ofRule('{ ask: [a] }')).toEqual(['rules[0]: id is missing']);
    expect(ofRule('{}')).toEqual(['rules[0] is empty']);
    expect(ofRule('{ id: r, ask: [a], when: true }')).toEqual(['rules[0] "r": when must be a condition, as text']);
    expect(ofRule('{ id: r, ask: [a], notify: all }')).toEqual([
      'rules[0] "r": notify names "all"; people has sre, leads, dba',
    ]);
    expect(ofRule('{ id: r, ask: [a], requesters: [sre] }')).toEqual([
      'rules[0] "r": "requesters" is not in force in this version',
    ]);
  });

  test('names where ids belong are refused with the way to the id', () => {
    const text = fileWith(['{ id: r, ask: [a], channel: "#approvals" }']).replace('S0SRE0001', '"@sre"');
    expect(sentences(text.replace('U0KIM0001', 'kim'))).toEqual([
      'people.sre: group must be a user group id (S…); npm run whois -- @sre prints it',
      'people.dba: users[0] must be a user id (U… or W…); npm run whois -- dana@example.com prints it',
      `rules[0] "r": channel must be a channel id (C… or G…); npm run whois -- '#approvals' prints it`,
    ]);
  });

  test.each(['0h', '1w', '4 h', '1.5h', '91d', '-1h', '3600', '9999999d'])('expires: %s is no duration', expires => {
    expect(ofRule(`{ id: r, ask: [a], expires: ${expires} }`)[0]).toMatch(
      /expires is (not a duration|longer than 90d)/,
    );
  });

  test('values of the wrong form are refused with what would be right', () => {
    const text = [
      'version: 2',
      'environment: Prod Env',
      'language: fr',
      'people: { nobody: { users: [U0DANA001] } }',
      'defaults: { approvers: [nobody], on_reject: retry, quorum: 0, confirm: maybe }',
      'limits: { run: { steps: 0, tokens: 400K } }',
      'tests: [{ call: a, expect: perhaps }, { args: {} }]',
    ].join('\n');
    expect(sentences(text)).toEqual([
      'version must be 1, the version of this schema',
      'environment must be a word of small letters, digits, _ and - (at most 40)',
      'language must be en or zh',
      'people.nobody: this word has a meaning of its own',
      'defaults: on_reject must be stop, requester, read_only or replan',
      'defaults: quorum must be at least 1',
      'defaults: confirm must be true or false',
      'limits.run: steps is not a count such as 40, 400k or 2M',
      'limits.run: tokens is not a count such as 40, 400k or 2M',
      'tests[0]: expect must be ask, allow or deny and, if you like, the rule that says so',
      'tests[1]: call is missing',
      'tests[1]: expect is missing',
    ]);
  });

  test('an example that expects a rule that is not there, or another verdict of it, is refused', () => {
    const tests = 'tests: [{ call: a, expect: ask lok }, { call: a, expect: deny look }]';
    expect(sentences(fileWith(['{ id: look, allow: [a] }'], tests))).toEqual([
      'tests[0]: expect names no rule of this file: "lok" (did you mean look?)',
      'tests[1]: expects deny, but rule look can only allow',
    ]);
  });

  test.each([
    ['', 'the file is empty'],
    ['# only a comment', 'the file is empty'],
    ['{}', 'the file is empty'],
    ['just text', 'the file must be a map of keys and values'],
    ['- a list', 'the file must be a map of keys and values'],
    ['version: 1\nrules: [', 'this is not YAML'],
    ['version: 1\n---\nversion: 1', 'this is not YAML'],
    ['version: !secret 1', 'this is not YAML'],
  ])('%j is refused with one sentence', (text, sentence) => {
    const found = sentences(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(sentence);
  });

  test('a key that stands twice is refused, so that none of the two is passed over', () => {
    expect(sentences(fileWith(['{ id: r, ask: [a], quorum: 2, quorum: 1 }']))).toEqual(['this key stands here twice']);
  });

  test('references that grow without end are refused', () => {
    const grow = 'a b c d e f g h'.split(' ').map(
      (name, n, all) =>
        `  ${name}: &${name} [${Array(9)
          .fill(n === 0 ? 'x' : `*${all[n - 1]}`)
          .join(', ')}]`,
    );
    const text = fileWith(['{ id: r, ask: *h }'], `limits:\n${grow.join('\n')}`);
    expect(sentences(text)).toContain('its references (&, *) cannot be followed');
  });

  test('text that nobody meant as a policy never throws', () => {
    for (const text of ['\u{0}', '&a *a', '? [x]: y', 'a: *none', '%TAG', 'people: &p {x: *p}', '<<: {a: 1}'])
      expect('problems' in loadPolicyFile(text, 'x.yaml')).toBe(true);
  });
});
