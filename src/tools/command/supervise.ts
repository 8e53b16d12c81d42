/** Owns the parent's side of a supervised program: starts the supervisor, hands it the job, hears how it ended. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Clock } from '../../worker/ports.ts';
import { STOP_LINE, type Job, type Report } from './job.ts';

const SUPERVISOR = fileURLToPath(new URL('./supervisor.ts', import.meta.url));
/** Beyond the grace that a program has: then supervisor and group are killed from here. */
const LAST_WAIT_MS = 2_000;
/** How much is kept of what a supervisor says before it breaks. */
const TROUBLE_LENGTH = 500;

const reportSchema: z.ZodType<Report> = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ready') }),
  z.object({ is: z.literal('started'), pid: z.int().positive() }),
  z.object({ is: z.literal('said'), line: z.base64() }),
  z.object({ is: z.literal('refused'), code: z.string() }),
  z.object({
    is: z.literal('ended'),
    exit: z.nullable(z.int()),
    signal: z.nullable(z.string()),
    why: z.nullable(z.enum(['timed_out', 'stopped'])),
    leftBehind: z.boolean(),
    head: z.base64(),
    tail: z.base64(),
    total: z.int(),
  }),
]);

export type Supervised =
  | Extract<Report, { is: 'refused' | 'ended' }>
  /** The signal was aborted before the program was started. */
  | { readonly is: 'never_started' }
  /**
   * The supervisor broke; `begun` when it had the job by then, so that the program may have run. Its group was
   * killed, unless the supervisor broke in the moment between starting the program and saying so.
   */
  | { readonly is: 'lost'; readonly begun: boolean; readonly detail: string };

/**
 * Runs a program under a supervisor until its whole process group has ended. An abort ends the group. `job` is asked for
 * when the supervisor is ready, so that its limit counts from there. `heard` is told the last line of output, now and then.
 */
export async function supervise(
  job: () => Job,
  signal: AbortSignal,
  clock: Clock,
  heard: (line: string) => void = () => {},
): Promise<Supervised> {
  if (signal.aborted) return { is: 'never_started' };
  const supervisor = spawn(process.execPath, [SUPERVISOR], { detached: true, env: {}, cwd: '/' });
  const trouble = troubleOf(supervisor);
  const done = new AbortController();
  let sent: Job | null = null;
  let group: number | null = null;
  const kill = (): void => {
    if (group !== null) killGroup(group);
    supervisor.kill('SIGKILL');
  };
  const stop = async (graceMs: number): Promise<void> => {
    send(supervisor, STOP_LINE);
    await clock.sleep(graceMs + LAST_WAIT_MS, done.signal);
    if (!done.signal.aborted) kill();
  };
  const onAbort = (): void => {
    if (sent) stop(sent.graceMs).catch(kill);
    else kill();
  };
  signal.addEventListener('abort', onAbort, { signal: done.signal });
  try {
    for await (const line of createInterface({ input: supervisor.stdout })) {
      const report = reportSchema.parse(JSON.parse(line));
      if (report.is === 'refused' || report.is === 'ended') return report;
      if (report.is === 'started') group = report.pid;
      if (report.is === 'said') heard(Buffer.from(report.line, 'base64').toString());
      if (report.is === 'ready' && !signal.aborted) send(supervisor, JSON.stringify((sent = job())));
    }
    kill();
    if (sent === null && signal.aborted) return { is: 'never_started' };
    return { is: 'lost', begun: sent !== null, detail: trouble() };
  } finally {
    done.abort();
    supervisor.stdin.end();
  }
}

/** Collects what a supervisor says before it breaks; gives the last line. Its end is noticed by the end of its output. */
function troubleOf(supervisor: ChildProcessWithoutNullStreams): () => string {
  let trouble = '';
  supervisor.stderr.on('data', (chunk: Buffer) => {
    trouble = (trouble + chunk.toString()).slice(-TROUBLE_LENGTH);
  });
  supervisor.on('error', error => (trouble ||= error.message));
  supervisor.stdin.on('error', () => {});
  return () => trouble.trim().split('\n').at(-1) ?? '';
}

const send = (supervisor: ChildProcessWithoutNullStreams, line: string): boolean => supervisor.stdin.write(`${line}\n`);

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
