/**
 * A small process of its own that stands between Countersign and one program. A program outlives its parent's SIGKILL; this
 * process notices by its input, a pipe that closes with the parent, and ends the program then.
 *
 * 1. The program leads a process group of its own; every end is an end of the whole group: SIGTERM, then SIGKILL.
 * 2. The group is ended when its time is over, on a stop line, when the pipe closes, and when its leader has exited.
 * 3. Output is cut while it comes: memory is bounded, whatever a program writes.
 * A process that leaves the group (setsid) is out of reach.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { Capture } from '../capture.ts';
import { STOP_LINE, type EndedFor, type Job, type Report } from './job.ts';

/** How often a group that was told to end is looked at. */
const LOOK_MS = 20;
/** How often the parent is told how far the output is. */
const SAY_EVERY_MS = 1_000;
/** Bytes of the end of the output in which its last line is looked for. */
const LAST_LINE_BYTES = 1_024;
/** After SIGKILL, and for output that somebody outside the group holds open. */
const LAST_WAIT_MS = 500;

const say = (report: Report): boolean => process.stdout.write(`${JSON.stringify(report)}\n`);

/** The error code of the system, such as ENOENT. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';

/** Signals a group (0 only looks); false when nobody is left in it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** The last line with something in it; '' while there is none. */
function lastLineOf(output: Capture): string {
  const { head, tail } = output.kept;
  const end = Buffer.concat([head, tail]).subarray(-LAST_LINE_BYTES).toString();
  return (
    end
      .split(/[\r\n\u2028\u2029]+/)
      .findLast(line => line.trim() !== '')
      ?.trim() ?? ''
  );
}

function isJob(value: unknown): value is Job {
  return typeof value === 'object' && value !== null && 'file' in value && 'argv' in value && Array.isArray(value.argv);
}

/** One program from start to the end of its group. */
class Program {
  readonly #child: ChildProcess;
  readonly #graceMs: number;
  readonly #output = new Capture();
  #exit: { readonly code: number | null; readonly signal: string | null } | null = null;
  #why: EndedFor = null;
  #ending = false;
  #leftBehind = false;
  #outputClosed = false;
  #said = '';
  #saysLater = false;

  constructor({ file, argv: [name = '', ...args], cwd, env, limitMs, graceMs }: Job) {
    this.#graceMs = graceMs;
    this.#child = spawn(file, args, { argv0: name, cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.#child.once('error', error => this.#child.pid === undefined && finish({ is: 'refused', code: codeOf(error) }));
    if (this.#child.pid !== undefined) say({ is: 'started', pid: this.#child.pid });
    this.#child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#leftBehind = !this.#ending && signalGroup(this.#child.pid ?? 0, 0);
      this.end(null);
    });
    this.#child.once('close', () => (this.#outputClosed = true));
    setTimeout(() => this.end('timed_out'), limitMs);
  }

  #hear(chunk: Buffer): void {
    this.#output.add(chunk);
    if (!this.#saysLater) this.#say();
  }

  /** Tells the last line if it is another one, and then nothing for a while. */
  #say(): void {
    const line = lastLineOf(this.#output);
    if (line === this.#said) return;
    this.#said = line;
    say({ is: 'said', line: Buffer.from(line).toString('base64') });
    this.#saysLater = true;
    setTimeout(() => {
      this.#saysLater = false;
      this.#say();
    }, SAY_EVERY_MS);
  }

  /** Ends what is left of the group, then reports. */
  end(why: EndedFor): void {
    const pid = this.#child.pid;
    if (this.#ending || pid === undefined) return;
    this.#ending = true;
    this.#why = why;
    this.#endGroup(pid).catch(broken);
  }

  async #endGroup(pid: number): Promise<void> {
    if (signalGroup(pid, 'SIGTERM')) await this.#until(() => this.#isGone(pid), this.#graceMs);
    if (!this.#isGone(pid)) {
      signalGroup(pid, 'SIGKILL');
      await this.#until(() => this.#isGone(pid), LAST_WAIT_MS);
    }
    await this.#until(() => this.#outputClosed && this.#exit !== null, LAST_WAIT_MS);
    finish(this.#report());
  }

  #isGone(pid: number): boolean {
    return this.#exit !== null && !signalGroup(pid, 0);
  }

  async #until(done: () => boolean, atMostMs: number): Promise<void> {
    const endsAtMs = performance.now() + atMostMs;
    while (!done() && performance.now() < endsAtMs) await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }

  #report(): Report {
    const { head, tail, total } = this.#output.kept;
    return {
      is: 'ended',
      exit: this.#exit?.code ?? null,
      signal: this.#exit?.signal ?? null,
      why: this.#why,
      leftBehind: this.#leftBehind,
      head: Buffer.from(head).toString('base64'),
      tail: Buffer.from(tail).toString('base64'),
      total,
    };
  }
}

/** The parent hears of it by the end of this process. */
function broken(error: unknown): void {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
}

function finish(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
}

function start(line: string): Program | null {
  const job: unknown = JSON.parse(line);
  if (!isJob(job)) throw new TypeError('This is no job.');
  try {
    return new Program(job);
  } catch (error) {
    finish({ is: 'refused', code: codeOf(error) });
    return null;
  }
}

let program: Program | null = null;
let input = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (input + chunk).split('\n');
  input = lines.pop() ?? '';
  for (const line of lines) {
    if (line === STOP_LINE) program?.end('stopped');
    else program ??= start(line);
  }
});
const parentGone = (): void => {
  if (program) program.end('stopped');
  else process.exit(0);
};
process.stdin.once('end', parentGone).once('error', parentGone);
// Nobody hears the report of a supervisor whose parent is gone.
process.stdout.on('error', () => process.exit(0));
// The parent decides; a signal for a whole session must not leave the program without its supervisor.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
say({ is: 'ready' });
