/** Lives seeds 1 to N (`node first-breach.ts N`) and prints, as JSON, the first invariant that does not hold, or null. */
import { simulate } from './world.ts';

const seeds = Number(process.argv[2] ?? '100');
let found: { invariant: string; seed: number; message: string } | null = null;
for (let seed = 1; seed <= seeds && found === null; seed += 1) {
  const { counters } = await simulate(seed);
  if (counters.broken)
    found = { invariant: counters.broken.invariant, seed, message: counters.broken.message.slice(0, 300) };
}
console.log(JSON.stringify(found));
