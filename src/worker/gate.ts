/**
 * Owns the one way to `Tools.execute`.
 *
 * 1. It starts from a claim that is settled in the log, made by this process, whose digests matched what was approved. A
 * read that nobody had to be asked about changes nothing: its claim and result ride with the next commit.
 * 2. After the claim it reads the workspace log's tail strongly; frozen, revoked or unknown: not started. 3. The last statement
 * before the tool checks, on the monotonic clock, that the claim is younger than `startBy` and the approval not expired: a
 * paused process whose write lands late starts nothing. 4. The outcome is appended however long that takes; it is never
 * dropped. 5. A tool that waits from inside has no outcome yet: what it waits for is written, and nothing of it is kept.
 */
import { START_WITHIN_MS } from '../thread/decide/claim.ts';
import type { Asking, Command, Decision, NotStarted } from '../thread/decide/command.ts';
import type { CallEvidence, WorkspaceEvidence } from '../thread/evidence.ts';
import type { EventOf } from '../thread/events.ts';
import type { ExecutionId, GrantId } from '../thread/ids.ts';
import { approvalOf, at, rootOf, type Call, type Run, type Thread } from '../thread/thread.ts';
import { callEvidence, innerEvidence, voterEvidence, type Sources } from './evidence.ts';
import { claimedCall, endedOf, executionOf, insist, type Hands } from './execution.ts';
import { holds, useGrant } from './grants-in-use.ts';
import type { Ports, ToolOutcome } from './ports.ts';
import type { RequestsInTurn } from './requests-in-turn.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** What executions share in one process. */
export interface Gate extends Sources, Hands {
  readonly ports: Ports;
  readonly workspace: WorkspaceLog;
  /** Through which every commit goes that may put a call to people. */
  readonly requests: RequestsInTurn;
  /** Executions between their claim and their outcome. */
  readonly executing: Set<ExecutionId>;
  /** Executions of this boot that were handed to a tool. */
  readonly started: Set<ExecutionId>;
  readonly isStopping: () => boolean;
}

type Claimed = EventOf<'call.claimed'>;

/** What is known of a claim beside the log. */
interface Start {
  readonly claim: Claimed;
  readonly effect: 'read' | 'write';
  readonly grant: GrantId | undefined;
  readonly claimedAtMs: number;
  readonly expiresInMs: number;
}

/** Re-checks, claims and executes one call; true when something was decided about it. */
export async function pass(gate: Gate, session: Session, callId: Call['id'], signal: AbortSignal): Promise<boolean> {
  const { ports } = gate;
  const call = at(session.thread.calls, callId);
  const run = call && at(session.thread.runs, call.run);
  if (!call || !run || gate.isStopping()) return false;
  const approval = approvalOf(session.thread, call);
  const command = await claiming(gate, session.thread, run, call, signal);
  const { evidence } = command;
  const claimedAtMs = ports.clock.monotonicMs();
  // Once it has begun, a request's expiry is over: what waited from inside goes on.
  const expiresInMs =
    approval && call.state.is === 'approved' ? approval.expiresAtMs - ports.clock.nowMs() : Number.POSITIVE_INFINITY;
  const effect = evidence.tool?.effect ?? 'write';
  const defer = effect === 'read' && approval === undefined && call.within === null;
  const claims = (evidence: CallEvidence): Promise<Decision> => session.commit({ ...command, evidence }, { defer });
  // What was allowed and is not any more may be put to people now.
  const decision = await (call.state.is === 'allowed'
    ? gate.requests.commit(session, run, [evidence], ([counted = evidence]) => claims(counted))
    : claims(evidence));
  const claim = decision.events.find(event => event.type === 'call.claimed');
  // What a tool has put to people from inside runs nothing: its end stands beside its claim.
  if (!claim || call.within !== null) return decision.events.length > 0;
  gate.executing.add(claim.execution);
  try {
    await execute(gate, session, { claim, effect, grant: evidence.grant, claimedAtMs, expiresInMs }, signal);
  } finally {
    gate.executing.delete(claim.execution);
  }
  gate.signs.over(claim.execution);
  return true;
}

/** The world and everybody's rights as they are now. */
async function claiming(
  gate: Gate,
  thread: Thread,
  run: Run,
  call: Call,
  signal: AbortSignal,
): Promise<Extract<Command, { type: 'claim' }>> {
  const { directory, policy, writer: holder } = gate.ports;
  const approval = approvalOf(thread, call);
  const evidence = await counted(gate, call, await callEvidence(gate, thread, run, call, signal));
  const approvers = approval ? await voterEvidence(gate.ports, approval) : [];
  // An agent that is gone answers nobody.
  const answers = (policy.agent(rootOf(thread, run).agent) ?? { requesters: [] }).requesters;
  const requesters = await Promise.all(run.requesters.map(user => directory.actor(user, answers ?? [])));
  const workspace = await gate.workspace.recent();
  const { limits } = policy;
  return { type: 'claim', call: call.id, evidence, approvers, requesters, answers, workspace, holder, limits };
}

/** The evidence, with its grant only where the use of it is on record for this call. */
async function counted(gate: Gate, call: Call, evidence: CallEvidence): Promise<CallEvidence> {
  const { grant, ...without } = evidence;
  if (grant === undefined || call.state.is !== 'allowed') return without;
  return (await useGrant(gate, grant, call.id)) ? evidence : without;
}

async function execute(gate: Gate, session: Session, start: Start, signal: AbortSignal): Promise<void> {
  const { ports } = gate;
  const { claim, effect } = start;
  const execution = executionOf(gate, session, claim, signal);
  const isHarmless = effect === 'read' && start.grant === undefined;
  const workspace = isHarmless ? await gate.workspace.recent() : await gate.workspace.tail();
  const refused = execution === undefined ? 'cancelled' : stillMay(gate, session.thread, start, workspace, signal);
  const startedAtMs = ports.clock.nowMs();
  const late = refused ?? tooLate(ports.clock.monotonicMs(), start);
  if (late !== undefined || execution === undefined)
    return insist(gate, () =>
      session.commit({ type: 'notStarted', call: claim.call, execution: claim.execution, why: late ?? 'cancelled' }),
    );
  gate.started.add(claim.execution);
  const outcome = await ports.tools.execute(execution);
  await record(gate, session, start, outcome, startedAtMs);
}

function stillMay(
  gate: Gate,
  thread: Thread,
  { claim, grant }: Start,
  workspace: WorkspaceEvidence,
  signal: AbortSignal,
): NotStarted | undefined {
  const call = at(thread.calls, claim.call);
  if (call && at(thread.runs, call.run)?.end !== null) return 'cancelled';
  if (workspace.frozen !== null) return 'frozen';
  if (grant !== undefined && !holds(workspace, grant, gate.ports.clock.nowMs())) return 'revoked';
  if (gate.isStopping()) return 'stopping';
  return signal.aborted ? 'cancelled' : undefined;
}

function tooLate(monotonicMs: number, deadlines: Pick<Start, 'claimedAtMs' | 'expiresInMs'>): NotStarted | undefined {
  const age = monotonicMs - deadlines.claimedAtMs;
  if (age >= deadlines.expiresInMs) return 'expired';
  return age >= START_WITHIN_MS ? 'too_late' : undefined;
}

/** Writes what the tool says came of it: an outcome, or that it waits. */
async function record(
  gate: Gate,
  session: Session,
  start: Start,
  outcome: ToolOutcome,
  startedAtMs: number,
): Promise<void> {
  const { call, execution } = start.claim;
  switch (outcome.how) {
    case 'suspended':
      return suspend(gate, session, start, outcome, startedAtMs);
    case 'answer_refused': {
      const { question, why } = outcome;
      await insist(gate, () => session.commit({ type: 'answerRefused', call, execution, question, why }));
      return endIfLeft(gate, session, start, startedAtMs);
    }
    case 'succeeded':
    case 'failed': {
      const ended = await endedOf(gate, session, execution, outcome, startedAtMs);
      const defer = start.effect === 'read';
      await insist(gate, () => session.commit({ type: 'ended', call, execution, outcome: ended }, { defer }));
    }
  }
}

async function suspend(
  gate: Gate,
  session: Session,
  start: Start,
  { name, asking }: Extract<ToolOutcome, { how: 'suspended' }>,
  startedAtMs: number,
): Promise<void> {
  const { call, execution } = start.claim;
  if (asking.on === 'question' && (await isForNobody(gate, session.thread, start, asking))) {
    const effect = start.effect === 'read' ? 'none' : 'possible';
    const outcome = { how: 'failed', effect, code: 'no_experts', result: NO_EXPERTS } as const;
    return record(gate, session, start, outcome, startedAtMs);
  }
  const { limits } = gate.ports.policy;
  const suspended = (evidence: CallEvidence | null) =>
    session.commit({ type: 'suspend', call, execution, name, asking, evidence, limits });
  const asked = asking.on === 'call' ? await askedEvidence(gate, session, start, asking) : null;
  await insist(gate, () =>
    asked === null
      ? suspended(null)
      : gate.requests.commit(session, asked.run, [asked.evidence], ([counted]) => suspended(counted ?? null)),
  );
  await endIfLeft(gate, session, start, startedAtMs);
}

const NO_EXPERTS = 'Nobody could answer this: who asked for the work does not count, and nobody else is left to ask.';

/** True when all who could answer are those who asked for the work, or are gone; unknown people may still be there. */
async function isForNobody(
  { ports }: Gate,
  thread: Thread,
  { claim }: Start,
  { scopes }: Extract<Asking, { on: 'question' }>,
): Promise<boolean> {
  const call = at(thread.calls, claim.call);
  const run = call && at(thread.runs, call.run);
  if (!run || scopes.length === 0) return false;
  const requesters = [...run.requesters, ...rootOf(thread, run).requesters];
  const people = await ports.directory.deciders(scopes);
  return people !== undefined && people.every(user => requesters.includes(user));
}

/** What policy makes of a request from inside, and whose it is; null when the call is gone. */
async function askedEvidence(
  gate: Gate,
  { thread }: Session,
  { claim }: Start,
  asking: Extract<Asking, { on: 'call' }>,
): Promise<{ readonly run: Run; readonly evidence: CallEvidence } | null> {
  const outer = at(thread.calls, claim.call);
  const run = outer && at(thread.runs, outer.run);
  if (!outer || !run) return null;
  const call = { tool: outer.tool, args: asking.args, raw: null };
  return { run, evidence: await innerEvidence(gate, thread, run, call, asking) };
}

/** A call that cannot wait, whatever its tool thinks, has ended: what it did until then may have had an effect. */
async function endIfLeft(gate: Gate, session: Session, { claim, effect }: Start, startedAtMs: number): Promise<void> {
  if (!claimedCall(session.thread, claim)) return;
  const { call, execution } = claim;
  const gone = {
    how: 'failed',
    effect: effect === 'read' ? 'none' : 'possible',
    code: 'cancelled',
    result: '',
  } as const;
  const ended = await endedOf(gate, session, execution, gone, startedAtMs);
  await insist(gate, () => session.commit({ type: 'ended', call, execution, outcome: ended }));
}
