import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startWorkspace } from '../../src/local/server.ts';
import { HouseProcess } from './process.ts';
import { folder, TOKENS } from './stage.ts';

describe('a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its lines, says nothing else while nothing is wrong, and ends with 0 at %s',
    async name => {
      const where = folder();
      const house = new HouseProcess(where, { LOG_LEVEL: 'info' });
      const url = await house.address();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect(JSON.parse(readFileSync(join(where, 'data/running.json'), 'utf8'))).toMatchObject({ workspace: url });
      house.signal(name);
      const { code, out, err } = await house.ended();
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const lines = out.trimEnd().split('\n');
      expect(lines[0]).toMatch(/^Countersign \d+\.\d+\.\d+ · node 24\./);
      expect(lines).toContain(url);
      expect(lines.at(-1)).toBe('Stopping … done. Nothing waits.');
      expect(existsSync(join(where, 'data/running.json'))).toBe(false);
    },
  );

  it('reads .env, and takes what is set already over it', async () => {
    const where = folder();
    writeFileSync(join(where, '.env'), 'LOG_LEVEL=loud\nPORT=not-a-port\n');
    const { code, err } = await new HouseProcess(where).ended();
    expect(code).toBe(2);
    expect(err).toContain('The environment has 1 problem; nothing was started.');
    expect(err).toContain('LOG_LEVEL must be one of');
    expect(err).not.toContain('PORT');
  });

  it('that meets a fault which nobody caught ends with 1 and a sentence, not a stack trace', async () => {
    const where = folder();
    const house = new HouseProcess(where);
    await house.address();
    house.signal('SIGTERM');
    await house.ended();
    for (const name of readdirSync(join(where, 'data/table')))
      writeFileSync(join(where, 'data/table', name), 'garbage\n');
    const { code, out, err } = await new HouseProcess(where).ended();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('What it had recorded is kept; start it again.');
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('joins the workspace of another process by its address, and says where it is', async () => {
    const workspace = await startWorkspace({ log: () => {} });
    onTestFinished(() => workspace.close());
    const house = new HouseProcess(folder(), { SLACK_API_URL: `${workspace.url}/api/` });
    const url = await house.address();
    expect(url).not.toBe(workspace.url);
    house.signal('SIGTERM');
    const { code, out } = await house.ended();
    expect(code).toBe(0);
    expect(out).toContain(`  Slack   embedded   workspace "Acme" at ${workspace.url}`);
    expect(out).toContain('  Cards   #approvals (private, 10 members) · operators #ops-alerts\n');
    expect(out).toContain('  Waiting 0 approvals, 0 questions, 0 in doubt\n');
    expect(out).toContain(`\nReady. Health: ${url}/health\n`);
  });

  it('that Slack refuses a socket ends with 2 and a sentence, and leaves nothing running', async () => {
    const workspace = await startWorkspace({ log: () => {} });
    onTestFinished(() => workspace.close());
    const wrong = { ...TOKENS, SLACK_APP_TOKEN: 'xapp-1234-wrong', SLACK_API_URL: `${workspace.url}/api/` };
    const { code, out, err } = await new HouseProcess(folder(), wrong).ended();
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Slack refuses to open a socket: invalid_auth.\nNothing was started.\n');
    expect(err).not.toContain('1234');
  });
});
