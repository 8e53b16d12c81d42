/**
 * `npm run test:mutants`: plants one bug after the other in a copy of the source, and runs the simulator on it. Says of each
 * after how many worlds it was caught, and by what. Fails when a bug is not caught, when it is caught as something else than
 * what it breaks, or when the text to change is not there any more.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { INVARIANTS, type Invariant } from './counters.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './planted.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    /** Worlds that each mutant gets. */
    seeds: { type: 'string', default: '600' },
    /** Only mutants whose name contains this. */
    only: { type: 'string', default: '' },
  },
});

interface Found {
  readonly seed?: number;
  readonly invariant?: Invariant;
  readonly message?: string;
}

/** Worlds in which the source as it is must hold before anything is planted in it. */
const FIRST = '5';

/** What the simulator needs, as it is when this begins: who goes on working on the source changes nothing. */
async function copyOfSource(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  await mkdir(join(folder, 'test'));
  for (const part of ['src', 'test/simulation', 'test/support', 'package.json', 'tsconfig.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** A copy with the mutant's edits. */
async function plant(mutant: Mutant, into: string): Promise<void> {
  await cp(source, into, { recursive: true, verbatimSymlinks: true });
  for (const { file, text, instead } of mutant.edits) {
    const before = await readFile(join(into, file), 'utf8');
    if (before.split(text).length !== 2) throw new Error(`${file} does not contain this text once: ${text.trim()}`);
    await writeFile(
      join(into, file),
      before.replace(text, () => instead),
    );
  }
}

/** Runs the simulator in a copy until something does not hold. */
function simulate(folder: string, seeds = values.seeds): Promise<Found> {
  return new Promise((resolve, reject) => {
    const args = [join(folder, 'test/simulation/run.ts'), '--until-broken', '--seeds', seeds];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    child.once('error', reject);
    child.once('close', code => {
      if (code === 0) resolve(JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Found);
      else reject(new Error(err.slice(0, 2_000)));
    });
  });
}

const secondsSince = (ms: number): string => `${((performance.now() - ms) / 1_000).toFixed(0)} s`;

async function caught(mutant: Mutant): Promise<boolean> {
  const beganMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  try {
    await plant(mutant, folder);
    const { seed, invariant, message } = await simulate(folder);
    const right = invariant !== undefined && mutant.breaks.includes(invariant);
    const how =
      invariant === undefined
        ? `NOT CAUGHT in ${values.seeds} worlds, ${secondsSince(beganMs)}`
        : `after ${seed} worlds, ${secondsSince(beganMs)}: ${INVARIANTS[invariant]}`;
    console.log(`${right ? '✓' : '✗'} ${mutant.name}\n    ${how}${right ? '' : `\n    ${message ?? ''}`}`);
    return right;
  } catch (error) {
    console.log(`✗ ${mutant.name}\n    ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const startedMs = performance.now();
const source = await copyOfSource();
const { message: unplanted } = await simulate(source, FIRST);
if (unplanted !== undefined) throw new Error(`The source does not hold as it is: ${unplanted}`);
const chosen = MUTANTS.filter(mutant => mutant.name.includes(values.only));
const unbroken = Object.keys(INVARIANTS).filter(name => !MUTANTS.some(each => each.breaks.includes(name as Invariant)));
for (const name of unbroken) console.log(`✗ no planted bug breaks "${INVARIANTS[name as Invariant]}"`);
const waiting = [...chosen];
let survivors = unbroken.length;
const lane = async (): Promise<void> => {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) if (!(await caught(mutant))) survivors += 1;
};
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, lane));
await rm(source, { recursive: true, force: true });
console.log(`${chosen.length} planted bugs, ${survivors} not caught, ${secondsSince(startedMs)}`);
if (survivors > 0) process.exitCode = 1;
