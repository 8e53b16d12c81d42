/**
 * Owns what a running process tells the commands on this machine: where its embedded workspace and table answer. It stands in
 * the data folder while the process runs; after a crash it is old, so whoever reads it tries the address before trusting it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const addresses = z.object({ workspace: z.nullable(z.string()), table: z.nullable(z.string()) });
/** Addresses on loopback; null where that part is not embedded in the process. */
export type Addresses = z.infer<typeof addresses>;

const fileIn = (dataFolder: string): string => join(dataFolder, 'running.json');

/** Writes them; the returned function takes them back. */
export function tellAddresses(dataFolder: string, told: Addresses): () => void {
  writeFileSync(fileIn(dataFolder), `${JSON.stringify(told)}\n`);
  return () => rmSync(fileIn(dataFolder), { force: true });
}

/** What the process on this data folder told; nothing where none runs. */
export function toldAddresses(dataFolder: string): Addresses {
  try {
    return addresses.parse(JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')));
  } catch {
    return { workspace: null, table: null };
  }
}
