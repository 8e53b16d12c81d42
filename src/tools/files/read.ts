/** Owns the tools that only look: `list_files` and `read_file`. */
import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type Tool } from '../define.ts';
import { refusal } from '../error.ts';
import { shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';
import { PATH_LENGTH, type Jail } from './jail.ts';

/** Largest file that `read_file` gives. */
const READ_BYTES = 64 * 1024;
/** Most entries that `list_files` names. */
const LISTED_ENTRIES = 1_000;

/** `list_files {path}`: one entry a line, folders with a `/`, files with their size, sorted. */
export const listFiles = (jail: Jail, say: Words): Tool =>
  defineTool({
    name: 'list_files',
    description: 'Lists a folder of the project: one entry a line, folders end with /, files come with their size.',
    parameters: z.object({
      path: z
        .string()
        .max(PATH_LENGTH)
        .describe('The folder, from the project folder on, such as notes. "." is the project folder.'),
    }),
    effect: 'read',
    risk: 'low',
    summary: ({ path }) => say.list(shellWord(path.endsWith('/') ? path : `${path}/`)),
    execute: async ({ path }) => {
      const place = await jail.folder(path);
      try {
        const entries = await readdir(place.real, { withFileTypes: true });
        entries.sort((a, b) => (a.name < b.name ? -1 : 1));
        const lines = await Promise.all(entries.slice(0, LISTED_ENTRIES).map(entry => line(place.real, entry, say)));
        if (entries.length > LISTED_ENTRIES) lines.push(say.listedMore(entries.length - LISTED_ENTRIES));
        return lines.length === 0 ? say.emptyFolder : lines.join('\n');
      } catch (error) {
        throw jail.trouble(place, error);
      }
    },
  });

async function line(folder: string, entry: Dirent, say: Words): Promise<string> {
  const name = shellWord(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return say.listedLink(name);
  if (!entry.isFile()) return say.listedSpecial(name);
  const found = await lstat(join(folder, entry.name)).catch(() => undefined);
  return found ? say.listed(name, found.size) : name;
}

/** `read_file {path}`: the text of a file of at most 64 KB, as it is. */
export const readFile = (jail: Jail, say: Words): Tool =>
  defineTool({
    name: 'read_file',
    description: 'Reads a text file of the project, up to 64 KB, UTF-8.',
    parameters: z.object({
      path: z.string().max(PATH_LENGTH).describe('The file, from the project folder on, such as notes/today.txt.'),
    }),
    effect: 'read',
    risk: 'low',
    summary: ({ path }) => say.read(shellWord(path)),
    execute: async ({ path }) => {
      const place = await jail.file(path);
      try {
        const text = await jail.read(place, file => textOf(file, place.shown, say));
        if (text === undefined) throw refusal('not_found', say.noFile(place.shown));
        return text === '' ? say.emptyFile(place.shown) : text;
      } catch (error) {
        throw jail.trouble(place, error);
      }
    },
  });

async function textOf(file: FileHandle, shown: string, say: Words): Promise<string> {
  const { size } = await file.stat();
  if (size > READ_BYTES) throw refusal('too_large', say.tooLarge(shown, size, READ_BYTES));
  const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES + 1), 0, READ_BYTES + 1, 0);
  if (bytesRead > READ_BYTES) throw refusal('too_large', say.tooLarge(shown, bytesRead, READ_BYTES));
  const bytes = buffer.subarray(0, bytesRead);
  if (!isUtf8(bytes) || bytes.includes(0)) throw refusal('not_text', say.binaryFile(shown, bytesRead));
  return bytes.toString('utf8');
}
