/** What happens to messages that Slack refuses, throttles or cannot show. */
import { expect, test } from 'vitest';
import { emptyWorkspace } from '../../src/thread/workspace.ts';
import { APPROVALS, OPS, card, content, stage, status, workspaceEvidence } from './stage.ts';

const huge = content('x'.repeat(5_000), true);

test('a card that Slack finds too large is posted in its short form, which is kept as what was shown [S-19]', async () => {
  const scene = stage();
  const short = content('Everything, said shortly', true);
  scene.messages = [card('card.1', '', { content: huge, short })];
  const { posted } = await scene.bring();
  expect(posted).toMatchObject([{ key: 'card.1', state: 'posted', code: 'too_large' }]);
  expect(JSON.parse(posted[0]?.body?.shown ?? '')).toEqual(short);
  expect(scene.slack.messages.at(-1)?.text).toBe('Everything, said shortly');
});

test('a short form without buttons stands there, but counts as a card that nobody can decide on [S-19, T-A2d]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', '', { content: huge, short: content('Too large to show', false) })];
  const { posted, retryAtMs } = await scene.bring();
  expect(posted).toMatchObject([{ key: 'card.1', state: 'failed', code: 'too_large' }]);
  expect(retryAtMs).toBeNull();
  expect(scene.slack.messages.at(-1)?.text).toBe('Too large to show');
  scene.messages = [card('card.1', 'Withdrawn', { live: false })];
  await scene.bring();
  expect(scene.slack.messages.at(-1)).toMatchObject({ text: 'Withdrawn', edits: 1 });
});

test('a card that is too large in every form is a failed one that the thread can tell about [S-19, S-36]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', '', { content: huge }), status('waits')];
  const { posted, retryAtMs } = await scene.bring();
  expect(posted).toMatchObject([
    { key: 'card.1', state: 'failed', code: 'too_large' },
    { key: 'status.r1', state: 'posted' },
  ]);
  expect(retryAtMs).toBe(scene.clock.nowMs() + 60_000);
});

test('an update that is too large falls back to the short form, which has no buttons [S-19, F-L3]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.messages = [card('card.1', '', { content: huge, short: content('Decided', false) })];
  await scene.bring();
  expect(scene.slack.messages.at(-1)).toMatchObject({ text: 'Decided' });
  expect(JSON.stringify(scene.slack.messages.at(-1)?.blocks)).not.toContain('approve');
});

test.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  'a decided card that can no longer be edited (%s) is let go, and nothing else stops [S-31]',
  async code => {
    const scene = stage();
    scene.messages = [card('card.1', 'Approve?'), status('waits')];
    await scene.bring();
    scene.slack.plan(call => call.method === 'chat.update' && call.args['channel'] === APPROVALS, {
      kind: 'refused',
      code,
    });
    scene.messages = [card('card.1', 'Approved', { live: false }), status('runs')];
    const { posted, retryAtMs } = await scene.bring();
    expect(posted).toMatchObject([
      { key: 'card.1', state: 'failed', code },
      { key: 'status.r1', state: 'updated' },
    ]);
    expect(retryAtMs).toBeNull();
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  },
);

test('an update that is refused for the moment is tried again, so that buttons do not stay [S-31]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.plan('chat.update', { kind: 'refused', code: 'not_in_channel' });
  scene.messages = [card('card.1', 'Rejected', { live: false })];
  expect((await scene.bring()).posted).toMatchObject([{ state: 'failed', code: 'not_in_channel' }]);
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted).toMatchObject([{ state: 'updated' }]);
});

test('a card that somebody deleted is posted again while people are asked', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.remove(APPROVALS, scene.thread.posts['card.1']?.ts ?? '');
  scene.messages = [card('card.1', 'Approve? Dana has written since')];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
  expect(scene.slack.messages.at(-1)?.text).toBe('Approve? Dana has written since');
});

test('a channel that does not take the card is tried again each minute while it waits, without a record each time', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'refused', code: 'not_in_channel' }, 3);
  scene.messages = [card('card.1', 'Approve?')];
  const first = await scene.bring();
  expect(first.posted).toMatchObject([{ key: 'card.1', state: 'failed', code: 'not_in_channel' }]);
  expect((await scene.bring()).posted).toEqual([]);
  expect(scene.slack.called('chat.postMessage')).toHaveLength(1);
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted).toEqual([]);
  expect(scene.slack.called('chat.postMessage')).toHaveLength(2);
  await scene.clock.advance(60_000);
  await scene.bring();
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
});

test('a message that nobody waits for is given up after an hour', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'refused', code: 'is_archived' }, 99);
  scene.messages = [status('done', { rank: 'final' })];
  await scene.bring();
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(true);
  await scene.clock.advance(60 * 60_000);
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test.each([{ is_ext_shared: true }, { is_pending_ext_shared: true }, { is_shared: true }])(
  'no card is posted where another organisation reads along: %j [T-A13b]',
  async flags => {
    const scene = stage();
    scene.slack.channels.set(APPROVALS, flags);
    scene.messages = [card('card.1', 'Approve?'), status('waits')];
    const { posted } = await scene.bring();
    expect(posted).toMatchObject([
      { key: 'card.1', state: 'failed', code: 'channel_shared' },
      { key: 'status.r1', state: 'posted' },
    ]);
    expect(scene.slack.called('chat.postMessage').map(call => call['channel'])).toEqual([OPS]);
  },
);

test('a channel that is shared only within the organisation takes cards [T-A13b]', async () => {
  const scene = stage();
  scene.slack.channels.set(APPROVALS, { is_shared: true, is_org_shared: true });
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).posted).toMatchObject([{ state: 'posted' }]);
});

test('a channel that becomes shared gets no new card and no more of a live one, but its buttons go [T-A13b]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.channels.set(APPROVALS, { is_ext_shared: true });
  await scene.clock.advance(60_000);
  scene.messages = [card('card.1', 'Approve? Dana has written since')];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'failed', code: 'channel_shared' }]);
  expect(scene.slack.messages.at(-1)?.text).toBe('Approve?');
  scene.messages = [card('card.1', 'Withdrawn', { live: false })];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'updated' }]);
});

test('the edit of a live card is made up for when the channel is no longer shared [T-A13b]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.channels.set(APPROVALS, { is_ext_shared: true });
  await scene.clock.advance(60_000);
  scene.messages = [card('card.1', 'Approve? Dana has written since')];
  await scene.bring();
  scene.slack.channels.delete(APPROVALS);
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'updated' }]);
});

test('cards come back by themselves when the channel is no longer shared [T-A13b]', async () => {
  const scene = stage();
  scene.slack.channels.set(APPROVALS, { is_ext_shared: true });
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.channels.delete(APPROVALS);
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
});

test('a failed look at the channel posts nothing and is tried again [T-A13b]', async () => {
  const scene = stage();
  scene.slack.plan(call => call.method === 'conversations.info' && call.args['channel'] === APPROVALS, {
    kind: 'lost',
  });
  scene.messages = [card('card.1', 'Approve?')];
  const { posted, retryAtMs } = await scene.bring();
  expect(posted).toEqual([]);
  expect(retryAtMs).not.toBeNull();
  expect(scene.slack.called('chat.postMessage')).toEqual([]);
});

test('a card in a direct message needs no look at sharing', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?', { place: { channel: 'D0DANA001' as typeof OPS } })];
  expect((await scene.bring()).posted).toMatchObject([{ state: 'posted' }]);
});

test('a reply under a card waits for the card', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'refused', code: 'not_in_channel' });
  scene.messages = [
    card('reply', 'ring', { place: { under: 'card.1' }, live: false, evidence: false }),
    card('card.1', 'Approve?'),
  ];
  await scene.bring();
  expect(scene.thread.posts['reply']).toBeUndefined();
  await scene.clock.advance(60_000);
  await scene.bring();
  const [posted, reply] = scene.slack.messages.slice(-2);
  expect(reply).toMatchObject({ text: 'ring', thread_ts: posted?.ts });
});

test('a reaction is set once and counts as set when it is there already', async () => {
  const scene = stage();
  const message = scene.slack.add({ channel: OPS, text: 'and hurry' });
  message.reactions.push('eyes');
  const reaction = { name: 'eyes', channel: OPS, ts: message.ts as never };
  scene.messages = [status('', { key: 'eyes', reaction })];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'eyes', state: 'reacted' }]);
  expect((await scene.bring()).posted).toEqual([]);
});

test('a reaction that Slack refuses is let go', async () => {
  const scene = stage();
  scene.slack.plan('reactions.add', { kind: 'refused', code: 'missing_scope' });
  scene.messages = [status('', { key: 'eyes', reaction: { name: 'eyes', channel: OPS, ts: '1.1' as never } })];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'eyes', state: 'failed', code: 'missing_scope' }]);
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test('operators get one message per cause, which is edited', async () => {
  const scene = stage();
  const workspace = emptyWorkspace();
  scene.messages = [status('trouble', { key: 'trouble/model', rank: 'final', place: { channel: APPROVALS } })];
  const [posted] = await scene.views.announce(workspace, new AbortController().signal);
  expect(posted).toMatchObject({ key: 'trouble/model', state: 'posted' });
  if (!posted) return;
  workspace.posts[posted.key] = { ...posted, ts: posted.ts ?? null, code: null };
  workspace.head = { number: 1, hash: '' };
  scene.messages = [status('over', { key: 'trouble/model', rank: 'final', place: { channel: APPROVALS } })];
  expect(await scene.views.announce(workspace, new AbortController().signal)).toMatchObject([{ state: 'updated' }]);
});
