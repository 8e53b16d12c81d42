import { mkdir, realpath, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, sep } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import { ToolError } from '../../src/tools/error.ts';
import { createJail } from '../../src/tools/files/jail.ts';
import { words } from '../../src/tools/words.ts';
import { makePipe } from './alive.ts';
import { project } from './project.ts';

/** A project with every kind of thing in it that a path could stumble over. */
async function maze() {
  const made = await project({
    files: { 'notes/old.txt': 'old', '.env': 'TOKEN=x', '-rf': 'option', '--help': 'option' },
  });
  const { root, outside } = made;
  await symlink(outside, join(root, 'out'));
  await symlink(join(outside, 'secret.txt'), join(root, 'out.txt'));
  await symlink('notes', join(root, 'in'));
  await symlink('.env', join(root, 'harmless.txt'));
  await symlink('nowhere', join(root, 'broken'));
  await symlink('loop', join(root, 'loop'));
  await symlink('..', join(root, 'up'));
  await symlink('.', join(root, 'self'));
  makePipe(join(root, 'pipe'));
  const server = createServer().listen(join(root, 'socket'));
  await new Promise(resolve => server.once('listening', resolve));
  onTestFinished(() => new Promise(resolve => server.close(() => resolve())));
  return made;
}

const refused: [string, string, string][] = [
  ['nothing', '', 'The path is empty.'],
  ['a step up', '../outside/secret.txt', 'The path ../outside/secret.txt holds "..".'],
  ['a step up inside', 'notes/../.env', 'The path notes/../.env holds "..".'],
  ['only a step up', '..', 'The path .. holds "..".'],
  ['an absolute path', '/etc/passwd', 'The path /etc/passwd is absolute.'],
  ['a NUL', 'notes/old.txt\0.png', "The path $'notes/old.txt\\x00.png' holds a NUL character."],
  ['a dot', './notes/old.txt', 'Write the path ./notes/old.txt in its plain form: notes/old.txt.'],
  ['two slashes', 'notes//old.txt', 'Write the path notes//old.txt in its plain form: notes/old.txt.'],
  [
    'a link to a folder outside',
    'out/secret.txt',
    'The path out/secret.txt is a link that leads out of the project folder.',
  ],
  ['a new file behind a link outside', 'out/new.txt', 'The path out/new.txt is a link that leads out'],
  ['a link to a file outside', 'out.txt', 'The path out.txt is a link that leads out'],
  ['a link up', 'up/outside/secret.txt', 'The path up/outside/secret.txt is a link that leads out'],
  ['a link inside', 'in/old.txt', 'The path in/old.txt is really notes/old.txt. Name that instead.'],
  ['a link to a secret inside', 'harmless.txt', 'The path harmless.txt is really .env. Name that instead.'],
  ['a link to the project itself', 'self/notes/old.txt', 'The path self/notes/old.txt is really notes/old.txt.'],
  ['a broken link', 'broken', 'The path broken is a link that leads nowhere.'],
  ['behind a broken link', 'broken/new.txt', 'The path broken/new.txt is a link that leads nowhere.'],
  ['a link to itself', 'loop', 'The path loop is a link that leads nowhere.'],
  ['a step below a file', 'notes/old.txt/x', 'The path notes/old.txt/x leads through something that is not a folder.'],
  ['a long name', 'a'.repeat(300), 'is too long.'],
  ['a folder', 'notes', 'notes is a folder, not a file.'],
  ['the project folder', '.', '. is a folder, not a file.'],
  ['a pipe', 'pipe', 'pipe is neither a file nor a folder'],
  ['a socket', 'socket', 'socket is neither a file nor a folder'],
];

test.each(refused)(
  '%s is no file: every file tool refuses it with a sentence, and nothing happens [T-A19b]',
  async (_, path, says) => {
    const { inspect, execute } = await maze();
    for (const [tool, args] of Object.entries<Json>({ write_file: { path, content: 'x' }, delete_file: { path } })) {
      const inspection = await inspect(tool, args);
      expect(inspection).toMatchObject({ ok: false });
      expect(inspection.ok ? '' : inspection.detail).toContain(says);
      for (const content of ['absent', 'anything'])
        expect(await execute(tool, args, { bind: { content } })).toMatchObject({
          how: 'failed',
          effect: 'none',
          result: expect.stringContaining(says),
        });
    }
    expect(await execute('read_file', { path })).toMatchObject({
      how: 'failed',
      effect: 'none',
      result: expect.stringContaining(says),
    });
  },
);

test.each([
  ['a file', 'notes/old.txt', 'notes/old.txt is a file, not a folder.'],
  ['a pipe', 'pipe', 'pipe is neither a file nor a folder'],
  ['nothing', 'gone', 'There is no folder gone.'],
  ['a link inside', 'in', 'The path in is really notes. Name that instead.'],
  ['a link to the project itself', 'self', 'The path self is really ./. Name'],
  ['a link outside', 'out', 'leads out of the project folder.'],
  ['a step up', 'notes/..', 'holds "..".'],
  ['the root', '/', 'is absolute.'],
])('%s is no folder to list or to run in [T-A19b]', async (_, path, says) => {
  const { inspect, execute } = await maze();
  expect(await execute('list_files', { path })).toMatchObject({
    how: 'failed',
    effect: 'none',
    result: expect.stringContaining(says),
  });
  expect(await inspect('execute', { argv: ['pwd'], cwd: path })).toMatchObject({
    ok: false,
    detail: expect.stringContaining(says),
  });
});

test('names that look like options are names [T-A19b]', async () => {
  const { run } = await maze();
  expect(await run('read_file', { path: '-rf' })).toMatchObject({ result: 'option' });
  expect(await run('delete_file', { path: '--help' })).toMatchObject({ how: 'succeeded', result: 'Deleted --help.' });
  expect(await run('write_file', { path: '-n', content: 'x' })).toMatchObject({ how: 'succeeded' });
});

test('a path that is let through is in the project, is written as it is, and meets no link, whatever it is made of [T-A19b]', async () => {
  const { root } = await maze();
  const jail = createJail(root, words.en);
  const step = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'notes',
      'old.txt',
      'out',
      'out.txt',
      'in',
      'up',
      'self',
      'broken',
      'loop',
      'pipe',
      'new',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const judged = async (path: string) =>
    jail.file(path).then(
      ({ real }) => ({ real, refusal: undefined }),
      (refusal: unknown) => ({ real: undefined, refusal }),
    );
  const deepestOf = async (path: string): Promise<string> =>
    (await realpath(path).catch(() => undefined)) === undefined ? deepestOf(dirname(path)) : path;
  const passed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), async steps => {
      const path = steps.join('/');
      const { real, refusal } = await judged(path);
      if (real === undefined)
        return refusal instanceof ToolError && refusal.effect === 'none' && refusal.message.endsWith('.');
      passed.add(path);
      const deepest = await deepestOf(real);
      return real === root + sep + path && !real.split(sep).includes('..') && (await realpath(deepest)) === deepest;
    }),
    { numRuns: 400 },
  );
  expect(passed.size).toBeGreaterThan(20);
});

test('a project folder that is itself named through a link is fine', async () => {
  const { root, outside } = await project({ files: { 'a.txt': 'a' } });
  await mkdir(join(outside, 'links'));
  await symlink(root, join(outside, 'links', 'project'));
  const jail = createJail(join(outside, 'links', 'project'), words.en);
  expect(await jail.file('a.txt')).toEqual({ shown: 'a.txt', real: join(root, 'a.txt') });
});
