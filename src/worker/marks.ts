/**
 * Owns what stands beside the logs so that people find their requests: short ids, and what happened lately.
 *
 * 1. Off the hot path: nobody waits for a mark, and a lost one costs nothing but that. 2. Never the same twice in one process.
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
    for (const mark of marksIn(thread)) this.#keep(mark);
  }

  #keep(mark: Mark): void {
    const name = `${mark.approval} ${mark.when}`;
    if (this.#put.has(name)) return;
    this.#put.add(name);
    for (const oldest of this.#put) {
      if (this.#put.size <= REMEMBERED) break;
      this.#put.delete(oldest);
    }
    this.#background.run('mark', async () => {
      try {
        await this.#ports.log.putMark(this.#ports.team, mark);
      } catch (error) {
        // The thread's next drive in this process tries again.
        this.#put.delete(name);
        throw error;
      }
    });
  }
}

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
