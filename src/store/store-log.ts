/** Owns what a log of this room offers beyond the worker's port. */
import type { TeamId } from '../thread/ids.ts';
import type { Log } from '../worker/ports.ts';
import type { OpenIn } from './wake-index.ts';

/** A log that can also list what is open, for people who ask what waits. */
export interface StoreLog extends Log {
  /** What the index says is open in the logs of a team; it may lag, and each log knows better. */
  open(team: TeamId): Promise<readonly OpenIn[]>;
}
