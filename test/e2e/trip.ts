/** Owns a tool that acts, asks from inside and acts again, each step leaving a line in a file of the project. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/tools/define.ts';

/** `book_trip {name}`: reserves, asks from which city, books; `project` is the folder of its files. */
export const bookTrip = (project: string): Tool =>
  defineTool({
    name: 'book_trip',
    description: 'Books a trip.',
    parameters: z.object({ name: z.string() }),
    effect: 'write',
    risk: 'medium',
    summary: ({ name }) => `Book ${name}`,
    execute: async ({ name }, { ask, step }) => {
      const note = (line: string): Promise<void> => appendFile(join(project, name), `${line}\n`);
      await step('reserve', () => note('reserved'));
      const city = await ask('city', {
        prompt: `From which city for ${name}?`,
        check: given => (given === 'Atlantis' ? 'there is no such city.' : null),
      });
      await step('book', () => note(`booked from ${city}`));
      return `Booked from ${city}.`;
    },
  });
