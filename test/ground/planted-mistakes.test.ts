import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CheckResult, PlantedHouse, runScript } from '../support/planted-house.ts';
import { repositoryRoot } from '../support/repository.ts';
import { mistakesInArrows } from './mistakes-in-arrows.ts';
import { mistakesInLint } from './mistakes-in-lint.ts';
import { mistakesInPageTypes, mistakesInTypes } from './mistakes-in-types.ts';
import { besides, type Mistake, packages, packagesWithVendors, soundHouse } from './sound-house.ts';

// Each check is seen to pass on a small house without a mistake, and to fail on the same house with one. All mistakes
// that one check must find are planted together, each in a file of its own, so that the check runs once.

const unused: readonly Mistake[] = [
  {
    what: 'a file that nobody imports',
    path: 'src/slack/a.ts',
    text: `export const a = 1;\n`,
    says: 'src/slack/a.ts',
  },
  {
    what: 'an export that nobody uses',
    path: 'src/config/environment.ts',
    text: `${soundHouse['src/config/environment.ts']}export const unheardOf = 1;\n`,
    says: 'unheardOf',
  },
];
const layout: readonly Mistake[] = [
  {
    what: 'a line that is laid out otherwise',
    path: 'src/slack/a.ts',
    text: `export const a = "1"\n`,
    says: 'a.ts',
  },
];

const checks: readonly (readonly [script: string, planted: readonly Mistake[]])[] = [
  ['check:types', mistakesInTypes],
  ['check:types', mistakesInPageTypes],
  ['check:lint', mistakesInLint],
  ['check:arrows', mistakesInArrows],
  ['check:unused', unused],
  ['check:format', layout],
];

describe.each(checks)('npm run %s', (script, planted) => {
  let sound: CheckResult;
  let result: CheckResult;

  beforeAll(async () => {
    const files = Object.fromEntries(planted.map(mistake => [mistake.path, mistake.text]));
    const arrows = script === 'check:arrows';
    await using soundly = await PlantedHouse.build(soundHouse, packages);
    await using plantedHouse = await PlantedHouse.build(
      { ...soundHouse, ...(arrows ? besides : {}), ...files },
      arrows ? packagesWithVendors : packages,
    );
    const format = script === 'check:lint' ? ['--format', 'unix'] : [];
    sound = await soundly.check(script, ...format);
    result = await plantedHouse.check(script, ...format);
  }, 120_000);

  it('passes on a house without a mistake', () => {
    expect(sound.passed, sound.output).toBe(true);
  });

  it('fails on a house with mistakes', () => {
    expect(result.passed, result.output).toBe(false);
  });

  it.each(planted)('finds $what', ({ path, says }) => {
    const lines = result.output.split('\n').filter(line => line.includes(path));
    expect(lines.join('\n'), result.output).toContain(says);
  });
});

describe('npm run check:arrows, on this repository', () => {
  it('reads every TypeScript file of src', async () => {
    const { stdout } = await runScript(repositoryRoot, 'check:arrows', '--output-type', 'json');
    const { modules } = JSON.parse(stdout) as { modules: { source: string }[] };
    const read = modules.map(module => module.source).filter(source => /^src\/.*\.ts$/.test(source));
    const there = readdirSync(`${repositoryRoot}src`, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts'))
      .map(path => `src/${path.replaceAll('\\', '/')}`);
    expect(there.length).toBeGreaterThan(0);
    expect(read.toSorted()).toEqual(there.toSorted());
  });
});
