import { chmod, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import { sha256 } from '../../src/thread/digest.ts';
import { bypasses } from './bypasses.ts';
import { project } from './project.ts';

test.each<[string, Json, string]>([
  ['a plain command', { argv: ['echo', 'hello'] }, 'Run echo hello'],
  ['words that need quotes', { argv: ['echo', 'hello; rm -rf /', '$HOME'] }, "Run echo 'hello; rm -rf /' '$HOME'"],
  ['a folder', { argv: ['ls'], cwd: 'notes' }, 'Run ls (in notes)'],
  ['the project folder, named', { argv: ['ls'], cwd: '.' }, 'Run ls'],
  ['a long command', { argv: ['echo', 'x'.repeat(5_000)] }, `Run echo ${'x'.repeat(5_000)}`],
])('a command with %s is summarised whole and unambiguously [F-H3]', async (_, args, summary) => {
  const { inspect } = await project({ files: { 'notes/a.txt': '' } });
  expect(await inspect('execute', args)).toMatchObject({
    ok: true,
    summary,
    impact: "It runs with Countersign's own rights and can change whatever they reach.",
  });
});

test.each<[string, Json, string]>([
  ['no word', { argv: [] }, 'argv: '],
  ['65 words', { argv: Array.from({ length: 65 }, () => 'x') }, 'argv: '],
  ['a string', { argv: 'echo hello; rm -rf /' }, 'argv: '],
  ['an empty program', { argv: ['', 'x'] }, 'argv: the program has no name'],
  ['a NUL', { argv: ['echo', 'a\0b'] }, 'argv[1]: a NUL character cannot be passed to a program'],
  ['121 s', { argv: ['echo'], timeout: 121 }, 'timeout: '],
  ['no time', { argv: ['echo'], timeout: 0 }, 'timeout: '],
  ['an environment', { argv: ['echo'], env: { PATH: '.' } }, 'env'],
  ['a shell', { argv: ['echo'], shell: true }, 'shell'],
])('a command with %s does not fit [T-A19a]', async (_, args, says) => {
  const { inspect } = await project();
  expect(await inspect('execute', args)).toMatchObject({
    ok: false,
    code: 'invalid_arguments',
    detail: expect.stringContaining(says),
  });
});

test('a command gets its words, its folder and an environment of three variables, and nothing else [T-A19a, F-D11]', async () => {
  const { root, run } = await project({ files: { 'notes/a.txt': '' } });
  expect(await run('execute', { argv: ['env'] })).toEqual({
    how: 'succeeded',
    effect: 'done',
    result: `PATH=/usr/local/bin:/usr/bin:/bin\nHOME=${root}\nLANG=C.UTF-8\n`,
  });
  expect(await run('execute', { argv: ['pwd'], cwd: 'notes' })).toMatchObject({ result: `${root}/notes\n` });
  expect(await run('execute', { argv: ['cat'] })).toMatchObject({ how: 'succeeded', result: '(no output)' });
});

test('what stands between a command and this process knows none of its environment either [T-A16d]', async () => {
  const { run } = await project();
  expect(await run('execute', { argv: ['sh', '-c', 'cat /proc/$PPID/environ'] })).toMatchObject({
    how: 'succeeded',
    result: '(no output)',
  });
});

test('the last line of a command’s output is how far it is, while it still runs', async () => {
  const { run } = await project();
  const heard = Promise.withResolvers<string>();
  const said: string[] = [];
  const progress = (line: string): void => {
    said.push(line);
    heard.resolve(line);
  };
  const stop = new AbortController();
  const argv = ['sh', '-c', "printf 'step 1\\nstep 2\\r\\n\\n'; exec sleep 300"];
  const running = run('execute', { argv }, { progress, signal: stop.signal });
  await heard.promise;
  stop.abort();
  expect(await running).toMatchObject({ code: 'aborted' });
  expect(said).toEqual(['step 2']);
});

test('exit code, output of both kinds in their order, and the end by a signal are told', async () => {
  const { run } = await project();
  expect(await run('execute', { argv: ['sh', '-c', 'echo out; echo err >&2; exit 3'] })).toEqual({
    how: 'failed',
    effect: 'possible',
    code: 'exit_code',
    result: 'exit code 3\nout\nerr\n',
  });
  expect(await run('execute', { argv: ['false'] })).toMatchObject({ result: 'exit code 1\n(no output)' });
  expect(await run('execute', { argv: ['sh', '-c', 'kill -SEGV $$'] })).toEqual({
    how: 'failed',
    effect: 'possible',
    code: 'signal',
    result: 'ended by SIGSEGV\n(no output)',
  });
});

test('a program that is not there or may not be run has no effect, in a plain sentence', async () => {
  const { root, run } = await project({ files: { 'data.txt': 'x', 'broken.sh': '#!/no/such/interpreter\n' } });
  await chmod(join(root, 'broken.sh'), 0o755);
  const none = { how: 'failed', effect: 'none' };
  expect(await run('execute', { argv: ['no-such-program'] })).toEqual({
    ...none,
    code: 'no_program',
    result: 'There is no program no-such-program here. Nothing was run.',
  });
  expect(await run('execute', { argv: ['./gone'] })).toMatchObject({ ...none, code: 'no_program' });
  expect(await run('execute', { argv: ['data.txt'] })).toMatchObject({ ...none, code: 'no_program' });
  expect(await run('execute', { argv: ['./data.txt'] })).toEqual({
    ...none,
    code: 'not_executable',
    result: './data.txt is not a program that may be run. Nothing was run.',
  });
  expect(await run('execute', { argv: ['./broken.sh'] })).toMatchObject({ ...none, code: 'no_program' });
});

test('more words than the system takes are refused by it, with no effect', async () => {
  const { run } = await project();
  const argv = ['echo', ...Array.from({ length: 20 }, () => 'x'.repeat(130_000))];
  expect(await run('execute', { argv: [...argv, 'x'.repeat(200_000)] })).toEqual({
    how: 'failed',
    effect: 'none',
    code: 'not_started',
    result: 'echo could not be started (E2BIG). Nothing was run.',
  });
});

test('a command is bound to its program and to every file of the project that it names [F-H1]', async () => {
  const { root, bind } = await project({ files: { 'deploy.sh': 'one', 'conf/a.yml': 'two', 'x.txt': 'three' } });
  await mkdir(join(root, 'folder'));
  expect(
    await bind('execute', { argv: ['sh', 'deploy.sh', '--config=conf/a.yml', 'folder', '-x', '/etc/hostname', 'new'] }),
  ).toEqual({
    program: await realpath('/usr/bin/sh'),
    './deploy.sh': sha256('one'),
    './conf/a.yml': sha256('two'),
  });
  expect(await bind('execute', { argv: ['cat', '../x.txt', `${root}/deploy.sh`], cwd: 'conf' })).toMatchObject({
    './x.txt': sha256('three'),
    './deploy.sh': sha256('one'),
  });
  expect(await bind('execute', { argv: ['no-such-program'] })).toEqual({ program: 'not found' });
});

test('a script that was changed after the last look does not run [F-H1, T-A9a, T-A9b]', async () => {
  const { root, bind, execute } = await project({ files: { 'deploy.sh': 'echo approved' } });
  const args = { argv: ['sh', 'deploy.sh'] };
  const bound = await bind('execute', args);
  expect(await execute('execute', args, { bind: bound })).toMatchObject({ how: 'succeeded', result: 'approved\n' });
  await writeFile(join(root, 'deploy.sh'), 'touch ran');
  expect(await execute('execute', args, { bind: bound })).toEqual({
    how: 'failed',
    effect: 'none',
    code: 'changed_meanwhile',
    result: 'What this command would run or read changed after the last look. Nothing was run.',
  });
  expect(await readdir(root)).toEqual(['deploy.sh']);
});

test('a program of another folder of the path, put there after the last look, is another command [F-H1, T-A7e]', async () => {
  const { root, bind, execute } = await project({ files: { 'bin/tool': '#!/bin/sh\necho one' } });
  const args = { argv: ['bin/tool'] };
  await chmod(join(root, 'bin/tool'), 0o755);
  const bound = await bind('execute', args);
  expect(bound).toEqual({ program: join(root, 'bin/tool'), './bin/tool': sha256('#!/bin/sh\necho one') });
  expect(await execute('execute', args, { bind: { ...bound, program: '/usr/bin/tool' } })).toMatchObject({
    effect: 'none',
    code: 'changed_meanwhile',
  });
});

test('whatever would mean something to a shell is a word like any other [T-A19a, T-A19b]', async () => {
  const { root, end } = await project();
  expect(new Set(bypasses).size).toBeGreaterThan(100);
  for (let at = 0; at < bypasses.length; at += 60) {
    const words = bypasses.slice(at, at + 60);
    const { result } = await end('execute', {
      argv: [process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...words],
    });
    expect(JSON.parse(result)).toEqual(words);
  }
  expect(await readdir(root)).toEqual([]);
});

test('sentences about commands are in Chinese where Chinese is set', async () => {
  const { inspect, run } = await project({ language: 'zh', files: { 'notes/a': '' } });
  expect(await inspect('execute', { argv: ['echo', 'hello'], cwd: 'notes' })).toMatchObject({
    summary: '执行 echo hello（在 notes 中）',
    impact: '它以 Countersign 自身的权限运行，可以改动这些权限所及的一切。',
  });
  expect(await run('execute', { argv: ['false'] })).toMatchObject({ result: '退出码 1\n（没有输出）' });
});
