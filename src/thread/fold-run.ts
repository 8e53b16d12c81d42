/**
 * Owns how a run's own events change it: started, replied to, ended, and the time that it waits for people.
 *
 * 1. A nested run has a conversation of its own, and stands beside the thread's own runs. 2. What a nested run's model used,
 * the runs above it have used as well. 3. Waiting for people is not a run's time.
 */
import type { Standing } from './commit.ts';
import type { EventOf, Json } from './events.ts';
import type { CallId, MessageTs, RunId } from './ids.ts';
import {
  activeRuns,
  ancestry,
  at,
  begunRun,
  isOver,
  isSettled,
  needsPeople,
  proposedCall,
  type Call,
  type Run,
  type Thread,
} from './thread.ts';

type RunEvent = EventOf<
  'run.started' | 'run.ended' | 'cancel.requested' | 'model.replied' | 'model.away' | 'call.proposed'
>;

/** Folds an event about one run, in place. */
export function foldRunEvent(thread: Thread, event: RunEvent, commit: Standing): void {
  const run = at(thread.runs, event.run);
  switch (event.type) {
    case 'run.started':
      return started(thread, event, commit);
    case 'run.ended':
      return ended(thread, event, commit);
    case 'cancel.requested':
      if (run) run.cancelled ??= { by: event.by, source: event.source, name: event.body?.name ?? '', key: event.key };
      return;
    case 'model.replied':
      return replied(thread, event);
    case 'model.away':
      if (run) run.away = { code: event.code, untilMs: event.untilMs };
      return;
    case 'call.proposed':
      return proposeInner(thread, event);
  }
}

/** A run begins; a nested one beside the run that it works for. */
function started(thread: Thread, event: EventOf<'run.started'>, commit: Standing): void {
  // A run is nested only in a call that is there before it, so that no run is ever nested in itself.
  if (at(thread.runs, event.run) || (event.within && !at(thread.calls, event.within.call))) return;
  const repeated = event.repeats ? at(thread.calls, event.repeats.call) : undefined;
  const run = begunRun({
    id: event.run,
    agent: event.agent,
    requesters: [...event.requesters],
    messages: [...event.messages],
    startedAtMs: commit.atMs,
    repeats: event.repeats?.as ?? null,
    within: event.within ?? null,
    task: event.body?.task ?? null,
  });
  thread.runs[event.run] = run;
  thread.runCount += 1;
  thread.live.push(event.run);
  if (run.within !== null) return;
  thread.current = event.run;
  take(thread, event.run, event.messages);
  if (event.repeats && repeated) {
    // Its message offers to ask again until it is drawn once more.
    thread.calls[repeated.id] = { ...repeated, repeatedBy: run.id };
    if (!thread.live.includes(repeated.run)) thread.live.push(repeated.run);
    propose(thread, run, [
      { call: event.repeats.as, tool: event.repeats.tool, args: repeated.args, raw: repeated.raw },
    ]);
    thread.conversation.push({ kind: 'reply', run: run.id, text: '', calls: [event.repeats.as] });
  }
}

function take(thread: Thread, run: RunId, messages: readonly MessageTs[]): void {
  const taken = new Set<string>(messages);
  thread.queue = thread.queue.filter(ts => !taken.has(ts));
  for (const ts of messages) {
    const message = at(thread.messages, ts);
    if (!message) continue;
    message.run = run;
    thread.conversation.push({ kind: 'message', ts });
  }
}

/** A run is over; its proposed calls with it. */
function ended(thread: Thread, event: EventOf<'run.ended'>, commit: Standing): void {
  const run = at(thread.runs, event.run);
  if (!run || run.end !== null) return;
  run.end = {
    how: event.how,
    code: event.code ?? null,
    by: event.by ?? null,
    detail: event.body?.detail ?? null,
    atMs: commit.atMs,
    number: commit.number,
  };
  run.away = null;
  for (const call of run.turnCalls.flatMap(id => at(thread.calls, id) ?? []))
    if (call.state.is === 'proposed')
      call.state = { is: 'refused', code: 'cancelled', detail: null, atMs: commit.atMs };
  if (run.within === null && run.turn === 0 && run.calls.length === 0)
    thread.conversation.push({ kind: 'unanswered', how: event.how });
  if (thread.current === run.id) thread.current = null;
}

function propose(
  thread: Thread,
  run: Run,
  calls: readonly { readonly call: CallId; readonly tool: string; readonly args: Json; readonly raw: string | null }[],
): void {
  run.turnCalls = calls.map(call => call.call);
  for (const { call, tool, args, raw } of calls) {
    run.calls.push(call);
    thread.calls[call] = proposedCall({
      id: call,
      run: run.id,
      turn: run.turn,
      tool,
      args,
      raw,
    });
  }
}

/** The model's reply to a turn, once. */
function replied(thread: Thread, event: EventOf<'model.replied'>): void {
  const run = at(thread.runs, event.run);
  if (!run || event.turn !== run.turn + 1) return;
  run.turn = event.turn;
  for (const each of ancestry(thread, run)) each.tokens += event.usage.input + event.usage.output;
  run.away = null;
  const text = event.body?.text ?? '';
  const conversation = run.within === null ? thread.conversation : run.items;
  conversation.push({ kind: 'reply', run: run.id, text, calls: event.calls.map(call => call.call) });
  if (event.calls.length === 0) run.answer = text;
  propose(
    thread,
    run,
    event.calls.map((call, index) => {
      const content = event.body?.calls[index];
      return { ...call, args: content?.args ?? null, raw: content?.raw ?? null };
    }),
  );
}

/** The request that a tool puts to people from inside; no model's call, so no turn waits for it but through its tool. */
function proposeInner(thread: Thread, event: EventOf<'call.proposed'>): void {
  const run = at(thread.runs, event.run);
  if (!run || at(thread.calls, event.call)) return;
  run.calls.push(event.call);
  thread.calls[event.call] = proposedCall({
    id: event.call,
    run: run.id,
    turn: run.turn,
    tool: event.tool,
    args: event.body?.args ?? null,
    raw: null,
    within: { call: event.within, name: event.name },
    options: event.body?.options ?? [],
  });
}

/** A run waits when some call has not started and cannot go on by itself, and nothing is under way. */
export function countWaiting(thread: Thread, atMs: number): void {
  // Innermost first: a run that waits for another one's answer waits as long as that one does.
  for (const run of activeRuns(thread).toReversed()) {
    const open = run.turnCalls.flatMap(id => at(thread.calls, id) ?? []).filter(call => !isSettled(call));
    if (open.length > 0 && open.every(call => isWaiting(thread, call))) run.waitingSinceMs ??= atMs;
    else if (run.waitingSinceMs !== null) {
      run.waitedMs += Math.max(0, atMs - run.waitingSinceMs);
      run.waitingSinceMs = null;
    }
  }
}

/** For people, or, approved or allowed, for an unfreeze or a look-up: not the run's own time. */
function isWaiting(thread: Thread, call: Call): boolean {
  if (call.state.is === 'suspended') {
    const { wait } = call.state;
    return wait.on === 'run' ? at(thread.runs, wait.id)?.waitingSinceMs !== null : !isOver(thread, wait);
  }
  return needsPeople(call) || call.state.is === 'approved' || call.state.is === 'allowed';
}
