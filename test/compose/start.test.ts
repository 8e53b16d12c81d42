import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start, type Overrides, type Running } from '../../src/compose/start.ts';
import { startLines } from '../../src/compose/start-lines.ts';
import type { Environment } from '../../src/config/environment.ts';
import { command, environmentIn, folder } from './stage.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

async function started(environment: Environment, overrides: Overrides = {}): Promise<Running> {
  const running = await start(environment, '1.0.0', { journal: silent, ...overrides });
  onTestFinished(async () => void (await running.stop()));
  return running;
}

describe('a start', () => {
  it('of the bare machine is embedded in every part', async () => {
    const environment = environmentIn(folder());
    const { facts, serving } = await started(environment);
    expect(facts).toMatchObject({
      slack: { embedded: true, what: 'workspace "Acme", 9 people' },
      model: { embedded: true },
      table: { embedded: true, what: `${environment.dataFolder}/ on this disk` },
      cards: null,
      waiting: { approvals: 0, questions: 0, inDoubt: 0 },
      servesPage: true,
      hasApprovals: true,
      url: serving.url,
    });
    expect((await fetch(serving.url)).status).toBe(200);
  });

  it('with only the model real serves no demo model, and asks the other one', async () => {
    const model = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const { facts, serving } = await started(environmentIn(folder(), model));
    expect(startLines(facts)).toContain('  Model   real       m at 127.0.0.1:9 (chat completions)');
    expect((await fetch(`${serving.url}/v1/chat/completions`, { method: 'POST' })).status).toBe(404);
  });

  it('makes its own project folder, with files to try things on, and leaves a named one as it is', async () => {
    const where = folder();
    const own = environmentIn(where);
    await (await started(own)).stop();
    expect(readdirSync(own.projectRoot).sort()).toEqual(['README.txt', 'notes']);
    const named = join(where, 'named');
    mkdirSync(named);
    await started(environmentIn(where, { PROJECT_ROOT: named }));
    expect(readdirSync(named)).toEqual([]);
  });
});

describe('a policy that denies a tool that is not there', () => {
  it('stops the start, because the slip would let through what nobody wanted', async () => {
    const where = folder();
    const policy = join(where, 'policy.yaml');
    const rule = "  - { id: no, deny: [exectue, 'web.*'], why: Not here. }";
    writeFileSync(
      policy,
      `version: 1\npeople: { sre: { group: S0SRE0001 } }\ndefaults: { approvers: [sre] }\nrules:\n${rule}\n`,
    );
    const environment = environmentIn(where, { COUNTERSIGN_CONFIG: policy });
    await expect(started(environment)).rejects.toThrow(
      'rule "no": deny names "exectue", and no tool has that name (did you mean execute?)',
    );
  });
});

describe('a stop', () => {
  it('closes everything, so that the same folder and port can be taken at once, and may be asked for twice', async () => {
    const where = folder();
    const first = await started(environmentIn(where));
    const { port } = new URL(first.serving.url);
    expect(await first.stop()).toEqual({ approvals: 0, questions: 0, inDoubt: 0 });
    await first.stop();
    await expect(fetch(first.serving.url)).rejects.toThrow('fetch failed');
    const second = await started(environmentIn(where, { PORT: port }));
    expect(second.serving.url).toBe(first.serving.url);
  });

  it('says what waits, and it still waits afterwards', async () => {
    const where = folder();
    const environment = environmentIn(where);
    const running = await started(environment);
    const { promise: waits, resolve } = Promise.withResolvers<void>();
    const stream = await fetch(`${running.serving.url}/human/events`);
    const body = { user: 'U0DANA001', channel: 'C0GENERAL', text: '<@U0BOT0001> run echo hello' };
    await fetch(`${running.serving.url}/human/say`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    void (async () => {
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
        if (chunk.value.includes('C0APPROV1')) resolve();
    })().catch(() => {});
    await waits;
    expect(await running.stop()).toEqual({ approvals: 1, questions: 0, inDoubt: 0 });
    const { out } = await command(environment, 'pending');
    expect(out).toEqual([
      expect.stringMatching(/^⏳ A-[A-Z2-7]{4} {2}Run echo hello · Dana Ito \(U0DANA001\) · until /),
    ]);
    const again = await started(environment);
    expect(again.facts.waiting.approvals).toBe(1);
    expect(startLines(again.facts)).toContain('  Waiting 1 approval, 0 questions, 0 in doubt');
  });

  it('of a start that fails half way closes what was open', async () => {
    const where = folder();
    const environment = environmentIn(where);
    const broken = {
      ports: () => {
        throw new Error('half way');
      },
    };
    await expect(start(environment, '1.0.0', { journal: silent, ...broken })).rejects.toThrow('half way');
    await started(environment);
  });
});

describe('the commands beside a running process', () => {
  it('find its workspace and its table', async () => {
    const environment = environmentIn(folder());
    await started(environment);
    expect((await command(environment, 'whois', '@sre')).out).toEqual(['@sre  S0SRE0001  group @sre']);
    expect((await command(environment, 'pending')).out).toEqual(['Nothing waits.']);
    const { code, out } = await command(environment, 'doctor');
    expect(code).toBe(0);
    expect(out).toContainEqual(expect.stringMatching(/^✓ scopes {5}all \d+ are there$/));
  });
});

describe('npm run demo', () => {
  it('tells the whole story on a folder of its own, and ends with 0', async () => {
    const environment = environmentIn(folder());
    const { code, out, err } = await command(environment, 'demo');
    expect({ code, err }).toEqual({ code: 0, err: [] });
    const story = out.join('\n');
    for (const words of [
      'Run echo hello',
      'You asked for this, so somebody else decides',
      'SRE decides this, and you are not in it',
      '✅ Run echo hello',
      'We still need it.',
      'stopped and started again; nothing was lost',
      '✅ 2 of 3 done',
      'From which city do you fly?',
      'Mia chooses the first way',
      'Play yourself: npm start',
    ])
      expect(story).toContain(words);
    // Arguments stand in the order of the tool's schema.
    expect(story).toMatch(/Write hello\.txt[^]*?\n {6}path +hello\.txt\n/);
    expect(story).not.toMatch(/U0[A-Z]+\d|<@|<!/);
    expect(existsSync(environment.dataFolder)).toBe(false);
  });
});
