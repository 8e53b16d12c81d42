/**
 * Owns what a command is bound to: the program that its first word means, and the content of every file of the project
 * that it names. A script that was changed after somebody approved `sh deploy.sh` is another command.
 *
 * Bound are files that are named as a word or after its first `=`. What a program opens by itself, folders, and files
 * outside the project are not; that gap stands in the registry's list.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import type { Facts } from '../../thread/events.ts';

/** A program as it was found; `runnable` false when the file may not be run. */
export interface Program {
  readonly file: string;
  readonly real: string;
  readonly runnable: boolean;
}

/** Above this, a file is bound by size and time of change instead of its content. */
const HASHED_BYTES = 64 * 1024 * 1024;
const NOT_FOUND = 'not found';

/** Finds a program as the system would: by its path from `cwd` if it has a `/`, else in the folders of `path`. */
export async function findProgram(name: string, cwd: string, path: string): Promise<Program | undefined> {
  const places = name.includes('/') ? [resolve(cwd, name)] : path.split(delimiter).map(folder => join(folder, name));
  let found: Program | undefined;
  for (const file of places) {
    const is = await stat(file).catch(() => undefined);
    if (!is?.isFile()) continue;
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return { file, real: await realpath(file), runnable };
    found ??= { file, real: file, runnable };
  }
  return found;
}

/** The binding facts of a command: `program`, and one `./path` for each file of the project that it names. */
export async function boundFacts(
  argv: readonly string[],
  { root, cwd, program, signal }: { root: string; cwd: string; program: Program | undefined; signal: AbortSignal },
): Promise<Facts> {
  const facts: { [fact: string]: string } = { program: program?.real ?? NOT_FOUND };
  const named = argv.slice(1).flatMap(word => [word, ...word.split(/=(.*)/s).slice(1, 2)]);
  for (const path of [...(program ? [program.file] : []), ...named]) {
    signal.throwIfAborted();
    const real = await realpath(resolve(cwd, path)).catch(() => undefined);
    if (real === undefined || !real.startsWith(root + sep)) continue;
    const is = await stat(real).catch(() => undefined);
    if (!is?.isFile()) continue;
    facts[`./${relative(root, real)}`] ??=
      is.size > HASHED_BYTES ? `${is.size} bytes of ${is.mtime.toISOString()}` : await digestOfFile(real, signal);
  }
  return facts;
}

async function digestOfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) if (Buffer.isBuffer(chunk)) hash.update(chunk);
  return hash.digest('hex');
}
