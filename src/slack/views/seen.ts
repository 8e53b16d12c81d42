/** Owns the look-up in the table of outcomes: what a call has come to, as every view sees it. */
import type { Outcome } from '../../thread/outcome.ts';
import type { Face, Kind, Of, Tally } from './face.ts';
import type { Line } from './line.ts';
import { contradiction } from './outcome-lines.ts';
import { faces } from './outcomes.ts';
import type { Scene } from './scene.ts';
import type { Show } from './text/show.ts';

/** What a call's outcome looks like everywhere. */
export interface Seen {
  readonly sign: string;
  readonly tally: Tally;
  readonly over: boolean;
  readonly card: () => Line[];
  readonly row: (alone: boolean) => Line;
  readonly push: () => Line;
}

function seen<K extends Kind>(outcome: Of<K> & { readonly is: K }, scene: Scene): Seen {
  const face: Face<K> = faces[outcome.is];
  return {
    sign: face.sign(scene),
    tally: face.tally,
    over: face.over,
    card: () => [...face.card(outcome, scene), ...contradiction(scene)],
    row: alone => [
      ...face.row(outcome, scene, alone),
      ...(scene.call.contradiction === null ? [] : scene.pen.texts.row.contradicted),
    ],
    push: () => face.push(scene),
  };
}

/** The row of the table for what a call has come to. */
export const faceOf = (scene: Scene): Seen => seen(scene.outcome, scene);

const told = <K extends Kind>(outcome: Of<K> & { readonly is: K }, show: Show): string =>
  faces[outcome.is].result(outcome, show);

/** What the model is told about a call that has its result. */
export const resultOf = (outcome: Outcome, show: Show): string => told(outcome, show);
