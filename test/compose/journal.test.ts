import { describe, expect, it } from 'vitest';
import { openJournal, type JournalOptions } from '../../src/compose/journal.ts';

function kept(options: Partial<JournalOptions> & { readonly isTTY?: boolean } = {}) {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line), isTTY: options.isTTY ?? false };
  const journal = openJournal({ level: 'info', secretsKey: 'key', to, ...options });
  return { journal, lines };
}

describe("the program's own log", () => {
  it('is one JSON object a line, with the time in UTC and the level as a word', () => {
    const { journal, lines } = kept();
    journal.warn({ cause: 'table', code: 'table_unavailable' }, 'trouble');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      cause: 'table',
      code: 'table_unavailable',
      msg: 'trouble',
    });
  });

  it('leaves out what is below its level', () => {
    const { journal, lines } = kept({ level: 'warn' });
    journal.info({}, 'quiet');
    journal.warn({}, 'loud');
    journal.error({}, 'louder');
    expect(lines.map(line => (JSON.parse(line) as { msg: string }).msg)).toEqual(['loud', 'louder']);
  });

  it('is readable in a terminal: time, level, sentence, facts, and long texts below', () => {
    const { journal, lines } = kept({ isTTY: true });
    journal.warn({ cause: 'table', tries: 3 }, 'the table does not answer');
    journal.error({ where: 'tick', text: 'one\ntwo' }, 'a step failed');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\dZ warn {3}the table does not answer {2}cause=table {2}tries=3\n$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\dZ error {2}a step failed {2}where=tick\n {4}one\n {4}two\n$/);
  });

  it('tells an error with its causes, and nothing else that hangs on it', () => {
    const { journal, lines } = kept();
    const socket = new Error('connect ECONNREFUSED');
    const request = Object.assign(new Error('The table did not answer.', { cause: socket }), {
      request: { body: 'inside' },
    });
    journal.error({ error: new Error('The tick failed.', { cause: request }) }, 'a step failed');
    const { error } = JSON.parse(lines[0] ?? '') as { error: string };
    expect(error).toMatch(
      /^Error: The tick failed\.\n +at [^]*\ncaused by Error: The table did not answer\.\n[^]*\ncaused by Error: connect ECONNREFUSED\n/,
    );
    expect(lines[0]).not.toContain('inside');
  });

  it('comes to an end with an error that is its own cause', () => {
    const { journal, lines } = kept();
    const error = new Error('round');
    error.cause = error;
    journal.error({ error }, 'a step failed');
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['in a fact', (secret: string) => ({ facts: { detail: `sent ${secret}` }, message: 'x' })],
    ['in a nested fact', (secret: string) => ({ facts: { deep: [{ er: { detail: secret } }] }, message: 'x' })],
    ['in an error', (secret: string) => ({ facts: { error: new Error(`bad ${secret}`) }, message: 'x' })],
    [
      'in a cause',
      (secret: string) => ({ facts: { e: new Error('bad', { cause: new Error(secret) }) }, message: 'x' }),
    ],
    ['in the sentence', (secret: string) => ({ facts: {}, message: `sent ${secret}` })],
  ])('masks a token %s [T-A16d]', (_, made) => {
    for (const secret of ['xoxb-1234567890-abcdefghij', 'xapp-1-A0123456-abcdef', 'sk-proj-abcdefghij0123456789']) {
      const { journal, lines } = kept();
      const { facts, message } = made(secret);
      journal.error(facts, message);
      expect(lines.join('')).not.toContain(secret);
      expect(lines.join('')).toContain('••••');
    }
  });

  it('masks whatever stands under the name of a secret', () => {
    const { journal, lines } = kept();
    journal.warn({ token: 'plain-looking', authorization: 'abc def', nested: { apiKey: 'also-plain' } }, 'x');
    for (const secret of ['plain-looking', 'abc def', 'also-plain']) expect(lines.join('')).not.toContain(secret);
  });
});
