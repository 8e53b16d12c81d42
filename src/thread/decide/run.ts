/**
 * Owns the life of a run: started from waiting messages, ended; and cancel, which tells the truth at every moment.
 *
 * 1. A run takes in every message that waits; each author is a requester. 2. Only members of the organisation start runs.
 * 3. Ending a run closes what has not started; what has started is settled on its own.
 */
import type { ActorEvidence } from '../evidence.ts';
import type { EventOf, Scope, ThreadEvent } from '../events.ts';
import { callId, type CallId, type RunId, type UserId } from '../ids.ts';
import {
  approvalOf,
  at,
  currentRun,
  liveRuns,
  nextRunId,
  rootOf,
  type Message,
  type Run,
  type Thread,
} from '../thread.ts';
import { decided, nothing, refused, repeated, type Cancel, type Command, type Decision } from './command.ts';
import { closeCall } from './ending.ts';
import { mayCancel, standing, type Rights } from './rights.ts';

/** How long a requester's standing may stay unknown before the run is given up. */
const LOOKUP_PATIENCE_MS = 60_000;

/** Starts the next run from the messages that wait, in the order in which they were written, not in which they arrived. */
export function start(thread: Thread, command: Extract<Command, { type: 'start' }>, nowMs: number): Decision {
  if (currentRun(thread)) return nothing;
  const known = new Set(command.messages);
  const inOrder = thread.queue.filter(ts => known.has(ts)).toSorted((a, b) => Number(a) - Number(b));
  const waiting = inOrder.flatMap(ts => at(thread.messages, ts) ?? []);
  const standingOf = (message: Message): string => {
    const actor = command.authors.find(other => other.user === message.author);
    return actor ? mayAsk(actor, command.requesters) : 'lookup_failed';
  };
  const first = waiting[0];
  if (!first) return nothing;
  const how = standingOf(first);
  if (how === 'lookup_failed' && nowMs - first.atMs < LOOKUP_PATIENCE_MS) return nothing;
  const cut = waiting.findIndex(message => standingOf(message) !== how);
  const taken = cut < 0 ? waiting : waiting.slice(0, cut);
  const run = nextRunId(thread);
  const started: ThreadEvent = {
    type: 'run.started',
    run,
    agent: command.agent,
    requesters: [...new Set(taken.map(message => message.author))],
    messages: taken.map(message => message.ts),
    body: {},
  };
  if (how === 'ok') return decided(started);
  if (how === 'agent_closed')
    return decided(started, end(run, 'failed', closedCode(command.requesters), labelsOf(command.requesters)));
  return decided(started, end(run, 'failed', how === 'lookup_failed' ? how : 'not_a_member'));
}

/** Why an agent answers somebody no longer: an agent that answers nobody is gone. */
export const closedCode = (answers: readonly Scope[] | null): 'agent_closed' | 'agent_gone' =>
  answers?.length === 0 ? 'agent_gone' : 'agent_closed';

/** Whom the agent answers, a label a line. */
const labelsOf = (answers: readonly Scope[] | null): string => (answers ?? []).map(({ label }) => label).join('\n');

/** `run.ended`. */
export const end = (
  run: RunId,
  how: EventOf<'run.ended'>['how'],
  code?: string | null,
  detail?: string | null,
  by?: UserId,
): EventOf<'run.ended'> => ({
  type: 'run.ended',
  run,
  how,
  ...(code ? { code } : {}),
  ...(by ? { by } : {}),
  body: detail ? { detail } : {},
});

/**
 * May this person have the agent work for them? Members of this organisation, or of the scopes that the agent answers. Guests
 * and people of other organisations only where such a scope holds them.
 */
export function mayAsk(actor: ActorEvidence, answers: readonly Scope[] | null): Rights | 'agent_closed' {
  const person = standing(actor);
  if (person !== 'ok' && person !== 'guest' && person !== 'external') return person;
  if (answers === null) return person;
  if (answers.some(scope => actor.scopes.includes(scope.name))) return 'ok';
  if (answers.some(scope => actor.unknownScopes.includes(scope.name))) return 'lookup_failed';
  return person === 'ok' ? 'agent_closed' : person;
}

/** The model did not answer: the run is given up once patience has run out. */
export function away(thread: Thread, command: Extract<Command, { type: 'away' }>, nowMs: number): Decision {
  const run = at(thread.runs, command.run);
  if (!run || run.end !== null) return nothing;
  if (run.away === null)
    return decided({
      type: 'model.away',
      run: run.id,
      turn: run.turn,
      code: command.code,
      untilMs: nowMs + command.patienceMs,
      body: {},
    });
  return nowMs >= run.away.untilMs ? decided(end(run.id, 'failed', 'model_away')) : nothing;
}

interface Stop {
  readonly how: EventOf<'run.ended'>['how'];
  readonly code?: string;
  readonly detail?: string | null;
  readonly by?: UserId;
  readonly closing?: 'instead' | 'stopped';
}

/** Closes what has not started of a run and of those nested in it, but for the call `but`, and ends them, innermost first. */
export function stopRun(thread: Thread, run: Run, stop: Stop, nowMs: number, but?: CallId): ThreadEvent[] {
  const inner = liveRuns(thread).filter(
    other => other.end === null && other.within !== null && run.calls.includes(other.within.call),
  );
  const calls = run.calls.flatMap(id => (id === but ? [] : (at(thread.calls, id) ?? [])));
  return [
    ...inner.flatMap(other => stopRun(thread, other, stop, nowMs, but)),
    ...calls.flatMap(call => closeCall(thread, call, nowMs, stop.closing, stop.by)),
    end(run.id, stop.how, stop.code, stop.detail, stop.by),
  ];
}

/** Ends a run for a reason that no person gave. */
export function endRun(thread: Thread, command: Extract<Command, { type: 'end' }>, nowMs: number): Decision {
  const run = at(thread.runs, command.run);
  if (!run || run.end !== null) return nothing;
  const { how, code, detail } = command;
  return decided(...stopRun(thread, run, { how, code, detail, closing: 'stopped' }, nowMs));
}

/** Withdraws what waits and ends the run, a nested one with that which it works for; what already runs is settled on its card. */
export function cancel(thread: Thread, command: Cancel, nowMs: number): Decision {
  const named = at(thread.runs, command.run);
  const run = named && rootOf(thread, named);
  const actor = command.actor.user;
  if (!run) return refused({ code: 'not_found', actor });
  const rights = mayCancel(command.actor, run.requesters);
  if (rights !== 'ok') return refused({ code: rights, actor });
  const { key, source } = command;
  if (run.cancelled?.key === key) return repeated;
  if (run.end !== null) return refused({ code: 'nothing_to_do', actor, atMs: run.end.atMs });
  const asked: ThreadEvent = {
    type: 'cancel.requested',
    run: run.id,
    by: actor,
    key,
    source,
    body: { name: command.actor.name },
  };
  const stop: Stop = { how: 'cancelled', by: actor, ...(source === 'instead' ? { closing: 'instead' } : {}) };
  return decided(asked, ...stopRun(thread, run, stop, nowMs));
}

/** The requester keeps the waiting request; the message stays queued. */
export function keep(thread: Thread, command: Extract<Command, { type: 'keep' }>): Decision {
  const message = at(thread.messages, command.message);
  const actor = command.actor.user;
  if (!message) return refused({ code: 'not_found', actor });
  if (message.author !== actor) return refused({ code: 'not_yours', actor, by: message.author, detail: 'keep' });
  if (message.kept) return nothing;
  return decided({ type: 'message.kept', ts: message.ts, by: actor, body: {} });
}

/** Repeats the stored call of an expired or refused request as a new run, under a new call id. */
export function askAgain(thread: Thread, command: Extract<Command, { type: 'askAgain' }>): Decision {
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  const actor = command.actor.user;
  if (!call || !run) return refused({ code: 'not_found', actor });
  if (!run.requesters.includes(actor)) return refused({ code: 'not_yours', actor, detail: 'again' });
  const person = standing(command.actor);
  if (person !== 'ok') return refused({ code: person, actor });
  const approval = approvalOf(thread, call);
  // What a tool asks from inside is asked again by its tool; repeated by itself it would be the tool's own call.
  const own = call.within === null && call.state.is === 'closed';
  const again = own && (approval?.state.is === 'expired' || approval?.state.is === 'refused');
  if (!again || call.repeatedBy !== null) return refused({ code: 'nothing_to_do', actor });
  if (currentRun(thread)) return refused({ code: 'busy', actor });
  const next = nextRunId(thread);
  const as: CallId = callId(thread.key, next, 0, 0);
  return decided({
    type: 'run.started',
    run: next,
    agent: command.agent,
    // It is still what all of them asked for: none of them may decide it now.
    requesters: [actor, ...run.requesters.filter(user => user !== actor)],
    messages: [],
    repeats: { call: call.id, as, tool: call.tool },
    body: {},
  });
}
