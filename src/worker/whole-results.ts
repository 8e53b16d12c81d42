/**
 * Owns large results as the model is shown them: read from their blobs once, not again at each turn.
 *
 * 1. What is kept is bounded: the results used longest ago go first. 2. The same result is the same object again, so that
 * who words it can keep that, too.
 */
import type { Ending } from '../thread/call.ts';
import type { LogKey } from '../thread/ids.ts';
import type { Outcome } from '../thread/outcome.ts';
import type { Log } from './ports.ts';

/** Characters of results that are kept in a process. */
const MAX_KEPT = 16 * 1024 * 1024;

export class WholeResults {
  readonly #log: Pick<Log, 'getBlob'>;
  readonly #most: number;
  /** By the ending as the fold has it, the one used last at the end. */
  readonly #kept = new Map<Ending, Ending>();
  #characters = 0;

  constructor(log: Pick<Log, 'getBlob'>, most: number = MAX_KEPT) {
    this.#log = log;
    this.#most = most;
  }

  /** The outcome with the whole of its result; throws what `Log.getBlob` throws. */
  async of(key: LogKey, outcome: Outcome): Promise<Outcome> {
    if ((outcome.is !== 'done' && outcome.is !== 'failed') || outcome.ending.blob === null) return outcome;
    const { ending } = outcome;
    const { id, digest } = outcome.ending.blob;
    const whole = this.#kept.get(ending) ?? {
      ...ending,
      result: new TextDecoder().decode(await this.#log.getBlob(key, id, digest)),
    };
    this.#keep(ending, whole);
    return { ...outcome, ending: whole };
  }

  #keep(ending: Ending, whole: Ending): void {
    this.#characters -= lengthOf(this.#kept.get(ending));
    this.#kept.delete(ending);
    this.#kept.set(ending, whole);
    this.#characters += lengthOf(whole);
    for (const [oldest, kept] of this.#kept) {
      if (this.#characters <= this.#most) break;
      this.#kept.delete(oldest);
      this.#characters -= lengthOf(kept);
    }
  }
}

const lengthOf = (ending: Ending | undefined): number => ending?.result?.length ?? 0;
