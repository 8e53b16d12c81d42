/** Owns the folder that tools work in: one that somebody named must be there, our own one is made. */
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { seedProject } from '../local/seed-project.ts';
import { CannotStart } from './cannot-start.ts';

type Folders = Pick<Environment, 'projectRoot' | 'dataFolder'>;

const isOwn = ({ projectRoot, dataFolder }: Folders): boolean => projectRoot === join(dataFolder, 'project');

/** Throws CannotStart when the folder was named and is not there. */
export function checkProject(folders: Folders): void {
  if (isOwn(folders)) return;
  const found = statSync(folders.projectRoot, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw new CannotStart([
      `PROJECT_ROOT is ${folders.projectRoot}, and there is no such folder; tools would have nowhere to work.`,
    ]);
}

/** Makes our own folder if it is not there yet, with a few files to try things on where Slack is embedded. */
export async function makeProject(folders: Folders, isEmbedded: boolean): Promise<void> {
  if (!isOwn(folders)) return;
  if (isEmbedded) await seedProject(folders.projectRoot);
  else await mkdir(folders.projectRoot, { recursive: true });
}
