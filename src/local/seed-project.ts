/** Owns what the project folder of an embedded workspace holds at its first start: something to list, read and delete. */
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const FILES: { readonly [path: string]: string } = {
  'README.txt': 'This folder belongs to the agent of the embedded workspace. Nothing here is needed; try things out.\n',
  'notes/old.txt': 'Milk, bread, a new bulb for the hall. All bought last week.\n',
  'notes/today.txt': 'Call the printer about the flyers. Water the plants.\n',
};

/**
 * Makes the project folder with a few files, if there is no such folder; true when it was made. It appears whole or not at
 * all. Throws the file system's error when it cannot be made.
 */
export async function seedProject(root: string): Promise<boolean> {
  if (await exists(root)) return false;
  await mkdir(dirname(root), { recursive: true });
  const beside = await mkdtemp(join(dirname(root), `.${basename(root)}-`));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(beside, path)), { recursive: true });
      await writeFile(join(beside, path), text);
    }
    await rename(beside, root);
    return true;
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    // Another process was quicker.
    if (await exists(root)) return false;
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
