/**
 * Owns the only way to a tool's `execute`: a claimed call goes in, an outcome comes out, never an exception. A tool that
 * waits from inside is left: whatever its code still does is dropped.
 */
import type { Execution, ToolOutcome } from '../worker/ports.ts';
import { limited, type Limited } from './deadline.ts';
import type { ExecuteContext, Tool } from './define.ts';
import { sentenceOf, ToolError } from './error.ts';
import { Frame, type Left } from './frame.ts';
import type { Setting } from './inspect-call.ts';
import { cappedResult } from './output.ts';
import { waitsOf } from './waits.ts';
import type { Words } from './words.ts';

type Failed = Extract<ToolOutcome, { how: 'failed' }>;

/** A tool that was asked to stop has this long before its result is dropped. */
const STOP_MS = 5_000;
/** How much of a line of progress is kept. */
const SIGN_LENGTH = 500;

const failed = (effect: Failed['effect'], code: string, result: string): Failed => ({
  how: 'failed',
  effect,
  code,
  result,
});

/** Runs a call within its time, until it ends or waits; its result is at most 64 KB of valid Unicode. */
export async function executeCall(
  tool: Tool | undefined,
  execution: Execution,
  setting: Setting,
): Promise<ToolOutcome> {
  const outcome = await execute(tool, execution, setting);
  return 'result' in outcome ? { ...outcome, result: cappedResult(outcome.result, setting.say) } : outcome;
}

async function execute(
  tool: Tool | undefined,
  execution: Execution,
  { clock, language, say }: Setting,
): Promise<ToolOutcome> {
  const { args, endsByMs, signal, tool: name } = execution;
  if (!tool) return failed('none', 'no_such_tool', say.noSuchTool(name));
  const fitting = tool.fit(args, language, say);
  if (!fitting.ok) return failed('none', 'invalid_arguments', fitting.detail);
  if (signal.aborted) return failed('none', 'aborted', say.abortedBefore(name));
  const timeLeftMs = Math.min(tool.timeoutMs, endsByMs - clock.nowMs());
  if (timeLeftMs <= 0) return failed('none', 'timed_out', say.tooLateToBegin(name));

  let lastSign: string | null = null;
  const ran = await limited(
    async inner => {
      const frame = new Frame(execution, inner);
      const progress = (line: string): void => {
        if (frame.isLeft) return;
        lastSign = line.slice(0, SIGN_LENGTH);
        execution.progress(lastSign);
      };
      const context = contextOf(execution, frame, { timeLeftMs, progress }, say);
      return Promise.race([frame.left, fitting.call.execute(context)]);
    },
    { clock, signal, timeMs: timeLeftMs, graceMs: STOP_MS },
  );
  return outcomeOf(tool, ran, { timeLeftMs, lastSign, say });
}

const contextOf = (
  { call, requester, agent, bind }: Execution,
  frame: Frame,
  more: Pick<ExecuteContext, 'timeLeftMs' | 'progress'>,
  say: Words,
): ExecuteContext => ({
  key: call,
  requester,
  agent,
  bound: bind,
  signal: frame.signal,
  ...more,
  ...waitsOf(frame, say),
});

interface Circumstances {
  readonly timeLeftMs: number;
  readonly lastSign: string | null;
  readonly say: Words;
}

function outcomeOf(tool: Tool, ran: Limited<string | Left>, { timeLeftMs, lastSign, say }: Circumstances): ToolOutcome {
  const reads = tool.effect === 'read';
  if (ran.is === 'returned') {
    const { value } = ran;
    return typeof value === 'string' ? { how: 'succeeded', effect: reads ? 'none' : 'done', result: value } : value;
  }
  if (ran.is === 'threw' && ran.error instanceof ToolError) {
    const { code, effect, message } = ran.error;
    return failed(reads ? 'none' : effect, ran.stopped ?? code, message);
  }
  const sentence =
    ran.is === 'threw' && ran.stopped === null
      ? say.toolFailed(tool.name, sentenceOf(ran.error))
      : stoppedSentence(tool.name, ran.stopped === 'aborted', timeLeftMs, say);
  const result = lastSign === null ? sentence : `${sentence}\n${say.lastSign(lastSign)}`;
  return failed(reads ? 'none' : 'possible', ran.stopped ?? 'tool_error', result);
}

const stoppedSentence = (name: string, aborted: boolean, timeLeftMs: number, say: Words): string =>
  aborted ? say.aborted(name) : say.timedOut(name, Math.ceil(timeLeftMs / 1000));
