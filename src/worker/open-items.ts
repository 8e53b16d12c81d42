/** Owns what is open in a thread: the whole list, and the short one that a wake entry projects (≤ 1 KB). */
import {
  approvalOf,
  at,
  liveRuns,
  openQuestions,
  type Call,
  type Question,
  type Run,
  type Thread,
} from '../thread/thread.ts';
import type { OpenItem } from './ports.ts';

const MAX_ITEMS = 5;
const MAX_SUMMARY = 80;

/** Open approvals, questions and doubts of the thread's live runs, oldest run first. */
export function allOpenItems(thread: Thread): OpenItem[] {
  const questions = openQuestions(thread);
  return liveRuns(thread).flatMap(run => [
    ...run.calls.flatMap(id => ofCall(thread, run, at(thread.calls, id))),
    ...questions.flatMap(question => (question.run === run.id ? ofQuestion(run, question) : [])),
  ]);
}

/** The same, cut to what an index entry holds. */
export const openItems = (thread: Thread): OpenItem[] => allOpenItems(thread).slice(0, MAX_ITEMS);

const cut = (text: string): string => text.slice(0, MAX_SUMMARY).toWellFormed();

function ofCall(thread: Thread, run: Run, call: Call | undefined): OpenItem[] {
  const by = run.requesters[0];
  if (!call || !by || (call.state.is !== 'waiting' && call.state.is !== 'in_doubt')) return [];
  const approval = approvalOf(thread, call);
  const summary = cut(approval?.summary ?? call.judgement?.summary ?? call.tool);
  const kind: OpenItem['kind'] = call.state.is === 'waiting' ? 'approval' : 'in_doubt';
  return [{ id: approval?.id ?? call.id, kind, summary, by, untilMs: approval?.expiresAtMs ?? 0 }];
}

function ofQuestion(run: Run, { id, prompt, expiresAtMs }: Question): OpenItem[] {
  const by = run.requesters[0];
  return by ? [{ id, kind: 'question', summary: cut(prompt), by, untilMs: expiresAtMs }] : [];
}
