/** The views under one configuration, as the reconciler uses them; and the working line. */
import { expect, test } from 'vitest';
import { renderingOf } from '../../src/slack/bound.ts';
import { isCardKey } from '../../src/slack/views/keys.ts';
import { WorkingStatus } from '../../src/slack/working.ts';
import { executionId } from '../../src/thread/ids.ts';
import { emptyWorkspace } from '../../src/thread/workspace.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { handClock } from '../support/hand-clock.ts';
import { aPost, aCall, calm, claimOf, context, ids, opsThread, request, threadOf } from './views/fixtures.ts';

const rendering = renderingOf(context);

test('the cards of an approval are all that were posted for it, and no others [T-A15b]', () => {
  const part = request({ is: 'waiting' }, { card: 3, round: 3 });
  const thread = threadOf([part]);
  const approval = part.approval?.id ?? ('' as never);
  expect(rendering.cards(thread, { approval })).toEqual([1, 2, 3].map(n => `card/${approval}/${n}`));
  expect(rendering.cards(thread, { approval: 'B'.repeat(26) as typeof approval })).toEqual([]);
});

test('what became of an execution is said on the card of its request, or on a card of its own', () => {
  const part = request();
  const execution = executionId(part.call.id, 1);
  expect(rendering.cards(threadOf([part]), { execution })).toEqual([
    `card/${part.approval?.id}/1`,
    `doubt/${execution}`,
  ]);
  const allowed = aCall(0);
  expect(rendering.cards(threadOf([{ call: allowed }]), { execution })).toEqual([`doubt/${execution}`]);
});

test('every key with buttons that decide is known as a card', () => {
  const keys = rendering.thread(threadOf([request()]), calm).map(message => message.key);
  expect(keys.filter(isCardKey)).toHaveLength(1);
  expect(isCardKey('doubt/x')).toBe(true);
  expect(['status/r1', 'answer/r1', 'doubt-ring/x', 'doubt-thread/x', 'have/1.1', ''].filter(isCardKey)).toEqual([]);
});

test('operators hear of each open trouble once, and of its end only if they heard of it', () => {
  const workspace = emptyWorkspace();
  const trouble = (cause: string, closedAtMs: number | null) => ({
    cause,
    code: 'model_away',
    detail: '',
    about: null,
    openedAtMs: 1,
    closedAtMs,
    times: 3,
  });
  workspace.troubles = { model: trouble('model', null), old: trouble('old', 2), told: trouble('told', 2) };
  workspace.posts['trouble/told'] = aPost('trouble/told', { channel: ids.operators });
  const messages = rendering.operators(workspace);
  expect(messages.map(message => [message.key, message.place])).toEqual([
    ['trouble/model', { channel: ids.operators }],
    ['trouble/told', { channel: ids.operators }],
  ]);
  expect(renderingOf({ ...context, operators: null }).operators(workspace)).toEqual([]);
});

test('the working line shows thinking, what runs without a message that says so, and nothing while people have to do something', () => {
  expect(rendering.status(threadOf([]))).toBe('is thinking …');
  expect(rendering.status(threadOf([request()]))).toBe('');
  const asked = request(call => ({ is: 'claimed', claim: claimOf(call) }));
  expect(rendering.status(threadOf([asked]))).toBe('');
  const running = { call: asked.call };
  expect(rendering.status(threadOf([running]))).toContain('is at work: Scale billing');
  expect(rendering.status(threadOf([running, request({ is: 'waiting' }, {}, { id: aCall(1).id })]))).toContain(
    'at work',
  );
  const over = { how: 'succeeded', code: null, by: null, detail: null, atMs: 1, number: 1 } as const;
  expect(rendering.status(threadOf([], { end: over }))).toBe('');
  expect(rendering.status(threadOf([], { away: { code: 'model_away', untilMs: 1 } }))).toBe('');
  expect(renderingOf({ ...context, language: 'zh' }).status(threadOf([]))).toBe('正在思考…');
});

test('the working line says nothing of a call that may start in a thread that nobody brings on: everything is frozen', () => {
  const held = threadOf([{ call: { ...aCall(0), state: { is: 'allowed' } } }]);
  expect(rendering.status({ ...held, lease: null })).toBe('');
  const lease = { holder: 'w', lengthMs: 60_000, lastCommit: 1, lastAtMs: 1 } as NonNullable<typeof held.lease>;
  expect(rendering.status({ ...held, lease })).toBe('is thinking …');
});

test('an extra copy is closed without buttons, in both languages', () => {
  for (const language of ['en', 'zh'] as const) {
    const { copyNotice } = renderingOf({ ...context, language });
    expect(copyNotice.blocks.map(block => block.type)).toEqual(['section']);
    expect(copyNotice.text).toMatch(/^🔁 \S/);
  }
});

test('the working line is set once per change, again when Slack has forgotten it, and cleared before people are asked', async () => {
  const clock = handClock();
  const slack = new FakeSlack(() => clock.nowMs());
  const working = new WorkingStatus(slack.api, clock);
  const thread = threadOf([]);
  const shown = async (text: string) => {
    working.show(thread, text);
    await clock.advance(0);
    return slack.statuses.map(status => status.text);
  };
  expect(await shown('')).toEqual([]);
  expect(await shown('thinks')).toEqual(['thinks']);
  expect(await shown('thinks')).toEqual(['thinks']);
  expect(await shown('')).toEqual(['thinks', '']);
  await shown('thinks');
  working.posted(thread);
  expect(await shown('')).toHaveLength(3);
  await shown('thinks');
  await clock.advance(100_000);
  expect(await shown('thinks')).toHaveLength(5);
  expect(slack.statuses.every(({ channel, thread: ts }) => channel === opsThread.channel && ts === opsThread.ts)).toBe(
    true,
  );
});

test('a working line that Slack refuses breaks nothing', async () => {
  const clock = handClock();
  const slack = new FakeSlack();
  slack.plan('assistant.threads.setStatus', { kind: 'refused', code: 'channel_type_not_supported' });
  const working = new WorkingStatus(slack.api, clock);
  working.show(threadOf([]), 'thinks');
  working.show(threadOf([]), '');
  await clock.advance(0);
  expect(slack.statuses.map(status => status.text)).toEqual(['']);
});
