/** Whether a click came from a card of ours. */
import { expect, test } from 'vitest';
import { threadLog, type ApprovalId, type MessageTs } from '../../src/thread/ids.ts';
import { APPROVALS, KEY, OPS, card, content, record, stage, workspaceEvidence } from './stage.ts';

const of = { approval: 'A'.repeat(26) as ApprovalId };
const mark = (key: string, more: object = {}) => ({
  user: 'U0BOT0001',
  bot_id: 'B0BOT0001',
  blocks: content('Approve?', true).blocks,
  metadata: {
    event_type: 'countersign',
    event_payload: { key, environment: 'production', thread: threadLog(KEY), ...more },
  },
});
const place = (message: { ts: string }) => ({ channel: APPROVALS, ts: message.ts as MessageTs });

test('the recorded card is ours, without asking Slack [T-A15b]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  const calls = scene.slack.calls.length;
  const ts = scene.thread.posts['card.1']?.ts as MessageTs;
  expect(await scene.views.card(scene.thread, of, { channel: APPROVALS, ts })).toEqual({ is: 'ours', found: null });
  expect(scene.slack.calls).toHaveLength(calls);
});

test('a button of one request on the card of another is wrong [T-A15b]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  const other = scene.slack.add({ channel: APPROVALS, text: 'another request', ...mark('card.2') });
  expect(await scene.views.card(scene.thread, of, place(other))).toEqual({ is: 'wrong', found: null });
});

test('the same key in another thread is wrong [T-A15b, F-A7]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const other = scene.slack.add({ channel: APPROVALS, text: 'x', ...mark('card.1', { thread: 'thread#T#C#1.2' }) });
  expect(await scene.views.card(scene.thread, of, place(other))).toEqual({ is: 'wrong', found: null });
});

test('a message that we did not write is wrong, whatever its metadata says [T-A15b, F-D7]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const forged = scene.slack.add({
    channel: APPROVALS,
    text: 'x',
    ...mark('card.1'),
    user: 'U0EVIL',
    bot_id: 'B0EVIL',
  });
  expect(await scene.views.card(scene.thread, of, place(forged))).toMatchObject({ is: 'wrong' });
});

test('a card that another environment posted is told apart', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const other = scene.slack.add({ channel: APPROVALS, text: 'x', ...mark('card.1', { environment: 'staging' }) });
  expect(await scene.views.card(scene.thread, of, place(other))).toEqual({ is: 'other_environment', found: null });
});

test('a click before the record of the card adopts it [F-E16]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const lost = scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...mark('card.1') });
  const { is, found } = await scene.views.card(scene.thread, of, place(lost));
  expect(is).toBe('ours');
  expect(found).toMatchObject({ key: 'card.1', ts: lost.ts, state: 'found' });
});

test('a click on an extra copy counts, and the copy is closed with the next pass, the card stays where it is [S-81, F-L3]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  const original = scene.thread.posts['card.1']?.ts;
  const copy = scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...mark('card.1') });
  const { is, found } = await scene.views.card(scene.thread, of, place(copy));
  expect(is).toBe('ours');
  record(scene.thread, found ? [found] : []);
  expect(scene.thread.posts['card.1']?.ts).toBe(original);
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(true);
  expect((await scene.bring()).posted).toMatchObject([{ state: 'closed', ts: copy.ts }]);
  expect(JSON.stringify(scene.slack.message(APPROVALS, copy.ts)?.blocks)).not.toContain('"approve"');
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  expect(await scene.views.card(scene.thread, of, place(copy))).toEqual({ is: 'ours', found: null });
});

test('a card that stands as a reply in a thread is found too', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?', { place: { channel: OPS, threadTs: KEY.ts } })];
  const lost = scene.slack.add({ ...mark('card.1'), channel: OPS, thread_ts: KEY.ts, text: 'Approve?' });
  const { is } = await scene.views.card(scene.thread, of, { channel: OPS, ts: lost.ts as MessageTs });
  expect(is).toBe('ours');
});

test('a message that Slack does not show is no card of ours', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const lost = scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...mark('card.1') });
  scene.slack.plan('conversations.history', { kind: 'lost' });
  expect(await scene.views.card(scene.thread, of, place(lost))).toEqual({ is: 'wrong', found: null });
});
