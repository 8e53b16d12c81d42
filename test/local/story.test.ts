import type { ModalView } from '@slack/web-api';
import { expect, test } from 'vitest';
import { boltApp, HandClock, human, openWorkspace, say, signal } from './stage.ts';

const approve = {
  type: 'actions',
  block_id: 'decide',
  elements: [
    {
      type: 'button',
      action_id: 'approve',
      text: { type: 'plain_text', text: 'Approve' },
      value: 'a-1',
      style: 'primary',
    },
  ],
} as const;

const rejectForm: ModalView = {
  type: 'modal',
  callback_id: 'reject',
  private_metadata: 'a-1',
  title: { type: 'plain_text', text: 'Reject this request' },
  submit: { type: 'plain_text', text: 'Reject' },
  blocks: [
    {
      type: 'input',
      block_id: 'reason',
      optional: true,
      label: { type: 'plain_text', text: 'Reason' },
      element: { type: 'plain_text_input', action_id: 'text', max_length: 500 },
    },
  ],
};

test('a mention reaches the Bolt app, its card reaches people, and a click comes back with the message it was made on', async () => {
  const { url } = await openWorkspace();
  const app = await boltApp(url);
  const clicked = signal<{
    value: string | undefined;
    user: string;
    team: string | undefined;
    text: string | undefined;
  }>();
  const posted = signal<string>();
  app.event('app_mention', async ({ event, client }) => {
    const card = await client.chat.postMessage({
      channel: 'C0APPROV1',
      text: `Approve? ${event.text}`,
      blocks: [approve],
    });
    posted.fire(card.ts ?? '');
  });
  app.action('approve', async ({ ack, body, action }) => {
    await ack();
    if (body.type !== 'block_actions' || action.type !== 'button') return;
    clicked.fire({ value: action.value, user: body.user.id, team: body.team?.id, text: body.message?.['text'] });
  });
  await app.start();
  await say(url, 'U0DANA001', 'C0GENERAL', '@Countersign run echo hello');
  const ts = await posted.done;
  const { body } = await human(url, 'GET', 'messages?channel=C0APPROV1');
  expect(body['messages']).toMatchObject([{ ts, bot_id: 'B0BOT0001', text: 'Approve? <@U0BOT0001> run echo hello' }]);

  const answer = await human(url, 'POST', 'click', {
    user: 'U0PETRA01',
    channel: 'C0APPROV1',
    ts,
    action_id: 'approve',
  });
  expect(answer.status).toBe(200);
  expect(await clicked.done).toEqual({
    value: 'a-1',
    user: 'U0PETRA01',
    team: 'T0ACME001',
    text: 'Approve? <@U0BOT0001> run echo hello',
  });
});

test('a click opens a form, its submission is answered under the field, then with the next view, then closes', async () => {
  // Time stands still: nobody is late, however busy the machine is.
  const { url } = await openWorkspace({ clock: new HandClock() });
  const app = await boltApp(url);
  const opened = signal();
  app.action('approve', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    await client.views.open({ trigger_id: body.trigger_id, view: rejectForm });
    opened.fire();
  });
  app.view('reject', async ({ ack, view }) => {
    const reason = view.state.values['reason']?.['text']?.value;
    if (reason === 'no') await ack({ response_action: 'errors', errors: { reason: 'Say why.' } });
    else if (reason === 'show')
      await ack({ response_action: 'update', view: { ...rejectForm, private_metadata: 'second' } });
    else await ack();
  });
  await app.start();
  const card = await app.client.chat.postMessage({ channel: 'C0APPROV1', text: 'card', blocks: [approve] });
  await human(url, 'POST', 'click', {
    user: 'U0MIA0001',
    channel: 'C0APPROV1',
    ts: card.ts ?? '',
    action_id: 'approve',
  });
  await opened.done;
  const { body } = await human(url, 'GET', 'views?user=U0MIA0001');
  const [view] = body['views'] as { id: string }[];
  const submit = (text: string) =>
    human(url, 'POST', 'submit', { user: 'U0MIA0001', view_id: view?.id ?? '', values: { reason: { text } } });
  expect((await submit('no')).body).toEqual({ errors: { reason: 'Say why.' } });
  expect((await submit('show')).body).toMatchObject({ view: { id: view?.id, private_metadata: 'second' } });
  expect((await submit('Not during the sale.')).body).toEqual({ view: null });
  expect((await human(url, 'GET', 'views?user=U0MIA0001')).body['views']).toEqual([]);
});

test('the app finds people, groups and the replies of a thread, with metadata only when it asks for it', async () => {
  const { url } = await openWorkspace();
  const app = await boltApp(url);
  const { client } = app;
  expect((await client.auth.test()).user_id).toBe('U0BOT0001');
  expect((await client.users.info({ user: 'U0GUS0001' })).user).toMatchObject({ is_restricted: true, deleted: false });
  expect((await client.users.info({ user: 'U0PETRA01' })).user).toMatchObject({
    is_stranger: true,
    team_id: 'T0PARTNER',
  });
  expect((await client.usergroups.users.list({ usergroup: 'S0SRE0001' })).users).toEqual([
    'U0DANA001',
    'U0MIA0001',
    'U0LEO0001',
  ]);
  const root = await say(url, 'U0DANA001', 'C0OPS0001', 'hello');
  const metadata = { event_type: 'card', event_payload: { key: 'k-1' } };
  await client.chat.postMessage({ channel: 'C0OPS0001', thread_ts: root, text: 'answer', metadata });
  const plain = await client.conversations.replies({ channel: 'C0OPS0001', ts: root });
  expect(plain.messages?.map(one => [one.text, one.metadata])).toEqual([
    ['hello', undefined],
    ['answer', undefined],
  ]);
  const full = await client.conversations.replies({ channel: 'C0OPS0001', ts: root, include_all_metadata: true });
  expect(full.messages?.[1]?.metadata).toEqual(metadata);
  expect(full.messages?.[0]).toMatchObject({ reply_count: 1, reply_users: ['U0BOT0001'], thread_ts: root });
});
