/**
 * Owns the look at who may still decide what waits: at once when Slack says that people have changed, and beside what the
 * worker does for a request anyway.
 *
 * 1. Only requests whose scopes may have changed are looked at, through the directory's cache; only what is news is written.
 * 2. What could not be learnt is looked up again, a few times.
 */
import { requestOf, liveCalls, approvalOf, type Approval, type Thread } from '../thread/thread.ts';
import type { ApprovalId, ThreadKey, UserId } from '../thread/ids.ts';
import { inLanes } from './lanes.ts';
import type { OpenThreads } from './open-threads.ts';
import { LogDamaged, LogUnavailable, type PeopleChange, type Ports } from './ports.ts';
import type { Session } from './session.ts';

/** Threads that are looked at at the same time. */
const LANES = 8;
/** Pauses before those that nobody could be looked up for are tried again. */
const PAUSES_MS = [2_000, 15_000, 60_000];

interface Parts {
  readonly ports: Pick<Ports, 'directory' | 'clock'>;
  readonly open: Pick<OpenThreads, 'keys'>;
  readonly session: (key: ThreadKey) => Session;
  /** Brings a thread on in which something was written. */
  readonly signal: (key: ThreadKey) => void;
  readonly stopping: AbortSignal;
}

type Looked = 'news' | 'same' | 'unknown';

/** Counts anew who may decide a request, step by step of its ladder, and writes what is news. */
export async function countPeople(
  { directory }: Pick<Ports, 'directory'>,
  session: Session,
  id: ApprovalId,
): Promise<Looked> {
  const approval = requestOf(session.thread, id)?.approval;
  if (approval?.state.is !== 'open') return 'same';
  const { terms, requesters } = approval;
  const found = await Promise.all(terms.ladder.map(step => directory.deciders(step.scopes)));
  const steps: (readonly UserId[])[] = [];
  for (const people of found) {
    if (people === undefined) return 'unknown';
    steps.push(terms.selfApproval === 'with_reason' ? people : people.filter(each => !requesters.includes(each)));
  }
  const { events } = await session.commit({ type: 'countPeople', approval: id, steps });
  return events.length > 0 ? 'news' : 'same';
}

/** Requests that wait in a thread, and that the change may concern. */
const concerned = (thread: Thread, change: PeopleChange | null): readonly Approval[] =>
  liveCalls(thread).flatMap(call => {
    const approval = call.state.is === 'waiting' ? approvalOf(thread, call) : undefined;
    return approval && (change === null || mayConcern(approval, change)) ? [approval] : [];
  });

/** A person may be in any group. */
const mayConcern = ({ terms }: Approval, change: PeopleChange): boolean =>
  terms.ladder.some(({ scopes }) =>
    scopes.some(({ groups, users }) =>
      'group' in change ? groups.includes(change.group) : groups.length > 0 || users.includes(change.user),
    ),
  );

export class People {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at what waits anywhere and may have changed with these people. Throws LogUnavailable. */
  async changed(change: PeopleChange): Promise<void> {
    const { clock } = this.#parts.ports;
    let keys = await this.#parts.open.keys();
    for (const pauseMs of [...PAUSES_MS, null]) {
      keys = (await inLanes(keys, LANES, key => this.#unknownIn(key, change))).flat();
      if (keys.length === 0 || pauseMs === null) return;
      await clock.sleep(pauseMs, this.#parts.stopping);
      if (this.#parts.stopping.aborted) return;
    }
  }

  /** Looks at everything that waits in a thread. Never throws for a table that is away: whoever drives it meets that as well. */
  async look(key: ThreadKey): Promise<void> {
    await this.#unknownIn(key, null);
  }

  /** The thread again, if somebody in it could not be looked up. */
  async #unknownIn(key: ThreadKey, change: PeopleChange | null): Promise<readonly ThreadKey[]> {
    const session = this.#parts.session(key);
    try {
      await session.refresh();
      const looked: Looked[] = [];
      for (const { id } of concerned(session.thread, change))
        looked.push(await countPeople(this.#parts.ports, session, id));
      if (looked.includes('news')) this.#parts.signal(key);
      return looked.includes('unknown') ? [key] : [];
    } catch (error) {
      if (error instanceof LogUnavailable) return [key];
      if (error instanceof LogDamaged) return [];
      throw error;
    }
  }
}
