/** Owns runs over many seeds: what they showed together, and the first seeds that did not hold. */
import { Counters, type Broken } from './counters.ts';
import { simulate } from './world.ts';

/** Worlds from which on every situation must have occurred. */
const MANY = 2_000;
/** Seeds that did not hold after which a run ends. */
const ENOUGH = 10;

export interface Seeds {
  readonly from: number;
  readonly count: number;
  /** Ends the run after the seed during which this returns true. */
  readonly isOver?: () => boolean;
}

export interface Lived {
  readonly counters: Counters;
  readonly seeds: number;
  readonly steps: number;
  readonly broken: readonly { readonly seed: number; readonly broken: Broken }[];
  /** Counters that are 0 although they must not be. */
  readonly missing: readonly string[];
}

/** Lives the worlds of these seeds through, one after the other. */
export async function live({ from, count, isOver = () => false }: Seeds): Promise<Lived> {
  const counters = new Counters();
  const broken: Lived['broken'][number][] = [];
  let [seeds, steps] = [0, 0];
  for (let seed = from; seed < from + count && broken.length < ENOUGH; seed += 1) {
    const world = await simulate(seed);
    seeds += 1;
    steps += world.scheduler.steps;
    counters.add(world.counters);
    if (world.counters.broken) broken.push({ seed, broken: world.counters.broken });
    if (isOver()) break;
  }
  const missing = broken.length > 0 ? [] : counters.missing(seeds >= MANY);
  return { counters, seeds, steps, broken, missing };
}

/** The trace of one seed, and what did not hold. */
export async function replay(
  seed: number,
): Promise<{ readonly lines: readonly string[]; readonly broken: Broken | undefined }> {
  const lines: string[] = [];
  const world = await simulate(seed, line => lines.push(line()));
  return { lines, broken: world.counters.broken };
}
