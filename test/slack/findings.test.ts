/** What is found before work begins. */
import { expect, test } from 'vitest';
import { lookAtChannel, lookAtScopes, membersOf, socketProblem } from '../../src/slack/findings.ts';
import { NEEDED_SCOPES } from '../../src/slack/identity.ts';
import type { ChannelId, TeamId } from '../../src/thread/ids.ts';
import { FakeSlack } from '../support/fake-slack.ts';

const CHANNEL = 'C0APPROV1' as ChannelId;
const identity = {
  team: 'T0ACME001' as TeamId,
  teamName: 'Acme',
  teamUrl: 'https://acme.example/',
  name: 'countersign',
  self: { user: 'U0BOT0001', bot: 'B0BOT0001' },
};

test('missing scopes are named with what they are for [S-15]', async () => {
  const { api } = new FakeSlack();
  const all = Object.keys(NEEDED_SCOPES);
  expect(await lookAtScopes(api, { ...identity, scopes: all })).toMatchObject({ told: true, missing: [] });
  const without = all.filter(scope => scope !== 'usergroups:read');
  expect(await lookAtScopes(api, { ...identity, scopes: without })).toMatchObject({
    missing: [{ scope: 'usergroups:read', for: 'who is in a group that may decide' }],
  });
  expect(await lookAtScopes(api, { ...identity, scopes: null })).toMatchObject({ told: false, missing: [] });
});

test.each([
  [{ name: 'approvals', is_member: true, is_private: true, num_members: 12 }, null],
  [{ name: 'approvals', is_member: true, is_shared: true, is_org_shared: true }, null],
  [{ name: 'approvals', is_member: false }, 'invite it'],
  [{ name: 'approvals', is_member: true, is_archived: true }, 'archived'],
  [{ name: 'approvals', is_member: true, is_ext_shared: true }, 'shared with another organisation'],
  [{ name: 'approvals', is_member: true, is_shared: true }, 'shared with another organisation'],
  [{ name: 'approvals', is_member: true, is_pending_ext_shared: true }, 'shared with another organisation'],
] as const)('the approvers’ channel is looked at before the start: %j [S-15, T-A13b]', async (flags, problem) => {
  const slack = new FakeSlack();
  slack.channels.set(CHANNEL, flags);
  const look = await lookAtChannel(slack.api, CHANNEL);
  expect(look.name).toBe('#approvals');
  expect(look.problem ?? 'none').toContain(problem ?? 'none');
});

test('a channel that cannot be seen is a problem, never an exception [S-15]', async () => {
  const slack = new FakeSlack();
  slack.plan('conversations.info', { kind: 'refused', code: 'channel_not_found' });
  expect(await lookAtChannel(slack.api, CHANNEL)).toMatchObject({
    name: CHANNEL,
    problem: expect.stringContaining('channel_not_found') as string,
  });
  expect(await membersOf(slack.api, CHANNEL)).toBeUndefined();
  expect(await socketProblem(slack.api)).toBe('unknown_method');
});
