import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seedProject } from '../../src/local/seed-project.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'countersign-seed-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test('the project of an embedded workspace begins with three files, and nothing stays beside it', async () => {
  const base = await folder();
  const root = join(base, 'data', 'project');
  expect(await seedProject(root)).toBe(true);
  expect((await readdir(root, { recursive: true })).toSorted()).toEqual([
    'README.txt',
    'notes',
    'notes/old.txt',
    'notes/today.txt',
  ]);
  expect(await readdir(join(base, 'data'))).toEqual(['project']);
});

test('a project that is there is left as it is, also an empty one and one whose files were deleted', async () => {
  const base = await folder();
  const root = join(base, 'project');
  await seedProject(root);
  await rm(join(root, 'notes'), { recursive: true });
  await writeFile(join(root, 'README.txt'), 'mine');
  expect(await seedProject(root)).toBe(false);
  expect(await readdir(root)).toEqual(['README.txt']);
  expect(await readFile(join(root, 'README.txt'), 'utf8')).toBe('mine');
  expect(await seedProject(base)).toBe(false);
});

test('of many that make the project at once, one does, and it is whole', async () => {
  const root = join(await folder(), 'project');
  const made = await Promise.all(Array.from({ length: 8 }, () => seedProject(root)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readdir(root, { recursive: true })).toHaveLength(4);
});
