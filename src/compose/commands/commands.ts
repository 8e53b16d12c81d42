/** Owns the list of commands and how one is run: a right environment first, sentences instead of stack traces. */
import { CannotStart, whyNot } from '../cannot-start.ts';
import { environmentLines, type ReadEnvironment } from '../run.ts';
import type { Command, Given } from './command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { pending } from './pending.ts';
import { policyTest } from './policy-test.ts';
import { record } from './record.ts';
import { report } from './report.ts';
import { tableCreate } from './table-create.ts';
import { tools } from './tools.ts';
import { whois } from './whois.ts';
import { alone } from './words.ts';

const commands: Readonly<Record<string, Command>> = {
  demo: alone(['npm run demo', 'Plays the story in the terminal, on a fresh folder that is gone afterwards.'], demo),
  doctor: alone(['npm run doctor', 'Checks every piece, a line each. Changes nothing.'], doctor),
  whois,
  tools: alone(['npm run tools', 'Lists every tool with the verdict that the rules give it. Changes nothing.'], tools),
  'policy:test': alone(
    ['npm run policy:test', 'Judges the examples that stand in the policy file by its rules. Changes nothing.'],
    policyTest,
  ),
  pending,
  record,
  report,
  'table:create': alone(
    ['npm run table:create', 'Makes the table that DYNAMODB_TABLE names, or says that it is there and fits.'],
    tableCreate,
  ),
};

/** Runs a command by its name; resolves with the exit code, never throws. */
export async function runCommand(
  name: string,
  words: readonly string[],
  { read, version, terminal }: { readonly read: ReadEnvironment } & Pick<Given, 'version' | 'terminal'>,
): Promise<number> {
  const complain = (lines: readonly string[], code: number): number => {
    for (const line of lines) terminal.complain(line);
    return code;
  };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    return complain([`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`], 2);
  if ('problems' in read) return complain(environmentLines(read.problems), 2);
  try {
    return await command({ environment: read.ok, words, version, terminal });
  } catch (error) {
    return complain(whyNot(error), error instanceof CannotStart ? 2 : 1);
  }
}
