import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';

/** Runs one file of tests with the reporter under test, and returns the lines that were printed. */
function endOf(tests: string): { lines: readonly string[]; status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'reporter-'));
  try {
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'a.test.mjs'), `import { expect, it } from 'vitest';\n${tests}\n`);
    const vitest = join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
    const reporter = join(repositoryRoot, 'test/support/plain-line-reporter.ts');
    const args = [vitest, 'run', '--root', folder, '--reporter', 'default', '--reporter', reporter];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    return { lines: stdout.trimEnd().split('\n'), status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lastLineOf(tests: string): { line: string | undefined; status: number | null } {
  const { lines, status } = endOf(tests);
  return { line: lines.at(-1), status };
}

describe('the last line of a test run', () => {
  it('counts what passed and failed', () => {
    const tests = `it('a', () => {}); it('b', () => {}); it('c', () => expect(1).toBe(2));`;
    expect(lastLineOf(tests)).toEqual({ line: '2 passed, 1 failed', status: 1 });
  });

  it('names what was skipped only where something was', () => {
    expect(lastLineOf(`it('a', () => {}); it.skip('b', () => {});`)).toEqual({
      line: '1 passed, 0 failed, 1 skipped',
      status: 0,
    });
  });

  it('counts a file that cannot be loaded, and an error outside every test', () => {
    expect(lastLineOf(`import './nowhere.mjs'; it('a', () => {});`)).toEqual({ line: '0 passed, 1 failed', status: 1 });
    expect(lastLineOf(`it('a', () => void Promise.reject(new Error('lost')));`)).toEqual({
      line: '1 passed, 1 failed',
      status: 1,
    });
  });

  it('stands below the name of each test that failed', () => {
    const tests = `it('a', () => {}); it('b', () => expect(1).toBe(2)); it('c', () => expect(1).toBe(2));`;
    expect(endOf(tests).lines.slice(-3)).toEqual([
      'failed: a.test.mjs: b',
      'failed: a.test.mjs: c',
      '1 passed, 2 failed',
    ]);
    expect(endOf(`import './nowhere.mjs';`).lines.slice(-2)).toEqual([
      'failed: a.test.mjs: the file itself',
      '0 passed, 1 failed',
    ]);
  });
});
