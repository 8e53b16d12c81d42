import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, textOf, trackedFiles } from '../support/repository.ts';

interface Package {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
}

const packageJson = JSON.parse(textOf('package.json')) as Package;
const lock = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, { resolved?: string; hasInstallScript?: boolean }>;
};
const tracked = trackedFiles();

describe('the packages', () => {
  it('are locked without the address they came from', () => {
    expect(textOf('package-lock.json')).not.toContain('"resolved"');
  });

  it('are pinned to one version each', () => {
    const { dependencies, devDependencies, optionalDependencies } = packageJson;
    const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(ranges).toEqual([]);
  });

  it('run no install script, and each that has one is named', () => {
    const withScript = Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    const allowScripts = packageJson.allowScripts ?? {};
    expect(withScript.filter(name => !(name in allowScripts))).toEqual([]);
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});

describe.skipIf(tracked === undefined)('the files that git tracks', () => {
  // Written so that this file is none of its own findings.
  const ofOneMachine = [/[/](work|farm)[/]/, /[/]root[/][.]/, /[/](home|Users)[/][a-z]+[/]/, /registry[.](npm|yarn)/];

  it('name no folder of one machine and no registry', () => {
    const here = ['"', "'", '`', ' '].map(before => before + repositoryRoot);
    const isFinding = (line: string): boolean =>
      ofOneMachine.some(pattern => pattern.test(line)) || here.some(path => line.includes(path));
    const found = (tracked ?? []).flatMap(path => {
      const lines = textOf(path).split('\n').filter(isFinding);
      return lines.map(line => `${path}: ${line.trim().slice(0, 160)}`);
    });
    expect(found).toEqual([]);
  });

  it('are no secrets, data or dependencies', () => {
    expect(
      (tracked ?? []).filter(path => /(^|\/)(\.env$|\.countersign\/|node_modules\/|cdk\.out\/)/.test(path)),
    ).toEqual([]);
  });
});

describe('.ci/run', () => {
  it('can be executed, and stops at the first failure', () => {
    accessSync(join(repositoryRoot, '.ci/run'), constants.X_OK);
    expect(textOf('.ci/run')).toMatch(/^#!\/usr\/bin\/env bash\nset -euo pipefail\n/);
  });
});

describe('src/node-version.cjs', () => {
  const guard = join(repositoryRoot, 'src/node-version.cjs');
  const under = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', {value: '${version}'}); require(${JSON.stringify(guard)})`;
    return spawnSync(process.execPath, ['--eval', pretend], { encoding: 'utf8' });
  };

  it('answers an older Node with one sentence and exit code 2', () => {
    const { status, stderr } = under('20.20.2');
    expect(status).toBe(2);
    expect(stderr).toBe(
      'Countersign needs Node 24 or newer, and this is Node 20.20.2. Install Node 24, then run it again.\n',
    );
  });

  it.each(['24.0.0', '26.1.0', process.versions.node])('lets Node %s pass', version => {
    expect(under(version)).toMatchObject({ status: 0, stderr: '' });
  });

  it('would let the Node pass that runs these tests', () => {
    expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24);
  });

  it('stands before every script that runs TypeScript', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const unguarded = Object.entries(scripts).filter(
      ([, script]) => /\bnode .*\.ts\b/.test(script) && !script.includes('-r ./src/node-version.cjs'),
    );
    expect(unguarded).toEqual([]);
  });
});
