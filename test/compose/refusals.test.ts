import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CannotStart, whyNot } from '../../src/compose/cannot-start.ts';
import { runCommand } from '../../src/compose/commands/commands.ts';
import { readPolicy } from '../../src/compose/policy-side.ts';
import { start } from '../../src/compose/start.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { environmentIn, folder, keptTerminal, policyFile, shippedPolicy } from './stage.ts';

describe('a start that cannot be', () => {
  it('names every problem of the policy file, and leaves no data folder', async () => {
    const where = folder();
    const file = policyFile(where, text =>
      text
        .replace('approvers: [sre, leads]', 'approvers: [sres]')
        .replace('args.argv[0] in', 'arg.argv[0] in')
        .replace('confirm: true', 'quorom: 2'),
    );
    const environment = environmentIn(where, { COUNTERSIGN_CONFIG: file });
    const refused = await start(environment, '1.0.0').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CannotStart);
    const text = whyNot(refused).join('\n');
    expect(text).toContain('countersign.yaml has 3 problems; nothing was started.');
    for (const problem of ['names "sres"', 'did you mean args?', 'did you mean quorum?'])
      expect(text).toContain(problem);
    expect(existsSync(environment.dataFolder)).toBe(false);
  });

  it('names a project folder that is not there, and leaves no data folder', async () => {
    const environment = environmentIn(folder(), { PROJECT_ROOT: '/nowhere/at/all' });
    await expect(start(environment, '1.0.0')).rejects.toThrow('PROJECT_ROOT is /nowhere/at/all');
    expect(existsSync(environment.dataFolder)).toBe(false);
  });

  it('takes no file for a project folder', async () => {
    await expect(start(environmentIn(folder(), { PROJECT_ROOT: shippedPolicy }), '1.0.0')).rejects.toThrow(CannotStart);
  });
});

describe('a command', () => {
  const run = async (name: string, variables: Record<string, string>) => {
    const terminal = keptTerminal();
    const read = readEnvironment(variables);
    const code = await runCommand(name, [], { read, version: '1.0.0', terminal });
    return { code, out: terminal.out, err: terminal.err };
  };

  it('names every problem of the environment at once, and does nothing', async () => {
    expect(await run('doctor', { PORT: 'x', SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual({
      code: 2,
      out: [],
      err: [
        'The environment has 2 problems; nothing was started.',
        '  PORT must be a port from 0 (any) to 65535.',
        '  SLACK_BOT_TOKEN is set, but SLACK_APP_TOKEN is not: Slack needs both.',
      ],
    });
  });

  it.each(['', 'constructor', 'doctors'])('that is not there (%j) is answered with those that are', async name => {
    const { code, err } = await run(name, {});
    expect(code).toBe(2);
    expect(err).toEqual([
      `There is no command "${name}". There are: demo, doctor, whois, tools, policy:test, pending, record, report, table:create.`,
    ]);
  });
});

describe('why something did not work', () => {
  it('is told by the error and its causes, each thing once', () => {
    const cause = new Error('connect ECONNREFUSED', { cause: new Error('no route') });
    expect(whyNot(new Error('The table did not answer.', { cause }))).toEqual([
      'The table did not answer.',
      '  because: connect ECONNREFUSED',
      '  because: no route',
    ]);
    expect(whyNot(new Error('It failed: no route', { cause: new Error('no route') }))).toEqual(['It failed: no route']);
    expect(whyNot('a text')).toEqual(['a text']);
  });

  it('is what a refusal says, without its cause', () => {
    expect(whyNot(new CannotStart(['One.', 'Two.'], { cause: new Error('EACCES') }))).toEqual(['One.', 'Two.']);
  });

  it('comes to an end', () => {
    const error = new Error('round');
    error.cause = error;
    expect(whyNot(error)).toEqual(['round']);
  });
});

describe('the file of the policy', () => {
  it('is looked for where it is said to be', async () => {
    const nowhere = join(folder(), 'nowhere.yaml');
    await expect(start(environmentIn(folder(), { COUNTERSIGN_CONFIG: nowhere }), '1.0.0')).rejects.toThrow(
      `${nowhere} cannot be read; nothing was started.`,
    );
  });

  it.each([
    [64 * 1024 + 1, 1, 'agents.a0: instructions: a0.md is longer than 64 KB'],
    [60 * 1024, 4, 'agents.a3: instructions: a3.md makes the instructions of all agents longer than 192 KB'],
  ])('takes no instructions that are too long to be put on record: %i bytes for %i', (bytes, count, problem) => {
    const where = folder();
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    for (const name of names) writeFileSync(join(where, `${name}.md`), 'x'.repeat(bytes));
    const agents = names.map(name => `  ${name}: { instructions: ${name}.md }`).join('\n');
    const file = policyFile(where, text => `${text}\nagents:\n${agents}\n`);
    expect(() => readPolicy(file)).toThrow(problem);
  });
});
