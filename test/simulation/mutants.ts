/**
 * `npm run test:mutants`: plants each bug in a copy of the product and lets the simulator find it. Fails when a bug is not
 * found within its seeds, when its text is not there any more, or when the product itself does not hold.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../support/repository.ts';
import { INVARIANTS, type Invariant } from './counters.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

/** Seeds in which a bug must show itself. */
const SEEDS = 120;
/** Mutants that live at the same time. */
const LANES = 2;

const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'manifest.yml', 'countersign.yaml'];

interface Finding {
  readonly invariant: Invariant;
  readonly seed: number;
}

async function houseWith(bug: PlantedBug | null): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  for (const name of COPIED) await cp(join(repositoryRoot, name), join(folder, name), { recursive: true });
  await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (bug === null) return folder;
  const path = join(folder, bug.file);
  let text = await readFile(path, 'utf8');
  for (const [wanted, instead] of bug.changes) {
    if (!text.includes(wanted)) throw new Error(`"${bug.says}" cannot be planted: ${bug.file} does not say ${wanted}`);
    text = text.replace(wanted, () => instead);
  }
  await writeFile(path, text);
  return folder;
}

/** The first thing that does not hold in this house, over its seeds; null when everything does. */
async function firstBreach(folder: string): Promise<Finding | null> {
  const script = ['test/simulation/first-breach.ts', String(SEEDS)];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, script, { cwd: folder, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
    if (error && stdout === '') reject(new Error(stderr.slice(0, 2_000) || error.message));
    else resolve(stdout);
  });
  const last = (await promise).trimEnd().split('\n').at(-1) ?? 'null';
  return JSON.parse(last) as Finding | null;
}

async function lives<T>(bug: PlantedBug | null, then: (found: Finding | null) => T): Promise<T> {
  const folder = await houseWith(bug);
  try {
    return then(await firstBreach(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One line for the table, and whether it is as it should be. */
function verdict(bug: PlantedBug, found: Finding | null): { readonly caught: boolean; readonly line: string } {
  const caught = found !== null && bug.breaks.includes(found.invariant);
  const where = found === null ? `not found in ${SEEDS} seeds` : `seed ${found.seed}: ${INVARIANTS[found.invariant]}`;
  return { caught, line: `${caught ? 'caught  ' : 'SURVIVED'}  ${bug.says}  (${where})` };
}

async function run(): Promise<number> {
  const sound = await lives(null, found => found);
  if (sound !== null) {
    console.error(`The product itself does not hold: seed ${sound.seed}, ${INVARIANTS[sound.invariant]}`);
    return 1;
  }
  const waiting = [...PLANTED_BUGS];
  let caught = 0;
  const lane = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const planted = bug;
      const result = await lives(planted, found => verdict(planted, found));
      if (result.caught) caught += 1;
      console.log(result.line);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  console.log(`${caught} passed, ${PLANTED_BUGS.length - caught} failed`);
  return caught === PLANTED_BUGS.length ? 0 : 1;
}

process.exitCode = await run();
