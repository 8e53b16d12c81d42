/**
 * Owns Stop on a call that runs. It asks the process that executes it to end it; what comes of it is told by the outcome.
 *
 * 1. Once per execution. 2. What has not started, waits from inside, or is over is not stopped here.
 */
import { scopesAt } from '../digest.ts';
import type { Refusal } from '../refusal.ts';
import { approvalOf, at, requestersOf, type Approval, type Call, type Thread } from '../thread.ts';
import { decided, refused, repeated, type Command, type Decision } from './command.ts';
import { mayStop } from './rights.ts';

type Stop = Extract<Command, { type: 'stop' }>;

/** Records that a person stops the execution that runs, or refuses with a code. */
export function stop(thread: Thread, command: Stop, nowMs: number): Decision {
  const { actor, key } = command;
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  if (!call || !run) return refused({ code: 'not_found', actor: actor.user });
  const approval = approvalOf(thread, call);
  const about = { actor: actor.user, ...(approval ? { approval: approval.id } : {}) };
  const rights = mayStop(actor, requestersOf(thread, run), scopesOf(approval, command, nowMs));
  if (rights !== 'ok') return refused({ code: rights, detail: 'stop', ...about });
  const over = nothingToStop(call);
  if (call.state.is !== 'claimed' || over) return refused({ code: 'nothing_to_do', ...over, ...about });
  const { execution } = call.state.claim;
  if (call.stopped?.execution === execution)
    return call.stopped.by === actor.user
      ? repeated
      : refused({ code: 'already_decided', detail: 'stop', by: call.stopped.by, atMs: call.stopped.atMs, ...about });
  return decided({
    type: 'call.stopRequested',
    call: call.id,
    execution,
    by: actor.user,
    key,
    body: { name: actor.name },
  });
}

const scopesOf = (approval: Approval | undefined, { defaults }: Stop, nowMs: number): Stop['defaults'] =>
  approval ? scopesAt(approval.terms, approval.requestedAtMs, nowMs) : defaults;

/** Since when there is nothing to stop any more; undefined while it runs, or before it has started. */
function nothingToStop({ state }: Call): Pick<Refusal, 'code' | 'atMs'> | undefined {
  switch (state.is) {
    case 'ended':
      return { code: 'already_decided', atMs: state.ending.endedAtMs };
    case 'settled':
    case 'refused':
      return { code: 'already_decided', atMs: state.atMs };
    case 'in_doubt':
      return { code: 'nothing_to_do', atMs: state.sinceMs };
    case 'proposed':
    case 'allowed':
    case 'waiting':
    case 'approved':
    case 'suspended':
    case 'claimed':
    case 'closed':
      return undefined;
  }
}
