/**
 * Owns the checks of what waits from inside, of questions, of edits, and of what is done once: each event changes something,
 * comes from somebody who could, and not before its time. What is waited for, and what was an answer, it keeps account of by
 * the events alone.
 */
import { canonical } from '../../src/thread/digest.ts';
import type { EventOf, ThreadEvent } from '../../src/thread/events.ts';
import { threadLog, type CallId, type ExecutionId, type MessageTs } from '../../src/thread/ids.ts';
import { at, type Call, type Thread } from '../../src/thread/thread.ts';
import type { Counters } from './counters.ts';
import type { Ledger } from './ledger.ts';

/** Clocks of processes differ by no more. */
const SKEW_MS = 1_000;

export class Waits {
  readonly #counters: Counters;
  readonly #ledger: Ledger;
  /** What each call waits for from inside. */
  readonly #waitsFor = new Map<CallId, string>();
  /** Questions, requests from inside and nested runs that are over. */
  readonly #over = new Set<string>();
  /** Messages that were taken as answers, and the others that a run has taken in. */
  readonly #answers = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(counters: Counters, ledger: Ledger) {
    [this.#counters, this.#ledger] = [counters, ledger];
  }

  /** Keeps account of what is waited for and what is over, by the events alone. */
  note(thread: Thread, event: ThreadEvent): void {
    const over = (id: string): void => void this.#over.add(idIn(thread, id));
    switch (event.type) {
      case 'call.suspended':
        return void this.#waitsFor.set(event.call, event.question);
      case 'question.answered':
        this.#answers.add(idIn(thread, event.message ?? ''));
        return over(event.question);
      case 'question.refused':
        this.#answers.add(idIn(thread, event.message ?? ''));
        if (event.code === 'not_taken') this.#over.delete(idIn(thread, event.question));
        return;
      case 'question.closed':
        return over(event.question);
      case 'run.ended':
        return over(event.run);
      case 'call.ended':
      case 'call.reconciled':
        return over(event.call);
      case 'call.judged':
        return event.verdict === 'deny' || event.verdict === 'refuse' ? over(event.call) : undefined;
      case 'approval.settled':
        return event.how === 'approved' ? undefined : over(at(thread.approvals, event.approval)?.call ?? '');
      default:
        return undefined;
    }
  }

  /** A call that had waited from inside goes on. */
  resumes(thread: Thread, call: CallId): void {
    const wait = this.#waitsFor.get(call) ?? '';
    const isOver = this.#over.has(idIn(thread, wait));
    this.#counters.holds('single', isOver, () => `${call} goes on while it waits for ${wait}`);
  }

  /** A run begins with these messages: no other has taken them in, and none was an answer. */
  begins(thread: Thread, messages: readonly MessageTs[]): void {
    for (const ts of messages) {
      const id = idIn(thread, ts);
      const isNew = !this.#answers.has(id) && !this.#taken.has(id);
      this.#counters.holds('single', isNew, () => `${ts} is taken in twice`);
      this.#taken.add(id);
    }
  }

  /** An event that is about to be folded into the thread. */
  event(thread: Thread, event: ThreadEvent, atMs: number): void {
    const single = (holds: boolean): void =>
      this.#counters.holds('single', holds, () => `${event.type} changes nothing: ${canonical(event).slice(0, 400)}`);
    switch (event.type) {
      case 'question.asked':
        if (event.about) this.#counters.saw('approver asked the requester');
        return single(at(thread.questions, event.question) === undefined);
      case 'question.answered':
        return this.#answered(thread, event, single);
      case 'question.refused':
        if (event.code === 'not_taken') this.#counters.saw('answer refused by its tool');
        return undefined;
      case 'question.closed':
        this.#counters.saw(`question ${event.how}`);
        return single(at(thread.questions, event.question)?.state.is === 'open');
      case 'call.proposed':
        return single(at(thread.calls, event.call) === undefined);
      case 'call.suspended':
        this.#counters.saw(`suspended: ${event.on ?? 'question'}`);
        return single(isClaimedAs(at(thread.calls, event.call), event.execution));
      case 'step.claimed':
      case 'step.done':
        return this.#step(thread, event, single);
      case 'call.stopRequested':
        this.#counters.saw('stopped by a person');
        return single(isClaimedAs(at(thread.calls, event.call), event.execution));
      case 'call.checked':
        this.#counters.saw(`checked: ${event.found}`);
        return single(at(thread.calls, event.call)?.state.is === 'in_doubt');
      case 'call.signed': {
        this.#counters.saw('call.signed');
        const state = at(thread.calls, event.call)?.state;
        const open = state?.is === 'claimed' || state?.is === 'in_doubt';
        return single(open && state.claim.execution === event.execution);
      }
      case 'approval.edited':
        this.#counters.saw('edited');
        return single(at(thread.approvals, event.approval)?.state.is === 'open');
      case 'reminder.sent':
      case 'escalated':
        return this.#calledAgain(thread, event, atMs, single);
      case 'grant.settled':
        this.#counters.saw('grant settled');
        return single(thread.grants.some(({ grant }) => grant === event.grant));
      case 'message.edited':
      case 'message.deleted':
        this.#counters.saw(event.type);
        return single(at(thread.messages, event.ts) !== undefined);
      default:
        return undefined;
    }
  }

  #answered(thread: Thread, event: EventOf<'question.answered'>, single: (holds: boolean) => void): void {
    const question = at(thread.questions, event.question);
    single(question?.state.is === 'open');
    const { ts, by } = { ts: event.message, by: event.by };
    const said =
      ts === undefined
        ? this.#ledger.answers.some(each => each.by === by && each.question === event.question)
        : this.#ledger.said.some(each => each.author === by && each.ts === ts);
    this.#counters.holds('entitled', said, () => `${by} never answered ${event.question}`);
    const asked = question?.to.includes(by) ?? false;
    this.#counters.holds('entitled', asked, () => `${event.question} was not put to ${by}`);
    this.#counters.saw(ts === undefined ? 'question answered by form' : 'question answered by message');
  }

  #step(thread: Thread, event: EventOf<'step.claimed' | 'step.done'>, single: (holds: boolean) => void): void {
    const call = at(thread.calls, event.call);
    const done = call !== undefined && Object.hasOwn(call.steps, event.step);
    this.#counters.holds('once', !done, () => `${event.type} of ${event.step} of ${event.call}, which is done`);
    if (event.type === 'step.claimed') return single(isClaimedAs(call, event.execution));
    this.#counters.saw('step done');
    return single(call?.stepsBegun.includes(event.step) === true);
  }

  #calledAgain(
    thread: Thread,
    event: EventOf<'reminder.sent' | 'escalated'>,
    atMs: number,
    single: (holds: boolean) => void,
  ): void {
    const approval = at(thread.approvals, event.approval);
    if (!approval) return single(false);
    const isReminder = event.type === 'reminder.sent';
    const afterMs = isReminder ? approval.terms.remindMs[event.n - 1] : approval.terms.ladder[event.step]?.afterMs;
    const sent = isReminder
      ? approval.reminders.some(({ n }) => n >= event.n)
      : approval.escalations.some(({ step }) => step === event.step);
    single(approval.state.is === 'open' && !sent);
    this.#counters.saw(event.type);
    const due = afterMs !== undefined && atMs >= approval.requestedAtMs + afterMs - SKEW_MS;
    this.#counters.holds('single', due, () => `${event.type} of ${event.approval} before its time`);
  }
}

const isClaimedAs = (call: Call | undefined, execution: ExecutionId): boolean =>
  call?.state.is === 'claimed' && call.state.claim.execution === execution;

/** Ids of runs and messages are those of their thread. */
const idIn = (thread: Thread, id: string): string => `${threadLog(thread.key)} ${id}`;
