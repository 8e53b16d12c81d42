/** Owns the reading of the policy file and of what it names beside it: right, or nothing is started. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PolicyFile } from '../policy/normal-form.ts';
import { loadPolicyFile, problemsText } from '../policy/policy-file.ts';
import type { Beside } from '../policy/read-agents.ts';
import { idleDenials } from '../policy/static-verdict.ts';
import type { Tools } from '../worker/ports.ts';
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
  const read = loadPolicyFile(text, path, besideOf(path));
  if ('problems' in read) throw new CannotStart(problemsText(path, read.problems).split('\n'));
  return read.ok;
}

/** Throws CannotStart with every rule that denies a tool which is not there. */
export function refuseIdleDenials(file: PolicyFile, tools: Pick<Tools, 'definitions'>): void {
  const problems = idleDenials(
    file,
    tools.definitions().map(({ tool: name, server }) => ({ name, server })),
  );
  if (problems.length === 0) return;
  const lines = problems.map(problem => `  ${problem}`);
  throw new CannotStart(problemsText(file.fileName, lines).split('\n'));
}

/** More is no instruction any more; the model is told all of it at each turn. */
const MAX_BYTES = 64 * 1024;
/** All of them are put on record in one piece, which has to fit into an item of the table however badly it is compressed. */
const MAX_TOGETHER = 192 * 1024;

/** Reads files by their paths relative to the policy file. */
function besideOf(policyFile: string): Beside {
  const folder = dirname(policyFile);
  let together = 0;
  return path => {
    try {
      const bytes = readFileSync(resolve(folder, path));
      if (bytes.length > MAX_BYTES) return { why: 'is longer than 64 KB' };
      together += bytes.length;
      if (together > MAX_TOGETHER) return { why: 'makes the instructions of all agents longer than 192 KB' };
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch (error) {
      if (error instanceof TypeError) return { why: 'is not UTF-8 text' };
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      return { why: isMissing ? 'is not there' : 'cannot be read' };
    }
  };
}
