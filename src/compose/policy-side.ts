/** Owns the reading of the policy file: right, or nothing is started. */
import { readFileSync } from 'node:fs';
import type { PolicyFile } from '../policy/normal-form.ts';
import { loadPolicyFile, problemsText } from '../policy/policy-file.ts';
import { CannotStart } from './cannot-start.ts';

/** Reads the policy file. Throws CannotStart with every problem in it. */
export function readPolicy(path: string): PolicyFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CannotStart(
      [`${path} cannot be read; nothing was started. Set COUNTERSIGN_CONFIG to where the policy file is.`],
      { cause },
    );
  }
  const read = loadPolicyFile(text, path);
  if ('problems' in read) throw new CannotStart(problemsText(path, read.problems).split('\n'));
  return read.ok;
}
