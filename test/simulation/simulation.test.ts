/** The simulator under `npm test`: as many of 2,000 seeds as fit into a minute; the number is printed. */
import { expect, test } from 'vitest';
import { live, replay } from './many.ts';
import { simulate } from './world.ts';

const SEEDS = 2_000;
const WITHIN_MS = 60_000;
/** How much of a trace is printed. */
const LINES = 200;

test('in every simulated world the invariants hold, whatever crashes, is lost, late, doubled or changed meanwhile', async () => {
  const endMs = performance.now() + WITHIN_MS;
  const { seeds, steps, counters, broken, missing } = await live({
    from: 1,
    count: SEEDS,
    isOver: () => performance.now() > endMs,
  });
  console.log(`${seeds} seeds, ${steps} steps\n${counters.table}`);
  const [first] = broken;
  if (first) {
    const { lines } = await replay(first.seed);
    console.log([...lines.slice(-LINES), `npm run sim -- --seed ${first.seed}`].join('\n'));
  }
  expect(broken.map(each => `seed ${each.seed}: ${each.broken.message}`)).toEqual([]);
  expect(missing).toEqual([]);
});

test('a seed replays exactly', async () => {
  for (const seed of [3, 7, 11]) {
    const [one, other] = [await replay(seed), await replay(seed)];
    expect(one.lines.length).toBeGreaterThan(10);
    expect(other.lines).toEqual(one.lines);
    expect((await simulate(seed)).scheduler.steps).toBeGreaterThan(100);
  }
});
