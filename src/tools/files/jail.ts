/**
 * Owns which paths the tools may touch: those under the project folder, each named in one way only.
 *
 * Policy sees a path as it is written. So a path must be written as what it really is: relative, without "..", in plain
 * form, and through no link. A rule about `.env` cannot be passed by `notes/../.env`, nor by a link that points there.
 */
import { constants, realpathSync, statSync } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { refusal, ToolError } from '../error.ts';
import { shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';

/** A path that was found to be in the project. */
export interface Place {
  /** As it is shown in sentences. */
  readonly shown: string;
  /** Absolute, and its own real path (as far as it exists). */
  readonly real: string;
}

export interface Jail {
  /** Real path of the project folder. */
  readonly root: string;
  /** The place of a file, there or not; its folders may be missing too. Throws a ToolError that says what is wrong. */
  file(path: string): Promise<Place>;
  /** The place of a folder that is there; `.` is the project folder, one `/` at the end is fine. */
  folder(path: string): Promise<Place>;
  /** Reads from a regular file; undefined when nothing is there. Throws a ToolError for anything else. */
  read<T>(place: Place, use: (file: FileHandle) => Promise<T>): Promise<T | undefined>;
  /** What an error means for a place: a ToolError as it is, an error of the file system as a sentence. */
  trouble(place: Place, error: unknown): ToolError;
}

/** Longest path in arguments, in UTF-16 units. */
export const PATH_LENGTH = 1_024;

const invalid = (sentence: string): ToolError => refusal('invalid_arguments', sentence);

/** The error code of the system, such as ENOENT; '' for other errors. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Makes the jail of a folder. Throws an Error with a sentence when the folder is not there. */
export function createJail(projectRoot: string, say: Words): Jail {
  if (!statSync(projectRoot, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`The project folder ${projectRoot} is not there.`);
  const root = realpathSync(projectRoot);
  const within = { root, say };
  return {
    root,
    file: async path => placeOf(within, path, plainSegments(path, say)),
    folder: async path => {
      const place = await placeOf(within, path, path === '.' || path === './' ? [] : plainSegments(path, say, true));
      const found = await lstat(place.real).catch(error => Promise.reject(troubleOf(say, place, error, say.noFolder)));
      if (found.isDirectory()) return place;
      throw refusal('not_a_folder', found.isFile() ? say.isFile(place.shown) : say.isSpecial(place.shown));
    },
    read: async (place, use) => readFrom(within, place, use),
    trouble: (place, error) => troubleOf(say, place, error, say.noFile),
  };
}

interface Within {
  readonly root: string;
  readonly say: Words;
}

/** The steps of a path in plain form; throws when it is written in any other. */
function plainSegments(path: string, say: Words, folder = false): readonly string[] {
  const shown = shellWord(path);
  if (path === '') throw invalid(say.pathEmpty);
  if (path.includes('\0')) throw invalid(say.pathNul(shown));
  if (path.startsWith('/')) throw invalid(say.pathAbsolute(shown));
  const segments = (folder ? path.replace(/\/$/, '') : path).split('/');
  if (segments.includes('..')) throw invalid(say.pathParent(shown));
  const plain = segments.filter(segment => segment !== '' && segment !== '.');
  if (plain.length === 0 && !folder) throw refusal('is_a_folder', say.isFolder(shown));
  if (plain.length !== segments.length) throw invalid(say.pathForm(shown, shellWord(plain.join('/') || './')));
  return plain;
}

/** Follows the path as deep as it exists; throws when that is not where it seems to lead. */
async function placeOf({ root, say }: Within, path: string, segments: readonly string[]): Promise<Place> {
  const shown = shellWord(path.length > 1 ? path.replace(/\/$/, '') : path);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const named = join(root, ...segments.slice(0, depth));
    const real = await realPathOf(named, shown, say);
    if (real === undefined) continue;
    if (real !== named) throw invalid(linkSentence(root, shown, join(real, ...segments.slice(depth)), say));
    if (depth < segments.length) await nothingThere(join(root, ...segments.slice(0, depth + 1)), shown, say);
    return { shown, real: join(root, ...segments) };
  }
  throw refusal('no_project', say.noFolder(shellWord(root)));
}

async function realPathOf(named: string, shown: string, say: Words): Promise<string | undefined> {
  try {
    return await realpath(named);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') throw invalid(say.pathThroughFile(shown));
    if (code === 'ELOOP') throw invalid(say.pathBrokenLink(shown));
    if (code === 'ENAMETOOLONG') throw invalid(say.pathTooLong(shown));
    throw refusal('file_trouble', say.fileTrouble(shown, code || String(error)));
  }
}

/** A step that has no real path but is there is a link to nothing: writing "through" it would write elsewhere. */
async function nothingThere(named: string, shown: string, say: Words): Promise<void> {
  const found = await lstat(named).catch(() => undefined);
  if (found) throw invalid(say.pathBrokenLink(shown));
}

function linkSentence(root: string, shown: string, real: string, say: Words): string {
  if (real === root) return say.pathLink(shown, './');
  return real.startsWith(root + sep) ? say.pathLink(shown, shellWord(relative(root, real))) : say.pathOut(shown);
}

function troubleOf(say: Words, { shown }: Place, error: unknown, missing: (path: string) => string): ToolError {
  if (error instanceof ToolError) return error;
  const code = systemCode(error);
  if (code === 'ENOENT') return refusal('not_found', missing(shown));
  if (code === 'ENOTDIR') return invalid(say.pathThroughFile(shown));
  if (code === 'EISDIR') return refusal('is_a_folder', say.isFolder(shown));
  if (code === 'ELOOP') return invalid(say.pathBrokenLink(shown));
  if (code === 'ENAMETOOLONG') return invalid(say.pathTooLong(shown));
  return refusal('file_trouble', say.fileTrouble(shown, code || String(error)));
}

/**
 * Opens without following a link and without waiting for a pipe's other end, then looks whether what was opened is still
 * what the path leads to.
 */
async function readFrom<T>(
  { say }: Within,
  place: Place,
  use: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const before = await lstat(place.real).catch(error =>
    systemCode(error) === 'ENOENT' ? undefined : Promise.reject(error),
  );
  if (!before) return undefined;
  if (before.isDirectory()) throw refusal('is_a_folder', say.isFolder(place.shown));
  if (!before.isFile()) throw refusal('special_file', say.isSpecial(place.shown));
  const file = await open(place.real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await file.stat();
    const same = opened.isFile() && opened.ino === before.ino && opened.dev === before.dev;
    if (!same || (await realpath(place.real)) !== place.real)
      throw refusal('changed_meanwhile', say.changedMeanwhile(place.shown));
    return await use(file);
  } finally {
    await file.close();
  }
}
