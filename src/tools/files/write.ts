/**
 * Owns `write_file`. The new content stands whole beside the file before it takes its place, and takes it only if the file
 * still holds what was approved to be replaced: for a new file the file system itself makes sure of that, for an old one
 * the last look is the step before the exchange.
 */
import { createHash } from 'node:crypto';
import { access, constants, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { defineTool, type Tool } from '../define.ts';
import { refusal, ToolError } from '../error.ts';
import { shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';
import { beforeEffect, stillBound, type Change } from './change.ts';
import { ABSENT, characters, contentFacts, lookAt } from './content.ts';
import { PATH_LENGTH, systemCode, type Jail } from './jail.ts';

/** `write_file {path, content}`: binds the digest of what is there, or `absent`. */
export const writeFile = (jail: Jail, say: Words): Tool =>
  defineTool({
    name: 'write_file',
    description:
      'Writes a text file of the project, whole: a new one, or in place of what is there. Missing folders are made.',
    parameters: z.object({
      path: z.string().max(PATH_LENGTH).describe('The file, from the project folder on, such as notes/today.txt.'),
      content: z.string().describe('All that the file is to hold.'),
    }),
    effect: 'write',
    risk: 'medium',
    conditional: true,
    summary: ({ path, content }, facts) => say.write(shellWord(path), characters(content), replaced(facts)),
    impact: (_, facts) => (replaced(facts) === null ? null : say.writeImpact),
    inspect: async ({ path }, { signal }) => contentFacts(await lookAt(jail, await jail.file(path), signal)),
    execute: async ({ path, content }, context) => {
      const place = await jail.file(path);
      await replace({ jail, say, path, place, context }, content);
      return say.wrote(place.shown, characters(content));
    },
  });

function replaced({ content, characters: counted, bytes }: Readonly<Record<string, unknown>>) {
  if (content === ABSENT) return null;
  return typeof counted === 'number' ? { characters: counted } : { bytes: typeof bytes === 'number' ? bytes : 0 };
}

async function replace(change: Change, content: string): Promise<void> {
  const { place, context } = change;
  const folder = dirname(place.real);
  // One name per call: what an interrupted attempt left is replaced by the next, and nothing else has this name.
  const beside = join(folder, `.countersign-${createHash('sha256').update(context.key).digest('hex').slice(0, 20)}`);
  let made: string | undefined;
  try {
    const before = await stillBound(change);
    if (before) await access(place.real, constants.W_OK);
    made = await mkdir(folder, { recursive: true });
    await rm(beside, { force: true });
    await writeWhole(beside, content, before?.mode);
    const now = await stillBound(change);
    await (now ? rename(beside, place.real) : putNew(change, beside));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const trouble = beforeEffect(change, 'write_file', error);
    // Folders that were made stay: then it is not true that nothing happened.
    throw made === undefined ? trouble : new ToolError(trouble.message, { code: trouble.code, cause: error });
  }
  await sync(folder);
}

async function writeWhole(path: string, content: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx', mode ?? 0o666);
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives the finished file its name only if nothing has it; some file systems know no second names and get a rename. */
async function putNew({ say, place }: Change, beside: string): Promise<void> {
  try {
    await link(beside, place.real);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw refusal('changed_meanwhile', say.changedMeanwhile(place.shown));
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(beside, place.real);
  }
  await rm(beside, { force: true }).catch(() => {});
}

/** Makes the new name last through a power cut, where the system can; the content is safe already. */
async function sync(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => {});
  await opened?.close().catch(() => {});
}
