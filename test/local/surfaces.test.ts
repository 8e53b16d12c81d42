import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/local/json.ts';
import { isObject, objectsIn, textIn } from '../../src/local/json.ts';
import { api, HandClock, human, openWorkspace, say } from './stage.ts';
import { SocketClient } from './socket-client.ts';

const DANA = 'U0DANA001';
const OPS = 'C0OPS0001';

const payloadOf = (envelope: JsonObject): JsonObject => (isObject(envelope['payload']) ? envelope['payload'] : {});

async function heard(app: SocketClient): Promise<JsonObject> {
  const envelope = await app.next();
  app.acknowledge(envelope);
  return payloadOf(envelope);
}

test('a command comes flat, its mentions with names where the manifest wants them escaped, and its answer is for the person alone', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const asked = { user: DANA, channel: OPS, command: '/countersign', text: 'help @mia & #ops' };
  const done = human(url, 'POST', 'command', asked);
  const envelope = await app.next();
  expect(envelope).toMatchObject({
    type: 'slash_commands',
    payload: {
      command: '/countersign',
      text: 'help <@U0MIA0001|mia> &amp; <#C0OPS0001|ops>',
      user_id: DANA,
      channel_id: OPS,
      team_id: 'T0ACME001',
    },
  });
  app.acknowledge(envelope);
  expect(await done).toEqual({ status: 200, body: {} });
  const response = await fetch(textIn(payloadOf(envelope), 'response_url') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Nothing waits for you.' }),
  });
  expect(response.status).toBe(200);
  expect((await human(url, 'GET', `ephemerals?user=${DANA}`)).body['messages']).toMatchObject([
    { channel: OPS, text: 'Nothing waits for you.' },
  ]);
  expect((await human(url, 'GET', `messages?channel=${OPS}`)).body['messages']).toEqual([]);
});

test('a command’s trigger opens a form for whoever gave the command', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const done = human(url, 'POST', 'command', { user: DANA, channel: OPS, command: '/countersign', text: 'freeze' });
  const payload = await heard(app);
  await done;
  const title = { type: 'plain_text', text: 'Freeze everything' };
  const view = { type: 'modal', title, blocks: [] };
  expect(await api(url, 'views.open', { trigger_id: payload['trigger_id'], view })).toMatchObject({ ok: true });
  expect((await human(url, 'GET', `views?user=${DANA}`)).body['views']).toMatchObject([{ type: 'modal', title }]);
});

test('a shortcut of the manifest carries the message, and is answered privately where the message stands', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, DANA, OPS, 'root');
  const reply = await say(url, 'U0MIA0001', OPS, 'reply', root);
  const app = await SocketClient.connect(url);
  await heard(app);
  await heard(app);
  const used = { user: DANA, channel: OPS, ts: reply, callback_id: 'show_record' };
  expect(await human(url, 'POST', 'shortcut', used)).toMatchObject({ body: { ok: true, delivered: true } });
  const payload = await heard(app);
  expect(payload).toMatchObject({
    type: 'message_action',
    callback_id: 'show_record',
    channel: { id: OPS, name: 'ops' },
    message_ts: reply,
    message: { ts: reply, thread_ts: root, text: 'reply' },
    user: { id: DANA },
    trigger_id: expect.any(String) as string,
  });
  await fetch(textIn(payload, 'response_url') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'No record.' }),
  });
  expect((await human(url, 'GET', `ephemerals?user=${DANA}`)).body['messages']).toMatchObject([
    { channel: OPS, thread_ts: root, text: 'No record.' },
  ]);
});

test('a shortcut that is not in the manifest is not there', async () => {
  const { url } = await openWorkspace();
  const ts = await say(url, DANA, OPS, 'hello');
  expect(await human(url, 'POST', 'shortcut', { user: DANA, channel: OPS, ts, callback_id: 'other' })).toEqual({
    status: 404,
    body: { error: 'There is no such shortcut here.' },
  });
});

test('opening the app’s messages is heard with its tab, and carries no Home', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  await api(url, 'views.publish', { user_id: DANA, view: { type: 'home', blocks: [] } });
  expect((await human(url, 'POST', 'home', { user: DANA, tab: 'messages' })).body).toEqual({ view: null });
  const { event } = await heard(app);
  expect(event).toMatchObject({ type: 'app_home_opened', tab: 'messages', user: DANA, channel: 'D0DANA001' });
  expect(event).not.toHaveProperty('view');
  expect((await human(url, 'POST', 'home', { user: DANA, tab: 'about' })).status).toBe(400);
});

test('what the manifest offers is told to the page: commands, shortcuts, prompts', async () => {
  const { url } = await openWorkspace();
  expect((await human(url, 'GET', 'state')).body['app']).toMatchObject({
    commands: [{ command: '/countersign', description: 'What waits', usage_hint: '[freeze | help]' }],
    shortcuts: [{ name: 'Show record', callback_id: 'show_record' }],
    prompts: [{ title: 'Look around', message: 'list notes' }],
  });
});

test('a stream that nobody ended is shown as over after five minutes [S-73]', async () => {
  const clock = new HandClock();
  const { url } = await openWorkspace({ clock });
  const root = await say(url, DANA, 'D0DANA001', 'tell me');
  await api(url, 'chat.startStream', { channel: 'D0DANA001', thread_ts: root, markdown_text: 'Well' });
  const state = async () => {
    const { body } = await human(url, 'GET', `messages?channel=D0DANA001&thread_ts=${root}`);
    return objectsIn(body['messages'])[1]?.['streaming_state'];
  };
  expect(await state()).toBe('in_progress');
  clock.pass(300_001);
  expect(await state()).toBe('completed');
});

test('a stream to somebody of another organisation is refused by the kind of its channel, and a plain post is not [S-77]', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, 'U0PETRA01', 'D0PETRA001', 'tell me');
  const place = { channel: 'D0PETRA001', thread_ts: root };
  expect(await api(url, 'chat.startStream', { ...place, markdown_text: 'Well' })).toMatchObject({
    error: 'channel_type_not_supported',
  });
  expect(await api(url, 'chat.postMessage', { ...place, text: 'Well' })).toMatchObject({ ok: true });
});

test('Stop is heard with its thread, and a stream’s end may set the state of the session', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, DANA, 'D0DANA001', 'tell me');
  const place = { channel: 'D0DANA001', thread_ts: root };
  const { ts } = await api(url, 'chat.startStream', { ...place, markdown_text: 'Well' });
  await api(url, 'chat.stopStream', { channel: 'D0DANA001', ts, session_status: 'suspended' });
  expect((await human(url, 'GET', 'state')).body['sessions']).toMatchObject([{ ...place, state: 'suspended' }]);
  const app = await SocketClient.connect(url);
  await human(url, 'POST', 'stop', { user: DANA, ...place });
  const kinds: unknown[] = [];
  for (let count = 0; count < 20 && !kinds.includes('agent_session_stopped'); count += 1) {
    const { event } = await heard(app);
    kinds.push(isObject(event) ? event['type'] : undefined);
  }
  expect(kinds.at(-1)).toBe('agent_session_stopped');
});

test('a file without the right to write files is refused by its scope', async () => {
  const { url, workspace } = await openWorkspace();
  const scopes = new Set([...workspace.installation.scopes].filter(scope => scope !== 'files:write'));
  const other = await openWorkspace({ installation: { ...workspace.installation, scopes } });
  const announced = { filename: 'a.txt', length: '3' };
  expect(await api(url, 'files.getUploadURLExternal', announced)).toMatchObject({ ok: true });
  expect(await api(other.url, 'files.getUploadURLExternal', announced)).toMatchObject({
    error: 'missing_scope',
    needed: 'files:write',
  });
});

test('a deleted root with replies leaves a marker, and is heard as a change to it; a deleted reply is heard as deleted', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, DANA, OPS, 'root');
  const reply = await say(url, DANA, OPS, 'reply', root);
  const other = await say(url, DANA, OPS, 'other', root);
  const app = await SocketClient.connect(url);
  for (let count = 0; count < 3; count += 1) await heard(app);
  await human(url, 'POST', 'delete', { user: DANA, channel: OPS, ts: reply });
  expect((await heard(app))['event']).toMatchObject({ subtype: 'message_deleted', deleted_ts: reply });
  await human(url, 'POST', 'delete', { user: DANA, channel: OPS, ts: root });
  expect((await heard(app))['event']).toMatchObject({
    subtype: 'message_changed',
    hidden: true,
    message: { subtype: 'tombstone', ts: root, thread_ts: root },
    previous_message: { ts: root, user: DANA, text: 'root' },
  });
  const { body } = await human(url, 'GET', `messages?channel=${OPS}&thread_ts=${root}`);
  expect(body['messages']).toMatchObject([{ subtype: 'tombstone' }, { ts: other }]);
});
