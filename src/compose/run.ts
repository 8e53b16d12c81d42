/** Owns a process's life in the terminal: start lines, signals, stop lines, exit codes (2: nothing was started). */
import type { Environment } from '../config/environment.ts';
import { FolderInUse } from './node-lock.ts';
import { PortTaken } from './serve.ts';
import { startLines, stoppedLine, stoppingLine } from './start-lines.ts';
import { CannotStart } from './policy-side.ts';
import { start, type Overrides, type Running } from './start.ts';
import { TableProblem } from './table-side.ts';

/** The sentences for a start that failed for a reason that an operator can mend; undefined for a fault of ours. */
export function startProblem(error: unknown): readonly string[] | undefined {
  if (error instanceof CannotStart) return error.lines;
  if (error instanceof TableProblem) return [...error.problems, 'Nothing was started.'];
  if (error instanceof FolderInUse || error instanceof PortTaken) return [error.message, 'Nothing was started.'];
  return undefined;
}

/** Runs until a signal; resolves with the exit code. */
export async function runUntilSignal(
  read: { ok: Environment } | { problems: string[] },
  version: string,
  overrides: Overrides = {},
): Promise<number> {
  if ('problems' in read) return refuse(read.problems);
  const stopped = new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  let running: Running;
  try {
    running = await start(read.ok, version, overrides);
  } catch (error) {
    return refuse(
      startProblem(error) ?? [error instanceof Error ? error.message : String(error), 'Nothing was started.'],
    );
  }
  for (const line of startLines(running.facts)) console.log(line);
  await stopped;
  console.log(stoppingLine(running.worker.executing));
  const { approvals } = await running.waiting().catch(() => ({ approvals: 0 }));
  await running.stop();
  console.log(stoppedLine(approvals));
  return 0;
}

function refuse(lines: readonly string[]): number {
  for (const line of lines) console.error(line);
  return 2;
}
