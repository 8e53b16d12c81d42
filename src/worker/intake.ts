/**
 * Owns messages on their way into the log: what is for us, and which go into one commit.
 *
 * 1. Messages of one thread that wait in this process go into one commit. 2. Nothing is looked up for a message before it is
 * written. 3. A thread whose record does not fit together takes nothing more in.
 */
import type { FollowUps, Incoming } from '../thread/decide/command.ts';
import { isCancel } from '../thread/decide/intake.ts';
import { isCopyKey, type MessageTs, type ThreadKey } from '../thread/ids.ts';
import { at, type Thread } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { agentOf } from './agents.ts';
import { cancelByWord } from './cancel-word.ts';
import { LogDamaged, type Answer, type Inbox } from './ports.ts';
import type { Session } from './session.ts';

interface Waiting {
  readonly message: Incoming;
  readonly settle: (taken: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Characters of messages that go into one commit. */
const MAX_BATCH = 48 * 1024;

export class Intake {
  readonly #acting: Acting;
  readonly #waiting = new Map<Session, Waiting[]>();
  readonly #writing = new Map<Session, Promise<void>>();

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** In the log when this resolves, or its author was told why not; false when it is not for us. */
  receive(key: ThreadKey, message: Parameters<Inbox['receive']>[1], told?: (answer: Answer) => void): Promise<boolean> {
    return this.#undamaged(key, async session => {
      const followUps = await this.#followUps(session, message.direct);
      if (followUps === null) return false;
      if (isCancel(message.text)) return this.#cancel(session, { ...message, followUps }, told);
      return this.#receive(session, { ...message, followUps });
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

  /** What was written before it in this process is in the log first. */
  async #cancel(session: Session, message: Incoming, told: (answer: Answer) => void = () => {}): Promise<boolean> {
    await this.#writing.get(session);
    const answer = await cancelByWord(this.#acting, session, message);
    if (answer?.refusal) told(answer);
    return answer !== null;
  }

  #receive(session: Session, message: Incoming): Promise<boolean> {
    return new Promise<boolean>((settle, fail) => {
      const waiting = this.#waiting.get(session);
      if (waiting) waiting.push({ message, settle, fail });
      else {
        this.#waiting.set(session, [{ message, settle, fail }]);
        const written = this.#write(session)
          .catch(fail)
          .finally(() => {
            if (this.#writing.get(session) === written) this.#writing.delete(session);
          });
        this.#writing.set(session, written);
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
}

/** In the log; an answer to a question is a message like others. */
const isTaken = (thread: Thread, ts: MessageTs): boolean => at(thread.messages, ts) !== undefined;
