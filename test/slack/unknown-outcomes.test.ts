/** What happens to messages when a call's outcome is not known, and when another process goes on. */
import { expect, test } from 'vitest';
import { APPROVALS, KEY, OPS, ROOT, card, content, record, stage, status, workspaceEvidence } from './stage.ts';
import { threadLog, type MessageTs, type WriterId } from '../../src/thread/ids.ts';

const ours = (key: string) => ({
  user: 'U0BOT0001',
  bot_id: 'B0BOT0001',
  metadata: {
    event_type: 'countersign',
    event_payload: { key, environment: 'production', thread: threadLog(KEY) },
  },
});
const signal = () => new AbortController().signal;

test('a card whose answer was lost is found by its key and posted once [S-81]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'applied_then_lost' });
  scene.messages = [card('card.1', 'Approve?')];
  const { posted } = await scene.bring();
  expect(posted.at(-1)).toMatchObject({ key: 'card.1', state: 'updated' });
  expect(scene.slack.messages.filter(message => message.channel === APPROVALS)).toHaveLength(1);
});

test('a card that did not arrive is posted after another look, not at once [S-81]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'lost' });
  scene.messages = [card('card.1', 'Approve?')];
  const first = await scene.bring();
  expect(first.posted).toEqual([]);
  expect(first.retryAtMs).toBeGreaterThan(scene.clock.nowMs());
  await scene.clock.advance(3_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
  expect(scene.slack.messages.filter(message => message.channel === APPROVALS)).toHaveLength(1);
});

test('a post that lands late leaves a second copy, which is closed with the next change of the card [S-81, F-L3]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'late' });
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  await scene.clock.advance(3_000);
  await scene.bring();
  scene.slack.land();
  expect(scene.slack.messages.filter(message => message.channel === APPROVALS)).toHaveLength(2);
  scene.messages = [card('card.1', 'Approved', { live: false })];
  const { posted } = await scene.bring();
  expect(posted.map(one => one.state).toSorted()).toEqual(['closed', 'updated']);
  for (const message of scene.slack.messages.filter(one => one.channel === APPROVALS))
    expect(JSON.stringify(message.blocks)).not.toContain('"approve"');
});

test('a message that is not wanted for a moment is looked for when it is wanted again, for it may have landed late [S-81]', async () => {
  const scene = stage();
  await scene.bring();
  scene.slack.plan('chat.postMessage', { kind: 'late' });
  scene.messages = [status('The model does not answer.')];
  await scene.bring();
  scene.messages = [];
  await scene.bring();
  scene.slack.land();
  await scene.clock.advance(5_000);
  scene.messages = [status('One call waits.')];
  const { posted } = await scene.bring();
  expect(posted.at(-1)).toMatchObject({ state: 'updated' });
  expect(scene.slack.messages.filter(message => message.bot_id)).toHaveLength(1);
});

test('the process that takes over finds the card that the dead one had posted and not recorded [S-81, T-C20]', async () => {
  const scene = stage();
  const ghost = scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...ours('card.1') });
  scene.messages = [card('card.1', 'Approve?')];
  const { posted } = await scene.bring();
  expect(posted[0]).toMatchObject({ key: 'card.1', state: 'found', ts: ghost.ts });
  expect(scene.slack.called('chat.postMessage')).toEqual([]);
});

test('a question that the dead process had posted and not recorded has no button left once it is answered; one that never stood is not posted [S-81]', async () => {
  const scene = stage();
  const stood = { channel: OPS, thread_ts: ROOT, blocks: content('Which city?', true).blocks };
  for (let copy = 0; copy < 2; copy += 1) scene.slack.add({ ...stood, text: 'Which city?', ...ours('question/Q1') });
  const place = { channel: OPS, threadTs: ROOT };
  scene.messages = ['question/Q1', 'question/Q2'].map(key =>
    card(key, 'Answered', { live: false, rank: 'final', place }),
  );
  await scene.bring();
  expect(scene.slack.called('chat.postMessage')).toEqual([]);
  for (const message of scene.slack.messages.filter(each => each.bot_id))
    expect(JSON.stringify(message.blocks)).not.toContain('"approve"');
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test('of several copies the oldest stays and the others are closed, without buttons [S-81, S-31]', async () => {
  const scene = stage();
  for (let copy = 0; copy < 3; copy += 1)
    scene.slack.add({
      channel: APPROVALS,
      text: 'Approve?',
      blocks: content('Approve?', true).blocks,
      ...ours('card.1'),
    });
  scene.messages = [card('card.1', 'Approve?')];
  const { posted } = await scene.bring();
  expect(posted.map(one => one.state)).toEqual(['closed', 'closed', 'found', 'updated']);
  const [first, ...others] = scene.slack.messages.filter(message => message.channel === APPROVALS);
  expect(JSON.stringify(first?.blocks)).toContain('"approve"');
  for (const other of others) expect(JSON.stringify(other.blocks)).not.toContain('"approve"');
});

test('a message of another environment, thread or author is not taken for ours [S-81]', async () => {
  const scene = stage();
  const mark = { key: 'card.1', environment: 'production', thread: threadLog(KEY) };
  const metadata = (payload: object) => ({ event_type: 'countersign', event_payload: payload });
  scene.slack.add({
    channel: APPROVALS,
    text: 'a',
    ...ours('card.1'),
    metadata: metadata({ ...mark, environment: 'staging' }),
  });
  scene.slack.add({
    channel: APPROVALS,
    text: 'b',
    ...ours('card.1'),
    metadata: metadata({ ...mark, thread: 'thread#other' }),
  });
  scene.slack.add({ channel: APPROVALS, text: 'c', ...ours('card.1'), user: 'U0MALLORY', bot_id: 'B0MALLORY' });
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
});

test('success without a timestamp is no success [S-36, S-84]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'empty_ok' });
  scene.messages = [card('card.1', 'Approve?')];
  const first = await scene.bring();
  expect(first.posted).toEqual([]);
  expect(first.retryAtMs).not.toBeNull();
  await scene.clock.advance(5_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
});

test('while Slack cannot be asked what stands there, nothing is posted twice [S-81]', async () => {
  const scene = stage();
  scene.slack.plan('conversations.history', { kind: 'lost' }, 2);
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).posted).toEqual([]);
  expect(scene.slack.called('chat.postMessage')).toEqual([]);
  await scene.clock.advance(5_000);
  await scene.bring();
  await scene.clock.advance(5_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'posted' }]);
});

test('an update whose outcome is not known is sent again [S-31]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.messages = [card('card.1', 'Rejected', { live: false })];
  scene.slack.plan('chat.update', { kind: 'lost' });
  expect((await scene.bring()).retryAtMs).not.toBeNull();
  await scene.clock.advance(5_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'updated' }]);
  expect(scene.slack.messages.at(-1)?.text).toBe('Rejected');
});

test('an update that lands after a later one is written over, once it cannot land any more [S-31, F-L9]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  scene.slack.plan('chat.update', { kind: 'late' });
  scene.messages = [card('card.1', 'Approve? Dana has written since')];
  await scene.bring();
  scene.messages = [card('card.1', 'Approved', { live: false })];
  await scene.clock.advance(3_000);
  await scene.bring();
  scene.slack.land();
  expect(scene.slack.messages.at(-1)?.text).toBe('Approve? Dana has written since');
  const { retryAtMs } = await scene.bring();
  expect(retryAtMs).toBeGreaterThan(scene.clock.nowMs());
  await scene.clock.advance(60_000);
  scene.slack.plan('chat.update', { kind: 'throttled', retryAfterMs: 1_000 });
  expect((await scene.bring()).posted).toEqual([]);
  await scene.clock.advance(2_000);
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'updated' }]);
  expect(scene.slack.messages.at(-1)?.text).toBe('Approved');
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test('a copy that lands after the decision is found without a click [S-31, S-81]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'late' });
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  await scene.clock.advance(3_000);
  await scene.bring();
  scene.messages = [card('card.1', 'Approved', { live: false })];
  await scene.bring();
  scene.slack.land();
  await scene.clock.advance(60_000);
  await scene.bring();
  for (const message of scene.slack.messages.filter(one => one.channel === APPROVALS))
    expect(JSON.stringify(message.blocks)).not.toContain('"approve"');
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test('a copy of a process that lost the thread, landing after the next one has posted, is found and closed [S-81, F-L9]', async () => {
  const scene = stage();
  scene.thread.loose = { writer: 'node2/1' as WriterId, atMs: scene.clock.nowMs() };
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).retryAtMs).toBeGreaterThan(scene.clock.nowMs());
  scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...ours('card.1') });
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(true);
  await scene.clock.advance(60_000);
  expect((await scene.bring()).posted.map(one => one.state).toSorted()).toEqual(['closed', 'updated']);
  expect(scene.slack.messages.at(-1)?.text).toBe('This copy is closed.');
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
});

test('a copy is closed in the end, also when Slack refuses that for now [S-81]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  const copy = scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...ours('card.1') });
  record(scene.thread, [
    {
      key: `card.1~${copy.ts}`,
      channel: APPROVALS,
      ts: copy.ts as MessageTs,
      hash: '',
      state: 'found',
      atMs: scene.clock.nowMs(),
      body: {},
    },
  ]);
  scene.slack.plan('chat.update', { kind: 'refused', code: 'not_in_channel' });
  await scene.bring();
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(true);
  await scene.clock.advance(60_000);
  await scene.bring();
  expect(scene.slack.messages.at(-1)?.text).toBe('This copy is closed.');
});

test('an older state of the thread never overwrites a newer one [F-L9]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  await scene.bring();
  const old = structuredClone(scene.thread);
  scene.thread.head = { ...scene.thread.head, number: 20 };
  scene.messages = [card('card.1', 'Approved', { live: false })];
  await scene.bring();
  scene.messages = [card('card.1', 'Approve?')];
  old.posts = structuredClone(scene.thread.posts);
  expect(await scene.views.reconcile(old, workspaceEvidence, signal())).toEqual({ posted: [], retryAtMs: null });
  expect(scene.slack.messages.at(-1)?.text).toBe('Approved');
});

test('two passes over one thread follow each other and post each message once [F-L9]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const [one, two] = await Promise.all([
    scene.views.reconcile(scene.thread, workspaceEvidence, signal()),
    scene.views.reconcile(scene.thread, workspaceEvidence, signal()),
  ]);
  // The second pass knows no record yet; it finds what the first one posted.
  expect([...one.posted, ...two.posted].filter(posted => posted.state === 'posted')).toHaveLength(1);
  expect(scene.slack.called('chat.postMessage')).toHaveLength(1);
});

test('nothing is written after the signal', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const result = await scene.views.reconcile(scene.thread, workspaceEvidence, AbortSignal.abort());
  expect(result.posted).toEqual([]);
  expect(scene.slack.called('chat.postMessage')).toEqual([]);
});

test('what this process knows to be new is posted without looking for it first', async () => {
  const scene = stage();
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  scene.messages = [card('card.1', 'Approve?'), status('waits')];
  await scene.bring();
  expect(scene.slack.called('conversations.history')).toEqual([]);
  expect(scene.slack.called('conversations.replies')).toEqual([]);
});

test('after a pause as long as the lease nothing counts as new any more [S-81]', async () => {
  const scene = stage();
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  await scene.clock.advance(60_000);
  scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...ours('card.1') });
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).posted[0]).toMatchObject({ state: 'found' });
});

test('a process that never held the lease looks before it posts [S-81]', async () => {
  const scene = stage();
  scene.thread.lease = { holder: 'other/1' as WriterId, lengthMs: 60_000, lastCommit: 1, lastAtMs: 0 };
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  scene.slack.add({ channel: OPS, thread_ts: ROOT, text: 'waits', ...ours('status.r1') });
  scene.messages = [status('waits')];
  expect((await scene.bring()).posted[0]).toMatchObject({ state: 'found' });
});

test('what was seen under the lease of somebody else does not count as known [S-81]', async () => {
  const scene = stage();
  const mine = scene.thread.lease;
  scene.thread.lease = { holder: 'other/1' as WriterId, lengthMs: 60_000, lastCommit: 1, lastAtMs: 0 };
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  scene.thread.lease = mine;
  scene.slack.add({ channel: APPROVALS, text: 'Approve?', ...ours('card.1') });
  scene.messages = [card('card.1', 'Approve?')];
  expect((await scene.bring()).posted[0]).toMatchObject({ state: 'found' });
});

test('a post whose record does not reach the log is found again by the same process [S-81]', async () => {
  const scene = stage();
  expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  scene.messages = [card('card.1', 'Approve?')];
  const lost = await scene.views.reconcile(scene.thread, workspaceEvidence, signal());
  expect(lost.posted).toMatchObject([{ state: 'posted' }]);
  expect((await scene.bring()).posted[0]).toMatchObject({ state: 'found', ts: lost.posted[0]?.ts });
  expect(scene.slack.called('chat.postMessage')).toHaveLength(1);
});

test('a decided card that may have been posted by a dead process is found and closed, and never posted anew [S-31]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Withdrawn', { live: false })];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'closed' }]);
  expect(scene.slack.called('chat.postMessage')).toEqual([]);

  const found = stage();
  found.slack.add({
    channel: APPROVALS,
    text: 'Approve?',
    blocks: content('Approve?', true).blocks,
    ...ours('card.1'),
  });
  found.messages = [card('card.1', 'Withdrawn', { live: false })];
  await found.bring();
  expect(found.slack.messages.at(-1)?.text).toBe('Withdrawn');
  expect(found.slack.called('chat.postMessage')).toEqual([]);
});

test('a second process brings a thread in line without posting anything anew', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?'), status('waits')];
  await scene.bring();
  const posts = scene.slack.called('chat.postMessage').length;
  scene.messages = [card('card.1', 'Approved', { live: false }), status('runs')];
  const { posted } = await scene.other().reconcile(scene.thread, workspaceEvidence, signal());
  record(scene.thread, posted);
  expect(posted.map(one => one.state)).toEqual(['updated', 'updated']);
  expect(scene.slack.called('chat.postMessage')).toHaveLength(posts);
});

test('a process that is held up for longer than its lease writes nothing more: somebody else may have gone on [F-L9, T-C11]', async () => {
  const scene = stage({ pace: { everyMs: 2_000, burst: 1 } });
  if (scene.thread.lease) scene.thread.lease = { ...scene.thread.lease, lengthMs: 1_000 };
  scene.messages = [card('card.1', 'Approve?'), card('card.2', 'Approve?')];
  const pass = scene.views.reconcile(scene.thread, workspaceEvidence, signal());
  await scene.clock.advance(10_000);
  expect((await pass).retryAtMs).not.toBeNull();
  expect(scene.slack.messages.filter(message => message.channel === APPROVALS)).toHaveLength(1);
});

test('what seemed lost and is not wanted any more is closed once it has landed; what is on record stays [S-81, F-L3]', async () => {
  const scene = stage();
  const approve = card('card.1', 'Approve?');
  scene.messages = [approve];
  await scene.bring();
  scene.slack.plan('chat.postMessage', { kind: 'late' });
  scene.messages = [approve, status('The model does not answer.')];
  await scene.bring();
  scene.slack.land();
  scene.messages = [approve];
  expect((await scene.bring()).retryAtMs).toBeGreaterThan(scene.clock.nowMs());
  await scene.clock.advance(61_000);
  expect((await scene.bring()).retryAtMs).toBeNull();
  const shown = scene.slack.messages.map(({ blocks }) => JSON.stringify(blocks));
  expect(shown.filter(blocks => blocks.includes('"approve"'))).toHaveLength(1);
  expect(shown.filter(blocks => blocks.includes('does not answer'))).toEqual([]);
});
