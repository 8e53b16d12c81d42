/**
 * Owns what comes of a claim: not started, ended, or its process gone; and what ends a call together with its run.
 *
 * 1. A spent execution never starts again. 2. A true outcome is recorded once, however late. 3. A call that has started is
 * settled on its own, whatever becomes of its run.
 */
import type { ThreadEvent } from '../events.ts';
import type { ExecutionId } from '../ids.ts';
import {
  approvalOf,
  at,
  isSettled,
  liveCalls,
  rootOf,
  type Approval,
  type Call,
  type CallState,
  type Claim,
  type Run,
  type Thread,
  type Wait,
} from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';

/** `approval.settled` without anybody's name. */
export const close = (approval: Approval, how: 'expired' | 'refused', code?: string, detail?: string): ThreadEvent => ({
  type: 'approval.settled',
  approval: approval.id,
  round: approval.round,
  how,
  ...(code ? { code } : {}),
  body: detail ? { detail } : {},
});

/** Gives a claim back that has not started. */
export function notStarted(thread: Thread, command: Extract<Command, { type: 'notStarted' }>, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.spent.includes(command.execution)) return nothing;
  const given: ThreadEvent = {
    type: 'call.notStarted',
    call: call.id,
    execution: command.execution,
    why: command.why,
    body: {},
  };
  const approval = approvalOf(thread, call);
  if (command.why === 'expired' && approval) return decided(given, close(approval, 'expired'));
  return decided(given, ...closeGivenBack(thread, call, nowMs));
}

/** An attempt that did not happen: it is spent, its call looked at anew before the next; in a run that is over the call ends. */
export const lostAttempt = (thread: Thread, call: Call, { execution }: Claim, nowMs: number): ThreadEvent[] => [
  { type: 'call.notStarted', call: call.id, execution, why: 'lost', body: {} },
  ...closeGivenBack(thread, call, nowMs),
];

/** A call that is given back in a run that is over ends with it. */
export function closeGivenBack(thread: Thread, call: Call, nowMs: number): ThreadEvent[] {
  const run = at(thread.runs, call.run);
  if (!run || run.end === null || (call.state.is !== 'claimed' && call.state.is !== 'in_doubt')) return [];
  const { claim } = call.state;
  if (claim.resumes !== null) {
    const state: CallState = { is: 'suspended', claim, ...claim.resumes };
    return [endSuspended(call, state, 'cancelled', nowMs)];
  }
  return closeCall(thread, { ...call, state: { is: call.approval === null ? 'allowed' : 'approved' } }, nowMs);
}

/** Records what came of an execution; also late, also when people have settled it meanwhile; never twice. */
export function ended(thread: Thread, command: Extract<Command, { type: 'ended' }>): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.recorded.includes(command.execution) || !wasClaimed(call, command.execution)) return nothing;
  const { outcome } = command;
  // A check says something only while nobody knows.
  if (outcome.code === 'checked' && !isOpen(call, command.execution)) return nothing;
  return decided({
    type: 'call.ended',
    call: call.id,
    execution: command.execution,
    how: outcome.how,
    ...(outcome.code ? { code: outcome.code } : {}),
    effect: outcome.effect,
    startedAtMs: outcome.startedAtMs,
    endedAtMs: outcome.endedAtMs,
    result: { digest: outcome.digest, bytes: outcome.bytes, ...(outcome.blob ? { blob: outcome.blob } : {}) },
    body: { result: outcome.result, ...(outcome.lastSign ? { lastSign: outcome.lastSign } : {}) },
  });
}

/** True for an execution that is under way, or of which nobody knows whether it is. */
const isOpen = ({ state }: Call, execution: ExecutionId): boolean =>
  (state.is === 'claimed' || state.is === 'in_doubt') && state.claim.execution === execution;

/** True for an execution that the log knows of. */
const wasClaimed = (call: Call, execution: ExecutionId): boolean =>
  call.spent.includes(execution) || isOpen(call, execution);

/** Puts on record how far an execution is, as it said itself; nothing when that is on record, or it is over. */
export function sign(thread: Thread, command: Extract<Command, { type: 'sign' }>): Decision {
  const { call: id, execution, line, atMs } = command;
  const call = at(thread.calls, id);
  const state = call?.state;
  if (!call || (state?.is !== 'claimed' && state?.is !== 'in_doubt')) return nothing;
  if (state.claim.execution !== execution) return nothing;
  const { signed } = call;
  if (signed?.execution === execution && (signed.line === line || signed.atMs > atMs)) return nothing;
  return decided({ type: 'call.signed', call: id, execution, atMs, body: { line } });
}

/** A claim whose process is gone: what is safe to run again is given back, everything else is in doubt. */
export function recover(thread: Thread, command: Extract<Command, { type: 'recover' }>, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  if (!call || call.state.is !== 'claimed' || call.state.claim.execution !== command.execution) return nothing;
  const { claim: lost } = call.state;
  if (command.again) return decided(...lostAttempt(thread, call, lost, nowMs));
  const { execution } = lost;
  const said = command.lastSign && sign(thread, { type: 'sign', call: call.id, execution, ...command.lastSign }).events;
  return decided(...(said ?? []), {
    type: 'call.ended',
    call: call.id,
    execution,
    how: 'in_doubt',
    effect: 'possible',
    startedAtMs: lost.atMs,
    endedAtMs: nowMs,
    body: {},
  });
}

/** `call.ended` of a call that waited from inside and does not go on; what its steps have done is done. */
export const endSuspended = (
  call: Call,
  state: Extract<CallState, { is: 'suspended' }>,
  code: string,
  nowMs: number,
): ThreadEvent => ({
  type: 'call.ended',
  call: call.id,
  execution: state.claim.execution,
  how: 'failed',
  code,
  effect: call.stepsBegun.length > 0 ? 'possible' : 'none',
  startedAtMs: state.claim.atMs,
  endedAtMs: nowMs,
  body: {},
});

/** What ends a call of a run that is over, if nothing has started under it, or it waits from inside. */
export function closeCall(
  thread: Thread,
  call: Call,
  nowMs: number,
  code?: 'instead' | 'stopped',
  by?: Run['requesters'][number],
): ThreadEvent[] {
  if (isSettled(call) || call.state.is === 'claimed' || call.state.is === 'in_doubt') return [];
  if (call.state.is === 'suspended')
    return [...withdrawQuestion(thread, call.state.wait), endSuspended(call, call.state, 'cancelled', nowMs)];
  const approval = approvalOf(thread, call);
  if (approval && (approval.state.is === 'open' || approval.state.is === 'approved'))
    return [
      {
        type: 'approval.settled',
        approval: approval.id,
        round: approval.round,
        how: 'withdrawn',
        ...(by ? { by: [by] } : {}),
        ...(code ? { code } : {}),
        body: {},
      },
    ];
  const judged = call.judgement;
  if (!judged) return [];
  return [
    {
      type: 'call.judged',
      call: call.id,
      verdict: 'refuse',
      code: 'cancelled',
      rule: judged.rule,
      ruleDigest: judged.ruleDigest,
      policy: judged.policy,
      tool: judged.tool,
      effect: judged.effect,
      callDigest: judged.callDigest,
      body: { summary: judged.summary, bind: judged.bind, note: judged.note },
    },
  ];
}

/** Ends what would go on writing once it is told what it waits for: in a run that may only read from here on. */
export const endWriting = (thread: Thread, root: Run, nowMs: number): ThreadEvent[] =>
  liveCalls(thread).flatMap(call => {
    const run = at(thread.runs, call.run);
    if (!run || rootOf(thread, run) !== root) return [];
    if (call.state.is !== 'suspended' || call.judgement?.effect !== 'write') return [];
    return [...withdrawQuestion(thread, call.state.wait), endSuspended(call, call.state, 'read_only', nowMs)];
  });

/** Nobody need answer any more. */
function withdrawQuestion(thread: Thread, wait: Wait): ThreadEvent[] {
  const question = wait.on === 'question' ? at(thread.questions, wait.id) : undefined;
  if (question?.state.is !== 'open') return [];
  return [{ type: 'question.closed', question: question.id, how: 'withdrawn', body: {} }];
}
