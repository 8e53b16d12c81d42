/** Owns a process's life in the terminal: start lines, signals, the stop's line, exit codes (2: nothing was started). */
import type { Environment } from '../config/environment.ts';
import { whyNot } from './cannot-start.ts';
import { start, type Overrides, type Running } from './start.ts';
import { startLines, stopped, stopping } from './start-lines.ts';

/** What `readEnvironment` says. */
export type ReadEnvironment = { readonly ok: Environment } | { readonly problems: readonly string[] };

/** The refusal of an environment that is not right, every problem at once. */
export const environmentLines = (problems: readonly string[]): string[] => [
  `The environment has ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}; nothing was started.`,
  ...problems.map(problem => `  ${problem}`),
];

/**
 * Runs until SIGINT or SIGTERM; a second one ends the process at once. Resolves with the exit code: 0 after a stop, 1 when
 * the stop went wrong, 2 when nothing was started. What nobody caught ends the process with 1 and a sentence.
 */
export async function runUntilSignal(
  read: ReadEnvironment,
  version: string,
  overrides: Overrides = {},
): Promise<number> {
  if ('problems' in read) return complain(environmentLines(read.problems), 2);
  process.once('uncaughtException', fault => process.exit(complain(faultLines(fault), 1)));
  const signalled = new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  let running: Running;
  try {
    running = await start(read.ok, version, overrides);
  } catch (error) {
    return complain(notStarted(whyNot(error)), 2);
  }
  for (const line of startLines(running.facts)) console.log(line);
  await signalled;
  process.stdout.write(stopping(running.worker.executing, running.drainMs));
  try {
    process.stdout.write(`${stopped(await running.stop())}\n`);
    return 0;
  } catch (error) {
    process.stdout.write('\n');
    return complain(whyNot(error), 1);
  }
}

/** For what nobody caught, such as a library that throws in a callback of its own: the process must not go on. */
const faultLines = (fault: unknown): readonly string[] => [
  'Countersign has ended because of a fault that it could not handle. What it had recorded is kept; start it again.',
  ...whyNot(fault).map(line => `  ${line}`),
];

/** Every refusal says that nothing runs. */
const notStarted = (lines: readonly string[]): readonly string[] =>
  lines.some(line => /nothing was started/i.test(line)) ? lines : [...lines, 'Nothing was started.'];

function complain(lines: readonly string[], code: number): number {
  for (const line of lines) console.error(line);
  return code;
}
