/**
 * Owns messages on their way into the log: what is for us, and which go into one commit.
 *
 * 1. Messages of one thread that wait in this process go into one commit. 2. Nothing is looked up for a message before it is
 * written. 3. A thread whose record does not fit together takes nothing more in.
 */
import type { Cancel, FollowUps, Incoming } from '../thread/decide/command.ts';
import { isCancel, isListenedTo } from '../thread/decide/intake.ts';
import { isCopyKey, type MessageTs, type ThreadKey } from '../thread/ids.ts';
import { at, currentRun, type Thread } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { agentOf } from './agents.ts';
import { LogDamaged, type Inbox } from './ports.ts';
import type { Session } from './session.ts';

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

export class Intake {
  readonly #acting: Acting;
  readonly #waiting = new Map<Session, Waiting[]>();

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** In the log when this resolves; false when it is not for us. */
  receive(key: ThreadKey, message: Parameters<Inbox['receive']>[1]): Promise<boolean> {
    return this.#undamaged(key, async session => {
      const followUps = await this.#followUps(session, message.direct);
      return followUps !== null && this.#receive(session, { ...message, followUps });
    });
  }

  /** Its author has changed a message; false when it is none of ours. */
  amend(key: ThreadKey, { ts, author, text }: Parameters<Inbox['amend']>[1]): Promise<boolean> {
    const salt = this.#acting.parts.ports.fresh();
    return this.#about(key, ts, session => session.commit({ type: 'amend', message: ts, author, text, salt }));
  }

  /** Its author has taken a message back; false when it is none of ours. */
  remove(key: ThreadKey, message: MessageTs): Promise<boolean> {
    return this.#about(key, message, session => session.commit({ type: 'remove', message }));
  }

  /** The record says that it is out of line, so that whoever draws the thread next finds it gone. */
  lost(key: ThreadKey, { channel, ts }: Parameters<Inbox['lost']>[1]): Promise<boolean> {
    const { ports, signal } = this.#acting.parts;
    return this.#undamaged(key, async session => {
      await session.refresh();
      const post = Object.values(session.thread.posts).find(
        each => each.ts === ts && each.channel === channel && !isCopyKey(each.key),
      );
      if (!post) return false;
      const atMs = ports.clock.nowMs();
      const record = { key: post.key, channel, ts, hash: '', state: 'updated', atMs, body: {} } as const;
      await session.commit({ type: 'posted', holder: ports.writer, records: [record] });
      signal(session.key);
      return true;
    });
  }

  async #about(key: ThreadKey, ts: MessageTs, write: (session: Session) => Promise<unknown>): Promise<boolean> {
    return this.#undamaged(key, async session => {
      await session.refresh();
      if (!at(session.thread.messages, ts)) return false;
      await write(session);
      this.#acting.parts.signal(session.key);
      return true;
    });
  }

  /** Whoever reads a thread whose record does not fit together is told. */
  async #undamaged(key: ThreadKey, work: (session: Session) => Promise<boolean>): Promise<boolean> {
    try {
      return await work(this.#acting.parts.session(key));
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.#acting.parts.damaged(key, error);
      return false;
    }
  }

  /** Whose messages are listened to here; null where no agent listens and none ever answered. */
  async #followUps(session: Session, direct: boolean): Promise<FollowUps | null> {
    const { policy } = this.#acting.parts.ports;
    const agent = policy.agentFor({ channel: session.key.channel, direct });
    if (agent) return agent.followUps;
    await session.refresh();
    if (Object.keys(session.thread.messages).length === 0) return null;
    return agentOf(policy, session.thread)?.followUps ?? 'requester';
  }

  async #receive(session: Session, message: Incoming): Promise<boolean> {
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
    const { ports } = this.#acting.parts;
    const salt = ports.fresh();
    try {
      const decision = await session.commit(() => {
        batch = this.#fill(session, batch);
        return { type: 'receive', messages: batch.map(each => each.message), salt, ...this.#acting.take(session) };
      });
      if (this.#waiting.get(session)?.length === 0) this.#waiting.delete(session);
      for (const { message, settle } of batch) settle(isTaken(session.thread, message.ts));
      if (decision.events.length > 0 || session.thread.queue.length > 0) this.#acting.parts.signal(session.key);
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
    const actor = await this.#acting.actor({ user: message.author, team: message.team }, []);
    const command: Cancel = { type: 'cancel', run: run.id, actor, key: message.ts, source: 'message' };
    const decision = await session.commit(command);
    this.#acting.parts.signal(session.key);
    return !decision.refusal || hasCancelled(session.thread, message);
  }
}

/** In the log; an answer to a question is a message like others. */
const isTaken = (thread: Thread, ts: MessageTs): boolean => at(thread.messages, ts) !== undefined;
