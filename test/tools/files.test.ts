import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import { sha256 } from '../../src/thread/digest.ts';
import { call, plant, project } from './project.ts';

test('list_files names what is there, folders with a slash, files with their size, and hides nothing', async () => {
  const { root, run, end } = await project({ files: { 'b.txt': 'é', 'a/x.txt': '', '.env': 'x', 'odd\nname': '12' } });
  await symlink('b.txt', join(root, 'c'));
  const { result } = await end('list_files', { path: '.' });
  expect(result.split('\n')).toEqual(['.env (1 byte)', 'a/', 'b.txt (2 bytes)', 'c (link)', "$'odd\\nname' (2 bytes)"]);
  expect(await run('list_files', { path: 'a/' })).toEqual({
    how: 'succeeded',
    effect: 'none',
    result: 'x.txt (0 bytes)',
  });
});

test('list_files says that a folder is empty, and counts what a very full one has more', async () => {
  const { root, run, end } = await project();
  expect(await run('list_files', { path: './' })).toMatchObject({ result: '(empty)' });
  await plant(root, Object.fromEntries(Array.from({ length: 1_003 }, (_, n) => [`f${n}`, ''])));
  const { result } = await end('list_files', { path: '.' });
  expect(result.split('\n')).toHaveLength(1_001);
  expect(result).toMatch(/\n… and 3 more$/);
});

test.each([
  ['list_files', 'notes', 'List notes/'],
  ['list_files', 'notes/', 'List notes/'],
  ['list_files', '.', 'List ./'],
  ['read_file', 'notes/to day.txt', "Read 'notes/to day.txt'"],
])('%s %s is summarised as "%s"', async (tool, path, summary) => {
  const { inspect } = await project();
  expect(await inspect(tool, { path })).toMatchObject({ ok: true, summary, impact: null, bind: {}, note: {} });
});

test('read_file gives a text as it is, up to 64 KB', async () => {
  const text = '\ufeffline\r\n\tend\u0007 界';
  const { run, end } = await project({
    files: { 'a.txt': text, 'full.txt': 'x'.repeat(65_536), 'over.txt': 'x'.repeat(65_537), 'empty.txt': '' },
  });
  expect(await run('read_file', { path: 'a.txt' })).toEqual({ how: 'succeeded', effect: 'none', result: text });
  expect((await end('read_file', { path: 'full.txt' })).result).toHaveLength(65_536);
  expect(await run('read_file', { path: 'over.txt' })).toEqual({
    how: 'failed',
    effect: 'none',
    code: 'too_large',
    result: 'over.txt has 65,537 bytes; at most 65,536 can be read.',
  });
  expect(await run('read_file', { path: 'empty.txt' })).toMatchObject({
    how: 'succeeded',
    result: 'empty.txt is empty.',
  });
});

test('read_file does not show what is no text, and says what is missing', async () => {
  const { run } = await project({ files: { 'a.bin': Buffer.from([0xff, 0xfe]), 'b.bin': 'a\0b' } });
  expect(await run('read_file', { path: 'a.bin' })).toMatchObject({
    how: 'failed',
    code: 'not_text',
    result: 'a.bin is not text (2 bytes), so it is not shown.',
  });
  expect(await run('read_file', { path: 'b.bin' })).toMatchObject({ how: 'failed', code: 'not_text' });
  expect(await run('read_file', { path: 'c/d.txt' })).toMatchObject({
    code: 'not_found',
    result: 'There is no file c/d.txt.',
  });
});

test('write_file binds what is there and says what it would replace [F-H1]', async () => {
  const { inspect } = await project({
    files: { 'a.txt': 'é'.repeat(340), 'b.bin': Buffer.from([0xff, 0xfe]), 'one.txt': '' },
  });
  expect(await inspect('write_file', { path: 'hello.txt', content: '👋é' })).toMatchObject({
    summary: 'Write hello.txt (2 characters, new)',
    impact: null,
    bind: { content: 'absent' },
    note: {},
  });
  expect(await inspect('write_file', { path: 'a.txt', content: 'h' })).toMatchObject({
    summary: 'Write a.txt (1 character, replaces 340)',
    impact: 'What the file holds now does not come back.',
    bind: { content: sha256('é'.repeat(340)) },
    note: { characters: 340 },
  });
  expect(await inspect('write_file', { path: 'b.bin', content: '' })).toMatchObject({
    summary: 'Write b.bin (0 characters, replaces 2 bytes)',
    note: { bytes: 2 },
  });
  expect(await inspect('write_file', { path: 'one.txt', content: '' })).toMatchObject({
    summary: 'Write one.txt (0 characters, replaces 0)',
  });
});

test('write_file writes a new file, with its folders, or replaces one and keeps its mode; nothing stays beside it', async () => {
  const { root, run } = await project({ files: { 'old.sh': 'old' } });
  await chmod(join(root, 'old.sh'), 0o750);
  expect(await run('write_file', { path: 'a/b/new.txt', content: 'hi ☀' })).toEqual({
    how: 'succeeded',
    effect: 'done',
    result: 'Wrote a/b/new.txt (4 characters).',
  });
  expect(await readFile(join(root, 'a/b/new.txt'), 'utf8')).toBe('hi ☀');
  expect(await run('write_file', { path: 'old.sh', content: 'new' })).toMatchObject({ how: 'succeeded' });
  expect(await readFile(join(root, 'old.sh'), 'utf8')).toBe('new');
  expect((await stat(join(root, 'old.sh'))).mode & 0o777).toBe(0o750);
  expect(await readdir(root)).toEqual(['a', 'old.sh']);
  expect(await readdir(join(root, 'a/b'))).toEqual(['new.txt']);
});

test.each([
  ['changed', 'a.txt', (path: string) => writeFile(path, 'other')],
  ['changed to the same length', 'a.txt', (path: string) => writeFile(path, 'b')],
  ['deleted', 'a.txt', (path: string) => rm(path)],
  ['made', 'new.txt', (path: string) => writeFile(path, 'other')],
  ['made as a folder', 'new.txt', (path: string) => mkdir(path)],
])(
  'a file that was %s after the last look is neither written nor deleted [T-A9a, T-A9b, F-H1]',
  async (_, path, change) => {
    const { root, bind, execute } = await project({ files: { 'a.txt': 'a' } });
    const content = (await bind('write_file', { path, content: 'x' }))['content'] ?? null;
    await change(join(root, path));
    const before = await readFile(join(root, path), 'utf8').catch(() => 'none');
    for (const [tool, args] of [
      ['write_file', { path, content: 'x' }],
      ['delete_file', { path }],
    ] as const)
      expect(await execute(tool, args, { bind: { content } })).toMatchObject({
        how: 'failed',
        effect: 'none',
        code: expect.stringMatching(/^(changed_meanwhile|is_a_folder)$/),
      });
    expect(await readFile(join(root, path), 'utf8').catch(() => 'none')).toBe(before);
    expect((await readdir(root)).filter(name => name.startsWith('.countersign'))).toEqual([]);
  },
);

test('a change between the last look and the effect is seen by the tool itself, not only by who called it [T-A9b]', async () => {
  const { root, bind, execute } = await project({ files: { 'a.txt': 'a' } });
  const bound = await bind('delete_file', { path: 'a.txt' });
  await writeFile(join(root, 'a.txt'), 'changed');
  expect(await execute('delete_file', { path: 'a.txt' }, { bind: bound })).toEqual({
    how: 'failed',
    effect: 'none',
    code: 'changed_meanwhile',
    result: 'a.txt changed after the last look. Nothing was done.',
  });
});

test('without bound facts nothing is written or deleted [F-C14]', async () => {
  const { root, execute } = await project({ files: { 'a.txt': 'a' } });
  expect(await execute('delete_file', { path: 'a.txt' })).toMatchObject({ how: 'failed', effect: 'none' });
  expect(await execute('write_file', { path: 'b.txt', content: 'b' })).toMatchObject({ how: 'failed', effect: 'none' });
  expect(await readdir(root)).toEqual(['a.txt']);
});

test('delete_file deletes what it bound, says that this is for good, and asks nobody where nothing is', async () => {
  const { root, inspect, run } = await project({ files: { 'notes/old.txt': 'old' } });
  expect(await inspect('delete_file', { path: 'notes/old.txt' })).toMatchObject({
    summary: 'Delete notes/old.txt',
    impact: 'No copy of the file is kept.',
    bind: { content: sha256('old') },
    note: { characters: 3 },
  });
  expect(await run('delete_file', { path: 'notes/old.txt' })).toEqual({
    how: 'succeeded',
    effect: 'done',
    result: 'Deleted notes/old.txt.',
  });
  expect(await readdir(join(root, 'notes'))).toEqual([]);
  expect(await inspect('delete_file', { path: 'notes/old.txt' })).toEqual({
    ok: false,
    code: 'inspect_failed',
    detail: 'There is no file notes/old.txt.',
  });
});

test("what an interrupted attempt left beside the file is in nobody's way [F-B7]", async () => {
  const beside = `.countersign-${sha256(call).slice(0, 20)}`;
  const { root, run } = await project({ files: { [beside]: 'half of' } });
  expect(await run('write_file', { path: 'a.txt', content: 'whole' })).toMatchObject({ how: 'succeeded' });
  expect(await readdir(root)).toEqual(['a.txt']);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('whole');
});

test('a stopped write has no effect, and says so [F-B15]', async () => {
  const { root, bind, execute } = await project({ files: { 'a.txt': 'a'.repeat(1_000_000) } });
  const args = { path: 'a.txt', content: 'x' };
  const bound = await bind('write_file', args);
  const stop = new AbortController();
  const running = execute('write_file', args, { bind: bound, signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ how: 'failed', effect: 'none', code: 'aborted' });
  expect(await readdir(root)).toEqual(['a.txt']);
  expect((await stat(join(root, 'a.txt'))).size).toBe(1_000_000);
});

test('all sentences are in Chinese where Chinese is set', async () => {
  const { inspect, run } = await project({ language: 'zh', files: { 'a.txt': 'é'.repeat(340) } });
  expect(await inspect('write_file', { path: 'hello.txt', content: 'hi' })).toMatchObject({
    summary: '写入 hello.txt（2 个字符，新文件）',
  });
  expect(await inspect('write_file', { path: 'a.txt', content: 'hi' })).toMatchObject({
    summary: '写入 a.txt（2 个字符，替换 340 个字符）',
    impact: '文件现有的内容无法恢复。',
  });
  expect(await inspect('delete_file', { path: 'b.txt' })).toMatchObject({ detail: '没有文件 b.txt。' });
  expect(await inspect('delete_file', { path: 1 })).toMatchObject({
    detail: expect.stringMatching(/^参数不符合要求：path：.*。$/),
  });
  expect(await run('delete_file', { path: 'a.txt' })).toMatchObject({ result: '已删除 a.txt。' });
});

test('what a person changed in a call is bound by its own look: another content to the same file, another path to that one [F-H8, T-A9b]', async () => {
  const { root, bind, execute } = await project({ files: { 'a.txt': 'old a', 'b.txt': 'old b' } });
  const proposed = await bind('write_file', { path: 'a.txt', content: 'new' });
  const sameFile = { path: 'a.txt', content: 'newer' };
  const otherFile = { path: 'b.txt', content: 'new' };
  expect(await bind('write_file', sameFile)).toEqual(proposed);
  expect(await execute('write_file', otherFile, { bind: proposed })).toMatchObject({
    how: 'failed',
    effect: 'none',
    code: 'changed_meanwhile',
  });
  expect(await execute('write_file', otherFile, { bind: await bind('write_file', otherFile) })).toMatchObject({
    how: 'succeeded',
  });
  expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('new');
  await writeFile(join(root, 'a.txt'), 'changed meanwhile');
  expect(await execute('write_file', sameFile, { bind: proposed })).toMatchObject({ code: 'changed_meanwhile' });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed meanwhile');
});

test.each<[string, Json]>([
  ['content', { path: 'a.txt', content: 7 }],
  ['content', { path: 'a.txt', content: null }],
  ['a path that leads out', { path: '../a.txt', content: 'x' }],
])('a call whose %s was changed to what does not fit is refused by the same schema: %j', async (_, args) => {
  const { inspect } = await project({ files: { 'a.txt': 'old' } });
  expect(await inspect('write_file', args)).toMatchObject({ ok: false, detail: expect.stringMatching(/./) });
});
