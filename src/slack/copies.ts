/**
 * Owns finding messages of ours in Slack, and closing those that are extra copies.
 *
 * 1. A place is asked once in a pass, until something may have changed there. 2. A copy that could not be closed is on record
 * as found, so that it is closed later; one that Slack keeps refusing is given up after an hour.
 */
import { copyKey, type MessageTs } from '../thread/ids.ts';
import { at } from '../thread/thread.ts';
import type { Place } from '../worker/ports.ts';
import { GIVE_UP_MS, isFinal } from './desired.ts';
import { AGAIN_MS, isOver, LOOK_AGAIN_MS, type Job, type Step, type PassParts } from './job.ts';
import { findOurs, ofMark, type Found, type FoundMark } from './ours.ts';
import { update, type Mark, type Target } from './posting.ts';
import type { PostRecords } from './post-records.ts';

export class Copies {
  readonly #parts: PassParts;
  readonly #job: Job;
  readonly #records: PostRecords;
  readonly #looks = new Map<string, Found>();

  constructor(parts: PassParts, job: Job, records: PostRecords) {
    this.#parts = parts;
    this.#job = job;
    this.#records = records;
  }

  /** Messages of ours where this one would stand. */
  async look(target: Target): Promise<Found> {
    const name = `${target.channel}/${target.threadTs ?? ''}`;
    const known = this.#looks.get(name);
    if (known) return known;
    const found = await findOurs(this.#parts.api, target, this.#job.sinceMs, this.#parts.self);
    this.#looks.set(name, found);
    return found;
  }

  /** What was found so far may have changed. */
  lookAgain(): void {
    this.#looks.clear();
  }

  /** Closes every message with this mark that is not `except` and not closed already. */
  async closeAll(mark: Mark, { channel }: Target, marks: readonly FoundMark[], except?: MessageTs): Promise<void> {
    for (const { ts } of ofMark(marks, mark)) {
      const copy = copyKey(mark.key, ts);
      if (ts === except || at(this.#records.posts, copy)?.state === 'closed') continue;
      await this.close(copy, { channel, ts });
    }
  }

  /** Turns a copy into a notice that it is one. */
  async close(key: string, place: Place): Promise<Step> {
    const { api, clock, copyNotice, queue } = this.#parts;
    if (isOver(this.#job, clock)) return { retryAtMs: clock.nowMs() };
    const turn = await queue.turn(place.channel, 'card', this.#job.signal);
    const written = turn === 'go' ? await update(api, place, copyNotice) : null;
    const nowMs = clock.nowMs();
    const known = at(this.#records.posts, key);
    const sinceMs = known?.state === 'found' ? known.atMs : nowMs;
    const givenUp = written?.is === 'refused' && nowMs - sinceMs >= GIVE_UP_MS;
    const over = written !== null && (isFinal(written) || givenUp);
    this.#records.keep({
      key,
      ...place,
      hash: '',
      state: over ? 'closed' : 'found',
      atMs: over ? nowMs : sinceMs,
      body: {},
    });
    if (over) return 'done';
    if (turn !== 'go') return turn;
    return { retryAtMs: nowMs + (written?.is === 'refused' ? AGAIN_MS : LOOK_AGAIN_MS) };
  }
}
