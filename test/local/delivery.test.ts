import { expect, test } from 'vitest';
import { isObject } from '../../src/local/json.ts';
import { api, boltApp, HandClock, human, openWorkspace, say, signal } from './stage.ts';
import { saidIn, SocketClient } from './socket-client.ts';

/** Waits until the server has heard everything that was sent before: its answers come in order on one connection. */
async function settled(url: string): Promise<void> {
  await human(url, 'GET', 'state');
}

async function until(condition: () => boolean, url: string): Promise<void> {
  while (!condition()) await settled(url);
}

const card = {
  channel: 'C0APPROV1',
  text: 'card',
  blocks: [
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, value: 'v' }],
    },
  ],
};

test('what is said while the app is away waits, in order, and comes once it connects', async () => {
  const { url } = await openWorkspace();
  for (const text of ['one', 'two', 'three']) await say(url, 'U0DANA001', 'D0DANA001', text);
  expect((await human(url, 'GET', 'state')).body['app']).toMatchObject({ connected: false });
  const app = await SocketClient.connect(url);
  expect((await human(url, 'GET', 'state')).body['app']).toMatchObject({ connected: true });
  const envelopes = [await app.next(), await app.next(), await app.next()];
  expect(envelopes.map(saidIn)).toEqual(['one', 'two', 'three']);
  expect(envelopes[0]).toMatchObject({ type: 'events_api', retry_attempt: 0, accepts_response_payload: false });
});

test('an event that nobody acknowledges comes again at once, after a minute, after five, and then no more [S-1, S-12]', async () => {
  const clock = new HandClock();
  const { url, workspace } = await openWorkspace({ clock });
  const app = await SocketClient.connect(url);
  await say(url, 'U0DANA001', 'D0DANA001', 'hello');
  const attempts = [await app.next()];
  for (const waitMs of [3_000, 3_000 + 60_000, 3_000 + 300_000]) {
    clock.pass(waitMs);
    attempts.push(await app.next());
  }
  expect(attempts.map(one => [one['retry_attempt'], one['retry_reason']])).toEqual([
    [0, ''],
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ]);
  const ids = attempts.map(one => (isObject(one['payload']) ? one['payload']['event_id'] : undefined));
  expect(new Set(ids).size).toBe(1);
  clock.pass(3_000);
  expect(workspace.deliveries.pending()).toEqual([]);
});

test('an event in flight when the connection is cut goes to the next connection, and that costs no retry', async () => {
  const clock = new HandClock();
  const { url, workspace } = await openWorkspace({ clock });
  await say(url, 'U0DANA001', 'D0DANA001', 'hello');
  for (let n = 0; n < 6; n += 1) {
    const app = await SocketClient.connect(url);
    expect(await app.next()).toMatchObject({ retry_attempt: n });
    await app.leave();
    await until(() => !workspace.deliveries.connected, url);
  }
  const app = await SocketClient.connect(url);
  app.acknowledge(await app.next());
  await until(() => workspace.deliveries.pending().length === 0, url);
});

test('an acknowledged event can be sent again on demand, with the same event id and a retry number [S-1, S-3]', async () => {
  const { url, workspace } = await openWorkspace();
  const app = await SocketClient.connect(url);
  await say(url, 'U0DANA001', 'D0DANA001', 'hello');
  const first = await app.next();
  app.acknowledge(first);
  await until(() => workspace.deliveries.pending().length === 0, url);
  expect(workspace.deliveries.repeat(() => true)).toBe(1);
  const second = await app.next();
  expect(second['payload']).toEqual(first['payload']);
  expect(second['retry_attempt']).toBe(1);
});

test('a click is sent once: without an acknowledgement it is lost, and the card stays as it is', async () => {
  const clock = new HandClock();
  const { url, workspace } = await openWorkspace({ clock });
  const app = await SocketClient.connect(url);
  const { ts } = await api(url, 'chat.postMessage', card);
  app.acknowledge(await app.next());
  const click = { user: 'U0MIA0001', channel: 'C0APPROV1', ts, action_id: 'go' };
  expect((await human(url, 'POST', 'click', click)).body).toEqual({ ok: true, delivered: true });
  expect(await app.next()).toMatchObject({ type: 'interactive', accepts_response_payload: true });
  clock.pass(400_000);
  expect(workspace.deliveries.pending()).toEqual([]);
  expect(app.unread).toBe(0);
  workspace.deliveries.loseNext();
  await human(url, 'POST', 'click', click);
  await human(url, 'POST', 'click', { ...click, user: 'U0LEO0001' });
  expect(await app.next()).toMatchObject({ payload: { user: { id: 'U0LEO0001' } } });
});

test('a click waits for an app that is just coming back, but not for ever', async () => {
  const clock = new HandClock();
  const { url } = await openWorkspace({ clock });
  const { ts } = await api(url, 'chat.postMessage', card);
  const click = (user: string) => human(url, 'POST', 'click', { user, channel: 'C0APPROV1', ts, action_id: 'go' });
  expect((await click('U0MIA0001')).body).toEqual({ ok: true, delivered: false });
  clock.pass(29_000);
  await click('U0LEO0001');
  clock.pass(2_000);
  const app = await SocketClient.connect(url);
  app.acknowledge(await app.next());
  expect(await app.next()).toMatchObject({ type: 'interactive', payload: { user: { id: 'U0LEO0001' } } });
  expect(app.unread).toBe(0);
});

test('a command that the app does not take in time is taken back and the person is told', async () => {
  const clock = new HandClock();
  const { url, workspace } = await openWorkspace({ clock });
  const asked = human(url, 'POST', 'command', {
    user: 'U0DANA001',
    channel: 'C0OPS0001',
    command: '/countersign',
    text: '',
  });
  await until(() => workspace.deliveries.pending().length === 1, url);
  clock.pass(10_000);
  expect(await asked).toEqual({
    status: 504,
    body: { error: 'Countersign did not answer in time. Nothing you wrote is lost; try again.' },
  });
  expect(workspace.deliveries.pending()).toEqual([]);
});

test('when Slack asks it to reconnect, the real client comes back and gets what happened meanwhile', async () => {
  const { url, disconnectApp, workspace } = await openWorkspace();
  const app = await boltApp(url);
  const heard = signal<string | undefined>();
  app.message(async ({ message }) => {
    if (message.subtype === undefined) heard.fire(message.text);
    await Promise.resolve();
  });
  await app.start();
  disconnectApp();
  await until(() => !workspace.deliveries.connected, url);
  await say(url, 'U0DANA001', 'D0DANA001', 'meanwhile');
  expect(await heard.done).toBe('meanwhile');
});

test('two connections share the envelopes', async () => {
  const { url } = await openWorkspace();
  const apps = [await SocketClient.connect(url), await SocketClient.connect(url)];
  await say(url, 'U0DANA001', 'D0DANA001', 'one');
  await say(url, 'U0DANA001', 'D0DANA001', 'two');
  const texts = await Promise.all(apps.map(async app => saidIn(await app.next())));
  expect(new Set(texts)).toEqual(new Set(['one', 'two']));
});
