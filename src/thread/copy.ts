/**
 * Owns a copy of a thread on which a writer folds what is decided and not yet in the log, while the original stays as the log
 * has it.
 *
 * 1. What is open (live runs with their calls and approvals, questions, the queue) and the posts may be folded on; nothing else is
 * copied, so that a copy costs little whatever the thread's age.
 */
import { at, type Thread } from './thread.ts';

/** A copy whose live runs, queue, conversation and posts change without the original. */
export function copyOf(thread: Thread): Thread {
  const copy: Thread = {
    ...thread,
    head: { ...thread.head },
    messages: { ...thread.messages },
    queue: [...thread.queue],
    runs: { ...thread.runs },
    live: [...thread.live],
    calls: { ...thread.calls },
    approvals: { ...thread.approvals },
    questions: { ...thread.questions },
    open: [...thread.open],
    heard: [...thread.heard],
    conversation: [...thread.conversation],
    decisions: { ...thread.decisions },
    refusals: { ...thread.refusals },
    posts: { ...thread.posts },
  };
  for (const ts of thread.queue) replace(copy.messages, ts);
  for (const id of thread.open) replace(copy.questions, id);
  for (const id of thread.live) {
    replace(copy.runs, id);
    for (const call of at(thread.runs, id)?.calls ?? []) {
      replace(copy.calls, call);
      const approval = at(thread.calls, call)?.approval;
      if (approval) replace(copy.approvals, approval);
    }
  }
  return copy;
}

function replace<T extends object>(record: Record<string, T>, name: string): void {
  const item = at(record, name);
  if (item !== undefined) record[name] = copied(item);
}

/** An item with lists of its own; `fold` changes lists in place, and puts new objects in the place of others. */
function copied<T extends object>(item: T): T {
  const lists = Object.entries(item).filter(([, value]) => Array.isArray(value));
  return {
    ...item,
    ...Object.fromEntries(lists.map(([name, list]: [string, readonly unknown[]]) => [name, [...list]])),
  };
}
