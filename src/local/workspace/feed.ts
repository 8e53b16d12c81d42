/**
 * What changed, for people's pages: a numbered list that is kept, so that a page which lost its connection (or whose
 * server was restarted) goes on where it stopped.
 */
import type { Collection, Storage } from './storage.ts';

const KEPT_CHANGES = 2_000;
const DIGITS = 12;

type ChangeKind = 'message' | 'removed' | 'ephemeral' | 'view' | 'status' | 'home' | 'app' | 'log';

export interface Change {
  readonly kind: ChangeKind;
  readonly channel?: string;
  readonly user?: string;
  readonly ts?: string;
}

export interface NumberedChange {
  readonly cursor: number;
  readonly change: Change;
}

export class Feed {
  readonly #storage: Storage;
  readonly #changes: Collection<NumberedChange>;
  readonly #listeners = new Set<(entry: NumberedChange) => void>();
  readonly #passing = new Set<(change: Change) => void>();
  #last: number;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#changes = storage.collection<NumberedChange>('change');
    this.#last = Number(this.#changes.keys({ reverse: true, limit: 1 })[0] ?? 0);
  }

  /** The number of the newest change; 0 when nothing has happened yet. */
  get cursor(): number {
    return this.#last;
  }

  /** Records a change and, once it is durable, tells everybody who listens. */
  publish(change: Change): void {
    const cursor = (this.#last += 1);
    this.#changes.put(key(cursor), { cursor, change });
    if (cursor > KEPT_CHANGES) this.#changes.delete(key(cursor - KEPT_CHANGES));
    this.#storage.afterCommit(() => {
      for (const listener of this.#listeners) listener({ cursor, change });
    });
  }

  /** Tells everybody who listens now of something that is not of this workspace and need not be kept (a thread's log). */
  signal(change: Change): void {
    for (const listener of this.#passing) listener(change);
  }

  /** The changes after a cursor, or undefined when some of them are no longer kept (or the cursor is not of this workspace). */
  since(cursor: number): NumberedChange[] | undefined {
    if (cursor > this.#last || cursor < this.#last - KEPT_CHANGES) return undefined;
    return this.#changes.list({ after: key(cursor) });
  }

  /** Calls `listener` for each change from now on; the returned function ends that. */
  listen(listener: (entry: NumberedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` for each passing signal from now on; the returned function ends that. */
  listenToSignals(listener: (change: Change) => void): () => void {
    this.#passing.add(listener);
    return () => this.#passing.delete(listener);
  }
}

function key(cursor: number): string {
  return String(cursor).padStart(DIGITS, '0');
}
