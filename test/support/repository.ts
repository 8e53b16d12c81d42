import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file, by its path below the repository. */
export const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Paths that git tracks and that are there; undefined where this is a plain folder and no clone. */
export function trackedFiles(): string[] | undefined {
  if (!existsSync(join(repositoryRoot, '.git'))) return undefined;
  return execFileSync('git', ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(repositoryRoot, path)));
}
