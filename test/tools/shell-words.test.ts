import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellLine, shellWord } from '../../src/tools/shell-words.ts';

test.each([
  [['echo', 'hello'], 'echo hello'],
  [['echo', '你好', 'a b'], "echo 你好 'a b'"],
  [['git', 'log', '--format=%h', 'HEAD~1'], "git log --format=%h 'HEAD~1'"],
  [['echo', ''], "echo ''"],
  [['echo', 'hello; rm -rf /'], "echo 'hello; rm -rf /'"],
  [['echo', "it's"], "echo 'it'\\''s'"],
  [['echo', 'one\ntwo\u202e'], "echo $'one\\ntwo\\u202e'"],
  [['A=b', 'c'], "'A=b' c"],
])('%j is written as %s', (argv, line) => {
  expect(shellLine(argv)).toBe(line);
});

test('a word stays on one line and shows every character that would show nothing [T-A4a]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), word => {
      expect(shellWord(word)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

describe.skipIf(!existsSync('/bin/bash'))('as bash reads it', () => {
  test('every command is read back as exactly its words, so no two commands look the same [T-A19b]', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom(...Array.from('\'"\\$`!*?[]{}()<>|&;#~= \n\t\r-aA0\u00a0\u202e\u{1f600}')),
        maxLength: 12,
      }),
    );
    const commands = fc.sample(
      fc.array(
        word.map(text => text.replaceAll('\0', '')),
        { minLength: 1, maxLength: 5 },
      ),
      300,
    );
    const script = commands.map(argv => `printf '%s\\0' ${shellLine(['x', ...argv]).slice(2)}; printf '\\0\\0'`);
    const read = execFileSync('/bin/bash', ['-c', script.join('\n')], {
      env: { LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const expected = commands.map(argv => `${argv.join('\0')}\0\0\0`).join('');
    expect(read).toBe(expected);
  });
});
