import { describe, expect, it, onTestFinished } from 'vitest';
import type { Variables } from '../../src/config/environment.ts';
import { NEEDED_SCOPES } from '../../src/slack/identity.ts';
import { startDynalite } from '../../src/local/dynalite.ts';
import type { RunningWorkspace } from '../../src/local/server.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { command, environmentIn, folder, policyFile, TOKENS, workspace } from './stage.ts';

const ALL_SCOPES = `✓ scopes     all ${Object.keys(NEEDED_SCOPES).length} are there`;

async function doctor(running: RunningWorkspace | null, variables: Variables = {}) {
  const slack = running === null ? {} : { ...TOKENS, SLACK_API_URL: `${running.url}/api/` };
  const { code, out } = await command(environmentIn(folder(), { ...slack, ...variables }), 'doctor');
  const about = (what: string): string[] => out.filter(line => line.slice(2).startsWith(what));
  return { code, out, about };
}

/** Takes a person out of a channel of the embedded workspace. */
function takeOut({ workspace: { directory } }: RunningWorkspace, channel: string, ...people: readonly string[]): void {
  const found = directory.channel(channel);
  if (!found) throw new Error(`There is no ${channel}.`);
  directory.putChannel({ ...found, members: found.members.filter(member => !people.includes(member)) });
}

describe('npm run doctor', () => {
  it('on a bare machine has a good word for every piece, and ends with 0', async () => {
    const { code, out } = await doctor(null);
    expect(code).toBe(0);
    expect(out.slice(0, 4)).toEqual([
      `✓ node       ${process.versions.node}`,
      '✓ Slack      embedded: set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one',
      '✓ model      embedded demo model: set OPENAI_API_KEY for a real one',
      '✓ table      embedded: set DYNAMODB_TABLE for a real one',
    ]);
    expect(out).toContainEqual(expect.stringMatching(/^✓ policy {5}.*: 6 rules · 5 tools: 2 allowed, 3 ask$/));
  });

  it('checks token, socket, scopes, channels and people of a Slack', async () => {
    const { code, out, about } = await doctor(await workspace());
    expect(code).toBe(0);
    expect(about('Slack')).toEqual([
      expect.stringMatching(
        /^✓ Slack {6}embedded, at http:\/\/127\.0\.0\.1:\d+ {2}Acme, @countersign; a socket is offered in \d+\.\d s$/,
      ),
    ]);
    expect(out).toContain(ALL_SCOPES);
    expect(out).toContain('✓ #approvals C0APPROV1, private, not shared, bot is a member');
    expect(out).toContain('✓ #ops-alerts C0OPSALRT, private, not shared, bot is a member');
    expect(about('people')).toEqual(['✓ people     sre: 3 people', '✓ people     leads: 2 people']);
  });

  it('names missing scopes with what they are for and where to add them, and ends with 1', async () => {
    const { code, about } = await doctor(await workspace(['usergroups:read']));
    expect(code).toBe(1);
    expect(about('scopes')).toEqual([
      '✗ scopes     missing usergroups:read (who is in a group that may decide) → api.slack.com/apps/A0APP0001/oauth, add, reinstall',
    ]);
    expect(about('people')).toContain('✗ people     sre: Slack does not say who that is');
  });

  it('names no address of the settings that Slack did not tell', async () => {
    const { about } = await doctor(await workspace(['users:read']));
    expect(about('scopes')).toEqual([
      '✗ scopes     missing users:read (who somebody is) → OAuth & Permissions of the app, add, reinstall',
    ]);
  });

  it('warns of those who may decide but will not see the cards', async () => {
    const running = await workspace();
    takeOut(running, 'C0APPROV1', 'U0LEO0001');
    const { code, about } = await doctor(running);
    expect(code).toBe(0);
    expect(about('people')).toEqual([
      '! people     sre: 3 people; Leo Park may decide but is not in #approvals and will not see cards',
      '! people     leads: 2 people; Leo Park may decide but is not in #approvals and will not see cards',
    ]);
  });

  it('looks at the channel where a rule puts its cards', async () => {
    const running = await workspace();
    takeOut(running, 'C0OPS0001', 'U0MIA0001', 'U0DANA001');
    const where = folder();
    const file = policyFile(where, text =>
      text
        .replace('ask: [write_file]', 'ask: [write_file]\n    channel: C0OPS0001')
        .replace('{ group: S0LEADS01 }', '{ users: [U0ANA0001] }'),
    );
    const { about } = await doctor(running, { COUNTERSIGN_CONFIG: file });
    expect(about('#ops ')).toEqual(['✓ #ops       C0OPS0001, public, not shared, bot is a member']);
    expect(about('people')).toEqual([
      '! people     sre: 3 people; Dana Ito, Mia Chen may decide but are not in #ops and will not see cards',
      '✓ people     leads: 1 person',
    ]);
  });

  it('looks at the channels where agents listen, and where experts see drafts', async () => {
    const running = await workspace();
    takeOut(running, 'C0OPS0001', 'U0BOT0001');
    takeOut(running, 'C0GENERAL', 'U0ANA0001');
    const agents = [
      'agents:',
      '  ops: { listen: { channels: [C0OPS0001] }, hand_off: { writer: { review: leads, channel: C0GENERAL } } }',
      '  writer: { tools: [] }',
      '',
    ].join('\n');
    const file = policyFile(folder(), text => text.replace(/^defaults:/m, `${agents}defaults:`));
    const { code, about } = await doctor(running, { COUNTERSIGN_CONFIG: file });
    expect(code).toBe(1);
    expect([...about('#ops '), ...about('C0OPS0001')]).toEqual([expect.stringContaining('invite')]);
    expect(about('#general')).toEqual([expect.stringMatching(/^✓ #general +C0GENERAL/)]);
    expect(about('people')).toContain(
      '! people     leads: 2 people; Ana Ruiz may decide but is not in #general and will not see cards',
    );
  });

  it('asks every model that an agent names', async () => {
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    for (let answers = 0; answers < 2; answers += 1) model.reply({ calls: [{ tool: 'ping', args: '{}' }] });
    const agents = 'agents: { one: {}, two: { model: m-two }, three: { model: m-two } }\n';
    const file = policyFile(folder(), text => text.replace(/^defaults:/m, `${agents}defaults:`));
    const variables = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'm-one' };
    const { about } = await doctor(null, { ...variables, COUNTERSIGN_CONFIG: file });
    expect(model.requests.map(sent => sent.model).toSorted()).toEqual(['m-one', 'm-two']);
    expect(about('model')).toHaveLength(2);
    expect(about('model')[0]).toMatch(/^✓ model .* calls tools$/);
  });

  it('finds a channel that is shared, archived, or without the app, and one that is not there', async () => {
    const running = await workspace();
    const { directory } = running.workspace;
    const shared = directory.channel('C0OPSALRT');
    if (shared) directory.putChannel({ ...shared, isExtShared: true });
    takeOut(running, 'C0APPROV1', 'U0BOT0001');
    const { code, about } = await doctor(running);
    expect(code).toBe(1);
    expect(about('#ops-alerts')).toEqual([
      '✗ #ops-alerts is shared with another organisation: nothing is posted there',
    ]);
    expect([...about('#approvals'), ...about('C0APPROV1')]).toEqual([expect.stringContaining('invite')]);
  });

  it('says that a scope has nobody who may decide', async () => {
    const file = policyFile(folder(), text =>
      text.replace('{ group: S0LEADS01 }', '{ users: [U0GUS0001, U0DEE0001] }'),
    );
    const { code, about } = await doctor(await workspace(), { COUNTERSIGN_CONFIG: file });
    expect(code).toBe(1);
    expect(about('people')).toContain('✗ people     leads: nobody who may decide');
  });

  it('names the ids of people whom Slack does not know', async () => {
    const file = policyFile(folder(), text =>
      text.replace('{ group: S0LEADS01 }', '{ users: [U0ANA0001, U0KIM0001, U0LEE0001] }'),
    );
    const { code, about } = await doctor(await workspace(), { COUNTERSIGN_CONFIG: file });
    expect(code).toBe(1);
    expect(about('people')).toContain('✗ people     leads: Slack does not say who U0KIM0001, U0LEE0001 are');
  });

  it('says which token Slack does not take, and shows neither', async () => {
    const running = await workspace();
    const bot = await doctor(running, { SLACK_BOT_TOKEN: 'xoxb-1234-wrong' });
    expect(bot).toMatchObject({ code: 1 });
    expect(bot.about('Slack')).toEqual(['✗ Slack      Slack does not take the bot token: invalid_auth.']);
    const app = await doctor(running, { SLACK_APP_TOKEN: 'xapp-1234-wrong' });
    expect(app).toMatchObject({ code: 1 });
    expect(app.about('Slack')).toEqual([expect.stringMatching(/^✗ .* no socket for SLACK_APP_TOKEN: invalid_auth$/)]);
    expect([...bot.out, ...app.out].join('\n')).not.toContain('1234');
  });

  it('names conditions that ask for an argument which a tool does not have, and patterns that name no tool', async () => {
    const file = policyFile(folder(), text =>
      text.replace('[list_files, read_file]', '[list_files, read_files]').replace('args.argv[0] in', 'args.agrv[0] in'),
    );
    const { code, about } = await doctor(null, { COUNTERSIGN_CONFIG: file });
    expect(code).toBe(0);
    expect(about('policy')).toContain(
      '! policy     Rule never-as-root cannot be checked for execute (no "agrv"): it denies every call of it.',
    );
    expect(about('policy')).toContain('! policy     Rule look-freely: "read_files" names no tool that is here.');
  });

  it('lists every problem of the policy file, and still checks the rest', async () => {
    const file = policyFile(folder(), text =>
      text.replace('version: 1', 'version: 2').replace('language: en', 'language: fr'),
    );
    const { code, out, about } = await doctor(await workspace(), { COUNTERSIGN_CONFIG: file });
    expect(code).toBe(1);
    expect(about('policy')).toEqual([expect.stringContaining('has 2 problems')]);
    expect(out.join('\n')).toMatch(/version.*\n.*language/s);
    expect(about('scopes')).toEqual([ALL_SCOPES]);
  });

  it('checks a table, a model and a project folder that are configured', async () => {
    const table = await startDynalite();
    onTestFinished(() => table.close());
    const variables = {
      DYNAMODB_TABLE: 'countersign-test',
      DYNAMODB_ENDPOINT: table.endpoint,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      PROJECT_ROOT: '/nowhere/at/all',
    };
    const where = folder();
    const before = await command(environmentIn(where, variables), 'doctor');
    expect(before.code).toBe(1);
    expect(before.out).toContain('✗ table      There is no table countersign-test; npm run table:create makes it.');
    expect(before.out).toContainEqual(expect.stringMatching(/^✗ model {6}gpt-5\.2 does not answer/));
    expect(before.out).toContainEqual(expect.stringMatching(/^✗ project {4}PROJECT_ROOT is \/nowhere\/at\/all/));
    await command(environmentIn(where, variables), 'table:create');
    const after = await command(environmentIn(where, variables), 'doctor');
    expect(after.out).toContainEqual(
      expect.stringMatching(/^[✓!] table {6}countersign-test: keys, index, nothing expires/),
    );
  });
});
