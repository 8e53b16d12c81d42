/** Owns `delete_file`: deletes a file only if it still holds what was approved to be deleted. */
import { unlink } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool, type Tool } from '../define.ts';
import { refusal } from '../error.ts';
import { shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';
import { beforeEffect, stillBound } from './change.ts';
import { contentFacts, lookAt } from './content.ts';
import { PATH_LENGTH, type Jail } from './jail.ts';

/** `delete_file {path}`: binds the digest of what is there; where nothing is, nobody is asked. */
export const deleteFile = (jail: Jail, say: Words): Tool =>
  defineTool({
    name: 'delete_file',
    description: 'Deletes one file of the project.',
    parameters: z.object({
      path: z.string().max(PATH_LENGTH).describe('The file, from the project folder on, such as notes/old.txt.'),
    }),
    effect: 'write',
    risk: 'high',
    conditional: true,
    summary: ({ path }) => say.delete(shellWord(path)),
    impact: () => say.deleteImpact,
    inspect: async ({ path }, { signal }) => {
      const place = await jail.file(path);
      const content = await lookAt(jail, place, signal);
      if (!content) throw refusal('not_found', say.noFile(place.shown));
      return contentFacts(content);
    },
    execute: async ({ path }, context) => {
      const change = { jail, say, path, place: await jail.file(path), context };
      try {
        await stillBound(change);
        await unlink(change.place.real);
        return say.deleted(change.place.shown);
      } catch (error) {
        throw beforeEffect(change, 'delete_file', error);
      }
    },
  });
