/**
 * Owns what a model's reply becomes: its text on record, each call proposed and judged in the same commit.
 *
 * 1. A reply counts once, for the turn that it answers, from whoever still holds the lease. 2. Whatever the model wrote, the
 * commit stays far below what the table holds; what is left out is refused to the model as too long.
 */
import { z } from 'zod';
import type { Json, ThreadEvent } from '../events.ts';
import { callId } from '../ids.ts';
import { at, proposedCall, type Call, type Run, type Thread } from '../thread.ts';
import { isWellFormed } from '../well-formed.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';
import { judge, openCallsOf, type OpenCall } from './judge.ts';
import { end } from './run.ts';

/** What the arguments of one reply may take together (UTF-8 bytes as the model wrote them). */
export const MAX_REPLY_BYTES = 192 * 1024;
/** Texts up to this size (UTF-8 bytes) are kept whole. */
const MAX_TEXT_BYTES = 128 * 1024;
/** Characters that are kept of arguments that are left out. */
const CUT_TO = 200;

/** Records a model's reply together with what becomes of each of its calls; only from whoever still holds the lease. */
export function reply(thread: Thread, command: Extract<Command, { type: 'reply' }>, nowMs: number): Decision {
  const run = at(thread.runs, command.run);
  if (!run || run.end !== null || thread.lease?.holder !== command.holder) return nothing;
  if (command.turn !== run.turn + 1 || command.evidence.length !== command.calls.length) return nothing;
  const calls = proposals(thread, run, command);
  const replied: ThreadEvent = {
    type: 'model.replied',
    run: run.id,
    turn: command.turn,
    model: command.model,
    usage: command.usage,
    calls: calls.map(({ call }) => ({ call: call.id, tool: call.tool })),
    ...(command.instructions === undefined ? {} : { instructions: command.instructions }),
    body: {
      text: keptText(command.text),
      calls: calls.map(({ call }) => ({ args: call.args, ...(call.raw === null ? {} : { raw: call.raw }) })),
    },
  };
  if (calls.length === 0) return decided(replied, end(run.id, 'succeeded'));
  return decided(replied, ...judgeAll(thread, run, calls, command, nowMs));
}

/** Each call is judged in the sight of those before it, so that two equal calls of one turn are one request. */
function judgeAll(
  thread: Thread,
  run: Run,
  calls: readonly Proposal[],
  command: Extract<Command, { type: 'reply' }>,
  nowMs: number,
): ThreadEvent[] {
  const open: OpenCall[] = openCallsOf(thread);
  let requested = 0;
  return calls.flatMap(({ call, cut }, index) => {
    const evidence = command.evidence[index];
    if (!evidence) return [];
    const judged = judge(thread, run, call, {
      evidence,
      limits: command.limits,
      nowMs,
      open,
      requested,
      cut,
      agentWords: keptText(command.text) || null,
    });
    const verdict = judged[0];
    if (verdict?.type === 'call.judged' && verdict.verdict === 'ask') {
      open.push({ id: call.id, callDigest: verdict.callDigest, is: 'waiting' });
      requested += 1;
    }
    return judged;
  });
}

interface Proposal {
  readonly call: Call;
  /** Too much was written in this reply to keep the arguments of this call. */
  readonly cut: boolean;
}

/** The calls of a reply; `raw` keeps what is not JSON or not well-formed text. */
function proposals(thread: Thread, run: Run, { turn, calls }: Extract<Command, { type: 'reply' }>): Proposal[] {
  let bytes = 0;
  return calls.map(({ tool, args }, index) => {
    bytes += Buffer.byteLength(args);
    const cut = bytes > MAX_REPLY_BYTES;
    const parsed = cut ? ({ ok: false } as const) : parseArguments(args);
    const raw = cut ? `${args.slice(0, CUT_TO)}… [+${args.length - CUT_TO}]` : args;
    const call = proposedCall({
      id: callId(thread.key, run.id, turn, index),
      run: run.id,
      turn,
      tool,
      args: parsed.ok ? parsed.value : null,
      raw: parsed.ok ? null : raw.toWellFormed(),
    });
    return { call, cut };
  });
}

/** A reply that no model means to write is cut where people see that it is. */
const keptText = (text: string): string =>
  Buffer.byteLength(text) <= MAX_TEXT_BYTES
    ? text
    : `${text.slice(0, MAX_TEXT_BYTES / 4).toWellFormed()}… [+${text.length - MAX_TEXT_BYTES / 4}]`;

/**
 * What the model wrote as arguments, as JSON; not ok when it is no JSON, no well-formed text, or names something that no
 * object can hold as data. Nothing written means `{}`.
 */
export function parseArguments(text: string): { ok: true; value: Json } | { ok: false } {
  if (!text.isWellFormed()) return { ok: false };
  let isWhole = true;
  const noting = (key: string, value: unknown): unknown => {
    isWhole &&= key !== '__proto__';
    return value;
  };
  try {
    const value = z.json().parse(JSON.parse(text === '' ? '{}' : text, noting));
    return isWhole && isWellFormed(value) ? { ok: true, value } : { ok: false };
  } catch {
    return { ok: false };
  }
}
