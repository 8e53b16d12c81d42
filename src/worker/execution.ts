/**
 * Owns what a claimed call is handed to its tool with, and how what the tool says becomes part of the log.
 *
 * 1. A step has begun, or is done, only once that stands in the log. 2. What really happened is written however long it takes.
 */
import type { Ended } from '../thread/decide/command.ts';
import { sha256 } from '../thread/digest.ts';
import type { EventOf, Json } from '../thread/events.ts';
import type { ExecutionId, UserId } from '../thread/ids.ts';
import { approvalOf, at, type Call, type Thread } from '../thread/thread.ts';
import { LogUnavailable, type Execution, type Ports, type ToolOutcome } from './ports.ts';
import type { Session } from './session.ts';
import type { Signs } from './signs.ts';
import { toldOf } from './told.ts';

/** Results larger than this (UTF-8 bytes) are kept as blobs beside the log. */
const MAX_INLINE_BYTES = 32 * 1024;

type Claimed = EventOf<'call.claimed'>;

/** What is needed to hand a call to its tool and to write what comes of it. */
export interface Hands {
  readonly ports: Pick<Ports, 'log' | 'clock' | 'operators'>;
  /** The latest line about its progress that each execution without an outcome has said. */
  readonly signs: Signs;
}

/** The claimed call as the log has it; undefined when the log does not say that this very execution may run. */
export function executionOf(
  hands: Hands,
  session: Session,
  claim: Claimed,
  signal: AbortSignal,
): Execution | undefined {
  const { thread } = session;
  const call = claimedCall(thread, claim);
  const run = call && at(thread.runs, call.run);
  const requester: UserId | undefined = run?.requesters[0];
  // What a tool has put to people from inside runs nothing of its own.
  if (!call || call.within !== null || !run || !requester) return undefined;
  const approval = approvalOf(thread, call);
  if (approval && (approval.state.is !== 'approved' || approval.digest !== claim.digest)) return undefined;
  if (!approval && call.judgement?.callDigest !== claim.callDigest) return undefined;
  return {
    execution: claim.execution,
    call: call.id,
    tool: call.tool,
    args: call.args,
    bind: approval?.bind ?? call.judgement?.bind ?? {},
    requester,
    agent: run.agent,
    signal,
    endsByMs: claim.endsByMs,
    told: toldOf(thread, call),
    steps: { ...call.steps },
    beginStep: name => step(hands, session, claim, name),
    stepDone: (name, value) => step(hands, session, claim, name, value),
    progress: line => hands.signs.said(call.id, claim.execution, line, hands.ports.clock.nowMs()),
  };
}

/** The call, if the log still has it under this claim. */
export function claimedCall(thread: Thread, { call: id, execution }: Claimed): Call | undefined {
  const call = at(thread.calls, id);
  return call?.state.is === 'claimed' && call.state.claim.execution === execution ? call : undefined;
}

/** Writes that a step has begun, or with a value that it is done; throws when the execution is over by then. */
async function step(hands: Hands, session: Session, claim: Claimed, name: string, value?: Json): Promise<void> {
  const about = { call: claim.call, execution: claim.execution, step: name };
  await insist(hands, () =>
    session.commit(value === undefined ? { type: 'beginStep', ...about } : { type: 'stepDone', ...about, value }),
  );
  const call = claimedCall(session.thread, claim);
  const stands = value === undefined ? call?.stepsBegun.includes(name) : call && at(call.steps, name) !== undefined;
  if (!stands) throw new Error(`The call is over; its step "${name}" goes no further.`);
}

/** The outcome as it is written; a large result is kept beside the log. */
export async function endedOf(
  hands: Hands,
  session: Session,
  execution: ExecutionId,
  outcome: Extract<ToolOutcome, { how: 'succeeded' | 'failed' }>,
  startedAtMs: number,
): Promise<Ended> {
  const { ports } = hands;
  const lastSign = outcome.how === 'failed' ? hands.signs.of(execution)?.line : undefined;
  const result = outcome.result.toWellFormed();
  const bytes = Buffer.from(result);
  const large = bytes.length > MAX_INLINE_BYTES;
  let blob: string | null = null;
  if (large) await insist(hands, async () => (blob = await ports.log.putBlob(session.log, bytes)));
  return {
    how: outcome.how,
    effect: outcome.effect,
    code: outcome.how === 'failed' ? outcome.code : null,
    result: large ? new TextDecoder().decode(bytes.subarray(0, MAX_INLINE_BYTES / 8)).replace(/\uFFFD$/, '') : result,
    startedAtMs,
    endedAtMs: ports.clock.nowMs(),
    digest: sha256(bytes),
    bytes: bytes.length,
    blob,
    ...(lastSign ? { lastSign } : {}),
  };
}

/** Tries until the log takes it; operators are told meanwhile. What really happened must not be lost. */
export async function insist({ ports: { clock, operators } }: Hands, write: () => Promise<unknown>): Promise<void> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      operators.report('table', 'table_unavailable', error.message);
      await clock.sleep(pauseMs);
    }
  }
}
