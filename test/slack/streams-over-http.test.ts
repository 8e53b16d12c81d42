/** Streams over Slack's real client, against the embedded workspace, which keeps to what Slack documents. */
import { expect, onTestFinished, test } from 'vitest';
import { createSlackApp } from '../../src/slack/app.ts';
import { systemClock } from '../../src/local/workspace/time.ts';
import type { ChannelId } from '../../src/thread/ids.ts';
import type { Run } from '../../src/thread/thread.ts';
import { handClock } from '../support/hand-clock.ts';
import { open, optionsFor } from './inbound/stage.ts';
import { record, workspaceEvidence } from './stage.ts';
import { ids, threadOf } from './views/fixtures.ts';

const GENERAL = 'C0GENERAL' as ChannelId;

/** A run in a thread of the workspace whose model writes; the app's time is driven by hand. */
async function writing() {
  const clock = handClock();
  let nowMs = Date.UTC(2026, 10, 30, 14);
  const { workspace, say } = await open({ started: false, clock: { ...systemClock, nowMs: () => (nowMs += 1) } });
  const slack = await createSlackApp({ ...optionsFor(workspace.url, []), clock });
  onTestFinished(() => slack.stop());
  const root = await say(ids.dana, GENERAL, '@Countersign how is billing?');
  const thread = threadOf([]);
  Object.assign(thread, { key: { team: ids.team, channel: GENERAL, ts: root } });
  const run: Run = Object.assign(thread.runs[ids.run] as Run, { turn: 0, answer: null, end: null, startedAtMs: nowMs });
  const ours = () =>
    workspace.workspace.messages
      .thread(GENERAL, root, {}, 100)
      .filter(({ message }) => message['bot_id'] !== undefined);
  const texts = () => ours().map(({ message }) => message.text);
  /** Writes each text until the workspace shows what can be shown of it; the first is too young for that. */
  const write = async ([first = '', ...others]: readonly string[], shown: readonly string[]): Promise<void> => {
    slack.views.writing(thread, ids.run, first);
    for (const [index, text] of others.entries()) {
      await clock.advance(1_000);
      while (texts()[0] !== shown[index]) {
        slack.views.writing(thread, ids.run, text);
        await clock.advance(0);
      }
    }
    expect(texts()).toHaveLength(1);
  };
  const bring = async (): Promise<void> => {
    const { posted } = await slack.views.reconcile(thread, workspaceEvidence, new AbortController().signal);
    record(thread, posted);
  };
  const answered = (text: string): void => void Object.assign(run, { turn: 1, answer: text });
  return { slack, thread, run, write, bring, answered, ours, texts, later: (ms: number) => void (nowMs += ms) };
}

test('an answer grows in one message of its thread, and that message becomes the answer', async () => {
  const { slack, thread, write, bring, answered, ours } = await writing();
  await write(
    ['All ', 'All is well ', 'All is well with billing '],
    ['<@U0DANA001> All is well', '<@U0DANA001> All is well with billing'],
  );
  const [growing] = ours();
  answered('All is well with **billing**.');
  await bring();
  expect(ours()).toMatchObject([
    {
      message: {
        ts: growing?.message.ts,
        text: '<@U0DANA001> All is well with billing.',
        streaming_state: 'completed',
      },
      metadata: { event_payload: { key: `answer/${ids.run}`, environment: 'local' } },
    },
  ]);
  expect(ours()[0]?.message.blocks?.map(block => block['type'])).toEqual(['rich_text']);
  expect(slack.views.behind(thread, workspaceEvidence)).toBe(false);
});

test('a stream that Slack ended after five minutes is made whole, in the same message [S-73]', async () => {
  const { write, bring, answered, later, texts } = await writing();
  await write(['All ', 'All is well '], ['<@U0DANA001> All is well']);
  later(6 * 60_000);
  answered('All is well with billing.');
  await bring();
  expect(texts()).toEqual(['<@U0DANA001> All is well with billing.']);
});

test('a stream of a reply that has calls is gone from its thread', async () => {
  const { slack, thread, run, write, bring, texts } = await writing();
  await write(['I look ', 'I look it up '], ['<@U0DANA001> I look it up']);
  run.turn = 1;
  await bring();
  expect(texts()).toEqual([]);
  expect(slack.views.behind(thread, workspaceEvidence)).toBe(false);
});
