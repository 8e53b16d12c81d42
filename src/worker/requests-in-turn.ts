/**
 * Owns the order in which calls are put to people for one person, so that the limit on what they may have waiting holds.
 *
 * 1. In this process a person's requests are counted and committed one after the other, over all threads: each is counted with
 * those before it. 2. Before the next one is counted the mark of the last is put, which every other process reads when it
 * counts: of another process at most one is not seen, the one that is just being put to people. Where nothing of theirs is
 * known to wait, a single one is not looked for, and is that one more itself. 3. A call that asks nobody waits for nothing and
 * reads nothing.
 */
import type { CallEvidence } from '../thread/evidence.ts';
import type { UserId } from '../thread/ids.ts';
import { rootOf, type Run } from '../thread/thread.ts';
import type { Marks } from './marks.ts';
import { OneByOne } from './one-by-one.ts';
import type { OpenThreads } from './open-threads.ts';
import type { Ports } from './ports.ts';
import type { Session } from './session.ts';

interface Parts {
  readonly ports: { readonly policy: Pick<Ports['policy'], 'limits'> };
  readonly open: Pick<OpenThreads, 'requestsOf'>;
  readonly marks: Pick<Marks, 'asked'>;
}

/** What is under way for one person. */
interface Turns {
  readonly order: OneByOne;
  marked: Promise<void>;
}

export class RequestsInTurn {
  readonly #parts: Parts;
  readonly #people = new Map<UserId, Turns>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Makes a commit that may put calls of this run to people. Evidence by which policy asks brings how many other requests of
   * the requester wait at that moment.
   */
  commit<T>(
    session: Session,
    run: Run,
    evidence: readonly CallEvidence[],
    commit: (counted: readonly CallEvidence[]) => Promise<T>,
  ): Promise<T> {
    const person = run.requesters[0];
    const personal = rootOf(session.thread, run).requesters.length === 1;
    // Where a standing permission of theirs covers the call, nobody is asked.
    const asks = ({ judged, grant }: CallEvidence): boolean =>
      judged.verdict === 'ask' && !(personal && grant !== undefined);
    if (person === undefined || !evidence.some(asks)) return commit(evidence);
    const turns = this.#people.get(person) ?? { order: new OneByOne(), marked: Promise.resolve() };
    this.#people.set(person, turns);
    return turns.order.run(async () => {
      await turns.marked;
      const { open, ports, marks } = this.#parts;
      const { personOpenRequests } = ports.policy.limits;
      const adding = evidence.filter(asks).length;
      const openElsewhere = await open.requestsOf(person, session.key, personOpenRequests, adding);
      const result = await commit(evidence.map(each => (asks(each) ? { ...each, openElsewhere } : each)));
      turns.marked = marks.asked(session.thread);
      return result;
    });
  }
}
