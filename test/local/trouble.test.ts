import { LogLevel, WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { objectsIn, textIn } from '../../src/local/json.ts';
import { slackRates } from '../../src/local/rates.ts';
import { EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';
import { api, HandClock, human, openWorkspace, say, signal } from './stage.ts';

function client(url: string): WebClient {
  return new WebClient(EMBEDDED_BOT_TOKEN, {
    slackApiUrl: `${url}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 5_000,
    logLevel: LogLevel.ERROR,
  });
}

const post = { channel: 'C0OPS0001', text: 'x' };

test('tests can make the next calls of a method fail in each way that Slack fails', async () => {
  const { url, faults } = await openWorkspace();
  const slack = client(url);
  const attempt = () =>
    slack.chat.postMessage(post).then(
      () => 'ok',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
  faults.next('chat.postMessage', { kind: 'rate_limited', retryAfterS: 7 });
  faults.next('chat.postMessage', { kind: 'refused', code: 'fatal_error' });
  faults.next('chat.postMessage', { kind: 'status', status: 503 });
  faults.next('chat.postMessage', { kind: 'dropped' });
  const before = [await attempt(), await attempt(), await attempt(), await attempt()];
  expect(before).toEqual([
    'slack_webapi_rate_limited_error',
    'slack_webapi_platform_error',
    'slack_webapi_http_error',
    'slack_webapi_request_error',
  ]);
  expect((await api(url, 'conversations.history', { channel: 'C0OPS0001' }))['messages']).toEqual([]);
  expect(await attempt()).toBe('ok');
});

test('a call can be carried out and its answer lost: the message is there, and can be found by its metadata [S-81]', async () => {
  const { url, faults } = await openWorkspace();
  const metadata = { event_type: 'card', event_payload: { key: 'k-1' } };
  faults.next('chat.postMessage', { kind: 'applied_dropped' });
  await expect(client(url).chat.postMessage({ ...post, metadata })).rejects.toThrow(Error);
  faults.next('chat.postMessage', { kind: 'applied_status', status: 500 });
  await expect(client(url).chat.postMessage(post)).rejects.toThrow(Error);
  const { messages } = await api(url, 'conversations.history', { channel: 'C0OPS0001', include_all_metadata: 'true' });
  expect(messages).toMatchObject([{ text: 'x' }, { metadata }]);
});

test('a call can be held until the test lets it go', async () => {
  const { url, faults } = await openWorkspace();
  const gate = signal();
  faults.next('chat.postMessage', { kind: 'held', until: gate.done });
  const posting = client(url).chat.postMessage(post);
  expect((await human(url, 'GET', 'messages?channel=C0OPS0001')).body['messages']).toEqual([]);
  gate.fire();
  expect((await posting).ok).toBe(true);
});

test('with Slack’s rates switched on, a burst in one channel is limited there and not elsewhere', async () => {
  const clock = new HandClock();
  const { url } = await openWorkspace({ clock, limiter: slackRates() });
  const answers = await Promise.all(Array.from({ length: 6 }, () => api(url, 'chat.postMessage', post)));
  expect(answers.filter(one => one['ok'] === true)).toHaveLength(5);
  expect(await api(url, 'chat.postMessage', { ...post, channel: 'C0GENERAL' })).toMatchObject({ ok: true });
  clock.pass(5_000);
  expect(await api(url, 'chat.postMessage', post)).toMatchObject({ ok: true });
});

test('whoever starts the workspace can watch every call', async () => {
  const calls: unknown[] = [];
  const { url } = await openWorkspace({ onCall: ({ method, answer }) => calls.push([method, answer['ok']]) });
  await client(url).chat.postMessage(post);
  await api(url, 'chat.postMessage', {});
  expect(calls).toEqual([
    ['chat.postMessage', true],
    ['chat.postMessage', false],
  ]);
});

test('a stream grows, ends with its blocks, refuses an update while it lives, and is dead after five minutes [S-73]', async () => {
  const clock = new HandClock();
  const { url } = await openWorkspace({ clock });
  const slack = client(url);
  const root = await say(url, 'U0DANA001', 'C0OPS0001', '@Countersign tell me');
  const place = { channel: 'C0OPS0001', thread_ts: root };
  await expect(slack.chat.startStream(place)).rejects.toThrow('missing_recipient_team_id');
  const streamer = slack.chatStream({
    ...place,
    recipient_team_id: 'T0ACME001',
    recipient_user_id: 'U0DANA001',
    buffer_size: 1,
  });
  const started = await streamer.append({ markdown_text: 'Hello ' });
  const ts = started?.ts ?? '';
  expect(await api(url, 'chat.update', { channel: 'C0OPS0001', ts, text: 'x' })).toMatchObject({
    error: 'streaming_state_conflict',
  });
  await streamer.append({ markdown_text: 'world' });
  const stopped = await streamer.stop({ blocks: [{ type: 'divider' }] });
  expect(stopped.message).toMatchObject({
    text: 'Hello world',
    streaming_state: 'completed',
    blocks: [{ type: 'markdown', text: 'Hello world' }, { type: 'divider' }],
  });
  expect(await api(url, 'chat.appendStream', { channel: 'C0OPS0001', ts, markdown_text: 'x' })).toMatchObject({
    error: 'message_not_in_streaming_state',
  });

  const late = await slack.chat.startStream({
    ...place,
    recipient_team_id: 'T0ACME001',
    recipient_user_id: 'U0DANA001',
  });
  clock.pass(300_001);
  expect(await api(url, 'chat.stopStream', { channel: 'C0OPS0001', ts: late.ts })).toMatchObject({
    error: 'message_not_in_streaming_state',
  });
  expect(await api(url, 'chat.update', { channel: 'C0OPS0001', ts: late.ts, text: 'whole' })).toMatchObject({
    ok: true,
  });
});

test('Stop ends the streams of its thread and tells the app which', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, 'U0DANA001', 'D0DANA001', 'tell me');
  const { ts } = await api(url, 'chat.startStream', { channel: 'D0DANA001', thread_ts: root, markdown_text: 'Well' });
  await human(url, 'POST', 'stop', { user: 'U0DANA001', channel: 'D0DANA001', thread_ts: root });
  expect(await api(url, 'chat.appendStream', { channel: 'D0DANA001', ts, markdown_text: 'x' })).toMatchObject({
    error: 'stopped_by_user',
  });
});

test('a status line shows in its thread until the app posts there, or for two minutes', async () => {
  const clock = new HandClock();
  const { url } = await openWorkspace({ clock });
  const root = await say(url, 'U0DANA001', 'C0OPS0001', 'hello');
  const line = { channel_id: 'C0OPS0001', thread_ts: root, status: 'is reading notes/' };
  const shown = async () => (await human(url, 'GET', 'state')).body['status'];
  await api(url, 'assistant.threads.setStatus', line);
  expect(await shown()).toEqual([{ channel: 'C0OPS0001', thread_ts: root, text: 'is reading notes/' }]);
  await api(url, 'chat.postMessage', { channel: 'C0OPS0001', thread_ts: root, text: 'done' });
  expect(await shown()).toEqual([]);
  await api(url, 'assistant.threads.setStatus', line);
  clock.pass(120_001);
  expect(await shown()).toEqual([]);
  expect(
    await api(url, 'agents.sessions.setStatus', { channel_id: 'C0OPS0001', thread_ts: root, status: 'suspended' }),
  ).toMatchObject({ ok: true, agent_status: 'suspended' });
  expect(
    await api(url, 'agents.sessions.setStatus', { channel_id: 'C0OPS0001', thread_ts: root, status: 'asleep' }),
  ).toMatchObject({ error: 'invalid_arguments' });
});

test('the real client uploads a file into a thread, and people can fetch it as text', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, 'U0DANA001', 'C0OPS0001', 'hello');
  await client(url).filesUploadV2({
    channel_id: 'C0OPS0001',
    thread_ts: root,
    filename: 'args.html',
    content: '<b>all of it</b>',
    title: 'Arguments',
  });
  const { messages } = await api(url, 'conversations.replies', { channel: 'C0OPS0001', ts: root });
  expect(messages).toMatchObject([
    {},
    {
      subtype: 'file_share',
      files: [{ name: 'args.html', title: 'Arguments', size: 16, preview: '<b>all of it</b>' }],
    },
  ]);
  const [, shown] = messages as [unknown, { files: [{ url_private: string }] }];
  const file = await fetch(shown.files[0].url_private);
  expect([file.headers.get('content-type'), await file.text()]).toEqual([
    'text/plain; charset=utf-8',
    '<b>all of it</b>',
  ]);
});

test('reactions come and go once', async () => {
  const { url } = await openWorkspace();
  const timestamp = await say(url, 'U0DANA001', 'C0OPS0001', 'hello');
  const eyes = { channel: 'C0OPS0001', timestamp, name: 'eyes' };
  const codes: unknown[] = [];
  for (const method of ['reactions.add', 'reactions.add', 'reactions.remove', 'reactions.remove']) {
    codes.push((await api(url, method, eyes))['error'] ?? 'ok');
  }
  expect(codes).toEqual(['ok', 'already_reacted', 'ok', 'no_reaction']);
});

test('a thread reads in pages with its root, within a window, and its root cannot be replied past', async () => {
  const { url } = await openWorkspace();
  const root = await say(url, 'U0DANA001', 'C0OPS0001', 'root');
  const replies: string[] = [];
  for (const text of ['a', 'b', 'c']) replies.push(await say(url, 'U0MIA0001', 'C0OPS0001', text, root));
  const slack = client(url);
  const read: (string | undefined)[] = [];
  for await (const page of slack.paginate('conversations.replies', { channel: 'C0OPS0001', ts: root, limit: 2 })) {
    read.push(...objectsIn('messages' in page ? page.messages : []).map(one => textIn(one, 'text')));
  }
  expect(read).toEqual(['root', 'a', 'b', 'c']);
  const later = await api(url, 'conversations.replies', { channel: 'C0OPS0001', ts: root, oldest: replies[0] });
  expect(later['messages']).toMatchObject([{ text: 'root' }, { text: 'b' }, { text: 'c' }]);
  const exact = await api(url, 'conversations.history', {
    channel: 'C0OPS0001',
    oldest: root,
    latest: root,
    inclusive: 'true',
    limit: '1',
  });
  expect(exact['messages']).toMatchObject([{ text: 'root', reply_count: 3 }]);
  expect(await api(url, 'chat.postMessage', { ...post, thread_ts: replies[0] })).toMatchObject({
    error: 'cannot_reply_to_message',
  });
});
