/**
 * Owns `fold`: what a thread's commits add up to. Called by the worker's session (after each load and append) and by
 * everything that reads a thread. It only records what happened; whether it may happen is `decide`'s.
 *
 * 1. Total: every event of this version folds on any thread without an exception, whatever is missing (an erased body, an
 *    event about something unknown), and the same commits give the same thread. 2. It changes the given thread in place:
 *    a commit is folded once, after it is in the log. 3. A late event never brings a settled call back to life.
 */
import type { Commit, Standing } from './commit.ts';
import type { ThreadEvent } from './events.ts';
import { foldApprovalEvent } from './fold-approval.ts';
import { foldCallEvent } from './fold-call.ts';
import { foldMessageEvent } from './fold-message.ts';
import { foldQuestionEvent } from './fold-question.ts';
import { countWaiting, foldRunEvent } from './fold-run.ts';
import { copiesAfter, recordPost } from './post.ts';
import { at, isSettled, type Thread } from './thread.ts';

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
    case 'message.edited':
    case 'message.deleted':
    case 'message.kept':
      return foldMessageEvent(thread, event, commit);
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
    case 'run.ended':
    case 'cancel.requested':
    case 'model.replied':
    case 'model.away':
    case 'call.proposed':
      return foldRunEvent(thread, event, commit);
    case 'context.summarised':
      thread.conversation = [
        { kind: 'summary', text: event.body?.text ?? '' },
        ...thread.conversation.slice(event.upTo),
      ];
      return;
    case 'message.posted':
      recordPost(thread.posts, event);
      thread.copies = copiesAfter(thread.copies, event);
      return;
    case 'grant.settled':
      thread.grants = thread.grants.filter(({ grant }) => grant !== event.grant);
      return;
    case 'question.asked':
    case 'question.answered':
    case 'question.refused':
    case 'question.closed':
      return foldQuestionEvent(thread, event, commit);
    case 'call.judged':
    case 'call.claimed':
    case 'call.notStarted':
    case 'call.suspended':
    case 'call.stopRequested':
    case 'call.checked':
    case 'call.signed':
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
