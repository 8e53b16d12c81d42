/** The line under a thread, and the state of its session. */
import { expect, test } from 'vitest';
import { sessionOf, WorkingStatus } from '../../src/slack/working.ts';
import type { SlackAnswer } from '../../src/slack/api.ts';
import type { QuestionId } from '../../src/thread/ids.ts';
import { handClock } from '../support/hand-clock.ts';
import { aCall, claimOf, request, threadOf } from './views/fixtures.ts';

const running = threadOf([request(call => ({ is: 'claimed', claim: claimOf(call) }))]);
const waiting = threadOf([request()]);
const over = threadOf([request({ is: 'closed' })], {
  end: { how: 'succeeded', code: null, by: null, detail: null, atMs: 1, number: 9 },
});

test('a session waits for people only while nothing else can bring it on', () => {
  const asked = aCall(0);
  const suspended = request({
    is: 'suspended',
    claim: claimOf(asked),
    name: 'from',
    wait: { on: 'question', id: 'Q' as QuestionId },
    sinceMs: 1,
  });
  const second = request(call => ({ is: 'claimed', claim: claimOf(call) }), {}, { id: 'B'.repeat(26) as never });
  expect(sessionOf(over)).toBe('active');
  expect(sessionOf(running)).toBe('processing');
  expect(sessionOf(threadOf([], {}))).toBe('processing');
  expect(sessionOf(waiting)).toBe('suspended');
  expect(sessionOf(threadOf([suspended]))).toBe('suspended');
  expect(sessionOf(threadOf([request(), { call: second.call }]))).toBe('processing');
  const inner = { ...request().call, id: 'C'.repeat(26) as never, within: { call: asked.id, name: 'choice' } };
  const choosing = { ...suspended.call, state: { ...suspended.call.state, wait: { on: 'call', id: inner.id } } };
  const outer = { ...suspended, call: choosing as typeof asked };
  const both = threadOf([outer, { call: inner }], { turnCalls: [asked.id], calls: [asked.id, inner.id] });
  expect(sessionOf(both)).toBe('suspended');
});

test('a session with a call that may start waits while nobody brings the thread on: everything is frozen', () => {
  const held = threadOf([{ call: { ...aCall(0), state: { is: 'allowed' } } }]);
  expect(sessionOf({ ...held, lease: null })).toBe('suspended');
  const lease = { holder: 'w', lengthMs: 60_000, lastCommit: 1, lastAtMs: 1 } as NonNullable<typeof held.lease>;
  expect(sessionOf({ ...held, lease })).toBe('processing');
});

function watched(answer: SlackAnswer = { is: 'ok', data: {} }) {
  const told: unknown[] = [];
  const working = new WorkingStatus((method, args) => {
    told.push([method, args['status']]);
    return Promise.resolve(method === 'agents.sessions.setStatus' ? answer : { is: 'ok', data: {} });
  }, handClock());
  const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  return { told, working, settled };
}

test('a state is told once, after the line that belongs to it', async () => {
  const { told, working, settled } = watched();
  working.show(running, 'is thinking …');
  working.show(running, 'is thinking …');
  working.show(waiting, '');
  working.show(over, '');
  await settled();
  expect(told).toEqual([
    ['assistant.threads.setStatus', 'is thinking …'],
    ['agents.sessions.setStatus', 'processing'],
    ['assistant.threads.setStatus', ''],
    ['agents.sessions.setStatus', 'suspended'],
    ['agents.sessions.setStatus', 'active'],
  ]);
});

test('where Slack has no sessions, none is told again', async () => {
  const { told, working, settled } = watched({ is: 'refused', code: 'unknown_method' });
  working.show(running, '');
  await settled();
  working.show(waiting, '');
  working.show(over, '');
  await settled();
  expect(told).toEqual([['agents.sessions.setStatus', 'processing']]);
});
