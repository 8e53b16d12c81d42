/** What a test tells a process with watched ports. */
import type { WorkerSettings } from '../../src/worker/settings.ts';

/** Where a process is to die: a call of a port. */
export interface Point {
  readonly at: 'append' | 'execute' | 'reconcile';
  readonly moment: 'before' | 'after';
  /** The beginning of an event in a commit, of a tool, or of a posted message's key. */
  readonly of: string;
}

export interface Changes {
  readonly settings?: Partial<WorkerSettings>;
  /** How long a call of a tool may take; default: as the tool says. */
  readonly toolMs?: number;
  /** True: a tool that books trips (see trip.ts) comes on top. */
  readonly trips?: boolean;
}
