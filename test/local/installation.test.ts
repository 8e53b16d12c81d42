import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { installationOf, ownInstallation } from '../../src/local/installation.ts';
import { api, human, openWorkspace, say } from './stage.ts';
import { saidIn, SocketClient } from './socket-client.ts';

const bare = installationOf(
  '{"oauth_config": {"scopes": {"bot": ["chat:write"]}}, "settings": {"event_subscriptions": {"bot_events": ["message.im"]}}}',
);

test('the app is installed as its own manifest says', () => {
  const manifest = parse(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')) as {
    oauth_config: { scopes: { bot: string[] } };
    settings: { event_subscriptions: { bot_events: string[] } };
  };
  const { scopes, events } = ownInstallation();
  expect([...scopes]).toEqual(manifest.oauth_config.scopes.bot);
  expect([...events]).toEqual(manifest.settings.event_subscriptions.bot_events);
});

test('a call without its scope is refused and says which one', async () => {
  const { url } = await openWorkspace({ installation: bare });
  expect(await api(url, 'users.info', { user: 'U0DANA001' })).toEqual({
    ok: false,
    error: 'missing_scope',
    needed: 'users:read',
    provided: 'chat:write',
  });
  expect(await api(url, 'conversations.info', { channel: 'C0APPROV1' })).toMatchObject({
    error: 'missing_scope',
    needed: 'groups:read',
  });
  expect(await api(url, 'conversations.history', { channel: 'D0DANA001' })).toMatchObject({
    error: 'missing_scope',
    needed: 'im:history',
  });
  expect(await api(url, 'conversations.list', { types: 'public_channel,im' })).toMatchObject({
    needed: 'channels:read,im:read',
  });
  expect(await api(url, 'chat.postMessage', { channel: 'C0OPS0001', text: 'x' })).toMatchObject({ ok: true });
});

test('events that the app has not subscribed to do not come', async () => {
  const { url } = await openWorkspace({ installation: bare });
  const app = await SocketClient.connect(url);
  await say(url, 'U0DANA001', 'C0OPS0001', '@Countersign not heard');
  await human(url, 'POST', 'person', { user: 'U0MIA0001', deleted: true });
  await say(url, 'U0DANA001', 'D0DANA001', 'heard');
  expect(saidIn(await app.next())).toBe('heard');
});

test('a Home tab and a command that are not in the manifest are not there', async () => {
  const { url } = await openWorkspace({ installation: bare });
  expect(await api(url, 'views.publish', { user_id: 'U0DANA001', view: { type: 'home', blocks: [] } })).toMatchObject({
    error: 'not_enabled',
  });
  const asked = { user: 'U0DANA001', channel: 'C0OPS0001', command: '/countersign', text: '' };
  expect(await human(url, 'POST', 'command', asked)).toEqual({
    status: 404,
    body: { error: '/countersign is not a command here.' },
  });
});

test('without the scope for metadata, asking for it is not refused: it does not come', async () => {
  const scopes = new Set(['chat:write', 'channels:history']);
  const { url } = await openWorkspace({ installation: { ...bare, scopes } });
  await api(url, 'chat.postMessage', {
    channel: 'C0OPS0001',
    text: 'x',
    metadata: { event_type: 'card', event_payload: { key: 'k' } },
  });
  const { messages } = await api(url, 'conversations.history', { channel: 'C0OPS0001', include_all_metadata: 'true' });
  expect(messages).toHaveLength(1);
  expect(messages).not.toMatchObject([{ metadata: {} }]);
});
