/** Slack's rates: who goes first, who waits, who comes back. */
import { expect, test } from 'vitest';
import { PacedQueue } from '../../src/slack/queue.ts';
import { handClock } from '../support/hand-clock.ts';
import { APPROVALS, OPS, card, record, stage, status, workspaceEvidence } from './stage.ts';

const signal = () => new AbortController().signal;

test('a channel takes a short burst, then one message a second', async () => {
  const clock = handClock();
  const queue = new PacedQueue(clock, { everyMs: 1_000, burst: 3, patienceMs: 5_000 });
  const went: number[] = [];
  const calls = Array.from({ length: 6 }, async () => {
    if ((await queue.turn('C1', 'card', signal())) === 'go') went.push(clock.monotonicMs());
  });
  await clock.advance(5_000);
  await Promise.all(calls);
  expect(went).toEqual([0, 0, 0, 1_000, 2_000, 3_000]);
});

test('other channels are not held up', async () => {
  const clock = handClock();
  const queue = new PacedQueue(clock, { burst: 1 });
  expect(await queue.turn('C1', 'card', signal())).toBe('go');
  expect(await queue.turn('C2', 'card', signal())).toBe('go');
});

test('who waits goes by rank, then by arrival [S-78]', async () => {
  const clock = handClock();
  const queue = new PacedQueue(clock, { everyMs: 1_000, burst: 1, patienceMs: 30_000 });
  const went: string[] = [];
  const call = async (name: string, rank: 'card' | 'final') => {
    if ((await queue.turn('C1', rank, signal())) === 'go') went.push(name);
  };
  const calls = [call('first', 'card'), call('answer', 'final'), call('card 1', 'card'), call('card 2', 'card')];
  await clock.advance(30_000);
  await Promise.all(calls);
  expect(went).toEqual(['first', 'card 1', 'card 2', 'answer']);
});

test('who would have to wait longer than is patient is told when to come back; progress never waits', async () => {
  const clock = handClock();
  const queue = new PacedQueue(clock, { everyMs: 1_000, burst: 3, patienceMs: 500 });
  for (let call = 0; call < 3; call += 1) await queue.turn('C1', 'card', signal());
  expect(await queue.turn('C1', 'progress', signal())).toMatchObject({ retryAtMs: expect.any(Number) as number });
  const turn = await queue.turn('C1', 'card', signal());
  expect(turn).toEqual({ retryAtMs: clock.nowMs() + 1_000 });
});

test('after "too many" cards come back first, then finals, then progress [S-78]', async () => {
  const clock = handClock();
  const queue = new PacedQueue(clock);
  const times = (['progress', 'final', 'card'] as const).map(rank => queue.throttled('C1', rank, 10_000));
  expect(times).toEqual([12_000, 11_000, 10_000].map(ms => clock.nowMs() + ms));
  await clock.advance(10_000);
  expect(await queue.turn('C1', 'card', signal())).toBe('go');
});

test('under 429 the card goes first, the progress edit is dropped for the newer one, and the final is kept [S-78]', async () => {
  const scene = stage();
  scene.messages = [status('waits')];
  await scene.bring();
  scene.slack.plan('chat.update', { kind: 'throttled', retryAfterMs: 5_000 });
  scene.messages = [status('step 1')];
  expect((await scene.bring()).posted).toEqual([]);
  scene.messages = [status('step 2'), status('answer', { key: 'answer', rank: 'final' }), card('card.1', 'Approve?')];
  await scene.bring();
  await scene.clock.advance(10_000);
  await scene.bring();
  await scene.clock.advance(10_000);
  await scene.bring();
  const updates = scene.slack.called('chat.update').map(call => call['text']);
  expect(updates.slice(1)).toEqual(['step 2']);
  expect(scene.slack.called('chat.postMessage').map(call => call['text'])).toEqual(['waits', 'Approve?', 'answer']);
});

test('a hundred cards at once under a limiter are all posted, none twice, without holding anybody [T-C21]', async () => {
  const scene = stage({ pace: { everyMs: 100, burst: 4, patienceMs: 250 } });
  let passes = 0;
  scene.messages = Array.from({ length: 100 }, (_, index) => card(`card.${index}`, `Approve ${index}?`));
  // The limiter of Slack: every seventh post is one too many.
  let count = 0;
  scene.slack.plan(
    call => call.method === 'chat.postMessage' && (count += 1) % 7 === 0,
    { kind: 'throttled', retryAfterMs: 1_000 },
    99,
  );
  while (scene.views.behind(scene.thread, workspaceEvidence)) {
    const pass = scene.views.reconcile(scene.thread, workspaceEvidence, signal());
    await scene.clock.advance(60_000);
    record(scene.thread, (await pass).posted);
    passes += 1;
    expect(passes).toBeLessThan(200);
  }
  const keys = scene.slack.messages.filter(message => message.channel === APPROVALS).map(message => message.text);
  expect(new Set(keys).size).toBe(100);
  expect(keys).toHaveLength(100);
  expect(scene.slack.called('chat.postMessage').every(call => call['channel'] !== OPS)).toBe(true);
});

test('a 429 is reported with the time to come back, so that the lease can be left [T-C21]', async () => {
  const scene = stage();
  scene.slack.plan('chat.postMessage', { kind: 'throttled', retryAfterMs: 60_000 });
  scene.messages = [card('card.1', 'Approve?')];
  expect(await scene.bring()).toEqual({ posted: [], retryAtMs: scene.clock.nowMs() + 60_000 });
});
