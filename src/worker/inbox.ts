/**
 * Owns what people bring: each act is looked up, decided and written before it is answered; then the thread is driven.
 *
 * 1. Messages of one thread that wait in this process go into one commit. 2. Nothing is looked up for a message before it is
 * written. 3. A lost card's copy is adopted before the decision on it counts.
 */
import type { Cancel, Decide, Decision, Incoming, Settle, Take } from '../thread/decide/command.ts';
import { isCancel, isListenedTo } from '../thread/decide/intake.ts';
import type { ActorEvidence } from '../thread/evidence.ts';
import type { Scope } from '../thread/events.ts';
import { executionId, type CallId, type MessageTs, type RunId, type ThreadKey } from '../thread/ids.ts';
import { at, currentRun, type Thread } from '../thread/thread.ts';
import { actorEvidence, callEvidence } from './evidence.ts';
import { LogDamaged, type Act, type Answer, type Deciding, type Inbox, type Ports } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

export interface InboxParts {
  readonly ports: Ports;
  readonly workspace: WorkspaceLog;
  readonly session: (key: ThreadKey) => Session;
  readonly signal: (key: ThreadKey) => void;
  /** Hears of a thread whose record does not fit together. */
  readonly damaged: (key: ThreadKey, error: LogDamaged) => void;
  /** The command that takes the lease, where this process goes on with the thread itself. */
  readonly lease: (session: Session) => Take | null;
}

interface Waiting {
  readonly message: Incoming;
  readonly settle: (taken: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Characters of messages that go into one commit. */
const MAX_BATCH = 48 * 1024;

/** True for a message that has cancelled a run before: Slack may deliver it again. */
const hasCancelled = (thread: Thread, message: Incoming): boolean =>
  Object.values(thread.runs).some(run => run.cancelled?.key === message.ts);

export class InboxOf implements Inbox {
  readonly #parts: InboxParts;
  readonly #waiting = new Map<Session, Waiting[]>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** A thread whose record does not fit together takes nothing more in; whoever reads it is told. */
  async receive(key: ThreadKey, message: Incoming): Promise<boolean> {
    try {
      return await this.#receive(key, message);
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.#parts.damaged(key, error);
      return false;
    }
  }

  async #receive(key: ThreadKey, message: Incoming): Promise<boolean> {
    const session = this.#parts.session(key);
    if (isCancel(message.text) && (await this.#cancelByText(session, message))) return true;
    return new Promise<boolean>((settle, fail) => {
      const waiting = this.#waiting.get(session);
      if (waiting) waiting.push({ message, settle, fail });
      else {
        this.#waiting.set(session, [{ message, settle, fail }]);
        this.#write(session).catch(fail);
      }
    });
  }

  /** Takes what waits when its turn comes, as much as fits into one commit; then the rest. */
  async #write(session: Session): Promise<void> {
    while (this.#waiting.has(session)) await this.#writeSome(session);
  }

  async #writeSome(session: Session): Promise<void> {
    let batch: Waiting[] = [];
    const { ports } = this.#parts;
    const salt = ports.fresh();
    try {
      const decision = await session.commit(() => {
        batch = this.#fill(session, batch);
        return { type: 'receive', messages: batch.map(each => each.message), salt, ...this.#lease(session) };
      });
      if (this.#waiting.get(session)?.length === 0) this.#waiting.delete(session);
      for (const { message, settle } of batch) settle(at(session.thread.messages, message.ts) !== undefined);
      if (decision.events.length > 0 || session.thread.queue.length > 0) this.#parts.signal(session.key);
    } catch (error) {
      for (const { fail } of [...batch, ...(this.#waiting.get(session) ?? [])]) fail(error);
      this.#waiting.delete(session);
    }
  }

  /** Moves messages from those that wait to the batch, up to the size of a commit, at least one. */
  #fill(session: Session, batch: readonly Waiting[]): Waiting[] {
    const waiting = this.#waiting.get(session) ?? [];
    const filled = [...batch];
    let size = filled.reduce((sum, each) => sum + each.message.text.length, 0);
    for (let next = waiting[0]; next; next = waiting[0]) {
      size += next.message.text.length;
      if (filled.length > 0 && size > MAX_BATCH) break;
      filled.push(next);
      waiting.shift();
    }
    return filled;
  }

  /** "cancel" as the whole message, by the run's author or an admin; false when it is an ordinary message. */
  async #cancelByText(session: Session, message: Incoming): Promise<boolean> {
    await session.refresh();
    if (hasCancelled(session.thread, message)) return true;
    const run = currentRun(session.thread);
    if (!run || !isListenedTo(session.thread, message)) return false;
    const actor = await this.#actor({ user: message.author, team: message.team }, []);
    const command: Cancel = { type: 'cancel', run: run.id, actor, key: message.ts, source: 'message' };
    const decision = await session.commit(command);
    this.#parts.signal(session.key);
    return !decision.refusal || hasCancelled(session.thread, message);
  }

  async decide(act: Act, decision: Parameters<Inbox['decide']>[1]): Promise<Answer> {
    const [session, workspace] = await Promise.all([this.#fresh(act), this.#parts.workspace.recent()]);
    const approval = at(session.thread.approvals, decision.approval);
    const scopes = approval?.terms.ladder.flatMap(step => step.scopes) ?? [];
    const actor = await this.#actor(act.actor, scopes);
    const card = await this.#card(session, act, { approval: decision.approval });
    const command: Decide = { type: 'decide', ...decision, key: act.key, actor, card, workspace };
    return this.#answer(session, await session.commit(() => ({ ...command, ...this.#lease(session) })));
  }

  async settle(act: Act, doubt: Parameters<Inbox['settle']>[1]): Promise<Answer> {
    const { ports, workspace } = this.#parts;
    const session = await this.#fresh(act);
    const call = at(session.thread.calls, doubt.call);
    const run = call && at(session.thread.runs, call.run);
    const approval = call?.approval ? at(session.thread.approvals, call.approval) : undefined;
    const defaults = ports.policy.defaults.scopes;
    const scopes = approval?.terms.ladder.flatMap(step => step.scopes) ?? defaults;
    const actor = await this.#actor(act.actor, scopes);
    const of = approval ? { approval: approval.id } : { execution: executionId(doubt.call, doubt.attempt) };
    const card = await this.#card(session, act, of);
    const looks = doubt.as === 'not_run' && call && run;
    const evidence = looks ? await callEvidence(ports, session.thread, run, call, new AbortController().signal) : null;
    const command: Settle = {
      type: 'settle',
      ...doubt,
      key: act.key,
      actor,
      card,
      workspace: await workspace.recent(),
      defaults,
      evidence,
    };
    return this.#answer(session, await session.commit(command));
  }

  async cancel(act: Act, run: RunId): Promise<Answer> {
    return this.#cancel(act, run, 'button');
  }

  async useInstead(act: Act, message: MessageTs): Promise<Answer> {
    const session = await this.#fresh(act);
    const written = at(session.thread.messages, message);
    const run = written?.meanwhile;
    if (!written || !run) return { refusal: { code: 'not_found', actor: act.actor.user }, thread: session.thread };
    return this.#cancel(act, run, 'instead');
  }

  async keepWaiting(act: Act, message: MessageTs): Promise<Answer> {
    const session = await this.#fresh(act);
    const actor = await this.#actor(act.actor, []);
    return this.#answer(session, await session.commit({ type: 'keep', message, actor }));
  }

  async askAgain(act: Act, call: CallId): Promise<Answer> {
    const session = await this.#fresh(act);
    const actor = await this.#actor(act.actor, []);
    const agent = at(session.thread.runs, at(session.thread.calls, call)?.run ?? '')?.agent ?? '';
    return this.#answer(session, await session.commit({ type: 'askAgain', call, actor, agent }));
  }

  async read(key: ThreadKey): Promise<Thread> {
    const session = this.#parts.session(key);
    await session.refresh();
    return session.thread;
  }

  async #cancel(act: Act, run: RunId, source: Cancel['source']): Promise<Answer> {
    const session = await this.#fresh(act);
    const actor = await this.#actor(act.actor, []);
    return this.#answer(session, await session.commit({ type: 'cancel', run, actor, key: act.key, source }));
  }

  async #fresh(act: Act): Promise<Session> {
    const session = this.#parts.session(act.thread);
    await session.refresh();
    return session;
  }

  #lease(session: Session): { lease?: Take } {
    const lease = this.#parts.lease(session);
    return lease ? { lease } : {};
  }

  #actor(actor: Act['actor'], scopes: readonly Scope[]): Promise<ActorEvidence> {
    return actorEvidence(this.#parts.ports, actor, scopes);
  }

  async #card(session: Session, act: Act, of: Deciding): Promise<Decide['card']> {
    const { is, found } = await this.#parts.ports.views.card(session.thread, of, act.place);
    const holder = this.#parts.ports.writer;
    if (found) await session.commit({ type: 'posted', holder, records: [found] }, { defer: true });
    return { ...act.place, is };
  }

  #answer(session: Session, decision: Decision): Answer {
    this.#parts.signal(session.key);
    return { refusal: decision.refusal ?? null, thread: session.thread };
  }
}
