/** Owns the shape of the table of outcomes and of its rows. */
import type { Outcome } from '../../thread/outcome.ts';
import type { Line } from './line.ts';
import type { Scene } from './scene.ts';
import type { Show } from './text/show.ts';

export type Kind = Outcome['is'];
export type Of<K extends Kind> = Extract<Outcome, { is: K }>;

/** How a row counts in `1 of 3 done, 2 wait`. */
export type Tally = 'done' | 'waiting' | 'running' | 'doubt' | 'failed' | 'givenUp' | 'notRun';

export interface Face<K extends Kind> {
  readonly sign: (scene: Scene) => string;
  readonly tally: Tally;
  /** True when the call has its one result. */
  readonly over: boolean;
  /** Lines of the card's status section: own words, ids and times only. */
  readonly card: (outcome: Of<K>, scene: Scene) => Line[];
  /** The call's row in the thread; `alone` when it is the only one. */
  readonly row: (outcome: Of<K>, scene: Scene, alone: boolean) => Line;
  readonly push: (scene: Scene) => Line;
  /** What the model is told, in English. */
  readonly result: (outcome: Of<K>, show: Show) => string;
}

/** The table: a row for everything that a call can come to. */
export type Faces = { readonly [K in Kind]: Face<K> };
