/** How the Web API's answers are read, with the real client against the embedded workspace. */
import { expect, onTestFinished, test } from 'vitest';
import { startWorkspace } from '../../src/local/server.ts';
import { EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';
import { answerOf } from '../../src/slack/api.ts';
import { slackApi } from '../../src/slack/clients.ts';
import { vendorLogger, withoutTokens } from '../../src/slack/notes.ts';

async function connected() {
  const calls: string[] = [];
  const workspace = await startWorkspace({ log: () => {}, onCall: ({ method }) => calls.push(method) });
  onTestFinished(() => workspace.close());
  const notes: string[] = [];
  const logger = vendorLogger({ info: () => {}, warn: (_, message) => notes.push(message) });
  const api = slackApi({ token: EMBEDDED_BOT_TOKEN, apiUrl: `${workspace.url}/api/`, logger });
  return { api, calls, notes, faults: workspace.faults };
}
const post = { channel: 'C0OPS0001', text: 'hello' };

test('an answer comes back with its data', async () => {
  const { api } = await connected();
  expect(await api('auth.test', {})).toMatchObject({ is: 'ok', data: { team_id: 'T0ACME001', user_id: 'U0BOT0001' } });
});

test("a refusal carries Slack's code, and nothing was done", async () => {
  const { api } = await connected();
  expect(await api('chat.postMessage', { ...post, channel: 'C0NOWHERE' })).toEqual({
    is: 'refused',
    code: 'channel_not_found',
  });
});

test('a message whose answer is lost is sent once, and counts as unknown [S-81]', async () => {
  const { api, calls, faults } = await connected();
  faults.next('chat.postMessage', { kind: 'applied_dropped' });
  expect(await api('chat.postMessage', post)).toMatchObject({ is: 'unknown' });
  faults.next('chat.postMessage', { kind: 'applied_status', status: 503 });
  expect(await api('chat.postMessage', post)).toMatchObject({ is: 'unknown' });
  expect(calls.filter(method => method === 'chat.postMessage')).toHaveLength(2);
});

test('what only reads is tried a second time', async () => {
  const { api, faults } = await connected();
  faults.next('users.info', { kind: 'dropped' });
  expect(await api('users.info', { user: 'U0MIA0001' })).toMatchObject({ is: 'ok' });
});

test('"too many" is answered at once with the time to wait, and other calls go on [S-78]', async () => {
  const { api, faults } = await connected();
  faults.next('chat.postMessage', { kind: 'rate_limited', retryAfterS: 30 });
  expect(await api('chat.postMessage', post)).toEqual({ is: 'throttled', retryAfterMs: 30_000 });
  expect(await api('chat.postMessage', post)).toMatchObject({ is: 'ok' });
});

test.each([
  [
    { ok: true, ts: '1' },
    { is: 'ok', data: { ok: true, ts: '1' } },
  ],
  [
    { ok: false, error: 'is_archived' },
    { is: 'refused', code: 'is_archived' },
  ],
  [{ ok: false }, { is: 'refused', code: 'unknown_error' }],
  [
    { ok: false, error: 'internal_error' },
    { is: 'unknown', why: 'internal_error' },
  ],
  [
    { ok: false, error: 'ratelimited' },
    { is: 'throttled', retryAfterMs: 30_000 },
  ],
  [{ ts: '1' }, { is: 'unknown', why: 'unreadable_answer' }],
  [null, { is: 'unknown', why: 'unreadable_answer' }],
  ['<html>', { is: 'unknown', why: 'unreadable_answer' }],
])('only "ok" with true is success: %j [S-36]', (data, answer) => {
  expect(answerOf(data)).toEqual(answer);
});

test("no token reaches the program's log [T-A16d]", async () => {
  const { notes } = await connected();
  expect(withoutTokens('token xoxb-12-34-abc and xapp-1-A0-9f, url https://x/?t=xoxe-1')).toBe(
    'token xoxb-… and xapp-…, url https://x/?t=xoxe-…',
  );
  const logger = vendorLogger({ info: () => {}, warn: (_, message) => notes.push(message) });
  logger.error('failed', new Error('with xoxb-1-secret'), { a: 1 });
  expect(notes).toEqual(['failed with xoxb-… [object Object]']);
});
