import { describe, expect, test } from 'vitest';
import { policyOf, question } from './policies.ts';

describe('a condition', () => {
  test('reads the arguments as they would run: far beyond what a card shows, with invisible characters and unmasked secrets [T-A2e]', () => {
    const { policy, errors } = policyOf([
      `{ id: drop, deny: [execute], when: 'text(args).matches("(?i)drop +table")', why: Not here. }`,
      `{ id: bidi, deny: [execute], when: 'args.note.contains("\\u202e")', why: Not here. }`,
      `{ id: token, deny: [execute], when: 'args.token == "xoxb-12345678901-AbCdEfGhIjKl"', why: Not here. }`,
      `{ id: blanks, deny: [execute], when: 'args.blanks.size() == 900', why: Not here. }`,
      '{ id: rest, allow: ["*"] }',
    ]);
    const plain = { long: 'x', note: 'n', token: 't', blanks: 'b' };
    const rule = (more: Partial<typeof plain>) => policy.judge(question('execute', { ...plain, ...more })).rule;
    expect(rule({})).toBe('rest');
    expect(rule({ long: `${'x'.repeat(60_000)} drop  table users` })).toBe('drop');
    expect(rule({ note: 'safe\u202e.exe' })).toBe('bidi');
    expect(rule({ token: 'xoxb-12345678901-AbCdEfGhIjKl' })).toBe('token');
    expect(rule({ token: 'xoxb-•••• (28 characters)' })).toBe('rest');
    expect(rule({ blanks: '\u2800'.repeat(900) })).toBe('blanks');
    expect(errors).toEqual([]);
  });
});
