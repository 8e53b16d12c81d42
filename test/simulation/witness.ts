/**
 * Owns the checks that can be made at each moment: at every commit that lands, and whenever a tool starts or acts. It trusts
 * nothing that a process believes: it folds the logs by itself, and knows from the ledger what people saw and did.
 */
import { canonical } from '../../src/thread/digest.ts';
import type { EventOf, ThreadEvent, WorkspaceEvent } from '../../src/thread/events.ts';
import { fold, foldEvents } from '../../src/thread/fold.ts';
import { parseThreadLog, type CallId, type ExecutionId, type LogKey, type WriterId } from '../../src/thread/ids.ts';
import { at, emptyThread, isSettled, type Call, type Claim, type Thread } from '../../src/thread/thread.ts';
import { emptyWorkspace, foldWorkspace, type Workspace } from '../../src/thread/workspace.ts';
import type { Execution } from '../../src/worker/ports.ts';
import type { Cast } from './cast.ts';
import type { Counters } from './counters.ts';
import type { Ledger } from './ledger.ts';
import { isRead } from './rules.ts';
import type { Landed } from './table.ts';
import type { Effect } from './tools.ts';
import { Waits } from './witness-waits.ts';
import { Leave, type Starter } from './witness-leave.ts';
import { Words } from './witness-words.ts';

/** Clocks of processes differ by no more. */
const SKEW_MS = 1_000;

export class Witness {
  readonly threads = new Map<LogKey, Thread>();
  readonly workspace: Workspace = emptyWorkspace();
  /** Commits that landed so far, over all logs. */
  landings = 0;
  readonly #counters: Counters;
  readonly #ledger: Ledger;
  readonly #claimedAt = new Map<ExecutionId, { readonly landing: number; readonly late: boolean }>();
  readonly #started = new Set<ExecutionId>();
  readonly #doubts = new Map<CallId, Set<ExecutionId>>();
  readonly #declaredNotRun = new Map<CallId, number>();
  readonly #acted = new Map<CallId, Map<string, number>>();
  readonly #waits: Waits;
  readonly #words: Words;
  readonly #leave: Leave;
  readonly #revokedAt = new Map<string, number>();

  constructor(counters: Counters, ledger: Ledger, cast: Cast) {
    this.#counters = counters;
    this.#ledger = ledger;
    this.#waits = new Waits(counters, ledger);
    this.#words = new Words(counters, ledger, cast);
    const known = { words: this.#words, workspace: this.workspace, revokedAt: this.#revokedAt };
    this.#leave = new Leave(counters, ledger, cast, known);
  }

  /** A commit has landed. */
  landed({ key, commit, late }: Landed): void {
    this.landings += 1;
    this.#counters.saw('chain');
    if (late) this.#counters.saw('commit landed late');
    const threadKey = parseThreadLog(key);
    if (!threadKey) {
      this.#workspace(commit.events as readonly WorkspaceEvent[], commit.atMs);
      foldWorkspace(this.workspace, commit);
      return;
    }
    const thread = this.threads.get(key) ?? emptyThread(threadKey);
    this.threads.set(key, thread);
    const events = commit.events as readonly ThreadEvent[];
    // What each event finds is the thread as the ones before it in its commit left it.
    const scratch = events.length > 1 ? structuredClone(thread) : thread;
    for (const event of events) {
      this.#event(scratch, event, late, commit.atMs);
      this.#waits.note(scratch, event);
      if (scratch === thread) fold(thread, commit);
      else foldEvents(scratch, [event], commit);
      this.#words.folded(scratch, event, commit.atMs);
    }
    if (scratch !== thread) fold(thread, commit);
  }

  #workspace(events: readonly WorkspaceEvent[], atMs: number): void {
    for (const event of events) {
      this.#words.inWorkspace(event, atMs);
      this.#counters.saw(event.type);
      if (event.type === 'grant.revoked') this.#revokedAt.set(event.grant, this.landings);
    }
  }

  #event(thread: Thread, event: ThreadEvent, late: boolean, atMs: number): void {
    const single = (holds: boolean): void =>
      this.#counters.holds('single', holds, () => `${event.type} changes nothing: ${canonical(event).slice(0, 400)}`);
    switch (event.type) {
      case 'message.received':
        return single(at(thread.messages, event.ts) === undefined);
      case 'run.started':
        if (event.within) this.#counters.saw('nested run');
        this.#waits.begins(thread, event.messages);
        return single(
          (thread.current === null || event.within !== undefined) && at(thread.runs, event.run) === undefined,
        );
      case 'run.ended':
        return single(at(thread.runs, event.run)?.end === null);
      case 'cancel.requested':
        return single(at(thread.runs, event.run)?.end === null);
      case 'lease.released':
        return single(thread.lease?.holder === event.holder);
      case 'model.replied':
        return single(at(thread.runs, event.run)?.turn === event.turn - 1);
      case 'call.judged': {
        const state = at(thread.calls, event.call)?.state.is;
        return single(state === 'proposed' || state === 'allowed' || state === 'waiting');
      }
      case 'call.claimed':
        return this.#claimed(thread, event, late);
      case 'call.notStarted':
      case 'call.ended':
      case 'call.reconciled':
        return this.#outcome(thread, event, atMs, single);
      case 'approval.requested':
      case 'round.opened':
      case 'decision.recorded':
      case 'decision.voided':
      case 'approval.settled':
        return this.#approval(thread, event, single);
      default:
        return this.#waits.event(thread, event, atMs);
    }
  }

  #claimed(thread: Thread, event: EventOf<'call.claimed'>, late: boolean): void {
    const { holds, saw } = this.#bound();
    const call = at(thread.calls, event.call);
    const state = call?.state.is;
    holds(
      'single',
      (state === 'allowed' || state === 'approved' || state === 'suspended') &&
        event.attempt === (call?.attempts ?? 0) + 1,
      () => `${event.call} is claimed while ${state}`,
    );
    if (state === 'suspended') this.#waits.resumes(thread, event.call);
    holds('single', !this.#claimedAt.has(event.execution), () => `${event.execution} is claimed twice`);
    holds(
      'doubt',
      (this.#doubts.get(event.call)?.size ?? 0) === 0,
      () => `${event.call} is claimed again while in doubt`,
    );
    holds('late', thread.lease?.holder === event.holder, () => `${event.holder} claims without the lease`);
    this.#claimedAt.set(event.execution, { landing: this.landings, late });
    if (late) saw('claim landed late');
    const approval = event.approval ? at(thread.approvals, event.approval) : undefined;
    if (approval && approval.digest !== event.digest)
      holds('same', false, () => `${event.execution} claims ${event.digest}, approved was ${approval.digest}`);
    if (event.attempt > 1) saw(state === 'suspended' ? 'resumed' : 'claimed again');
  }

  #outcome(
    thread: Thread,
    event: EventOf<'call.notStarted' | 'call.ended' | 'call.reconciled'>,
    atMs: number,
    single: (holds: boolean) => void,
  ): void {
    const { holds, saw } = this.#bound();
    const call = at(thread.calls, event.call);
    const state = call?.state;
    const open = (state?.is === 'claimed' || state?.is === 'in_doubt') && state.claim.execution === event.execution;
    const doubts = this.#doubts.get(event.call) ?? new Set<ExecutionId>();
    this.#doubts.set(event.call, doubts);
    if (event.type === 'call.ended' && event.how === 'in_doubt') {
      single(open && state?.is === 'claimed');
      doubts.add(event.execution);
      saw('in doubt');
      return;
    }
    if (event.type === 'call.ended') {
      // A true outcome is recorded once, however late it comes, and whatever people had said meanwhile.
      const late = call?.spent.includes(event.execution) === true && !call.recorded.includes(event.execution);
      single(open || late);
      if (doubts.has(event.execution) && state?.is === 'in_doubt') saw('late outcome while in doubt');
      if (late) saw('late outcome that contradicts');
      doubts.delete(event.execution);
      return;
    }
    single(open);
    if (event.type === 'call.notStarted') {
      saw(`not started: ${event.why}`);
      if (doubts.has(event.execution))
        holds(
          'doubt',
          event.why !== 'lost' || (state?.is === 'in_doubt' && isSurelyNotRun(call, state.claim, atMs)),
          () => `${event.execution} is in doubt and given back as lost`,
        );
      holds(
        'once',
        !this.#started.has(event.execution) || event.why === 'lost',
        () => `${event.execution} had started`,
      );
      doubts.delete(event.execution);
      return;
    }
    single(state?.is === 'in_doubt');
    const said = this.#ledger.settled.some(
      act => act.by === event.by && act.call === event.call && (act.as === event.as || event.as === 'abandoned'),
    );
    holds('doubt', said, () => `nobody said that ${event.execution} is ${event.as}`);
    saw(`settled as ${event.as}`);
    const mayStillRun = event.as === 'not_run' && state?.is === 'in_doubt' && atMs < state.claim.endsByMs - SKEW_MS;
    holds('doubt', !mayStillRun, () => `${event.execution} may still run and is said not to have`);
    if (event.as === 'not_run') this.#declaredNotRun.set(event.call, (this.#declaredNotRun.get(event.call) ?? 0) + 1);
    doubts.delete(event.execution);
  }

  #approval(
    thread: Thread,
    event: EventOf<
      'approval.requested' | 'round.opened' | 'decision.recorded' | 'decision.voided' | 'approval.settled'
    >,
    single: (holds: boolean) => void,
  ): void {
    const { holds, saw } = this.#bound();
    const approval = at(thread.approvals, event.approval);
    if (event.type === 'approval.requested') {
      const call = at(thread.calls, event.call);
      if (approval) for (const vote of approval.votes) saw(`vote of an earlier round: ${vote.verdict}`);
      single(call !== undefined && !isSettled(call) && event.round === (approval?.round ?? 0) + 1);
      if (event.why) saw(`asked again: ${event.why}`);
      for (const change of event.body?.changes ?? []) saw(`changed: ${change.fact}`);
      return;
    }
    if (!approval) return single(false);
    const isOpen = approval.state.is === 'open' || approval.state.is === 'approved';
    if (event.type === 'round.opened') {
      single(approval.state.is === 'open' && event.round === approval.round + 1);
      saw('round opened by a message');
      return;
    }
    single(event.round === approval.round && isOpen);
    if (event.type === 'decision.voided') saw('vote fell');
    if (event.type === 'approval.settled') {
      single(event.how !== 'approved' || approval.state.is === 'open');
      saw(`settled: ${event.how}`);
      if (event.code) saw(`settled: ${event.how} ${event.code}`);
    }
    if (event.type !== 'decision.recorded') return;
    holds('single', at(thread.decisions, event.key) === undefined, () => `${event.key} is recorded twice`);
    const click = this.#ledger.clicks.find(
      act =>
        act.by === event.by &&
        act.approval === event.approval &&
        act.round === event.round &&
        act.verdict === event.verdict &&
        act.option === event.option,
    );
    if (event.option) saw('option chosen');
    if (event.grant) saw('grant in a decision');
    const settled = this.#ledger.settled.some(
      act => act.by === event.by && act.call === approval.call && act.as === 'not_run',
    );
    holds('entitled', click !== undefined || settled, () => `${event.by} never said ${event.verdict} to ${event.key}`);
  }

  /** A tool is handed a call. */
  started(execution: Execution, starter: Starter): void {
    const { holds, saw } = this.#bound();
    // A read changes nothing: its claim may reach the log together with its result.
    if (isRead(execution.tool)) return;
    const [thread, call] = this.#find(execution.call);
    const claim = call.state.is === 'claimed' || call.state.is === 'in_doubt' ? call.state.claim : undefined;
    const mine = claim?.execution === execution.execution && claim.holder === starter.writer;
    const landing = this.#claimedAt.get(execution.execution);
    // The claim of a read that nobody was asked about rides with its result: after a crash it is read again.
    const rides = isRead(call.tool) && call.approval === null;
    holds('once', rides || !this.#started.has(execution.execution), () => `${execution.execution} starts twice`);
    this.#started.add(execution.execution);
    holds(
      'late',
      rides || (mine && landing !== undefined),
      () => `${execution.execution} starts without a claim of its own in the log`,
    );
    if (rides) saw('a read started before its claim is in the log');
    if (!claim || !landing) return;
    holds('late', starter.nowMs < claim.startByMs && !landing.late, () => `${execution.execution} starts too late`);
    if (call.state.is === 'in_doubt') saw('started while in doubt');
    const read = starter.workspaceRead;
    holds(
      'entitled',
      read !== undefined && read.landings >= landing.landing && !read.frozen,
      () => `${execution.execution} starts without a look at the workspace after the claim`,
    );
    this.#leave.check(thread, call, execution, starter);
  }

  /** A tool did something to the world. */
  acted(effect: Effect): void {
    const steps = this.#acted.get(effect.call) ?? new Map<string, number>();
    this.#acted.set(effect.call, steps);
    const times = (steps.get(effect.step) ?? 0) + 1;
    steps.set(effect.step, times);
    const declared = this.#declaredNotRun.get(effect.call) ?? 0;
    this.#counters.holds(
      'once',
      times <= 1 + declared,
      () => `${effect.call} acted ${times} times ${effect.step}, ${declared} declared not run`,
    );
  }

  /** A process has ended after it was asked to. */
  stopped(writer: WriterId): void {
    for (const thread of this.threads.values())
      for (const call of Object.values(thread.calls)) {
        const left = call.state.is === 'claimed' && call.state.claim.holder === writer;
        this.#counters.holds('stopped', !left, () => `${call.id} is left claimed by ${writer}`);
      }
  }

  /** True once a call acted. */
  hasActed = (call: CallId): boolean => this.#acted.has(call);

  #find(id: CallId): [Thread, Call] {
    for (const thread of this.threads.values()) {
      const call = at(thread.calls, id);
      if (call) return [thread, call];
    }
    throw new Error(`A call that stands in no log was started: ${id}`);
  }

  #bound(): Pick<Counters, 'holds' | 'saw'> {
    const counters = this.#counters;
    return { holds: counters.holds.bind(counters), saw: counters.saw.bind(counters) };
  }
}

/** Whether the tool itself has said that it did not run, when it could not be running any more. */
const isSurelyNotRun = (call: Call | undefined, claim: Claim, atMs: number): boolean =>
  call?.checked?.execution === claim.execution && call.checked.found === 'not_run' && atMs >= claim.endsByMs - SKEW_MS;
