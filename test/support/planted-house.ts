import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './repository.ts';

/** Files by path below the house, with their text. */
export type Files = Readonly<Record<string, string>>;

/** The packages that the house lists in its package.json. */
export interface Packages {
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

export interface CheckResult {
  readonly passed: boolean;
  readonly stdout: string;
  /** Standard output and error output together. */
  readonly output: string;
}

/** Runs one script of the package.json in `folder`, for example `check:lint`, with further arguments for its tool. */
export function runScript(folder: string, script: string, ...more: string[]): Promise<CheckResult> {
  const options = {
    cwd: folder,
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    maxBuffer: 2 ** 28,
  };
  return new Promise(resolve => {
    execFile('npm', ['run', '--silent', script, '--', ...more], options, (error, stdout, stderr) => {
      resolve({ passed: error === null, stdout, output: stdout + stderr });
    });
  });
}

const settings = [
  '.dependency-cruiser.mjs',
  '.oxlintrc.json',
  '.prettierrc.json',
  'test/ground/lint-rules.js',
  'knip.json',
  'src/local/page/tsconfig.json',
  'src/node-version.cjs',
  'tsconfig.json',
];

/**
 * A small house in a temporary folder that is checked with this repository's own scripts, settings and tools, so that
 * a mistake can be planted without touching the work tree.
 */
export class PlantedHouse implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds the house from `files`; only the named packages count as its own. */
  static async build(files: Files, packages: Packages): Promise<PlantedHouse> {
    const folder = await mkdtemp(join(tmpdir(), 'planted-'));
    for (const name of settings) await cp(join(repositoryRoot, name), join(folder, name), { recursive: true });
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const house = new PlantedHouse(folder);
    await house.#write({ ...files, 'package.json': await packageJson(packages) });
    return house;
  }

  /** Runs one script of package.json here; see {@link runScript}. */
  check(script: string, ...more: string[]): Promise<CheckResult> {
    return runScript(this.#folder, script, ...more);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #write(files: Files): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.#folder, path)), { recursive: true });
      await writeFile(join(this.#folder, path), text);
    }
  }
}

async function packageJson(packages: Packages): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object };
  const [dependencies, devDependencies] = [packages.dependencies, packages.devDependencies].map(names =>
    Object.fromEntries(names.map(name => [name, '*'])),
  );
  return JSON.stringify({ name: 'planted', type: 'module', scripts, dependencies, devDependencies }, null, 2) + '\n';
}
