import { expect, it } from 'vitest';
import { command, environmentIn, folder } from './stage.ts';

it.each([
  ['pending', ['--foo'], '"--foo" is no option of this command, or has no value behind it.'],
  ['pending', ['x'], '"x" is a word too many.'],
  ['report', ['--texts'], '"--texts" is no option of this command, or has no value behind it.'],
  ['report', ['--since'], '"--since" is no option of this command, or has no value behind it.'],
  ['report', ['--since', 'yesterday'], '"yesterday" says no time since when, or one that is yet to come.'],
  ['record', [], 'It is not said of what.'],
  ['record', ['A-7F3K', 'A-7F3L'], '"A-7F3L" is a word too many.'],
  ['record', ['A-0000'], /^That is neither a link .* \(letters A to Z, digits 2 to 7\)\.$/],
  ...(['demo', 'doctor', 'tools', 'policy:test', 'table:create', 'whois'] as const).map(
    name => [name, ['--foo'], '"--foo" is no option of this command, or has no value behind it.'] as const,
  ),
  ...(['demo', 'doctor', 'tools', 'policy:test', 'table:create'] as const).map(
    name => [name, ['x'], '"x" is a word too many.'] as const,
  ),
] as const)('%s %j says what is wrong before how it is used', async (name, words, why) => {
  const { code, out, err } = await command(environmentIn(folder()), name, ...words);
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(err[0]).toMatch(why);
  expect(err[1]).toMatch(new RegExp(`^npm run ${name}`));
});

it.each(['demo', 'doctor', 'whois', 'tools', 'policy:test', 'pending', 'record', 'report', 'table:create'])(
  '%s --help says how it is used, and does nothing else',
  async name => {
    const { code, out, err } = await command(environmentIn(folder()), name, '--help');
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out[0]).toMatch(new RegExp(`^npm run ${name}`));
  },
);
