/**
 * Owns how hard a simulated world is on its processes. Every seed draws its own mixture, so that some worlds have one kind
 * of trouble only, and some have everything at once.
 */
import type { Dice } from './random.ts';

/** What a world is mostly about. */
export type Theme = 'mixed' | 'edits' | 'grants' | 'questions' | 'agents' | 'doubts';

/** Probabilities per event, unless a name says otherwise. */
export interface Knobs {
  readonly nodes: number;
  readonly threads: number;
  /** Messages that people write of their own accord. */
  readonly messages: number;
  /** Looks at Slack that people take, each of which may become a click. */
  readonly looks: number;
  readonly theme: Theme;
  /** How often somebody sees soon what has just been put to them. */
  readonly attention: number;
  /** How long the faults last (ms); afterwards everything must come to rest. */
  readonly troubledMs: number;
  readonly log: {
    /** Not written, and said so. */ readonly refused: number;
    /** Written, and reported as unknown. */ readonly unsure: number;
    /** Reported as unknown, and written later. */ readonly late: number;
    /** Takes up to minutes. */ readonly slow: number;
    /** Reads that fail. */ readonly unread: number;
    /** Reads of the index that lag. */ readonly stale: number;
  };
  readonly slack: {
    readonly refused: number;
    readonly unsure: number;
    readonly late: number;
    readonly throttled: number;
    readonly slow: number;
  };
  readonly directory: { readonly unknown: number; readonly slow: number };
  /** `done`: that it answers instead of asking for more. */
  readonly model: { readonly away: number; readonly refuses: number; readonly slow: number; readonly done: number };
  readonly tools: { readonly slow: number; readonly fails: number; readonly uninspected: number };
  readonly delivery: { readonly twice: number; readonly lost: number; readonly slow: number };
  /** How likely something happens just where it hurts. */
  readonly spite: number;
  /** How often per troubled time. */
  readonly crashes: number;
  readonly stops: number;
  readonly pauses: number;
  readonly freezes: number;
  readonly changes: number;
  /** Clocks of processes differ by up to this. */
  readonly skewMs: number;
}

/** Draws a world's troubles: about every second kind is absent, and half of the rest are mild. */
export function drawKnobs(dice: Dice): Knobs {
  const rate = (most: number): number => (dice.chance(0.5) ? 0 : dice.chance(0.5) ? most / 5 : most);
  const times = (most: number): number => (dice.chance(0.5) ? 0 : dice.between(1, most));
  const calm = dice.chance(0.06);
  const nodes = dice.between(1, 3);
  const drawn: Knobs = {
    nodes,
    threads: dice.chance(0.8) ? 1 : 2,
    messages: dice.between(1, 5),
    looks: dice.between(4, 24),
    theme: dice.weighed({ mixed: 4, edits: 4, grants: 6, questions: 3, agents: 2, doubts: 3 }),
    attention: dice.pick([0.1, 0.6, 0.9, 0.9] as const),
    troubledMs: dice.between(5, 25) * 60_000,
    log: {
      refused: rate(0.1),
      unsure: rate(0.1),
      late: rate(0.1),
      slow: rate(0.15),
      unread: rate(0.1),
      stale: rate(0.3),
    },
    slack: { refused: rate(0.1), unsure: rate(0.15), late: rate(0.1), throttled: rate(0.1), slow: rate(0.1) },
    directory: { unknown: rate(0.1), slow: rate(0.1) },
    model: { away: rate(0.3), refuses: rate(0.1), slow: rate(0.2), done: dice.pick([0.3, 0.5] as const) },
    tools: { slow: rate(0.3), fails: rate(0.3), uninspected: rate(0.1) },
    delivery: { twice: rate(0.4), lost: rate(0.3), slow: rate(0.3) },
    spite: rate(0.4),
    crashes: times(6),
    stops: times(3),
    pauses: times(4),
    freezes: times(2),
    changes: times(6),
    skewMs: dice.chance(0.3) ? 400 : 0,
  };
  return calm ? { ...calmed(drawn), model: { ...calmed(drawn).model, done: drawn.model.done } } : drawn;
}

/** The same world without any trouble. */
export const calmed = (knobs: Knobs): Knobs => ({
  ...knobs,
  log: { refused: 0, unsure: 0, late: 0, slow: 0, unread: 0, stale: 0 },
  slack: { refused: 0, unsure: 0, late: 0, throttled: 0, slow: 0 },
  directory: { unknown: 0, slow: 0 },
  model: { away: 0, refuses: 0, slow: 0, done: 0.9 },
  tools: { slow: 0, fails: 0, uninspected: 0 },
  delivery: { twice: 0, lost: 0, slow: 0 },
  spite: 0,
  crashes: 0,
  stops: 0,
  pauses: 0,
  freezes: 0,
  changes: 0,
  skewMs: 0,
});
