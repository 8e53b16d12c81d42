/** Owns the reading of the policy file: right, or nothing is started. */
import { readFileSync } from 'node:fs';
import type { PolicyFile } from '../policy/normal-form.ts';
import { loadPolicyFile, problemsText } from '../policy/policy-file.ts';

/** What was configured cannot be started with; `lines` say why, for the terminal. */
export class CannotStart extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Reads the policy file. Throws CannotStart with every problem in it. */
export function readPolicy(path: string): PolicyFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new CannotStart([`${path} cannot be read; nothing was started. Set COUNTERSIGN_CONFIG to where it is.`]);
  }
  const read = loadPolicyFile(text, path);
  if ('problems' in read) throw new CannotStart([problemsText(path, read.problems)]);
  return read.ok;
}
