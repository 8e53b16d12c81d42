/**
 * Owns `write_file`. The new content stands whole beside the file before it takes its place, and takes it only if the file
 * still holds what was approved to be replaced: for a new file the file system itself makes sure of that, for an old one
 * the last look is the step before the exchange.
 */
import { createHash } from 'node:crypto';
import { access, constants, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { defineTool, type ExecuteContext, type Tool } from '../define.ts';
import { refusal, ToolError } from '../error.ts';
import { shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';
import { ABSENT, characters, contentFacts, lookAt, type Content } from './content.ts';
import { systemCode, type Jail, type Place } from './jail.ts';
import { PATH_LENGTH } from './read.ts';

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
      await replace({ jail, say, place, context }, content);
      return say.wrote(place.shown, characters(content));
    },
  });

function replaced({ content, characters: counted, bytes }: Readonly<Record<string, unknown>>) {
  if (content === ABSENT) return null;
  return typeof counted === 'number' ? { characters: counted } : { bytes: typeof bytes === 'number' ? bytes : 0 };
}

interface Writing {
  readonly jail: Jail;
  readonly say: Words;
  readonly place: Place;
  readonly context: ExecuteContext;
}

/** The content that is there, if it is the approved one; otherwise throws that it changed. */
export async function stillBound({ jail, say, place, context }: Writing): Promise<Content | undefined> {
  const found = await lookAt(jail, place, context.signal);
  if ((found?.digest ?? ABSENT) === context.bound['content']) return found;
  throw refusal('changed_meanwhile', say.changedMeanwhile(place.shown));
}

async function replace(writing: Writing, content: string): Promise<void> {
  const { jail, place, context } = writing;
  const folder = dirname(place.real);
  // One name per call: what an interrupted attempt left is replaced by the next, and nothing else has this name.
  const beside = join(folder, `.countersign-${createHash('sha256').update(context.key).digest('hex').slice(0, 20)}`);
  let made: string | undefined;
  try {
    const before = await stillBound(writing);
    if (before) await access(place.real, constants.W_OK);
    made = await mkdir(folder, { recursive: true });
    await rm(beside, { force: true });
    await writeWhole(beside, content, before?.mode);
    const now = await stillBound(writing);
    context.signal.throwIfAborted();
    if (now) await rename(beside, place.real);
    else await putNew(writing, beside);
    await sync(folder);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const trouble = error instanceof ToolError || context.signal.aborted ? error : jail.trouble(place, error);
    // Folders that were made stay: then it is not true that nothing happened.
    if (trouble instanceof ToolError && made !== undefined)
      throw new ToolError(trouble.message, { code: trouble.code, effect: 'possible', cause: error });
    throw trouble;
  }
}

async function writeWhole(path: string, content: string, mode: number | undefined): Promise<void> {
  await using handle = await open(path, 'wx', mode ?? 0o666);
  if (mode !== undefined) await handle.chmod(mode);
  await handle.writeFile(content);
  await handle.sync();
}

/** Gives the finished file its name only if nothing has it; some file systems know no second names and get a rename. */
async function putNew({ say, place }: Writing, beside: string): Promise<void> {
  try {
    await link(beside, place.real);
    await rm(beside, { force: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw refusal('changed_meanwhile', say.changedMeanwhile(place.shown));
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(beside, place.real);
  }
}

/** Makes the new name last through a power cut, where the system can. */
async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync().catch(() => {});
}
