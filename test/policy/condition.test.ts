import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import type { ChannelId, UserId } from '../../src/thread/ids.ts';
import { readCondition } from '../../src/policy/condition.ts';
import { question } from './policies.ts';

const problemsIn = (source: string): string[] => {
  const read = readCondition(source);
  return 'problems' in read ? read.problems.map(({ text, offset }) => `${offset}: ${text}`) : [];
};

/** Whether a condition holds for a call, or why that could not be said. */
function ask(source: string, args: Json, other: Parameters<typeof question>[2] = {}): boolean | string {
  const read = readCondition(source);
  if ('problems' in read) throw new Error(read.problems.map(({ text }) => text).join('\n'));
  const answer = read.ok.answer(question('k8s.scale', args, other));
  return 'holds' in answer ? answer.holds : answer.failed;
}

describe('what a condition sees', () => {
  test('whole numbers are ints, so that arithmetic works; others are doubles', () => {
    expect(ask('args.n + 1 > 2', { n: 2 })).toBe(true);
    expect(ask('args.n > 2', { n: 2.5 })).toBe(true);
    expect(ask('args.n == 2', { n: 2.0 })).toBe(true);
    expect(ask('args.n < facts.n', { n: 2 }, { facts: { n: 6 } })).toBe(true);
    expect(ask('args.n > 1', { n: 1e300 })).toBe(true);
    expect(ask('args.n > 1', { n: 2 ** 60 })).toBe(true);
  });

  test('the tool, the requester, the channel and the thread are there', () => {
    const other = {
      risk: 'high',
      effect: 'read',
      server: 'k8s',
      requester: { id: 'U0DANA001' as UserId, groups: ['sre'] },
      channel: 'C0OPS0001' as ChannelId,
      thread: { tainted: true },
    } as const;
    expect(ask('tool.name == "k8s.scale" && tool.risk == "high" && tool.source == "k8s"', {}, other)).toBe(true);
    expect(ask('tool.effect == "read" && channel == "C0OPS0001" && thread.tainted', {}, other)).toBe(true);
    expect(ask('requester.id == "U0DANA001" && "sre" in requester.groups', {}, other)).toBe(true);
  });

  test('text(x) joins keys and scalar leaves by spaces', () => {
    const args = { argv: ['psql', '-c', 'DROP TABLE users'], n: 2, deep: { on: true, none: null, f: 1.5 } };
    expect(ask('text(args) == "argv psql -c DROP TABLE users n 2 deep on true none null f 1.5"', args)).toBe(true);
    expect(ask('text(args.argv).matches("(?i)drop +table")', args)).toBe(true);
    expect(ask('text(args.n) == "2"', args)).toBe(true);
  });

  test('keys that objects of JavaScript have by themselves are not there', () => {
    for (const key of ['constructor', '__proto__', 'toString', 'size', 'get'])
      expect(ask(`has(args.${key})`, {}), key).toBe(false);
    expect(ask('args.__proto__ == 1', JSON.parse('{"__proto__": 1}') as Json)).toBe(true);
  });

  test('what cannot be evaluated says why, in one line', () => {
    expect(ask('args.x == 1', {})).toBe('field not found: x');
    expect(ask('args.x > 1', { x: 'one' })).toMatch(/^[^\n]+$/);
    expect(ask('args.list[3] == 1', { list: [] })).toContain('out of bounds');
    expect(ask('args.x', { x: 'yes' })).toBe('it is neither true nor false');
  });

  test('a pattern made to be slow is not', () => {
    expect(ask('args.path.matches("^(a+)+$")', { path: `${'a'.repeat(50_000)}b` })).toBe(false);
  });
});

describe('mistakes that are found without a call', () => {
  test.each([
    ['arg.replicas < facts.replicas', ['0: no such variable "arg" (did you mean args?)']],
    [
      'args.n > 1 || usr == 1 || fact.x',
      ['14: no such variable "usr"', '26: no such variable "fact" (did you mean facts?)'],
    ],
    ['args.list.exists(x, x == y)', ['25: no such variable "y"']],
    ['args.list.exists(x, x == 1) && x == 1', ['31: no such variable "x"']],
    [
      'arg.y == 1 || arg.x == 2 || ar == 3',
      ['0: no such variable "arg" (did you mean args?)', '28: no such variable "ar"'],
    ],
    [
      'args.a.matches("[") || text(args).matches("[") || fact.x == 1',
      ['15: error parsing regexp: missing closing ]: `[`', '50: no such variable "fact" (did you mean facts?)'],
    ],
    ['has(arg.x)', ['4: no such variable "arg" (did you mean args?)']],
    ['{"a": arg.x} == args', ['6: no such variable "arg" (did you mean args?)']],
    ['[args.a, arg.b][0] == 1', ['9: no such variable "arg" (did you mean args?)']],
    ['tool.nmae == "x"', ['4: tool has no "nmae" (did you mean name?)']],
    ['thread.age > 1', ['6: thread has no "age"; thread has tainted']],
    ['channel.name == "x"', ['7: channel has no "name"; channel is a text']],
    ['txet(args) == ""', ['0: no such function "txet" (did you mean text?)']],
    ['args.path.match("x")', ['9: no such function "match" (did you mean matches?)']],
    ['args.list.exists(1)', ['9: exists is not used in its form']],
    ['args.path.matches("(")', ['18: error parsing regexp: missing closing ): `(`']],
    ['args.path.matches("(?=x)")', ['18: error parsing regexp: invalid or unsupported Perl syntax: `(?=`']],
    ['args.n ==', ['7: cannot be read from here on']],
    ['args.list.exists(', ['9: cannot be read from here on']],
    ['', ['0: the condition is empty']],
    ['  ', ['0: the condition is empty']],
    ['Foo{a: 1} == args', ['0: no such type "Foo"']],
  ])('%j', (source, problems) => {
    expect(problemsIn(source)).toEqual(problems);
  });

  test('names that a condition makes itself are known where they hold', () => {
    for (const source of [
      'args.list.all(x, x.name == "a" && args.list.exists(y, y == x))',
      'args.list.map(tool, tool.anything)[0] == 1',
      'args.list.filter(x, x > 1).size() == 2',
      'type(args.n) == int && int(args.s) > 1',
      '.args.n == 1',
    ])
      expect(problemsIn(source), source).toEqual([]);
  });

  const known = ['tool', 'args', 'facts', 'requester', 'channel', 'thread'];
  const words = [
    ...known,
    'in',
    'as',
    'if',
    'int',
    'map',
    'type',
    'true',
    'null',
    'bool',
    'list',
    'uint',
    'else',
    'for',
  ];
  words.push('var', 'let', 'void', 'loop', 'while', 'false', 'break', 'const', 'bytes', 'import', 'double', 'string');
  words.push('return', 'package', 'namespace', 'function', 'continue');
  const shapes: ((inner: string) => string)[] = [
    inner => `(${inner}) == 1`,
    inner => `args.a == 1 && ${inner} == 2`,
    inner => `size([1, ${inner}]) > 0`,
    inner => `{"k": ${inner}} == args`,
    inner => `args.list.exists(e, e == (${inner}))`,
    inner => `(args.ok == true ? 1 : (${inner})) == 1`,
    inner => `text(${inner}) == ""`,
    inner => `!((${inner}) == 1)`,
    inner => `args[(${inner})] == 1`,
  ];

  test('a name that does not exist is found wherever it stands', () => {
    const name = fc.stringMatching(/^[a-z]{2,8}$/).filter(word => !words.includes(word));
    const nesting = fc.array(fc.constantFrom(...shapes), { maxLength: 5 });
    fc.assert(
      fc.property(name, nesting, (word, nested) => {
        const wrap = (inner: string): string => nested.reduce((text, shape) => shape(text), inner);
        expect(problemsIn(`${wrap(word)} == 0`).join('\n')).toContain(`no such variable "${word}"`);
        expect(problemsIn(`${wrap('args.word')} == 0`)).toEqual([]);
      }),
    );
  });

  test('no text makes reading or evaluating a condition throw', () => {
    const pieces = [
      'args',
      '.',
      'x',
      '(',
      ')',
      '[',
      ']',
      '==',
      '&&',
      '"a"',
      '1',
      '-',
      '{',
      '}',
      ':',
      ',',
      'in',
      '?',
      '!',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, 'matches', 'exists', 'text', ' '), { maxLength: 12 }), parts => {
        const read = readCondition(parts.join(' '));
        const told = 'ok' in read ? [read.ok.answer(question('a', { x: [1, 'a'] }))] : read.problems;
        expect(told.length).toBeGreaterThan(0);
      }),
    );
  });
});
