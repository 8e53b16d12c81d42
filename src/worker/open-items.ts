/** Owns what is open in a thread: the whole list, and the short one that a wake entry projects (≤ 1 KB). */
import { at, type Thread } from '../thread/thread.ts';
import type { OpenItem } from './ports.ts';

const MAX_ITEMS = 5;
const MAX_SUMMARY = 80;

/** Open approvals and doubts of the thread's live runs, oldest first. */
export const allOpenItems = (thread: Thread): OpenItem[] =>
  thread.live.flatMap(id => {
    const run = at(thread.runs, id);
    return (run?.calls ?? []).flatMap(callId => {
      const call = at(thread.calls, callId);
      const approval = call?.approval ? at(thread.approvals, call.approval) : undefined;
      const by = run?.requesters[0];
      if (!call || !by || (call.state.is !== 'waiting' && call.state.is !== 'in_doubt')) return [];
      const summary = (approval?.summary ?? call.judgement?.summary ?? call.tool).slice(0, MAX_SUMMARY).toWellFormed();
      const kind: OpenItem['kind'] = call.state.is === 'waiting' ? 'approval' : 'in_doubt';
      return [{ id: approval?.id ?? call.id, kind, summary, by, untilMs: approval?.expiresAtMs ?? 0 }];
    });
  });

/** The same, cut to what an index entry holds. */
export const openItems = (thread: Thread): OpenItem[] => allOpenItems(thread).slice(0, MAX_ITEMS);
