/**
 * Owns `fold`: what a thread's commits add up to. Called by the worker's session (after each load and append) and by
 * everything that reads a thread. It only records what happened; whether it may happen is `decide`'s.
 *
 * 1. Total: every event of this version folds on any thread without an exception, whatever is missing (an erased body, an
 *    event about something unknown), and the same commits give the same thread. 2. It changes the given thread in place:
 *    a commit is folded once, after it is in the log. 3. A late event never brings a settled call back to life.
 */
import type { Commit, Standing } from './commit.ts';
import type { EventOf, Json, ThreadEvent } from './events.ts';
import { foldApprovalEvent } from './fold-approval.ts';
import { foldCallEvent } from './fold-call.ts';
import { foldQuestionEvent } from './fold-question.ts';
import type { CallId, MessageTs, RunId } from './ids.ts';
import { recordPost } from './post.ts';
import {
  activeRuns,
  at,
  currentRun,
  isOver,
  isSettled,
  needsPeople,
  proposedCall,
  type Call,
  type Run,
  type Thread,
} from './thread.ts';

/** Folds the next commit into the thread, in place. */
export function fold(thread: Thread, commit: Commit): Thread {
  foldEvents(thread, commit.events as readonly ThreadEvent[], commit);
  return foldHead(thread, commit);
}

/** Folds events that will stand in the commit `standing`, in place; for what a writer knows before it has written it. */
export function foldEvents(thread: Thread, events: readonly ThreadEvent[], standing: Standing): void {
  for (const event of events) {
    foldEvent(thread, event, standing);
    thread.rests = restsAfter(thread.rests, event);
  }
  countWaiting(thread, standing.atMs);
}

/** Moves the head to a commit whose events are folded. */
function foldHead(thread: Thread, commit: Commit): Thread {
  thread.head = { number: commit.number, hash: commit.hash, atMs: commit.atMs };
  if (thread.lease !== null && commit.writer === thread.lease.holder)
    thread.lease = { ...thread.lease, lastCommit: commit.number, lastAtMs: commit.atMs };
  return thread;
}

/** Whether a thread rests after an event; a refusal on record changes neither what is shown nor what is to be done. */
export function restsAfter(rested: boolean, event: ThreadEvent): boolean {
  if (event.type === 'decision.refused') return rested;
  return event.type === 'lease.released' && event.synced;
}

function foldEvent(thread: Thread, event: ThreadEvent, commit: Standing): void {
  switch (event.type) {
    case 'message.received':
      return receive(thread, event, commit);
    case 'message.edited': {
      const message = at(thread.messages, event.ts);
      if (message) Object.assign(message, { text: event.body?.text ?? '', editedAtMs: commit.atMs });
      return;
    }
    case 'message.deleted': {
      const message = at(thread.messages, event.ts);
      if (message) message.deleted = true;
      thread.queue = thread.queue.filter(ts => ts !== event.ts);
      return;
    }
    case 'message.kept': {
      const message = at(thread.messages, event.ts);
      if (message) message.kept = true;
      return;
    }
    case 'lease.taken':
      if (thread.lease !== null && thread.lease.holder !== event.holder)
        thread.loose = { writer: thread.lease.holder, atMs: commit.atMs };
      thread.lease = {
        holder: event.holder,
        lengthMs: event.lengthMs,
        lastCommit: commit.number,
        lastAtMs: commit.atMs,
      };
      return;
    case 'lease.released':
      if (thread.lease?.holder === event.holder) thread.lease = null;
      thread.loose = event.synced ? null : { writer: event.holder, atMs: commit.atMs };
      if (event.synced) seal(thread, commit.number);
      return;
    case 'run.started':
      return startRun(thread, event, commit);
    case 'run.ended':
      return endRun(thread, event, commit);
    case 'cancel.requested': {
      const run = at(thread.runs, event.run);
      if (run) run.cancelled ??= { by: event.by, source: event.source, name: event.body?.name ?? '', key: event.key };
      return;
    }
    case 'model.replied':
      return reply(thread, event);
    case 'model.away': {
      const run = at(thread.runs, event.run);
      if (run) run.away = { code: event.code, untilMs: event.untilMs };
      return;
    }
    case 'context.summarised':
      thread.conversation = [
        { kind: 'summary', text: event.body?.text ?? '' },
        ...thread.conversation.slice(event.upTo),
      ];
      return;
    case 'message.posted':
      recordPost(thread.posts, event);
      return;
    case 'grant.settled':
      thread.grants = thread.grants.filter(({ grant }) => grant !== event.grant);
      return;
    case 'question.asked':
    case 'question.answered':
    case 'question.refused':
    case 'question.closed':
      return foldQuestionEvent(thread, event, commit);
    case 'call.proposed':
      return proposeInner(thread, event);
    case 'call.judged':
    case 'call.claimed':
    case 'call.notStarted':
    case 'call.suspended':
    case 'call.stopRequested':
    case 'call.checked':
    case 'step.claimed':
    case 'step.done':
    case 'call.ended':
    case 'call.reconciled':
      return foldCallEvent(thread, event, commit);
    case 'approval.requested':
    case 'approval.edited':
    case 'approval.rechecked':
    case 'round.opened':
    case 'decision.recorded':
    case 'decision.voided':
    case 'decision.refused':
    case 'approval.settled':
    case 'reminder.sent':
    case 'escalated':
      return foldApprovalEvent(thread, event, commit);
  }
}

function receive(thread: Thread, event: EventOf<'message.received'>, commit: Standing): void {
  if (at(thread.messages, event.ts)) return;
  const run = currentRun(thread);
  const asked = run !== undefined && run.requesters.includes(event.author);
  thread.messages[event.ts] = {
    ts: event.ts,
    channel: event.channel,
    author: event.author,
    name: event.body?.name ?? '',
    text: event.body?.text ?? '',
    atMs: commit.atMs,
    direct: event.direct,
    mention: event.mention,
    editedAtMs: null,
    deleted: false,
    run: null,
    meanwhile: asked && waitsForDecision(thread) ? run.id : null,
    kept: false,
  };
  thread.queue.push(event.ts);
}

/** True while a request of the run in progress, or of one nested in it, is put to people. */
const waitsForDecision = (thread: Thread): boolean =>
  activeRuns(thread).some(run => run.calls.some(id => at(thread.calls, id)?.state.is === 'waiting'));

function startRun(thread: Thread, event: EventOf<'run.started'>, commit: Standing): void {
  // A run is nested only in a call that is there before it, so that no run is ever nested in itself.
  if (at(thread.runs, event.run) || (event.within && !at(thread.calls, event.within.call))) return;
  const repeated = event.repeats ? at(thread.calls, event.repeats.call) : undefined;
  const run: Run = {
    id: event.run,
    agent: event.agent,
    requesters: [...event.requesters],
    messages: [...event.messages],
    startedAtMs: commit.atMs,
    repeats: event.repeats?.as ?? null,
    within: event.within ?? null,
    task: event.body?.task ?? null,
    items: event.within ? [{ kind: 'task', text: event.body?.task ?? '' }] : [],
    turn: 0,
    tokens: 0,
    turnCalls: [],
    calls: [],
    waitedMs: 0,
    waitingSinceMs: null,
    rejected: null,
    rejectedDigests: [],
    away: null,
    answer: null,
    cancelled: null,
    end: null,
  };
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

function endRun(thread: Thread, event: EventOf<'run.ended'>, commit: Standing): void {
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

function reply(thread: Thread, event: EventOf<'model.replied'>): void {
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

/** A run and those that it is nested in. */
function ancestry(thread: Thread, run: Run): Run[] {
  const outer = run.within === null ? undefined : at(thread.calls, run.within.call);
  const above = outer && at(thread.runs, outer.run);
  return above ? [run, ...ancestry(thread, above)] : [run];
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
function countWaiting(thread: Thread, atMs: number): void {
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

/** Runs that had ended, with nothing open, when every message was in line with commit `number` leave the live ones. */
function seal(thread: Thread, number: number): void {
  thread.live = thread.live.filter(id => {
    const run = at(thread.runs, id);
    if (!run || run.end === null || run.end.number > number) return run !== undefined;
    return !run.calls.every(id => {
      const call = at(thread.calls, id);
      return call === undefined || isSettled(call);
    });
  });
}
