import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, environmentIn, folder, policyFile } from './stage.ts';

describe('npm run tools', () => {
  it('lists every tool with source, effect, risk and what the rules say of it', async () => {
    const { code, out } = await command(environmentIn(folder()), 'tools');
    expect(code).toBe(0);
    const rows = out.map(line => line.replace(/[0-9a-f]{4}…[0-9a-f]{2}$/, '<digest>'));
    expect(rows.slice(0, 8)).toEqual([
      'tool           source   effect  risk    verdict  by rule                        definition',
      'execute        builtin  write   medium  ask      run-a-command    +1 condition  <digest>',
      'list_files     builtin  read    low     allow    look-freely                    <digest>',
      'read_file      builtin  read    low     allow    look-freely      +1 condition  <digest>',
      'write_file     builtin  write   medium  ask      write-a-file                   <digest>',
      'delete_file    builtin  write   high    ask      delete-a-file                  <digest>',
      'ask_user       people   read    low     allow    talks to people                <digest>',
      'ask_approvers  people   read    low     allow    talks to people                <digest>',
    ]);
    expect(out).toContainEqual(expect.stringMatching(/: 6 rules · 5 tools: 2 allowed, 3 ask$/));
  });

  it('says where the defaults decide', async () => {
    const file = policyFile(folder(), text => text.replace('[list_files, read_file]', '[list_files]'));
    const { out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), 'tools');
    expect(out).toContainEqual(expect.stringMatching(/^read_file .* ask +the defaults +\+1 condition /));
  });
});

/** The shipped file without its own examples. */
const untested = (text: string): string => text.replace(/^# Examples of calls[^]*$/m, '');

const TESTS = `
tests:
  - { call: execute, args: { argv: [sudo, ls] }, expect: deny never-as-root }
  - { call: read_file, args: { path: notes/old.txt }, expect: allow }
`;

describe('npm run policy:test', () => {
  it('judges every example of the file, and ends with 0 when all are as expected', async () => {
    const file = policyFile(folder(), text => untested(text) + TESTS);
    const { code, out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), 'policy:test');
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(/^✓ \d+:\d+ +execute \{"argv":\["sudo","ls"\]\}: deny never-as-root$/),
      expect.stringMatching(/^✓ \d+:\d+ +read_file \{"path":"notes\/old.txt"\}: allow look-freely$/),
      expect.stringMatching(/: 2 as expected, 0 not$/),
    ]);
  });

  it('shows what came instead, with the place in the file, and ends with 1', async () => {
    const wrong = '  - { call: execute, args: { argv: [ls] }, expect: deny never-as-root }\n';
    const file = policyFile(folder(), text => untested(text) + TESTS + wrong);
    const { code, out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), 'policy:test');
    expect(code).toBe(1);
    expect(out[2]).toMatch(/^✗ \d+:\d+ +execute \{"argv":\["ls"\]\}: ask run-a-command, expected deny never-as-root$/);
    expect(out[3]).toMatch(/: 2 as expected, 1 not$/);
  });

  it('names a condition that could not be evaluated for an example', async () => {
    const lacking = '\ntests:\n  - { call: execute, args: {}, expect: deny }\n';
    const file = policyFile(folder(), text => untested(text) + lacking);
    const { code, out } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), 'policy:test');
    expect(code).toBe(0);
    expect(out[1]).toMatch(/^ +rule never-as-root could not be evaluated: .*argv/);
  });

  it('says so when there are none', async () => {
    const file = policyFile(folder(), untested);
    expect(await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), 'policy:test')).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/countersign\.yaml has no tests\.$/)],
    });
  });
});

describe('a policy file that is not right', () => {
  it.each(['tools', 'policy:test'])('is refused by %s with every problem', async name => {
    const file = policyFile(folder(), text =>
      text.replace('version: 1', 'version: 2').replace('language: en', 'language: fr'),
    );
    const { code, out, err } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: file }), name);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toHaveLength(3);
    expect(err[0]).toContain('has 2 problems; nothing was started.');
  });

  it('is named when it is not there', async () => {
    const nowhere = join(folder(), 'nowhere.yaml');
    const { code, err } = await command(environmentIn(folder(), { COUNTERSIGN_CONFIG: nowhere }), 'tools');
    expect(code).toBe(2);
    expect(err).toEqual([
      `${nowhere} cannot be read; nothing was started. Set COUNTERSIGN_CONFIG to where the policy file is.`,
    ]);
  });
});
