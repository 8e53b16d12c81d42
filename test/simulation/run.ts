/** `npm run sim -- --seeds 200000 [--from 1]` lives that many worlds; `--seed N` replays one with its trace. */
import { parseArgs } from 'node:util';
import { Counters, INVARIANTS } from './counters.ts';
import { simulate } from './world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Names seeds with more steps than this. */
    steps: { type: 'string' },
  },
});

async function replay(seed: number): Promise<void> {
  const world = await simulate(seed, line => console.log(line()));
  console.log(world.counters.broken ? `seed ${seed}: ${world.counters.broken.message}` : `seed ${seed} holds`);
  if (world.counters.broken) process.exitCode = 1;
}

async function many(from: number, count: number): Promise<void> {
  const total = new Counters();
  const startedMs = performance.now();
  let steps = 0;
  const broken: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const world = await simulate(seed);
    steps += world.scheduler.steps;
    if (values.steps && world.scheduler.steps > Number(values.steps))
      console.log(`seed ${seed}: ${world.scheduler.steps} steps, ${(world.scheduler.nowMs / 1000).toFixed(0)} s`);
    total.add(world.counters);
    if (!world.counters.broken) continue;
    broken.push(`seed ${seed}: ${world.counters.broken.message.slice(0, 600)}`);
    if (broken.length >= 10) break;
  }
  for (const [what, times] of [...total.counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `${String(times).padStart(9)}  ${what in INVARIANTS ? INVARIANTS[what as keyof typeof INVARIANTS] : what}`,
    );
  console.log(broken.join('\n'));
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${count} seeds, ${steps} steps, ${seconds.toFixed(1)} s`);
  if (broken.length > 0) process.exitCode = 1;
}

if (values.seed !== undefined) await replay(Number(values.seed));
else await many(Number(values.from), Number(values.seeds));
