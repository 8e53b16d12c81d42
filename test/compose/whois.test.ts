import { describe, expect, it, onTestFinished } from 'vitest';
import { tellAddresses } from '../../src/compose/running-here.ts';
import type { Variables } from '../../src/config/environment.ts';
import type { RunningWorkspace } from '../../src/local/server.ts';
import { mkdirSync } from 'node:fs';
import { command, environmentIn, folder, policyFile, TOKENS, workspace } from './stage.ts';

const at = ({ url }: RunningWorkspace): Variables => ({ ...TOKENS, SLACK_API_URL: `${url}/api/` });
const whois = (variables: Variables, ...words: readonly string[]) =>
  command(environmentIn(folder(), variables), 'whois', ...words);

describe('npm run whois', () => {
  it('tells the ids behind groups, channels and people, however they are written', async () => {
    const words = ['@sre', '#approvals', 'dana', '@Mia Chen', 'general', 'U0LEO0001', 'S0LEADS01'];
    expect(await whois(at(await workspace()), ...words)).toEqual({
      code: 0,
      err: [],
      out: [
        '@sre  S0SRE0001  group @sre',
        '#approvals  C0APPROV1  #approvals',
        'dana  U0DANA001  Dana Ito',
        '@Mia Chen  U0MIA0001  Mia Chen',
        'general  C0GENERAL  #general',
        'U0LEO0001  U0LEO0001  Leo Park',
        'S0LEADS01  S0LEADS01  group @leads',
      ],
    });
  });

  it('says which names are not known, tells the others, and ends with 1', async () => {
    expect(await whois(at(await workspace()), '@nobody', '@leads', '#nowhere')).toEqual({
      code: 1,
      err: [],
      out: [
        '@nobody  not found',
        '@leads  S0LEADS01  group @leads',
        '#nowhere  not found (a private channel only shows once the app is invited)',
      ],
    });
  });

  it('names the scope that is missing', async () => {
    expect(await whois(at(await workspace(['usergroups:read'])), '@sre')).toMatchObject({
      code: 2,
      err: ['The app lacks usergroups:read: add it, reinstall the app, and try again.'],
    });
  });

  it('says of a channel which agent listens there by name', async () => {
    const agents = 'agents: { ops: { listen: { channels: [C0OPS0001] } } }\n';
    const file = policyFile(folder(), text => text.replace(/^defaults:/m, `${agents}defaults:`));
    const variables = { ...at(await workspace()), COUNTERSIGN_CONFIG: file };
    expect((await whois(variables, '#ops', '#general')).out).toEqual([
      '#ops  C0OPS0001  #ops · ops listens here',
      '#general  C0GENERAL  #general',
    ]);
  });

  it('says that addresses need a scope which the app does without', async () => {
    const { code, err } = await whois(at(await workspace()), 'dana@acme.dev');
    expect(code).toBe(2);
    expect(err[0]).toContain('users:read.email');
    expect(err[1]).toContain('npm run whois -- "Dana Ito"');
  });

  it('says so when Slack does not take the token, and repeats it nowhere', async () => {
    const wrong = { ...at(await workspace()), SLACK_BOT_TOKEN: 'xoxb-1234-wrong' };
    const { code, out, err } = await whois(wrong, '@sre');
    expect({ code, out, err }).toEqual({
      code: 2,
      out: [],
      err: ['Slack does not take SLACK_BOT_TOKEN: invalid_auth.'],
    });
  });

  it('says so when Slack is not there', async () => {
    const { code, err } = await whois({ ...TOKENS, SLACK_API_URL: 'http://127.0.0.1:9/api/' }, '@sre');
    expect({ code, err }).toEqual({ code: 2, err: ['Slack did not answer. Try again in a minute.'] });
  });

  it('asks the embedded workspace at an address without tokens, or of the process that runs on this data folder', async () => {
    const running = await workspace();
    const found = ['@sre  S0SRE0001  group @sre'];
    expect((await whois({ SLACK_API_URL: `${running.url}/api/` }, '@sre')).out).toEqual(found);
    const environment = environmentIn(folder());
    mkdirSync(environment.dataFolder);
    onTestFinished(tellAddresses(environment.dataFolder, { workspace: running.url, table: null }));
    expect((await command(environment, 'whois', '@sre')).out).toEqual(found);
  });

  it('says what to set or start when there is no Slack to ask, and how it is used when nobody is named', async () => {
    expect(await whois({}, '@sre')).toMatchObject({ code: 2, err: [expect.stringContaining('npm start')] });
    expect(await whois(TOKENS)).toMatchObject({ code: 2, err: [expect.stringContaining('npm run whois -- @sre')] });
  });
});
