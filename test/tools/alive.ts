/**
 * Tells when processes have begun and when the last of them is gone, without looking at a clock: they hold the writing end
 * of a named pipe, and the reading end sees it close.
 */
import { execFileSync } from 'node:child_process';
import { constants, createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface Alive {
  /** For a shell: holds the pipe as descriptor 3, says `line`; whatever the shell starts then holds it too. */
  readonly holding: (line?: string) => string;
  /** The first line, as soon as somebody has said one. */
  readonly begun: Promise<string>;
  /** When nobody is left. */
  readonly gone: Promise<'gone'>;
}

/** Makes a named pipe. */
export const makePipe = (path: string): void => void execFileSync('/usr/bin/mkfifo', [path]);

export function alive(folder: string): Alive {
  const path = join(folder, 'alive');
  makePipe(path);
  // Opening waits for a writer; a test that ends without one must not wait for ever.
  onTestFinished(async () => {
    const writer = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
    await writer?.close();
  });
  const lines = createInterface({ input: createReadStream(path) });
  const begun = new Promise<string>(resolve => lines.once('line', resolve));
  const gone = new Promise<'gone'>(resolve => lines.once('close', () => resolve('gone')));
  return { holding: (line = 'here') => `exec 3>'${path}'; echo "${line}" >&3; `, begun, gone };
}
