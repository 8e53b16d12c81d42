/**
 * `npm run sim -- --seeds 200000 [--from 1]` lives that many worlds and prints what they showed; `--seed N` replays one with
 * its trace; `--until-broken` ends at the first seed that does not hold and prints it as a line of JSON.
 */
import { parseArgs } from 'node:util';
import { live, replay } from './many.ts';
import { simulate } from './world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'until-broken': { type: 'boolean', default: false },
  },
});
const [from, count] = [Number(values.from), Number(values.seeds)];

async function one(seed: number): Promise<void> {
  const { lines, broken } = await replay(seed);
  for (const line of lines) console.log(line);
  console.log(broken ? `seed ${seed} does not hold: ${broken.message}` : `seed ${seed} holds`);
  if (broken) process.exitCode = 1;
}

async function many(): Promise<void> {
  const startedMs = performance.now();
  const { counters, seeds, steps, broken, missing } = await live({ from, count });
  console.log(counters.table);
  for (const each of broken) console.log(`seed ${each.seed} does not hold: ${each.broken.message.slice(0, 2_000)}`);
  for (const what of missing) console.log(`never seen: ${what}`);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${seeds} seeds, ${steps} steps, ${seconds.toFixed(1)} s`);
  if (broken.length + missing.length > 0) process.exitCode = 1;
}

async function untilBroken(): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    const { broken } = (await simulate(seed)).counters;
    if (!broken) continue;
    console.log(JSON.stringify({ seed, invariant: broken.invariant, message: broken.message.slice(0, 300) }));
    return;
  }
  console.log(JSON.stringify({ seeds: count }));
}

if (values.seed !== undefined) await one(Number(values.seed));
else if (values['until-broken']) await untilBroken();
else await many();
