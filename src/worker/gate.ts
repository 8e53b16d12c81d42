/**
 * Owns the one way to `Tools.execute`.
 *
 * 1. It starts from a claim that is settled in the log, made by this process, whose digests matched what was approved. A
 * read that nobody had to be asked about changes nothing: its claim and result ride with the next commit.
 * 2. After the claim it reads the workspace log's tail strongly; frozen or unknown: not started. 3. The last statement before
 * the tool checks, on the monotonic clock, that the claim is younger than `startBy` and the approval not expired: a paused
 * process whose write lands late starts nothing. 4. The outcome is appended however long that takes; it is never dropped.
 */
import { START_WITHIN_MS } from '../thread/decide/claim.ts';
import type { Ended, NotStarted } from '../thread/decide/command.ts';
import { sha256 } from '../thread/digest.ts';
import type { EventOf } from '../thread/events.ts';
import type { ExecutionId, UserId } from '../thread/ids.ts';
import { at, type Call, type Thread } from '../thread/thread.ts';
import { callEvidence, voterEvidence } from './evidence.ts';
import { LogUnavailable, type Execution, type Ports, type ToolOutcome } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** Results larger than this (UTF-8 bytes) are kept as blobs beside the log. */
const MAX_INLINE_BYTES = 32 * 1024;

/** What executions share in one process. */
export interface Gate {
  readonly ports: Ports;
  readonly workspace: WorkspaceLog;
  /** Executions between their claim and their outcome. */
  readonly executing: Set<ExecutionId>;
  /** Executions of this boot that were handed to a tool. */
  readonly started: Set<ExecutionId>;
  readonly isStopping: () => boolean;
}

/** Re-checks, claims and executes one call; true when something was decided about it. */
export async function pass(gate: Gate, session: Session, callId: Call['id'], signal: AbortSignal): Promise<boolean> {
  const { ports } = gate;
  const call = at(session.thread.calls, callId);
  const run = call && at(session.thread.runs, call.run);
  if (!call || !run || gate.isStopping()) return false;
  const approval = call.approval === null ? undefined : at(session.thread.approvals, call.approval);
  const evidence = await callEvidence(ports, session.thread, run, call, signal);
  const approvers = approval ? await voterEvidence(ports, approval) : [];
  const requesters = await Promise.all(run.requesters.map(user => ports.directory.actor(user, [])));
  const workspace = await gate.workspace.recent();
  const claimedAtMs = ports.clock.monotonicMs();
  const wallAtMs = ports.clock.nowMs();
  const { limits } = ports.policy;
  const defer = evidence.tool?.effect === 'read' && approval === undefined;
  const decision = await session.commit(
    { type: 'claim', call: callId, evidence, approvers, requesters, workspace, holder: ports.writer, limits },
    { defer },
  );
  const claim = decision.events.find(event => event.type === 'call.claimed');
  if (!claim) return decision.events.length > 0;
  const expiresInMs = approval ? approval.expiresAtMs - wallAtMs : Number.POSITIVE_INFINITY;
  gate.executing.add(claim.execution);
  try {
    await execute(gate, session, claim, evidence.tool?.effect ?? 'write', { claimedAtMs, expiresInMs }, signal);
  } finally {
    gate.executing.delete(claim.execution);
  }
  return true;
}

interface Deadlines {
  readonly claimedAtMs: number;
  readonly expiresInMs: number;
}

async function execute(
  gate: Gate,
  session: Session,
  claim: EventOf<'call.claimed'>,
  effect: 'read' | 'write',
  deadlines: Deadlines,
  signal: AbortSignal,
): Promise<void> {
  const { ports } = gate;
  const execution = executionOf(session.thread, claim, signal);
  const workspace = effect === 'read' ? await gate.workspace.recent() : await gate.workspace.tail();
  const refused =
    execution === undefined ? 'cancelled' : stillMay(gate, session.thread, claim, workspace.frozen, signal);
  const startedAtMs = ports.clock.nowMs();
  const late = refused ?? tooLate(ports.clock.monotonicMs(), deadlines);
  if (late !== undefined || execution === undefined)
    return insist(gate, () =>
      session.commit({ type: 'notStarted', call: claim.call, execution: claim.execution, why: late ?? 'cancelled' }),
    );
  gate.started.add(claim.execution);
  const outcome = await ports.tools.execute(execution);
  const ended = await endedOf(gate, session, outcome, startedAtMs);
  const defer = effect === 'read';
  await insist(gate, () =>
    session.commit({ type: 'ended', call: claim.call, execution: claim.execution, outcome: ended }, { defer }),
  );
}

/** The claimed call as the log has it; undefined when the log does not say that this very execution may run. */
function executionOf(thread: Thread, claim: EventOf<'call.claimed'>, signal: AbortSignal): Execution | undefined {
  const call = at(thread.calls, claim.call);
  const run = call && at(thread.runs, call.run);
  const requester: UserId | undefined = run?.requesters[0];
  if (!call || !requester || call.state.is !== 'claimed' || call.state.claim.execution !== claim.execution)
    return undefined;
  const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
  if (approval && (approval.state.is !== 'approved' || approval.digest !== claim.digest)) return undefined;
  if (!approval && call.judgement?.callDigest !== claim.callDigest) return undefined;
  return {
    execution: claim.execution,
    call: call.id,
    tool: call.tool,
    args: call.args,
    bind: approval?.bind ?? call.judgement?.bind ?? {},
    requester,
    signal,
    endsByMs: claim.endsByMs,
  };
}

function stillMay(
  gate: Gate,
  thread: Thread,
  claim: EventOf<'call.claimed'>,
  frozen: unknown,
  signal: AbortSignal,
): NotStarted | undefined {
  const call = at(thread.calls, claim.call);
  if (call && at(thread.runs, call.run)?.end !== null) return 'cancelled';
  if (frozen !== null) return 'frozen';
  if (gate.isStopping()) return 'stopping';
  return signal.aborted ? 'cancelled' : undefined;
}

function tooLate(monotonicMs: number, deadlines: Deadlines): NotStarted | undefined {
  const age = monotonicMs - deadlines.claimedAtMs;
  if (age >= deadlines.expiresInMs) return 'expired';
  return age >= START_WITHIN_MS ? 'too_late' : undefined;
}

async function endedOf(gate: Gate, session: Session, outcome: ToolOutcome, startedAtMs: number): Promise<Ended> {
  const { ports } = gate;
  const result = outcome.result.toWellFormed();
  const bytes = Buffer.from(result);
  const large = bytes.length > MAX_INLINE_BYTES;
  let blob: string | null = null;
  if (large) await insist(gate, async () => (blob = await ports.log.putBlob(session.log, bytes)));
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
  };
}

/** Tries until the log takes it; operators are told meanwhile. What really happened must not be lost. */
async function insist(gate: Gate, write: () => Promise<unknown>): Promise<void> {
  const { clock, operators } = gate.ports;
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
