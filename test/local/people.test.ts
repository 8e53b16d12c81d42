import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/local/json.ts';
import { isObject, objectsIn, textIn } from '../../src/local/json.ts';
import { api, human, openWorkspace, say } from './stage.ts';
import { SocketClient } from './socket-client.ts';

async function texts(url: string, channel: string): Promise<unknown[]> {
  const { body } = await human(url, 'GET', `messages?channel=${channel}`);
  return objectsIn(body['messages']).map(one => one['text']);
}

test('what people type becomes what Slack sends: mentions, groups, channels, links, and the rest escaped', async () => {
  const { url } = await openWorkspace();
  const typed: [string, string][] = [
    ['@Countersign run echo hello', '<@U0BOT0001> run echo hello'],
    ['@dana ito and @sre, see #ops', '<@U0DANA001> and <!subteam^S0SRE0001>, see <#C0OPS0001|ops>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['see https://example.org/a?b=1&c=2.', 'see <https://example.org/a?b=1&amp;c=2>.'],
    ['<@U0BOT0001> 请执行命令 echo hello', '<@U0BOT0001> 请执行命令 echo hello'],
    ['<@U0NOBODY1> <!subteam^S0SRE0001>', '&lt;@U0NOBODY1&gt; <!subteam^S0SRE0001>'],
    ['mail@countersign.dev, `@dana <x>`', 'mail@countersign.dev, `@dana &lt;x&gt;`'],
    ['already &amp; escaped', 'already &amp; escaped'],
  ];
  for (const [text] of typed) await say(url, 'U0DANA001', 'C0OPS0001', text);
  expect(await texts(url, 'C0OPS0001')).toEqual(typed.map(([, stored]) => stored));
});

test('a message in a channel comes as a message of its channel’s kind, and a mention comes twice with the same ts [S-3, S-4]', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const hear = async (): Promise<JsonObject> => {
    const envelope = await app.next();
    app.acknowledge(envelope);
    const payload = isObject(envelope['payload']) ? envelope['payload'] : {};
    return isObject(payload['event']) ? payload['event'] : {};
  };
  const ts = await say(url, 'U0DANA001', 'C0GENERAL', '@Countersign hello');
  expect([await hear(), await hear()]).toMatchObject([
    { type: 'message', channel_type: 'channel', channel: 'C0GENERAL', user: 'U0DANA001', ts, event_ts: ts },
    { type: 'app_mention', channel: 'C0GENERAL', user: 'U0DANA001', ts },
  ]);
  await say(url, 'U0DANA001', 'D0DANA001', '@Countersign hello');
  expect(await hear()).toMatchObject({ type: 'message', channel_type: 'im' });
  await say(url, 'U0MIA0001', 'C0OPSALRT', 'hello');
  expect(await hear()).toMatchObject({ type: 'message', channel_type: 'group' });
  await say(url, 'U0PETRA01', 'C0GENERAL', 'hello');
  expect(await hear()).toMatchObject({ user: 'U0PETRA01', user_team: 'T0PARTNER', team: 'T0PARTNER' });
  await api(url, 'chat.postMessage', { channel: 'C0GENERAL', text: 'from the app' });
  expect(await hear()).toMatchObject({ type: 'message', bot_id: 'B0BOT0001', user: 'U0BOT0001' });
});

test('the app hears nothing of channels where it does not sit', async () => {
  const { url } = await openWorkspace();
  await human(url, 'POST', 'member', { channel: 'C0OPS0001', user: 'U0BOT0001', member: false });
  const app = await SocketClient.connect(url);
  expect(await app.next()).toMatchObject({ payload: { event: { type: 'member_left_channel', user: 'U0BOT0001' } } });
  await say(url, 'U0DANA001', 'C0OPS0001', '@Countersign hello');
  await say(url, 'U0DANA001', 'D0DANA001', 'here');
  expect(await app.next()).toMatchObject({ payload: { event: { channel: 'D0DANA001' } } });
});

test('an edit and a deletion are heard as hidden changes, and a mention that an edit adds as a mention [S-69, S-71]', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const ts = await say(url, 'U0DANA001', 'C0OPS0001', 'hello');
  const place = { user: 'U0DANA001', channel: 'C0OPS0001', ts };
  await human(url, 'POST', 'edit', { ...place, text: '@Countersign hello' });
  await human(url, 'POST', 'delete', place);
  const heard = [await app.next(), await app.next(), await app.next(), await app.next()];
  expect(heard).toMatchObject([
    { payload: { event: { type: 'message', text: 'hello' } } },
    { payload: { event: { subtype: 'message_changed', hidden: true, previous_message: { text: 'hello' } } } },
    { payload: { event: { type: 'app_mention', ts, edited: { user: 'U0DANA001' } } } },
    { payload: { event: { subtype: 'message_deleted', hidden: true, deleted_ts: ts } } },
  ]);
  expect((await human(url, 'POST', 'edit', { ...place, user: 'U0MIA0001', text: 'x' })).status).toBe(404);
});

test('unread counts what others wrote in the channel since one looked', async () => {
  const { url } = await openWorkspace();
  const unread = async (user: string) => {
    const { body } = await human(url, 'GET', 'state');
    const channel = objectsIn(body['channels']).find(one => one['id'] === 'C0OPS0001');
    return isObject(channel?.['unread']) ? channel['unread'][user] : undefined;
  };
  const first = await say(url, 'U0DANA001', 'C0OPS0001', 'one');
  await say(url, 'U0DANA001', 'C0OPS0001', 'two');
  await say(url, 'U0DANA001', 'C0OPS0001', 'in a thread', first);
  expect([await unread('U0DANA001'), await unread('U0MIA0001')]).toEqual([0, 2]);
  await human(url, 'POST', 'read', { user: 'U0MIA0001', channel: 'C0OPS0001', ts: first });
  expect(await unread('U0MIA0001')).toBe(1);
});

test('a click on what is not there, by somebody who is not there, or with a value that is not offered is refused in a sentence', async () => {
  const { url } = await openWorkspace();
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  const elements = [
    { type: 'button', action_id: 'go', text: plain('Go'), value: 'a-1' },
    { type: 'overflow', action_id: 'more', options: [{ text: plain('Ask'), value: 'ask' }] },
  ] as const;
  const { ts } = await api(url, 'chat.postMessage', {
    channel: 'C0OPSALRT',
    text: 'card',
    blocks: [{ type: 'actions', elements }],
  });
  const click = async (change: JsonObject) => {
    const { status, body } = await human(url, 'POST', 'click', {
      user: 'U0MIA0001',
      channel: 'C0OPSALRT',
      ts,
      action_id: 'go',
      ...change,
    });
    return [status, body['error'] ?? body['ok']];
  };
  expect(await click({})).toEqual([200, true]);
  expect(await click({ value: 'a-1' })).toEqual([200, true]);
  expect(await click({ action_id: 'more', value: 'ask' })).toEqual([200, true]);
  expect(await click({ value: 'a-2' })).toEqual([409, 'That button has another value by now. Look again.']);
  expect(await click({ action_id: 'more', value: 'no' })).toEqual([422, '“no” is not one of the choices.']);
  expect(await click({ action_id: 'gone' })).toEqual([404, 'There is no such button or field here (any more).']);
  expect(await click({ ts: '1.2' })).toEqual([404, 'There is no such message here (any more).']);
  expect(await click({ user: 'U0DANA001' })).toEqual([403, 'Dana Ito is not in this channel.']);
  expect(await click({ user: 'U0BOT0001' })).toEqual([404, 'There is no such person here.']);
  expect(await click({ user: 7 })).toEqual([400, '“user” is missing; it must be a text.']);
});

test('an answer to a click is private by default, can replace or delete its message, works five times and ends after thirty minutes', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const actions = {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
  };
  const { ts } = await api(url, 'chat.postMessage', { channel: 'C0APPROV1', text: 'card', blocks: [actions] });
  app.acknowledge(await app.next());
  await human(url, 'POST', 'click', { user: 'U0OTTO001', channel: 'C0APPROV1', ts, action_id: 'go' });
  const { payload } = await app.next();
  const address = textIn(isObject(payload) ? payload : {}, 'response_url') ?? '';
  const respond = async (body: JsonObject) =>
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  const whispers = async () => objectsIn((await human(url, 'GET', 'ephemerals?user=U0OTTO001')).body['messages']);
  expect(await respond({ text: 'You are in neither.' })).toBe(200);
  expect(await whispers()).toMatchObject([{ text: 'You are in neither.', channel: 'C0APPROV1', is_ephemeral: true }]);
  expect(await respond({ text: '' })).toBe(400);
  expect(await respond({ text: 'decided', replace_original: true })).toBe(200);
  expect(await texts(url, 'C0APPROV1')).toEqual(['decided']);
  expect(await respond({ delete_original: true })).toBe(200);
  expect(await texts(url, 'C0APPROV1')).toEqual([]);
  expect(await respond({ text: 'for all', response_type: 'in_channel' })).toBe(200);
  expect(await respond({ text: 'sixth' })).toBe(404);
});

test('a button in a private message can be clicked by the person who sees it', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const actions = {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
  };
  const { message_ts: ts } = await api(url, 'chat.postEphemeral', {
    channel: 'C0OPS0001',
    user: 'U0DANA001',
    text: 'x',
    blocks: [actions],
  });
  const click = { channel: 'C0OPS0001', ts, action_id: 'go' };
  expect((await human(url, 'POST', 'click', { ...click, user: 'U0MIA0001' })).status).toBe(404);
  await human(url, 'POST', 'click', { ...click, user: 'U0DANA001' });
  const { payload } = await app.next();
  expect(payload).toMatchObject({ container: { is_ephemeral: true, message_ts: ts } });
  expect(payload).not.toHaveProperty('message');
});

test('people and channels are listed in the order of the cast', async () => {
  const { url } = await openWorkspace();
  const { users, channels } = (await human(url, 'GET', 'state')).body;
  const first = (list: unknown) =>
    objectsIn(list)
      .map(one => one['name'])
      .slice(0, 4);
  expect(first(users)).toEqual(['dana', 'mia', 'leo', 'ana']);
  expect(first(channels)).toEqual(['general', 'ops', 'approvals', 'ops-alerts']);
});

test('changes of the cast reach the app and its look-ups', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  await human(url, 'POST', 'person', { user: 'U0MIA0001', deleted: true });
  await human(url, 'POST', 'group', { group: 'S0SRE0001', users: ['U0LEO0001', 'U0ANA0001'] });
  const heard = [await app.next(), await app.next()];
  expect(heard).toMatchObject([
    { payload: { event: { type: 'user_change', user: { id: 'U0MIA0001' } } } },
    { payload: { event: { type: 'subteam_members_changed', subteam_id: 'S0SRE0001', added_users: ['U0ANA0001'] } } },
  ]);
  expect(await api(url, 'users.info', { user: 'U0MIA0001' })).toMatchObject({ user: { deleted: true } });
  expect(await api(url, 'usergroups.users.list', { usergroup: 'S0SRE0001' })).toMatchObject({
    users: ['U0LEO0001', 'U0ANA0001'],
  });
});

test('a page that lost the stream goes on after the last change it saw, also across restarts', async () => {
  const { url } = await openWorkspace();
  await say(url, 'U0DANA001', 'C0OPS0001', 'one');
  const cursor = Number((await human(url, 'GET', 'state')).body['cursor']);
  const ts = await say(url, 'U0DANA001', 'C0OPS0001', 'two');
  const read = async (path: string, headers: Record<string, string>, untilSeen: string): Promise<string> => {
    const response = await fetch(url + path, { headers });
    let seen = '';
    for await (const piece of response.body ?? []) {
      seen += Buffer.from(piece).toString();
      if (seen.includes(untilSeen)) break;
    }
    return seen;
  };
  const data = `data: {"kind":"message","channel":"C0OPS0001","ts":"${ts}"}\n\n`;
  expect(await read(`/human/events?cursor=${cursor}`, {}, data)).toBe(`: here\n\nid: ${cursor + 1}\n${data}`);
  expect(await read('/human/events?cursor=0', { 'last-event-id': `${cursor}` }, data)).toContain(
    `id: ${cursor + 1}\n${data}`,
  );
  expect(await read('/human/events?cursor=999999', {}, 'gap')).toBe('event: gap\ndata: {}\n\n');
});
