import { describe, expect, test } from 'vitest';
import { Counters, INVARIANTS } from './counters.ts';
import { simulate } from './world.ts';

/** Worlds that are lived; fewer where they would take longer than the time below. The number is printed. */
const SEEDS = 2_000;
const TIME_MS = 60_000;
/** Fewer than these would prove little. */
const LEAST = 20;

describe('the protocol, with crashes, pauses, lost and late writes, throttles and people who change their minds', () => {
  test('keeps every invariant in every world', { timeout: TIME_MS * 3 }, async () => {
    const total = new Counters();
    const startedMs = performance.now();
    let seed = 0;
    while (seed < SEEDS && (seed < LEAST || performance.now() - startedMs < TIME_MS)) {
      seed += 1;
      const { counters } = await simulate(seed);
      total.add(counters);
      expect(counters.broken?.message, `npm run sim -- --seed ${seed}`).toBeUndefined();
    }
    console.log(`simulation: ${seed} of ${SEEDS} seeds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    for (const [name, says] of Object.entries(INVARIANTS))
      expect(total.counts.get(name) ?? 0, `exercised: ${says}`).toBeGreaterThan(0);
  });

  test('a seed replays exactly', async () => {
    const lived = async (): Promise<string[]> => {
      const lines: string[] = [];
      await simulate(7, line => lines.push(line()));
      return lines;
    };
    expect(await lived()).toEqual(await lived());
  });
});
