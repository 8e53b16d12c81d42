/**
 * Owns what stands beside the logs so that people find their requests: short ids, and what happened lately.
 *
 * 1. Off the hot path: no thread waits for a mark, and a lost one costs nothing but that. 2. Never the same twice in one process.
 */
import { outcomeOf } from '../thread/outcome.ts';
import {
  allVotes,
  approvalOf,
  isSettled,
  liveCalls,
  at,
  type Approval,
  type Call,
  type Thread,
} from '../thread/thread.ts';
import { shortId, threadLog } from '../thread/ids.ts';
import type { Background } from './background.ts';
import type { Mark, Ports } from './ports.ts';

/** Marks that are remembered as put. */
const REMEMBERED = 10_000;

/** `7F3K` of a request: what people call it, without `A-`. */
const shortOf = (approval: Approval['id']): string => shortId(approval).slice(2);

export class Marks {
  readonly #ports: Pick<Ports, 'log' | 'team'>;
  readonly #background: Background;
  readonly #put = new Set<string>();

  constructor(ports: Pick<Ports, 'log' | 'team'>, background: Background) {
    this.#ports = ports;
    this.#background = background;
  }

  /** Puts what is new of the thread's live runs, in the background. */
  keep(thread: Thread): void {
    for (const mark of this.#new(marksIn(thread))) this.#background.run('mark', () => this.#putOne(mark));
  }

  /** Puts that something was put to people, if that is new; resolves when it stands or is given up, and never throws. */
  async asked(thread: Thread): Promise<void> {
    const marks = this.#new(marksIn(thread).filter(mark => mark.when === 'asked'));
    // What fails is tried again when the thread's drive ends.
    await Promise.all(marks.map(mark => this.#putOne(mark).catch(() => {})));
  }

  /** Those that were not put yet, noted as put. */
  #new(marks: readonly Mark[]): readonly Mark[] {
    const added = marks.filter(mark => !this.#put.has(nameOf(mark)));
    for (const mark of added) this.#put.add(nameOf(mark));
    for (const oldest of this.#put) {
      if (this.#put.size <= REMEMBERED) break;
      this.#put.delete(oldest);
    }
    return added;
  }

  async #putOne(mark: Mark): Promise<void> {
    try {
      await this.#ports.log.putMark(this.#ports.team, mark);
    } catch (error) {
      // The thread's next drive in this process tries again.
      this.#put.delete(nameOf(mark));
      throw error;
    }
  }
}

const nameOf = ({ approval, when }: Mark): string => `${approval} ${when}`;

const marksIn = (thread: Thread): Mark[] =>
  liveCalls(thread).flatMap(call => {
    const approval = approvalOf(thread, call);
    if (!approval) return [];
    const asked = markOf(thread, approval, 'asked', approval.requestedAtMs);
    return isSettled(call) ? [asked, markOf(thread, approval, 'over', overAtMs(thread, call))] : [asked];
  });

function markOf(thread: Thread, approval: Approval, when: Mark['when'], atMs: number): Mark {
  const deciders = allVotes(approval).map(vote => vote.by);
  const people = when === 'asked' ? approval.requesters : [...approval.requesters, ...deciders];
  return {
    short: shortOf(approval.id),
    approval: approval.id,
    key: threadLog(thread.key),
    people: [...new Set(people)],
    atMs,
    when,
  };
}

/** When a settled call came to its end. */
function overAtMs(thread: Thread, call: Call): number {
  const outcome = outcomeOf(thread, call);
  if ('ending' in outcome) return outcome.ending.endedAtMs;
  return 'atMs' in outcome ? outcome.atMs : (at(thread.runs, call.run)?.end?.atMs ?? thread.head.atMs);
}
