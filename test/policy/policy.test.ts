import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import type { UserId } from '../../src/thread/ids.ts';
import { ruleDigest, sha256 } from '../../src/thread/digest.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import { fileWith, loaded, policyOf, question } from './policies.ts';

const ours = readFileSync(new URL('../../countersign.yaml', import.meta.url), 'utf8');

describe('a rule that asks', () => {
  const digestIn = (rules: string[], risk: 'low' | 'high', tool = 'a') => {
    const { policy } = policyOf(rules);
    const said = policy.judge(question(tool, {}, { risk }));
    if (said.verdict !== 'ask') throw new Error('Nobody is asked.');
    return { policy, digest: ruleDigest({ id: said.rule, terms: said.terms }) };
  };

  test('stands as long as it is the same, for tools of any risk; the defaults too', () => {
    const was = ['{ id: one, ask: [a], quorum: 1 }'];
    for (const risk of ['low', 'high'] as const)
      for (const tool of ['a', 'b']) {
        const { policy, digest } = digestIn(was, risk, tool);
        expect(policy.stands?.(digest)).toBe(true);
      }
    const { digest } = digestIn(was, 'low');
    expect(policyOf(['{ id: one, ask: [a], quorum: 2 }']).policy.stands?.(digest)).toBe(false);
    expect(policyOf(['{ id: two, ask: [a], quorum: 1 }']).policy.stands?.(digest)).toBe(false);
    expect(policyOf(['{ id: one, allow: [a] }']).policy.stands?.(digest)).toBe(false);
  });
});

describe('the order of rules', () => {
  test('a deny that matches wins, wherever it stands [F-C1]', () => {
    const { policy } = policyOf([
      '{ id: all, allow: ["*"] }',
      `{ id: no, deny: [execute], when: 'args.n == 1', why: Not here. }`,
    ]);
    expect(policy.judge(question('execute', { n: 1 }))).toEqual({ verdict: 'deny', rule: 'no', why: 'Not here.' });
    expect(policy.judge(question('execute', { n: 2 }))).toEqual({ verdict: 'allow', rule: 'all', why: null });
  });

  test('of the other rules the first that matches decides', () => {
    const { policy } = policyOf([
      `{ id: one, ask: [a], when: 'args.n == 1' }`,
      '{ id: two, allow: [a] }',
      '{ id: three, ask: [a] }',
    ]);
    expect(policy.judge(question('a', { n: 1 })).rule).toBe('one');
    expect(policy.judge(question('a', { n: 2 })).rule).toBe('two');
  });

  test('where no rule matches, people are asked with the defaults [F-D4, T-A12a]', () => {
    const { policy } = policyOf(['{ id: look, allow: [read_file] }']);
    expect(policy.judge(question('new_tool'))).toEqual({
      verdict: 'ask',
      rule: null,
      why: null,
      terms: {
        ladder: [{ afterMs: 0, scopes: [{ name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] }] }],
        quorum: 1,
        expiresInMs: 4 * 3_600_000,
        remindMs: [],
        notify: null,
        confirm: false,
        edit: [],
        onReject: 'replan',
        selfApproval: 'never',
        channel: 'C0APPROV1',
      },
    });
  });

  test('a deny wins in every order of the rules', () => {
    const rules = [
      '{ id: no, deny: ["*"], why: No. }',
      '{ id: yes, allow: ["*"] }',
      '{ id: ask, ask: ["ex*"] }',
      `{ id: when, allow: [execute], when: 'true' }`,
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: 4 }), shuffled => {
        expect(policyOf(shuffled).policy.judge(question('execute'))).toMatchObject({ verdict: 'deny', rule: 'no' });
      }),
    );
  });

  test('what was judged before changes nothing about the next call [T-A20d]', () => {
    const { policy } = policyOf([`{ id: big, ask: [pay], when: 'args.n >= 1000' }`, '{ id: small, allow: [pay] }']);
    const amount = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(fc.array(amount), amount, (before, n) => {
        for (const other of before) policy.judge(question('pay', { n: other }));
        expect(policy.judge(question('pay', { n })).rule).toBe(n >= 1000 ? 'big' : 'small');
      }),
    );
  });
});

describe('a thread that has read untrusted content', () => {
  test('no rule allows a write there; reading stays allowed, and a deny denies [T-A6c]', () => {
    const { policy } = policyOf(['{ id: no, deny: [b], why: No. }', '{ id: yes, allow: ["*"] }']);
    const thread = { tainted: true };
    expect(policy.judge(question('a', {}, { thread, effect: 'write' }))).toMatchObject({ verdict: 'ask', rule: null });
    expect(policy.judge(question('a', {}, { thread, effect: 'read' })).verdict).toBe('allow');
    expect(policy.judge(question('a', {}, { effect: 'write' })).verdict).toBe('allow');
    expect(policy.judge(question('b', {}, { thread, effect: 'write' })).verdict).toBe('deny');
  });
});

describe('what a rule asks for', () => {
  test('a rule names who decides, how many, and where the card goes [F-D10, F-D12, F-D15]', () => {
    const { policy } = policyOf([
      '{ id: r, ask: [a], why: Because., approvers: [leads, dba], quorum: 2, notify: sre, confirm: true, expires: 30m,' +
        ' on_reject: stop, self_approval: with_reason, channel: C0FINANCE, edit: [n] }',
    ]);
    const sre = { name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] };
    const leads = { name: 'leads', label: 'Leads', users: [], groups: ['S0LEADS01'] };
    const dba = { name: 'dba', label: 'DBA', users: ['U0KIM0001', 'U0LEE0001'], groups: [] };
    expect(policy.judge(question('a'))).toEqual({
      verdict: 'ask',
      rule: 'r',
      why: 'Because.',
      terms: {
        ladder: [{ afterMs: 0, scopes: [leads, dba] }],
        quorum: 2,
        expiresInMs: 30 * 60_000,
        remindMs: [],
        notify: sre,
        confirm: true,
        edit: ['n'],
        onReject: 'stop',
        selfApproval: 'with_reason',
        channel: 'C0FINANCE',
      },
    });
  });

  test('approving asks once more when the risk is high, unless the rule or the defaults say otherwise', () => {
    const confirms = (rule: string, risk: 'low' | 'high', defaults = ''): unknown => {
      const text = fileWith([rule]).replace('approvers: [sre]', `approvers: [sre]${defaults}`);
      const judged = createPolicy(loaded(text), { onConditionError: () => {} }).judge(question('a', {}, { risk }));
      return judged.verdict === 'ask' && judged.terms.confirm;
    };
    expect(confirms('{ id: r, ask: [a] }', 'high')).toBe(true);
    expect(confirms('{ id: r, ask: [a] }', 'low')).toBe(false);
    expect(confirms('{ id: r, ask: [a], confirm: false }', 'high')).toBe(false);
    expect(confirms('{ id: r, ask: [a], confirm: true }', 'low')).toBe(true);
    expect(confirms('{ id: r, ask: [a] }', 'low', ', confirm: true')).toBe(true);
    expect(confirms('{ id: other, ask: [b] }', 'high')).toBe(true);
  });

  test('without an approvals channel the card has no place but the thread of the person who asked', () => {
    const text = fileWith(['{ id: r, ask: [a] }']).replace(/channels:.*\n/, '');
    const file = loaded(text);
    const policy = createPolicy(file, { onConditionError: () => {} });
    expect(policy.judge(question('a'))).toMatchObject({ terms: { channel: null } });
    expect(policy.defaults.channel).toBeNull();
    expect(file.notes.join(' ')).toContain('a card goes into the thread of the person who asked');
  });
});

describe('conditions', () => {
  test('a condition that cannot be evaluated denies in a deny rule and does not match in others', () => {
    const { policy, errors } = policyOf([
      `{ id: no, deny: [a], when: 'args.x == 1', why: No. }`,
      `{ id: yes, allow: [b], when: 'args.x == 1' }`,
      `{ id: ask, ask: [b], when: 'args.x == 1' }`,
    ]);
    expect(policy.judge(question('a')).verdict).toBe('deny');
    expect(policy.judge(question('b'))).toMatchObject({ verdict: 'ask', rule: null });
    expect(errors.map(({ rule, tool }) => [rule, tool])).toEqual([
      ['no', 'a'],
      ['yes', 'b'],
      ['ask', 'b'],
    ]);
    expect(errors[0]?.cause).toBe('field not found: x');
  });

  test('the same cause of the same rule is reported once', () => {
    const { policy, errors } = policyOf([`{ id: yes, allow: [b], when: 'args.x > 1' }`]);
    for (let n = 0; n < 5; n++) policy.judge(question('b', { n }));
    expect(errors).toHaveLength(1);
    policy.judge(question('b', { x: 'two' }));
    expect(errors).toHaveLength(2);
  });

  test('a condition that is neither true nor false matches in no rule but a deny', () => {
    const { policy, errors } = policyOf([
      `{ id: no, deny: [a], when: 'args.x', why: No. }`,
      `{ id: yes, allow: [b], when: 'args.x' }`,
    ]);
    expect(policy.judge(question('a', { x: 'true' })).verdict).toBe('deny');
    expect(policy.judge(question('b', { x: 1 })).verdict).toBe('ask');
    expect(errors.every(({ cause }) => cause === 'it is neither true nor false')).toBe(true);
  });

  test('whatever the arguments are, there is a verdict', () => {
    const { policy } = policyOf([
      `{ id: no, deny: [a], when: 'text(args).matches("(?i)drop +table")', why: No. }`,
      `{ id: yes, allow: [a], when: 'args.n + 1 > 2 && args.list.exists(x, x == "y") && has(args.m.k)' }`,
      `{ id: ask, ask: [a], when: 'args[0] == facts.n || size(args) > 3' }`,
    ]);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (args, n) => {
        const judged = policy.judge(question('a', args as Json, { facts: { n: n as Json } }));
        expect(['ask', 'allow', 'deny']).toContain(judged.verdict);
      }),
    );
  });

  test('arguments nested without end are denied by a deny rule and allowed by none', () => {
    let deep: Json = 'DROP TABLE users';
    for (let n = 0; n < 20_000; n++) deep = [deep];
    const { policy, errors } = policyOf([
      `{ id: no, deny: [a], when: 'text(args).contains("DROP")', why: No. }`,
      `{ id: yes, allow: [b], when: '!text(args).contains("DROP")' }`,
    ]);
    expect(policy.judge(question('a', deep)).verdict).toBe('deny');
    expect(policy.judge(question('b', deep)).verdict).toBe('ask');
    expect(errors[0]?.cause).toContain('levels deep');
  });
});

describe('the file that comes with Countersign', () => {
  const policy = createPolicy(loaded(ours), { onConditionError: () => {} });

  test.each([
    ['execute', { argv: ['echo', 'hello'] }, 'ask', 'run-a-command'],
    ['execute', { argv: ['sudo', 'rm'] }, 'deny', 'never-as-root'],
    ['execute', { argv: [] }, 'deny', 'never-as-root'],
    ['read_file', { path: 'notes/today.txt' }, 'allow', 'look-freely'],
    ['read_file', { path: 'a/.env' }, 'ask', 'secret-files'],
    ['list_files', { path: '.' }, 'allow', 'look-freely'],
    ['write_file', { path: 'hello.txt', content: 'hi' }, 'ask', 'write-a-file'],
    ['delete_file', { path: 'notes/old.txt' }, 'ask', 'delete-a-file'],
  ])('%s %j is judged as %s by %s', (tool, args, verdict, rule) => {
    expect(policy.judge(question(tool, args))).toMatchObject({ verdict, rule });
  });

  test('what is in force is kept with its digest, and admins are those of the roles', () => {
    expect(policy.loaded).toEqual({ digest: sha256(ours), text: ours, instructions: {} });
    expect(policy.admins.map(({ name }) => name)).toEqual(['leads']);
    expect(policy.defaults.scopes.map(({ name }) => name)).toEqual(['sre']);
    expect(policy.defaults.channel).toBe('C0APPROV1');
    expect(policy.limits).toEqual({
      steps: 40,
      tokens: 400_000,
      wallMs: 1_800_000,
      openRequests: 8,
      personOpenRequests: 5,
    });
  });
});

describe('groups that could not be learnt', () => {
  test('make a condition that reads them fail: an allow rule does not match, a deny rule denies [T-A12c]', () => {
    const when = `when: '!("sre" in requester.groups)'`;
    const { policy } = policyOf([`{ id: a, allow: [a], ${when} }`, `{ id: d, deny: [d], ${when}, why: No. }`]);
    const requester = { id: 'U0DANA001' as UserId, groups: 'unknown' as const };
    expect(policy.judge(question('a', {}, { requester })).verdict).toBe('ask');
    expect(policy.judge(question('d', {}, { requester })).verdict).toBe('deny');
  });
});

describe('who may do what', () => {
  test('auditors, and those who may freeze, are those of the roles; everyone is nobody in particular', () => {
    const { policy } = policyOf([]);
    expect(policy).toMatchObject({ auditors: [], freeze: null });
    const text = fileWith([]).replace(
      '{ admins: [leads] }',
      '{ admins: [leads], auditors: [dba], freeze: [sre, leads] }',
    );
    const named = createPolicy(loaded(text), { onConditionError: () => undefined });
    expect(named.auditors.map(({ name }) => name)).toEqual(['dba']);
    expect(named.freeze?.map(({ name }) => name)).toEqual(['sre', 'leads']);
  });
});

describe('what only people may decide', () => {
  const must = (tool: string, args = {}) => question(tool, args, { mustAsk: true });

  test('is asked with the defaults where a rule would allow it, or where none matches', () => {
    const { policy } = policyOf(['{ id: all, allow: ["*"] }']);
    expect(policy.judge(must('choose'))).toMatchObject({ verdict: 'ask', rule: null, terms: { quorum: 1 } });
    expect(policyOf([]).policy.judge(must('choose'))).toMatchObject({ verdict: 'ask', rule: null });
  });

  test('is asked as the first rule says that asks, also behind one that allows', () => {
    const { policy } = policyOf([
      '{ id: all, allow: ["*"] }',
      `{ id: many, ask: [choose], when: 'args.n > 3', quorum: 2 }`,
      '{ id: two, ask: ["*"], approvers: [leads] }',
    ]);
    expect(policy.judge(must('choose', { n: 5 }))).toMatchObject({ rule: 'many', terms: { quorum: 2 } });
    expect(policy.judge(must('choose', { n: 1 }))).toMatchObject({ rule: 'two' });
    expect(policy.judge(question('choose', { n: 5 }))).toMatchObject({ verdict: 'allow', rule: 'all' });
  });

  test('is denied where a rule denies it', () => {
    const { policy } = policyOf(['{ id: all, ask: ["*"] }', '{ id: no, deny: [choose], why: No. }']);
    expect(policy.judge(must('choose'))).toMatchObject({ verdict: 'deny', rule: 'no' });
  });
});

describe('tools that only talk to people', () => {
  const talk = (other = {}) =>
    question('ask_user', { prompt: 'Where from?' }, { server: 'people', effect: 'read', ...other });

  test('need no permission where no rule matches', () => {
    expect(policyOf([]).policy.judge(talk())).toEqual({ verdict: 'allow', rule: null, why: null });
    expect(policyOf([]).policy.judge(talk({ server: 'builtin' }))).toMatchObject({ verdict: 'ask' });
  });

  test('follow a rule that matches them, and ask where one names them that does not match', () => {
    expect(policyOf(['{ id: all, ask: ["*"] }']).policy.judge(talk())).toMatchObject({ verdict: 'ask', rule: 'all' });
    const { policy } = policyOf([`{ id: seldom, allow: [ask_user], when: 'args.prompt == "x"' }`]);
    expect(policy.judge(talk())).toMatchObject({ verdict: 'ask', rule: null });
  });

  test('are people’s to decide where they change something in a thread that has read what strangers wrote', () => {
    const thread = { tainted: true };
    expect(policyOf([]).policy.judge(talk({ thread }))).toMatchObject({ verdict: 'allow' });
    expect(policyOf([]).policy.judge(talk({ thread, effect: 'write' }))).toMatchObject({ verdict: 'ask' });
  });

  test('and hand-offs to other agents follow the ordinary rules', () => {
    const handOff = question('hand_off_to_writer', {}, { server: 'agents', effect: 'read' });
    expect(policyOf([]).policy.judge(handOff)).toMatchObject({ verdict: 'ask', rule: null });
    expect(policyOf(['{ id: on, allow: ["hand_off_to_*"] }']).policy.judge(handOff)).toMatchObject({
      verdict: 'allow',
    });
  });
});
