/**
 * Owns when a thread of this process is driven: at each signal, again while something new has come, and when its time is there.
 *
 * 1. One drive per thread; what comes while it is under way is driven after it. 2. One timer per thread: the latest look knows
 * best when the next one is due. 3. A table that does not answer is tried again, also at a stop, as long as tools get.
 */
import { threadLog, type LogKey, type ThreadKey } from '../thread/ids.ts';
import { drive, type Driver } from './drive.ts';
import { LogUnavailable } from './ports.ts';
import type { Sessions } from './sessions.ts';

/** How often a thread is read in which a commit of unknown outcome may still land. */
const LOOK_AFTER_MS = 30_000;
/** How often a table that does not answer is tried again at a stop. */
const STOP_AGAIN_MS = 1_000;

interface DrivesParts {
  readonly driver: Driver;
  readonly sessions: Pick<Sessions, 'of' | 'forget'>;
  readonly failed: (error: unknown, where: string) => void;
}

interface Drive {
  /** Something has come since it began. */
  again: boolean;
  done: Promise<void>;
}

export class Drives {
  readonly #parts: DrivesParts;
  readonly #drives = new Map<LogKey, Drive>();
  readonly #timers = new Map<LogKey, AbortController>();

  constructor(parts: DrivesParts) {
    this.#parts = parts;
  }

  /** True while the thread is driven. */
  has(log: LogKey): boolean {
    return this.#drives.has(log);
  }

  /** Something is new in this thread: drive it. */
  signal(key: ThreadKey): void {
    const log = threadLog(key);
    const running = this.#drives.get(log);
    if (running) {
      running.again = true;
      return;
    }
    const started: Drive = { again: false, done: Promise.resolve() };
    this.#drives.set(log, started);
    started.done = this.#whileNew(key, started).finally(() => this.#drives.delete(log));
  }

  /** Signals a thread, and resolves when it is driven. */
  async driven(key: ThreadKey): Promise<void> {
    this.signal(key);
    await this.#drives.get(threadLog(key))?.done;
  }

  /** Resolves when no drive is under way. */
  async idle(): Promise<void> {
    while (this.#drives.size > 0) await Promise.all([...this.#drives.values()].map(each => each.done));
  }

  /** Signals the thread after this time, and no more at the time that was set before. */
  later(key: ThreadKey, delayMs: number): void {
    const log = threadLog(key);
    const timer = new AbortController();
    this.#timers.get(log)?.abort();
    this.#timers.set(log, timer);
    const { signal } = timer;
    this.#clock.sleep(delayMs, AbortSignal.any([signal, this.#stopping])).then(
      () => {
        if (signal.aborted || this.#stopping.aborted) return;
        this.#timers.delete(log);
        this.signal(key);
      },
      (error: unknown) => this.#parts.failed(error, 'timer'),
    );
  }

  get #clock(): Driver['gate']['ports']['clock'] {
    return this.#parts.driver.gate.ports.clock;
  }

  get #stopping(): AbortSignal {
    return this.#parts.driver.stopping;
  }

  async #whileNew(key: ThreadKey, current: Drive): Promise<void> {
    const { driver, sessions, failed } = this.#parts;
    do {
      current.again = false;
      try {
        const session = sessions.of(key);
        const delayMs = (await drive(driver, session)) ?? (session.mayStillLand ? LOOK_AFTER_MS : null);
        if (delayMs !== null && !this.#stopping.aborted) this.later(key, delayMs);
      } catch (error) {
        failed(error, threadLog(key));
        if (!(error instanceof LogUnavailable)) sessions.forget(threadLog(key));
        else if (!this.#stopping.aborted) this.later(key, driver.settings.tickMs);
        else await this.#beforeTheEnd(current);
      }
    } while (current.again && !driver.drained.aborted);
  }

  /** At a stop a table that did not answer gets the time that tools get: what was claimed and held is still given back. */
  async #beforeTheEnd(current: Drive): Promise<void> {
    await this.#clock.sleep(STOP_AGAIN_MS, this.#parts.driver.drained);
    current.again = true;
  }
}
