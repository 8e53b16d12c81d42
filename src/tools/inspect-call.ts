/** Owns the look at one call before it is judged and before it is claimed: arguments, facts, and the words for the card. */
import type { Inspection } from '../thread/evidence.ts';
import type { Json } from '../thread/events.ts';
import type { UserId } from '../thread/ids.ts';
import type { Clock } from '../worker/ports.ts';
import { limited } from './deadline.ts';
import type { FittingCall, Tool, World } from './define.ts';
import { sentenceOf, ToolError } from './error.ts';
import type { Language, Words } from './words.ts';

/** What every way into a tool needs. */
export interface Setting {
  readonly language: Language;
  readonly say: Words;
  readonly clock: Clock;
}

/** A call as it was proposed. */
export interface ProposedCall {
  readonly name: string;
  readonly args: Json;
  readonly requester: UserId;
  readonly signal: AbortSignal;
}

/** Longest look at the world for one call. */
export const INSPECT_MS = 10_000;

const failure = (detail: string, code: 'inspect_failed' | 'invalid_arguments' = 'inspect_failed'): Inspection => ({
  ok: false,
  code,
  detail: detail.toWellFormed(),
});

/** Checks the arguments and reads the world; whatever goes wrong is a failed inspection, which allows nothing. */
export async function inspectCall(
  tool: Tool | undefined,
  { name, args, requester, signal }: ProposedCall,
  { language, say, clock }: Setting,
): Promise<Inspection> {
  if (!tool) return failure(say.noSuchTool(name));
  const fitting = tool.fit(args, language, say);
  if (!fitting.ok) return failure(fitting.detail, 'invalid_arguments');
  const atMs = clock.nowMs();
  const look = async (inner: AbortSignal): Promise<Inspection> =>
    seen(fitting.call, await fitting.call.inspect({ requester, signal: inner }), atMs, say);
  const looked = await limited(look, { clock, signal, timeMs: INSPECT_MS, graceMs: 0 });
  if (looked.is === 'returned') return looked.value;
  if (looked.is === 'threw' && looked.stopped === null) return failed(looked.error, say);
  return failure(looked.stopped === 'aborted' ? say.inspectStopped : say.inspectTooSlow(INSPECT_MS / 1000));
}

function failed(error: unknown, say: Words): Inspection {
  if (!(error instanceof ToolError)) return failure(say.inspectFailed(sentenceOf(error)));
  return failure(error.message, error.code === 'invalid_arguments' ? error.code : 'inspect_failed');
}

function seen(call: FittingCall, { bind, note }: World, atMs: number, say: Words): Inspection {
  const facts = { ...note, ...bind };
  const summary = call.summary(facts).toWellFormed();
  if (summary.trim() === '') return failure(say.noSummary);
  return { ok: true, args: call.args, summary, impact: call.impact(facts)?.toWellFormed() ?? null, bind, note, atMs };
}
