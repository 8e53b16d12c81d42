/**
 * Owns what every act of a person shares: the thread as it is now, who acts, whether the card is ours, and the answer.
 *
 * 1. A lost card's copy is adopted before the act on it counts.
 */
import type { Command, Decide, Decision, Take } from '../thread/decide/command.ts';
import type { ActorEvidence } from '../thread/evidence.ts';
import type { Scope } from '../thread/events.ts';
import { parseThreadLog, type LogKey, type ThreadKey } from '../thread/ids.ts';
import type { Thread } from '../thread/thread.ts';
import type { Background } from './background.ts';
import { actorEvidence, type Sources } from './evidence.ts';
import type { OpenThreads } from './open-threads.ts';
import type { Act, Answer, Deciding, LogDamaged, Person, Ports } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** What the inbox is made of. */
export interface InboxParts extends Sources {
  readonly ports: Ports;
  readonly workspace: WorkspaceLog;
  readonly open: OpenThreads;
  readonly background: Background;
  readonly session: (key: ThreadKey) => Session;
  readonly signal: (key: ThreadKey) => void;
  /** Brings every thread on in which something is open. Throws LogUnavailable. */
  readonly signalOpen: () => Promise<void>;
  /** Hears of a thread whose record does not fit together. */
  readonly damaged: (key: ThreadKey, error: LogDamaged) => void;
  /** The command that takes the lease, where this process goes on with the thread itself. */
  readonly lease: (session: Session) => Take | null;
}

export class Acting {
  readonly parts: InboxParts;

  constructor(parts: InboxParts) {
    this.parts = parts;
  }

  /** The thread's session, with what the log has now. */
  async fresh(key: ThreadKey): Promise<Session> {
    const session = this.parts.session(key);
    await session.refresh();
    return session;
  }

  /** The thread of this log, with what the log has now; undefined when it is no thread's. */
  async threadOf(log: LogKey): Promise<Thread | undefined> {
    const key = parseThreadLog(log);
    return key && (await this.fresh(key)).thread;
  }

  /** The lease, in the same commit as what this process goes on with. */
  take(session: Session): { lease?: Take } {
    const lease = this.parts.lease(session);
    return lease ? { lease } : {};
  }

  /** The person as they are now, looked for in these scopes. */
  actor(person: Person, scopes: readonly Scope[]): Promise<ActorEvidence> {
    return actorEvidence(this.parts.ports, person, scopes);
  }

  /** Whether the act came from a card of ours; a copy that is not on record is put there. */
  async card(session: Session, act: Act, of: Deciding): Promise<Decide['card']> {
    const { is, found } = await this.parts.ports.views.card(session.thread, of, act.place);
    const holder = this.parts.ports.writer;
    if (found) await session.commit({ type: 'posted', holder, records: [found] }, { defer: true });
    return { ...act.place, is };
  }

  /** Decides and writes, then drives the thread. */
  async commit(session: Session, command: Command | (() => Command)): Promise<Answer> {
    return this.answer(session, await session.commit(command));
  }

  /** What whoever acted is answered; the thread is driven. */
  answer(session: Session, decision: Pick<Decision, 'refusal'>): Answer {
    this.parts.signal(session.key);
    return {
      refusal: decision.refusal ?? null,
      thread: session.thread,
      workspace: this.parts.workspace.known,
    };
  }
}
