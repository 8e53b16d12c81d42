/** Who may decide: what Slack says of people and groups, and what happens when it says nothing. */
import { expect, test } from 'vitest';
import { SlackDirectory } from '../../src/slack/directory.ts';
import type { Scope } from '../../src/thread/events.ts';
import type { UserId } from '../../src/thread/ids.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { handClock } from '../support/hand-clock.ts';
import { TEAM } from './stage.ts';

const MIA = 'U0MIA0001' as UserId;
const LEO = 'U0LEO0001' as UserId;
const sre: Scope = { name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] };
const mia: Scope = { name: 'mia', label: 'Mia', users: [MIA], groups: [] };
const leads: Scope = { name: 'leads', label: 'Leads', users: [], groups: ['S0LEADS01'] };

function town() {
  const clock = handClock();
  const slack = new FakeSlack(() => clock.nowMs());
  slack.users.set(MIA, { id: MIA, team_id: TEAM, real_name: 'Mia Chen' });
  slack.users.set(LEO, { id: LEO, team_id: TEAM, real_name: 'Leo Park' });
  slack.groups.set('S0SRE0001', [MIA, LEO]);
  slack.groups.set('S0LEADS01', [LEO]);
  return { clock, slack, directory: new SlackDirectory({ api: slack.api, clock, team: TEAM, admins: [leads] }) };
}

test('an active member of a group is in the scope, by id, with the name for display [S-41]', async () => {
  const { directory, clock } = town();
  expect(await directory.actor(MIA, [sre, leads])).toEqual({
    user: MIA,
    team: TEAM,
    name: 'Mia Chen',
    standing: 'member',
    scopes: ['sre'],
    unknownScopes: [],
    admin: false,
    lookedUpAtMs: clock.nowMs(),
  });
  expect(await directory.actor(LEO, [sre])).toMatchObject({ scopes: ['sre'], admin: true });
});

test.each([
  ['deactivated', { deleted: true }],
  ['bot', { is_bot: true }],
  ['bot', { is_app_user: true }],
  ['bot', { is_workflow_bot: true }],
  ['bot', { is_connector_bot: true }],
  ['guest', { is_restricted: true }],
  ['guest', { is_ultra_restricted: true }],
  ['guest', { is_invited_user: true }],
  ['guest', { is_email_confirmed: false }],
  ['external', { is_stranger: true }],
  ['external', { team_id: 'T0PARTNER' }],
  ['deactivated', { deleted: true, is_stranger: true }],
  ['external', { is_restricted: true, team_id: 'T0PARTNER' }],
  ['member', { is_email_confirmed: true, is_bot: false }],
] as const)('what Slack flags makes somebody %s: %j [S-48, F-D7]', async (standing, flags) => {
  const { directory, slack } = town();
  slack.users.set(MIA, { id: MIA, team_id: TEAM, ...flags });
  expect((await directory.actor(MIA, [sre])).standing).toBe(standing);
  const deciders = await directory.deciders([mia]);
  expect(deciders).toEqual(standing === 'member' ? [MIA] : []);
});

test('somebody deactivated a moment ago is refused, though the list of deciders still knew them [S-49]', async () => {
  const { directory, slack } = town();
  expect(await directory.deciders([sre])).toEqual([LEO, MIA]);
  slack.users.set(MIA, { id: MIA, team_id: TEAM, deleted: true });
  expect((await directory.actor(MIA, [sre])).standing).toBe('deactivated');
  expect(await directory.deciders([sre])).toEqual([LEO]);
});

test.each(['refused', 'lost', 'throttled'] as const)(
  'a failed look-up of a group is unknown, and never in the scope: %s [S-50, T-A12c]',
  async kind => {
    const { directory, slack } = town();
    const fault = {
      lost: { kind },
      throttled: { kind, retryAfterMs: 1_000 },
      refused: { kind, code: 'plan_upgrade_required' },
    };
    slack.plan('usergroups.users.list', fault[kind] as never, 2);
    expect(await directory.actor(MIA, [sre])).toMatchObject({ scopes: [], unknownScopes: ['sre'], admin: 'unknown' });
    slack.plan('usergroups.users.list', fault[kind] as never, 2);
    expect(await directory.deciders([sre])).toBeUndefined();
  },
);

test('a failed look-up is not kept: the next one who needs it asks again [S-50]', async () => {
  const { directory, slack } = town();
  slack.plan(call => call.args['usergroup'] === 'S0SRE0001', { kind: 'lost' });
  expect((await directory.actor(MIA, [sre])).unknownScopes).toEqual(['sre']);
  expect((await directory.actor(MIA, [sre])).scopes).toEqual(['sre']);
});

test('a failed look-up of the person is unknown and allows nothing [S-50, T-A12c]', async () => {
  const { directory, slack } = town();
  slack.plan('users.info', { kind: 'lost' });
  expect((await directory.actor(MIA, [mia])).standing).toBe('unknown');
  slack.plan('users.info', { kind: 'refused', code: 'user_not_found' });
  expect((await directory.actor(MIA, [mia])).standing).toBe('unknown');
  slack.plan('users.info', { kind: 'refused', code: 'user_not_visible' });
  expect((await directory.actor(MIA, [mia])).standing).toBe('external');
  await directory.userChanged({ id: MIA });
  slack.plan('users.info', { kind: 'lost' });
  expect(await directory.deciders([mia])).toBeUndefined();
});

test('a list of members is at most a minute old, and says how old it is [T-A12b]', async () => {
  const { directory, slack, clock } = town();
  await directory.actor(MIA, [sre]);
  const askedAtMs = clock.nowMs();
  slack.groups.set('S0SRE0001', [LEO]);
  await clock.advance(59_000);
  expect(await directory.actor(MIA, [sre])).toMatchObject({ scopes: ['sre'], lookedUpAtMs: askedAtMs });
  await clock.advance(1_000);
  expect(await directory.actor(MIA, [sre])).toMatchObject({ scopes: [] });
});

test('an event about a group or a person makes the next look-up a fresh one [T-A12b]', async () => {
  const { directory, slack } = town();
  expect(await directory.deciders([sre])).toEqual([LEO, MIA]);
  slack.groups.set('S0SRE0001', [LEO]);
  expect(await directory.deciders([sre])).toEqual([LEO, MIA]);
  directory.groupChanged('S0SRE0001');
  expect(await directory.deciders([sre])).toEqual([LEO]);
  slack.users.set(LEO, { id: LEO, team_id: TEAM, deleted: true });
  expect(await directory.deciders([sre])).toEqual([LEO]);
  await directory.userChanged(slack.users.get(LEO));
  expect(await directory.deciders([sre])).toEqual([]);
});

test('whoever listens hears of groups, and of what people are, but not of what they only look like', async () => {
  const { directory, slack } = town();
  const heard: unknown[] = [];
  directory.listen(change => heard.push(change));
  directory.groupChanged('S0SRE0001');
  await directory.deciders([sre]);
  await directory.userChanged({ ...slack.users.get(LEO), profile: { real_name: 'Leo, on holiday' } });
  expect(heard).toEqual([{ group: 'S0SRE0001' }]);
  await directory.userChanged({ id: LEO, team_id: TEAM, deleted: true });
  slack.users.set(LEO, { id: LEO, team_id: TEAM, deleted: true });
  await directory.deciders([sre]);
  await directory.userChanged({ id: LEO, team_id: TEAM });
  await directory.userChanged({ id: 'U0NEVER01', team_id: TEAM, is_restricted: true });
  await directory.userChanged('nonsense');
  expect(heard.slice(1)).toEqual([{ user: LEO }, { user: LEO }, { user: 'U0NEVER01' }]);
});

test('members of a channel are nobody in particular: only users and groups count [S-48]', async () => {
  const { directory, slack } = town();
  await directory.actor(MIA, [sre]);
  expect(slack.calls.map(call => call.method).toSorted()).toEqual([
    'usergroups.users.list',
    'usergroups.users.list',
    'users.info',
  ]);
});

test('an empty scope has nobody in it [T-A12a, F-D4]', async () => {
  const { directory } = town();
  const empty: Scope = { name: 'empty', label: 'Empty', users: [], groups: [] };
  expect(await directory.deciders([empty])).toEqual([]);
  expect((await directory.actor(MIA, [empty])).scopes).toEqual([]);
});

test('a large group is read as pages of everybody, not one by one', async () => {
  const { directory, slack } = town();
  const many = Array.from({ length: 1_200 }, (_, index) => `U${String(index).padStart(8, '0')}`);
  for (const id of many) slack.users.set(id, { id, team_id: TEAM, deleted: id.endsWith('7') });
  slack.groups.set('S0SRE0001', many);
  const deciders = await directory.deciders([sre]);
  expect(deciders).toHaveLength(1_080);
  expect(slack.called('users.list')).toHaveLength(3);
  expect(slack.called('users.info')).toHaveLength(0);
});
