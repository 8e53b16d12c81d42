/** Owns what a tool that runs again is told of what it waited for, by the names that its author gave. Pure. */
import { outcomeOf } from '../thread/outcome.ts';
import { approvalOf, approvers, at, isSettled, type Call, type Thread, type Wait } from '../thread/thread.ts';
import type { QuestionId, RunId } from '../thread/ids.ts';
import type { Told } from './ports.ts';

/** What is over of what the call has asked for from inside; what is still open is left out. */
export const toldOf = (thread: Thread, call: Call): Readonly<Record<string, Told>> =>
  Object.fromEntries(
    Object.entries(call.waits).flatMap(([name, wait]) => {
      const told = toldBy(thread, wait);
      return told ? [[name, told]] : [];
    }),
  );

function toldBy(thread: Thread, wait: Wait): Told | undefined {
  switch (wait.on) {
    case 'question':
      return ofQuestion(thread, wait.id);
    case 'call': {
      const call = at(thread.calls, wait.id);
      return call && isSettled(call) ? ofCall(thread, call) : undefined;
    }
    case 'run':
      return ofRun(thread, wait.id);
  }
}

function ofQuestion(thread: Thread, id: QuestionId): Told | undefined {
  const state = at(thread.questions, id)?.state;
  switch (state?.is) {
    case 'answered':
      return { is: 'answered', question: id, value: state.value, by: state.by, name: state.name };
    case 'expired':
      return { is: 'over', why: 'Nobody answered in time.' };
    case 'withdrawn':
      return { is: 'over', why: 'The question was withdrawn.' };
    case 'open':
    case undefined:
      return undefined;
  }
}

function ofRun(thread: Thread, id: RunId): Told | undefined {
  const run = at(thread.runs, id);
  if (!run || run.end === null) return undefined;
  if (run.end.how === 'succeeded') return { is: 'done', text: run.answer ?? '' };
  const why = run.end.code === null ? '' : ` (${run.end.code})`;
  return { is: 'over', why: `The agent ${run.agent} did not come to an answer: ${run.end.how}${why}.` };
}

/** Why a request from inside was not approved in time. */
const expired = {
  by_nobody: 'Nobody decided in time.',
  by_some: 'Fewer people than needed approved in time.',
  by_all: 'Approved, but not in time to go on.',
};

/** A request from inside that is over. */
function ofCall(thread: Thread, call: Call): Told {
  const approval = approvalOf(thread, call);
  const outcome = outcomeOf(thread, call);
  const no = (why: string): Told => ({ is: 'not_approved', why });
  switch (outcome.is) {
    case 'done': {
      const option = approval?.state.is === 'approved' ? approval.state.option : null;
      return { is: 'approved', option, by: approval ? approvers(approval).map(vote => vote.by) : [] };
    }
    case 'rejected': {
      const reason = outcome.reason === null ? '.' : `: “${outcome.reason}”`;
      return no(`Rejected by ${outcome.by.name}${reason}`);
    }
    case 'expired':
      return no(expired[outcome.approved]);
    case 'withdrawn':
      return no('The request was withdrawn.');
    case 'not_run':
      return no(
        outcome.approved === 'by_all'
          ? `Approved, but it no longer holds (${outcome.code}).`
          : `It no longer holds (${outcome.code}).`,
      );
    case 'refused':
      return no(outcome.detail ?? `It cannot be put to people (${outcome.code}).`);
    default:
      return no(`Nobody approved it (${outcome.is}).`);
  }
}
