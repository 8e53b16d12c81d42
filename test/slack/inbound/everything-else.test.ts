/** Whatever else Slack delivers is acknowledged, and nobody is left without an answer. */
import { expect, test } from 'vitest';
import { open } from './stage.ts';

const person = { id: 'U0MIA0001', team_id: 'T0ACME001' };
const team = { id: 'T0ACME001' };

test.each([
  { type: 'app_context_changed', user: 'U0MIA0001' },
  { type: 'member_left_channel', user: 'U0BOT0001', channel: 'C0APPROV1' },
  { type: 'subteam_members_changed', subteam_id: 'S0SRE0001' },
  { type: 'user_change', user: { id: 'U0MIA0001' } },
  { type: 'something_new_of_next_year' },
])('an event that has no handler is acknowledged and changes nothing: %j', async event => {
  const scene = await open();
  expect(await scene.deliver('events_api', scene.event(event))).toMatchObject({ kind: 'acknowledged' });
  expect(scene.inbox.received).toEqual([]);
});

test.each([
  ['a closed form', { type: 'view_closed', team, user: person, view: { id: 'V1', callback_id: 'reject_form' } }],
  [
    'an unknown form',
    {
      type: 'view_submission',
      team,
      user: person,
      view: { id: 'V1', hash: 'h', callback_id: 'old_form', private_metadata: '', state: { values: {} } },
    },
  ],
  [
    'a choice without a list',
    { type: 'block_suggestion', team, user: person, action_id: 'pick', block_id: 'b', value: 'x' },
  ],
  ['a global shortcut', { type: 'shortcut', team, user: person, callback_id: 'old', trigger_id: 't' }],
  [
    'an interaction of another age',
    { type: 'dialog_submission', team, user: person, callback_id: 'old', submission: {} },
  ],
  [
    'a click in a form',
    {
      type: 'block_actions',
      team,
      user: person,
      container: { type: 'view', view_id: 'V1' },
      view: { id: 'V1', callback_id: 'old_form' },
      actions: [{ type: 'button', action_id: 'old', block_id: 'b', action_ts: '1.1' }],
    },
  ],
])('%s is acknowledged [S-8]', async (_, payload) => {
  const scene = await open();
  expect(await scene.deliver('interactive', payload)).toMatchObject({ kind: 'acknowledged' });
});

test('an unknown command and an unknown message shortcut are answered', async () => {
  const scene = await open();
  const ts = await scene.say('U0DANA001', 'C0GENERAL', 'hello');
  await scene.deliver('interactive', {
    type: 'message_action',
    team,
    user: person,
    callback_id: 'old',
    trigger_id: 't',
    channel: { id: 'C0GENERAL' },
    message: { ts },
  });
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('older version');
  await scene.deliver('slash_commands', {
    command: '/old',
    text: '',
    team_id: 'T0ACME001',
    user_id: 'U0LEO0001',
    channel_id: 'C0GENERAL',
    response_url: 'http://127.0.0.1:9/none',
  });
  expect((await scene.whispers('U0LEO0001'))[0]).toContain('older version');
});

test('an event about a group makes the next look-up a fresh one, and whoever listens hears of it [T-A12b]', async () => {
  const scene = await open();
  const heard: unknown[] = [];
  scene.slack.directory.listen?.(change => heard.push(change));
  const sre = { name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] };
  const before = await scene.slack.directory.deciders([sre]);
  expect(before).toContain('U0MIA0001');
  await scene.human('POST', 'group', { group: 'S0SRE0001', users: ['U0LEO0001'] });
  await scene.deliver('events_api', scene.event({ type: 'subteam_members_changed', subteam_id: 'S0SRE0001' }));
  expect(await scene.slack.directory.deciders([sre])).toEqual(['U0LEO0001']);
  expect(heard).toContainEqual({ group: 'S0SRE0001' });
  const gone = { id: 'U0LEO0001', team_id: 'T0ACME001', deleted: true };
  await scene.deliver('events_api', scene.event({ type: 'user_change', user: gone }));
  await expect.poll(() => heard).toContainEqual({ user: 'U0LEO0001' });
});

test('that the app was taken away is noted', async () => {
  const scene = await open();
  await scene.deliver('events_api', scene.event({ type: 'app_uninstalled' }));
  await scene.slack.stop();
  expect(scene.notes.join(' ')).toContain('Slack has taken the app away');
});
