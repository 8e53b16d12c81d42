import { expect, test } from 'vitest';
import type { Inspect } from '../../src/local/inspect/inspect.ts';
import { isObject, objectsIn } from '../../src/local/json.ts';
import { seal, type Commit, type Head } from '../../src/thread/commit.ts';
import type { ThreadEvent } from '../../src/thread/events.ts';
import { callId, threadLog, type RunId, type ThreadKey, type UserId, type WriterId } from '../../src/thread/ids.ts';
import { human, openWorkspace } from './stage.ts';

const DANA = 'U0DANA001' as UserId;
const WRITER = 'node/1' as WriterId;
const key = { team: 'T0ACME001', channel: 'C0OPS0001', ts: '1700000000.000100' } as ThreadKey;
const START_MS = Date.parse('2026-11-30T14:00:00Z');
const path = `log?channel=${key.channel}&ts=${key.ts}`;

const steps: readonly (readonly ThreadEvent[])[] = [
  [
    {
      type: 'message.received',
      ts: key.ts,
      channel: key.channel,
      author: DANA,
      team: key.team,
      mention: true,
      direct: false,
      body: { text: '<@U0BOT0001> list notes', name: 'Dana Ito', files: [] },
    },
  ],
  [
    { type: 'lease.taken', holder: WRITER, lengthMs: 60_000, body: {} },
    { type: 'run.started', run: 'r1' as RunId, agent: 'agent', requesters: [DANA], messages: [key.ts], body: {} },
  ],
  [
    {
      type: 'model.replied',
      run: 'r1' as RunId,
      turn: 1,
      model: 'demo',
      usage: { input: 10, output: 5 },
      calls: [{ call: callId(key, 'r1' as RunId, 1, 0), tool: 'list_files' }],
      body: { text: '', calls: [{ args: { path: 'notes' } }] },
    },
    { type: 'lease.released', holder: WRITER, synced: true, body: {} },
  ],
];

function sealed(): Commit[] {
  const commits: Commit[] = [];
  let after: Head = { number: 0, hash: '' };
  for (const [index, events] of steps.entries()) {
    const draft = {
      after,
      events,
      atMs: START_MS + index * 1_000,
      writer: WRITER,
      nonce: `n${index}`,
      salt: `s${index}`,
    };
    const commit = seal(threadLog(key), draft);
    commits.push(commit);
    after = commit;
  }
  return commits;
}

const inspect: Inspect = asked =>
  Promise.resolve(
    asked.ts === key.ts
      ? { commits: sealed(), wakes: [{ number: 2, dueAtMs: START_MS + 121_000 }] }
      : { commits: [], wakes: [] },
  );

test('the inspector tells each commit in words: number, time, writer, who, lease, and the entry that stands for it', async () => {
  const { url } = await openWorkspace({ inspect });
  expect((await human(url, 'GET', 'state')).body['inspector']).toBe(true);
  const { body } = await human(url, 'GET', path);
  expect(body['commits']).toMatchObject([
    {
      number: 1,
      at_ms: START_MS,
      writer: WRITER,
      previous: '',
      lease: null,
      events: [
        {
          type: 'message.received',
          who: DANA,
          words: 'Dana Ito mentioned the agent: “@Countersign list notes”',
          facts: { author: DANA, channel: 'C0OPS0001' },
          body: { text: '<@U0BOT0001> list notes' },
        },
      ],
    },
    {
      number: 2,
      lease: { holder: WRITER, length_ms: 60_000, until_ms: START_MS + 61_000 },
      next_look_ms: START_MS + 121_000,
      entry_due_ms: START_MS + 121_000,
      events: [{ words: 'node/1 took the lease for 60 s', who: null }, { words: 'Run r1 of agent began for Dana Ito' }],
    },
    {
      number: 3,
      lease: null,
      entry_due_ms: null,
      events: [
        { words: 'The model (demo) answered turn 1: it asks for list_files · 10+5 tokens' },
        { words: 'node/1 gave the lease back, with everything posted' },
      ],
    },
  ]);
  const [first, second] = objectsIn(body['commits']);
  expect(second?.['previous']).toBe(first?.['hash']);
});

test('the fold before and behind a commit is what the core folds, so that a change can be seen', async () => {
  const { url } = await openWorkspace({ inspect });
  const { body } = await human(url, 'GET', `${path}&number=2`);
  expect(body).toMatchObject({
    number: 2,
    before: { current: null, runs: {}, lease: null, head: { number: 1 } },
    after: { current: 'r1', runs: { r1: { requesters: [DANA] } }, lease: { holder: WRITER }, head: { number: 2 } },
  });
  expect((await human(url, 'GET', `${path}&number=9`)).status).toBe(404);
});

test('a thread of which nothing is kept has an empty time line', async () => {
  const { url } = await openWorkspace({ inspect });
  expect((await human(url, 'GET', 'log?channel=C0OPS0001&ts=1700000000.000200')).body).toEqual({
    commits: [],
    wakes: [],
  });
  expect((await human(url, 'GET', 'log?channel=C0NOWHERE&ts=1700000000.000200')).status).toBe(404);
  expect((await human(url, 'GET', 'log?channel=C0OPS0001&ts=1;2')).status).toBe(400);
});

test('where another process has the log, the page is not offered an inspector and is told so', async () => {
  const { url } = await openWorkspace();
  expect((await human(url, 'GET', 'state')).body['inspector']).toBe(false);
  expect(await human(url, 'GET', path)).toEqual({
    status: 404,
    body: { error: 'Another process has the log; the inspector is only where the log is.' },
  });
});

test('a log that cannot be read is told as such', async () => {
  const { url } = await openWorkspace({ inspect: () => Promise.reject(new Error('Commit 7 does not fit.')) });
  expect(await human(url, 'GET', path)).toEqual({
    status: 502,
    body: { error: 'The log cannot be read: Commit 7 does not fit.' },
  });
});

test('new commits are signalled to pages that listen, and not kept', async () => {
  const { url, workspace } = await openWorkspace({ inspect });
  const before = workspace.feed.cursor;
  const stream = await fetch(`${url}/human/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  workspace.feed.signal({ kind: 'log', channel: key.channel, ts: key.ts });
  const heard = (await reader?.read())?.value;
  expect(heard).toBe(`data: {"kind":"log","channel":"${key.channel}","ts":"${key.ts}"}\n\n`);
  expect(workspace.feed.cursor).toBe(before);
  await reader?.cancel();
});

test('every fact that a fold holds is plain JSON', async () => {
  const { url } = await openWorkspace({ inspect });
  const { body } = await human(url, 'GET', `${path}&number=3`);
  const after = isObject(body['after']) ? body['after'] : {};
  expect(after['key']).toEqual(key);
});
