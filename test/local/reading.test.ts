import { expect, test } from 'vitest';
import { METHODS, OPEN_SOCKET } from '../../src/local/api/methods.ts';
import { HUMAN_CALLS } from '../../src/local/human/human.ts';
import { textIn } from '../../src/local/json.ts';
import { APP, EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';
import { api, human, openWorkspace, say } from './stage.ts';

/** Everything that somebody could see of a workspace, and its place in the stream of changes. */
async function seen(url: string): Promise<string> {
  const { body: state } = await human(url, 'GET', 'state');
  const channels = ['C0GENERAL', 'C0OPS0001', 'C0APPROV1', 'C0OPSALRT', 'D0DANA001'];
  const looks = [
    ...channels.map(channel => `messages?channel=${channel}`),
    ...['U0DANA001', 'U0MIA0001'].flatMap(user => [`ephemerals?user=${user}`, `views?user=${user}`]),
  ];
  const shown = await Promise.all(looks.map(async path => (await human(url, 'GET', path)).body));
  return JSON.stringify([state, shown]);
}

test('no address changes anything when it is merely opened: not the page, people’s calls, the Web API nor a link [T-A3c]', async () => {
  const { url, workspace } = await openWorkspace();
  const ts = await say(url, 'U0DANA001', 'C0OPS0001', `<@${APP.userId}> run echo hello`);
  const button = { type: 'button', action_id: 'approve', value: 'v', text: { type: 'plain_text', text: 'Approve' } };
  const blocks = [{ type: 'actions', elements: [button] }];
  const card = textIn(await api(url, 'chat.postMessage', { channel: 'C0OPS0001', text: 'card', blocks }), 'ts') ?? '';
  const query = new URLSearchParams({
    user: 'U0MIA0001',
    users: 'U0MIA0001',
    channel: 'C0OPS0001',
    ts: card,
    timestamp: card,
    thread_ts: ts,
    text: 'opened',
    markdown_text: 'opened',
    status: 'opened',
    name: 'eyes',
    action_id: 'approve',
    command: '/countersign',
    value: 'v',
    token: EMBEDDED_BOT_TOKEN,
  }).toString();
  const addresses = [
    '/',
    '/health',
    `/archives/C0OPS0001/p${card.replace('.', '')}`,
    '/files/F0000001',
    '/upload/F0000001',
    '/response/R0000001',
    ...HUMAN_CALLS.filter(call => call !== 'GET events').map(call => `/human/${call.split(' ')[1] ?? ''}?${query}`),
    ...[...METHODS.keys(), OPEN_SOCKET].map(method => `/api/${method}?${query}`),
  ];
  const pending = workspace.deliveries.pending().length;
  const before = await seen(url);
  const { cursor } = workspace.feed;
  for (const address of addresses)
    for (const token of [EMBEDDED_BOT_TOKEN, EMBEDDED_APP_TOKEN, null]) {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      await (await fetch(url + address, { redirect: 'manual', headers })).text();
      expect([address, workspace.feed.cursor]).toEqual([address, cursor]);
    }
  expect(await seen(url)).toBe(before);
  expect(workspace.deliveries.pending()).toHaveLength(pending);
});
