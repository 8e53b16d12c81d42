/** Owns `execute`: a program with its words, no shell, in a folder of the project, with a small environment and little time. */
import { z } from 'zod';
import { canonical } from '../../thread/digest.ts';
import type { Clock } from '../../worker/ports.ts';
import { defineTool, type ExecuteContext, type Tool } from '../define.ts';
import { refusal, sentenceOf, ToolError } from '../error.ts';
import { PATH_LENGTH, type Jail } from '../files/jail.ts';
import { shownOutput } from '../output.ts';
import { shellLine, shellWord } from '../shell-words.ts';
import type { Words } from '../words.ts';
import { boundFacts, findProgram, type Program } from './bound-files.ts';
import type { Report } from './job.ts';
import { supervise, type Supervised } from './supervise.ts';

const MAX_WORDS = 64;
const MAX_SECONDS = 120;
const DEFAULT_SECONDS = 60;
/** From SIGTERM to SIGKILL; the group is gone by the end of the call's time. */
const GRACE_MS = 2_000;
/** For starting the supervisor and reporting, beyond the command's own time. */
const AROUND_MS = 3_000;
const PATH = '/usr/local/bin:/usr/bin:/bin';

export interface ExecuteOptions {
  readonly jail: Jail;
  readonly say: Words;
  readonly clock: Clock;
}

/** `execute {argv, cwd?, timeout?}`: ends as failed unless the exit code is 0. */
export function executeTool({ jail, say, clock }: ExecuteOptions): Tool {
  const word = z.string().refine(text => !text.includes('\0'), { error: say.nulInArgument });
  const look = async (argv: readonly string[], cwd: string, signal: AbortSignal) => {
    const folder = await jail.folder(cwd);
    const program = await findProgram(argv[0] ?? '', folder.real, PATH);
    const bind = await boundFacts(argv, { root: jail.root, cwd: folder.real, program, signal });
    return { folder, program, bind };
  };
  return defineTool({
    name: 'execute',
    description:
      'Runs one program with arguments, without a shell: no pipes, redirections, variables or wildcards. ' +
      'The result is its output; a long output is cut in the middle.',
    parameters: z.object({
      argv: z
        .array(word)
        .min(1)
        .max(MAX_WORDS)
        .refine(([program]) => program !== '', { error: say.emptyProgram })
        .describe('The program and its arguments, one word each, such as ["echo", "hello"].'),
      cwd: z
        .string()
        .max(PATH_LENGTH)
        .optional()
        .describe('The folder to run in, from the project folder on. Left out: the project folder.'),
      timeout: z
        .int()
        .min(1)
        .max(MAX_SECONDS)
        .optional()
        .describe(`Seconds after which it is stopped, at most ${MAX_SECONDS}. Left out: ${DEFAULT_SECONDS}.`),
    }),
    effect: 'write',
    risk: 'medium',
    timeoutMs: MAX_SECONDS * 1_000 + GRACE_MS + AROUND_MS,
    summary: ({ argv, cwd }) => say.run(shellLine(argv), isRoot(cwd) ? null : shellWord(cwd)),
    impact: () => say.runImpact,
    inspect: async ({ argv, cwd = '.' }, { signal }) => ({ bind: (await look(argv, cwd, signal)).bind, note: {} }),
    execute: async ({ argv, cwd = '.', timeout = DEFAULT_SECONDS }, context) => {
      const limit = timeLimit(timeout, context, clock);
      const { folder, program, bind } = await look(argv, cwd, context.signal).catch(error => {
        throw beforeStart(error, context.signal, say);
      });
      const file = programFile(program, argv[0] ?? '', say);
      if (canonical(bind) !== canonical(context.bound)) throw refusal('changed_meanwhile', say.filesChanged);
      const env = { PATH, HOME: jail.root, LANG: 'C.UTF-8' };
      let limitMs = 0;
      const job = () => ({ file, argv, cwd: folder.real, env, limitMs: (limitMs = limit()), graceMs: GRACE_MS });
      const supervised = await supervise(job, context.signal, clock, context.progress);
      return resultOf(supervised, { name: shellWord(argv[0] ?? ''), limitMs, say });
    },
  });
}

const isRoot = (cwd: string | undefined): cwd is undefined => cwd === undefined || cwd === '.' || cwd === './';

/** What an error before the start means; nothing was run. */
function beforeStart(error: unknown, signal: AbortSignal, say: Words): ToolError {
  if (error instanceof ToolError) return error;
  return signal.aborted
    ? refusal('aborted', say.abortedBefore('execute'))
    : refusal('tool_error', say.toolFailed('execute', sentenceOf(error)));
}

function programFile(program: Program | undefined, name: string, say: Words): string {
  if (!program) throw refusal('no_program', say.noProgram(shellWord(name)));
  if (!program.runnable) throw refusal('not_executable', say.notExecutable(shellWord(name)));
  return program.file;
}

/** Milliseconds for the command, counted when they are asked for, so that the whole group has ended by the call's end. */
function timeLimit(timeoutSeconds: number, { timeLeftMs }: ExecuteContext, clock: Clock): () => number {
  const endsAtMs = clock.monotonicMs() + timeLeftMs - GRACE_MS;
  return () => Math.max(0, Math.min(timeoutSeconds * 1_000, endsAtMs - clock.monotonicMs()));
}

interface Ran {
  /** The program's name as it is shown. */
  readonly name: string;
  readonly limitMs: number;
  readonly say: Words;
}

function resultOf(supervised: Supervised, { name, limitMs, say }: Ran): string {
  if (supervised.is === 'never_started') throw refusal('aborted', say.abortedBefore('execute'));
  if (supervised.is === 'refused') throw startError(supervised.code, name, say);
  if (supervised.is === 'lost') {
    const effect = supervised.begun ? 'possible' : 'none';
    throw new ToolError(say.commandLost(supervised.detail), { code: 'supervisor_lost', effect });
  }
  const output = outputOf(supervised, say);
  const { exit, signal, why } = supervised;
  if (why === 'timed_out')
    throw new ToolError(`${say.commandTimedOut(Math.round(limitMs / 100) / 10)}\n${output}`, { code: 'timed_out' });
  if (why === 'stopped') throw new ToolError(`${say.commandAborted}\n${output}`, { code: 'aborted' });
  if (signal !== null) throw new ToolError(`${say.endedBySignal(signal)}\n${output}`, { code: 'signal' });
  if (exit !== 0) throw new ToolError(`${say.exitCode(exit ?? -1)}\n${output}`, { code: 'exit_code' });
  return output;
}

function startError(code: string, name: string, say: Words): ToolError {
  if (code === 'ENOENT') return refusal('no_program', say.noProgram(name));
  if (code === 'EACCES') return refusal('not_executable', say.notExecutable(name));
  return refusal('not_started', say.notStarted(name, code));
}

function outputOf({ head, tail, total, leftBehind }: Extract<Report, { is: 'ended' }>, say: Words): string {
  const kept = { head: Buffer.from(head, 'base64'), tail: Buffer.from(tail, 'base64'), total };
  const shown = shownOutput(kept, say) || say.noOutput;
  return leftBehind ? `${shown.replace(/\n$/, '')}\n${say.leftBehind}` : shown;
}
