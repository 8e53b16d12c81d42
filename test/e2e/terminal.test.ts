/** What an operator meets in the terminal: starts that are refused with every reason, two processes, health, a stop, the demo. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { APPROVALS, controlsOn, DANA, GENERAL, MIA, NOOR, OPS, People, until, wordsOf } from './people.ts';
import { openTown, Stage } from './stage.ts';
import { textOf } from '../support/repository.ts';

describe.concurrent('a start that cannot be', () => {
  it('ends with 2 and a sentence when the wanted port is taken, and starts nothing', async ({
    expect,
    onTestFinished,
  }) => {
    const stage = new Stage();
    const server = createServer();
    onTestFinished(async () => {
      server.close();
      await stage.close();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const process = stage.process({ PORT: String(port) });
    expect(await process.end()).toEqual({ code: 2, signal: null });
    expect(process.err).toContain(`Port ${port} is in use by another program.`);
    expect(process.err).toContain('Nothing was started.');
    expect(process.out).toBe('');
  });

  it('names every problem of the policy file at once, and starts nothing', async ({ expect, onTestFinished }) => {
    const stage = Stage.until(onTestFinished);
    const file = stage.file(
      'countersign.yaml',
      textOf('countersign.yaml')
        .replace('approvers: [sre, leads]', 'approvers: [sres]')
        .replace('args.argv[0] in', 'arg.argv[0] in')
        .replace('confirm: true', 'quorom: 2'),
    );
    const process = stage.process({ COUNTERSIGN_CONFIG: file });
    expect(await process.end()).toEqual({ code: 2, signal: null });
    expect(process.err).toContain('has 3 problems; nothing was started.');
    expect(process.err).toContain('approvers names "sres"');
    expect(process.err).toContain('did you mean args?');
    expect(process.err).toContain('did you mean quorum?');
    expect(existsSync(join(stage.folder, 'data'))).toBe(false);
  });

  it('names every odd value of the environment at once, and repeats no secret [T-A16d]', async ({
    expect,
    onTestFinished,
  }) => {
    const stage = Stage.until(onTestFinished);
    const process = stage.process({
      PORT: '80 80',
      SLACK_BOT_TOKEN: 'xoxp-a-secret-of-the-wrong-kind',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
      COUNTERSIGN_CONFG: 'countersign.yaml',
    });
    expect(await process.end()).toEqual({ code: 2, signal: null });
    for (const name of ['PORT', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'DYNAMODB_TABLE', 'COUNTERSIGN_CONFG'])
      expect(process.err).toContain(name);
    expect(process.err + process.out).not.toContain('a-secret');
    expect(existsSync(join(stage.folder, 'data'))).toBe(false);
  });

  it('ends with a sentence when Slack or the table cannot be reached', async ({ expect, onTestFinished }) => {
    const stage = Stage.until(onTestFinished);
    const tokens = { SLACK_BOT_TOKEN: 'xoxb-embedded', SLACK_APP_TOKEN: 'xapp-embedded' };
    const noSlack = stage.process({ ...tokens, PROJECT_ROOT: stage.folder, SLACK_API_URL: 'http://127.0.0.1:9/api/' });
    const table = { DYNAMODB_TABLE: 'nowhere', DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
    const noTable = stage.process({ ...table, COUNTERSIGN_DATA: join(stage.folder, 'other') });
    expect(await noSlack.end(40_000)).toEqual({ code: 2, signal: null });
    expect(await noTable.end(40_000)).toEqual({ code: 2, signal: null });
    for (const process of [noSlack, noTable]) {
      expect(process.err).toContain('Nothing was started.');
      expect(process.err).not.toMatch(/^\s+at /m);
    }
    expect(noSlack.err).toContain('Slack');
    expect(noTable.err).toMatch(/table/i);
  });

  it('is refused for a data folder that another process has, which goes on undisturbed', async ({
    expect,
    onTestFinished,
  }) => {
    const stage = Stage.until(onTestFinished);
    const first = stage.process({});
    const url = await first.address();
    const second = stage.process({});
    expect(await second.end()).toEqual({ code: 2, signal: null });
    expect(second.err).toContain('is in use by another process. End that one, or set COUNTERSIGN_DATA.');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await first.stop()).toEqual({ code: 0, signal: null });
  });

  it('comes up on any free port where none is wanted and the usual one is taken', async ({
    expect,
    onTestFinished,
  }) => {
    const stage = Stage.until(onTestFinished);
    const one = stage.process({ PORT: '' });
    const other = stage.process({ PORT: '', COUNTERSIGN_DATA: join(stage.folder, 'other') });
    const addresses = await Promise.all([one.address(), other.address()]);
    expect(new Set(addresses).size).toBe(2);
  });
});

describe.concurrent('the whole stack in one process', () => {
  it('keeps ten requests through a power cut: after the next start each of them can be decided [F-E12, F-A11, F-G4]', async ({
    expect,
    onTestFinished,
  }) => {
    const stage = Stage.until(onTestFinished);
    const first = stage.process({});
    const before = new People(await first.address());
    const threads = await Promise.all([
      before.say(
        DANA,
        GENERAL,
        '<@U0BOT0001> write "1" to f1, write "1" to f2, write "1" to f3, write "1" to f4, write "1" to f5',
      ),
      // One person may have five requests open.
      before.say(
        NOOR,
        OPS,
        '<@U0BOT0001> write "1" to f6, write "1" to f7, write "1" to f8, write "1" to f9, write "1" to f0',
      ),
    ]);
    const names = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(digit => `Write f${digit}`);
    for (const name of names) await before.card(name, 'approve');
    await first.kill();

    const second = stage.process({});
    const people = new People(await second.address());
    for (const name of names) await people.click(MIA, APPROVALS, await people.card(name, 'approve'), 'approve');
    for (const name of names) {
      await people.see(`${name} to be done`, APPROVALS, undefined, shown => wordsOf(shown).includes(`✅ ${name}`));
      expect(await people.cards(name)).toHaveLength(1);
    }
    await people.reads(GENERAL, threads[0], 'f5', DANA);
    await people.reads(OPS, threads[1], 'f0', NOOR);
    const written = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(digit =>
      existsSync(join(stage.folder, 'data/project', `f${digit}`)),
    );
    expect(written).toEqual(written.map(() => true));
    expect((await people.messages(APPROVALS)).flatMap(controlsOn)).toEqual([]);
  });

  it('plays its story in the terminal and ends with 0', async ({ expect, onTestFinished }) => {
    const stage = Stage.until(onTestFinished);
    const demo = stage.command(['demo'], {});
    expect(await demo.end(30_000)).toEqual({ code: 0, signal: null });
    expect(demo.out).toContain('Run echo hello');
    expect(demo.out).toContain('You asked for this, so somebody else decides');
    expect(demo.out).toContain('We still need it.');
    expect(demo.err).toBe('');
    expect(existsSync(join(stage.folder, 'data'))).toBe(false);
  });
});

describe.concurrent('a stop', () => {
  it('lets a tool of ten seconds end, ends one that takes too long, leaves nothing in doubt, and exits with 0 [F-K7, F-J5]', async ({
    expect,
    onTestFinished,
  }) => {
    const town = await openTown();
    onTestFinished(() => town.close());
    const { people } = town;
    const process = await town.start();
    const short = await people.say(DANA, GENERAL, '<@U0BOT0001> run sh -c "touch started; sleep 10; echo slept"');
    const long = await people.say(DANA, OPS, '<@U0BOT0001> run sh -c "touch begun; sleep 50; touch late"');
    const shortCard = await people.card('echo slept', 'approve');
    const longCard = await people.card('touch late', 'approve');
    for (const card of [shortCard, longCard]) await people.click(MIA, APPROVALS, card, 'approve');
    for (const card of [shortCard, longCard]) await people.turned(APPROVALS, card, '▶️', 'Running');
    const begun = (): boolean => ['started', 'begun'].every(name => existsSync(join(town.project, name)));
    await until('both tools to run', () => begun() || undefined);
    process.send('SIGTERM');
    expect(await process.end(40_000)).toEqual({ code: 0, signal: null });
    expect(process.out).toContain('Stopping: 2 tools running, waiting up to 25 s …');

    await town.start();
    await people.turned(APPROVALS, shortCard, '✅', 'Done', 'slept');
    await people.turned(APPROVALS, longCard, '⚠️', 'Failed', 'Part of it may have happened.');
    await people.reads(GENERAL, short, 'slept', DANA);
    await people.reads(OPS, long, 'part of it may have happened');
    expect(existsSync(join(town.project, 'late'))).toBe(false);
  });
});
