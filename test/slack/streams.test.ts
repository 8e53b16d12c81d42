/** Answers that can be read while they grow, and what becomes of their messages. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/slack/message.ts';
import type { Run } from '../../src/thread/thread.ts';
import type { WriterId } from '../../src/thread/ids.ts';
import { OPS, ROOT, card, content, record, stage, workspaceEvidence, type Stage } from './stage.ts';
import { ids, threadOf } from './views/fixtures.ts';

const answer = (text: string): Message => ({
  key: `answer/${ids.run}`,
  rank: 'final',
  place: { channel: OPS, threadTs: ROOT },
  content: content(text),
  evidence: false,
});

/** A stage with a run whose model has not replied yet. */
function writing(options: Parameters<typeof stage>[0] = {}) {
  const scene = stage(options);
  const run: Run = {
    ...(threadOf([]).runs[ids.run] as Run),
    startedAtMs: scene.clock.nowMs(),
    turn: 0,
    answer: null,
    end: null,
  };
  scene.thread.runs[ids.run] = run;
  scene.thread.live.push(ids.run);
  return { ...helpers(scene), scene, run };
}

function helpers(scene: Stage) {
  const { slack, clock, thread } = scene;
  /** The model's text so far, each a second after the one before. */
  const write = async (...texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      scene.views.writing(thread, ids.run, text);
      await clock.advance(1_000);
    }
  };
  /** The reply stands in the log: it is the answer. */
  const answered = (text: string): void => {
    const run = thread.runs[ids.run];
    if (run) run.turn += 1;
    record(thread, []);
    scene.messages = [answer(text)];
  };
  const ours = () => slack.messages.filter(message => message.bot_id !== undefined);
  const streamCalls = () => slack.calls.filter(call => call.method.endsWith('Stream')).map(call => call.method);
  /** The thread belongs to another process, which remembers nothing. */
  const takeOver = async (): Promise<void> => {
    thread.loose = { writer: 'node/0' as WriterId, atMs: clock.nowMs() };
    thread.lease = { holder: 'node/1' as WriterId, lengthMs: 60_000, lastCommit: 2, lastAtMs: clock.nowMs() };
    const other = scene.other();
    for (let round = 0; round < 50 && other.behind(thread, workspaceEvidence); round += 1) {
      const { posted } = await other.reconcile(thread, workspaceEvidence, new AbortController().signal);
      record(thread, posted);
      await clock.advance(5_000);
    }
    expect(other.behind(thread, workspaceEvidence)).toBe(false);
  };
  return { write, answered, ours, streamCalls, takeOver };
}

describe('an answer that is written', () => {
  test('can be read while it grows, and its message becomes the answer', async () => {
    const { scene, write, answered, ours, streamCalls } = writing();
    await write('One', 'One two', 'One two three', 'One two three four');
    expect(ours()).toMatchObject([{ text: '<@U0DANA001> One two three four', thread_ts: ROOT }]);
    expect(scene.slack.called('chat.startStream')).toEqual([
      {
        channel: OPS,
        thread_ts: ROOT,
        markdown_text: '<@U0DANA001> One two',
        recipient_team_id: ids.team,
        recipient_user_id: ids.dana,
      },
    ]);
    expect(scene.slack.called('chat.appendStream').map(call => call['markdown_text'])).toEqual([' three', ' four']);
    answered('One two three four five');
    const { posted } = await scene.bring();
    expect(posted).toMatchObject([{ key: `answer/${ids.run}`, state: 'posted', ts: ours()[0]?.ts }]);
    expect(ours()).toMatchObject([{ text: 'One two three four five', streaming_state: 'completed' }]);
    expect(ours()[0]?.metadata).toMatchObject({ event_payload: { key: `answer/${ids.run}` } });
    expect(streamCalls().at(-1)).toBe('chat.stopStream');
    expect(scene.slack.called('chat.postMessage')).toEqual([]);
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  });

  test('is posted at once where it was ready within a second', async () => {
    const { scene, write, answered, ours, streamCalls } = writing();
    await write('One');
    answered('One two');
    await scene.bring();
    expect(streamCalls()).toEqual([]);
    expect(ours()).toMatchObject([{ text: 'One two' }]);
  });

  test('asks for no recipient in a direct message', async () => {
    const { scene, write } = writing();
    Object.assign(scene.thread, { key: { ...scene.thread.key, channel: 'D0DANA001' } });
    await write('One', 'One two');
    expect(scene.slack.called('chat.startStream')).toEqual([
      { channel: 'D0DANA001', thread_ts: ROOT, markdown_text: '<@U0DANA001> One two' },
    ]);
  });

  test('has one writer: what comes while a call is on its way goes with the next [S-75]', async () => {
    const { scene, write } = writing();
    await write('One');
    scene.views.writing(scene.thread, ids.run, 'One two');
    scene.views.writing(scene.thread, ids.run, 'One two three');
    scene.views.writing(scene.thread, ids.run, 'One two three four');
    await scene.clock.advance(1_000);
    await write('One two three four five');
    expect(scene.slack.called('chat.startStream').map(call => call['markdown_text'])).toEqual(['<@U0DANA001> One two']);
    expect(scene.slack.called('chat.appendStream').map(call => call['markdown_text'])).toEqual([' three four five']);
  });

  test('is never appended to after it stands; what comes next is another message [S-75]', async () => {
    const { scene, write, answered, ours, run } = writing();
    await write('One', 'One two');
    answered('One two three');
    await scene.bring();
    run.turn = 0;
    await write('One two three four');
    run.turn = 1;
    expect(scene.slack.called('chat.appendStream')).toEqual([]);
    await write('Another', 'Another one');
    expect(ours().map(message => message.text)).toEqual(['One two three', '<@U0DANA001> Another one']);
  });

  test('is not appended to once the answer takes its message, also while its end is not heard [S-75]', async () => {
    const { scene, write, answered, ours, run } = writing();
    await write('One', 'One two');
    scene.slack.plan('chat.stopStream', { kind: 'lost' });
    answered('One two three');
    await scene.bring();
    run.turn = 0;
    await write('One two three four');
    run.turn = 1;
    expect(scene.slack.called('chat.appendStream')).toEqual([]);
    await scene.clock.advance(4_000);
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
  });

  test('waits for nobody and is left behind where Slack has had too many', async () => {
    const { scene, write, answered, ours } = writing();
    scene.slack.plan('chat.appendStream', { kind: 'throttled', retryAfterMs: 30_000 });
    await write('One', 'One two', 'One two three', 'One two three four');
    expect(scene.slack.called('chat.appendStream')).toHaveLength(1);
    answered('One two three four five');
    scene.messages = [card('card.1', 'Approve?'), ...scene.messages];
    await scene.bring();
    expect(scene.slack.called('chat.postMessage').map(call => call['text'])).toEqual(['Approve?']);
    expect(ours()[0]?.text).toBe('One two three four five');
  });

  test('keeps out of the way of cards and answers in a busy channel', async () => {
    const { scene, write, ours } = writing({ pace: { everyMs: 10_000 } });
    scene.messages = [answer('a'), { ...answer('b'), key: 'answer/r2' }, { ...answer('c'), key: 'answer/r3' }];
    await scene.bring();
    const before = ours().length;
    await write('One', 'One two', 'One two three');
    expect(ours()).toHaveLength(before);
    expect(scene.slack.called('chat.startStream')).toEqual([]);
  });
});

describe('a stream that ends before the answer', () => {
  test('after five minutes is made whole, in order and once [S-73]', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two');
    await scene.clock.advance(6 * 60_000);
    await write('One two three', 'One two three four', 'One two three four five');
    expect(scene.slack.called('chat.appendStream')).toHaveLength(1);
    answered('One two three four five six');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three four five six']);
    expect(ours()[0]?.metadata).toMatchObject({ event_payload: { key: `answer/${ids.run}` } });
  });

  test.each(['message_not_in_streaming_state', 'stopped_by_user', 'internal', 'msg_too_long'])(
    'with %s is followed by the whole text once [S-73]',
    async code => {
      const { scene, write, answered, ours } = writing();
      await write('One', 'One two');
      scene.slack.plan('chat.appendStream', { kind: 'refused', code });
      await write('One two three', 'One two three four');
      expect(scene.slack.called('chat.appendStream')).toHaveLength(1);
      answered('One two three four five');
      await scene.bring();
      expect(ours().map(message => message.text)).toEqual(['One two three four five']);
    },
  );

  test('because somebody stopped it is the whole answer all the same', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two');
    Object.assign(ours()[0] ?? {}, { streaming_state: 'completed', stopped_by_user: true });
    await write('One two three');
    answered('One two three');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
  });

  test('and can no longer be changed is replaced by a message with the whole text [S-73]', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two');
    scene.slack.plan('chat.update', { kind: 'refused', code: 'cant_update_message' });
    answered('One two three');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
    expect(scene.slack.called('chat.postMessage')).toHaveLength(1);
    expect(scene.slack.called('chat.delete')).toHaveLength(1);
  });

  test('and that somebody deleted is replaced by a message with the whole text', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two');
    scene.slack.remove(OPS, ours()[0]?.ts ?? '');
    answered('One two three');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
  });

  test('of an end that Slack has not heard is ended again', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two');
    scene.slack.plan('chat.stopStream', { kind: 'lost' });
    answered('One two three');
    const { retryAtMs } = await scene.bring();
    expect(retryAtMs).toBeGreaterThan(scene.clock.nowMs());
    await scene.clock.advance(4_000);
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
  });

  test('whose text was begun anew by the model shows the old start until the answer stands', async () => {
    const { scene, write, answered, ours } = writing();
    await write('One', 'One two', 'Uno', 'Uno due');
    expect(ours()[0]?.text).toBe('<@U0DANA001> One two');
    answered('Uno due tre');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['Uno due tre']);
  });
});

describe('where there are no streams', () => {
  test('the answer is posted as any other, and that kind of channel is not tried again [S-77]', async () => {
    const { scene, write, answered, ours, run } = writing();
    scene.slack.plan('chat.startStream', { kind: 'refused', code: 'channel_type_not_supported' });
    await write('One', 'One two', 'One two three');
    answered('One two three four');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three four']);
    run.turn = 7;
    await write('Again', 'Again a text');
    expect(scene.slack.called('chat.startStream')).toHaveLength(1);
    Object.assign(scene.thread, { key: { ...scene.thread.key, channel: 'C0GENERAL' } });
    await write('Here', 'Here a text');
    expect(scene.slack.called('chat.startStream')).toHaveLength(2);
  });

  test('for this app none is tried anywhere again', async () => {
    const { scene, write } = writing();
    scene.slack.plan('chat.startStream', { kind: 'refused', code: 'unknown_method' }, 9);
    await write('One', 'One two', 'One two three');
    Object.assign(scene.thread, { key: { ...scene.thread.key, channel: 'C0GENERAL' } });
    await write('Here', 'Here a text');
    expect(scene.slack.called('chat.startStream')).toHaveLength(1);
  });

  test('because there were many lately, answers are posted as any other', async () => {
    const { scene, write, run } = writing();
    for (let turn = 0; turn < 20; turn += 1) {
      run.turn = turn;
      await write('One', 'One two');
    }
    const inFirstMinute = scene.slack.called('chat.startStream').length;
    expect(inFirstMinute).toBeLessThan(20);
    await scene.clock.advance(60_000);
    run.turn = 99;
    await write('One', 'One two');
    expect(scene.slack.called('chat.startStream')).toHaveLength(inFirstMinute + 1);
  });
});

describe('a stream that no answer takes', () => {
  test('is taken away when the reply has calls', async () => {
    const { scene, write, ours, run } = writing();
    await write('I look', 'I look it up');
    expect(ours()).toHaveLength(1);
    run.turn = 1;
    record(scene.thread, []);
    await scene.bring();
    expect(ours()).toEqual([]);
    await write('It is', 'It is six');
    expect(ours().map(message => message.text)).toEqual(['<@U0DANA001> It is six']);
  });

  test('is taken away when the run ends without an answer', async () => {
    const { scene, write, ours, run } = writing();
    await write('I look', 'I look it up');
    run.end = { how: 'cancelled', code: null, by: ids.dana, detail: null, atMs: 1, number: 9 };
    record(scene.thread, []);
    await scene.bring();
    expect(ours()).toEqual([]);
  });

  test('is left while the model writes, and the thread is not at rest', async () => {
    const { scene, write, ours } = writing();
    await write('One', 'One two');
    await scene.views.reconcile(scene.thread, workspaceEvidence, new AbortController().signal);
    expect(ours()).toHaveLength(1);
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(true);
  });

  test('says that it is a copy where it cannot be deleted', async () => {
    const { scene, write, ours, run } = writing();
    await write('I look', 'I look it up');
    scene.slack.plan('chat.delete', { kind: 'refused', code: 'cant_delete_message' });
    run.turn = 1;
    record(scene.thread, []);
    await scene.bring();
    expect(ours()).toMatchObject([{ text: 'This copy is closed.' }]);
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  });

  test('and of whose start nothing is known is looked for until it cannot come any more', async () => {
    const { scene, write, answered, ours } = writing();
    scene.slack.plan('chat.startStream', { kind: 'late' });
    await write('One', 'One two', 'One two three');
    answered('One two three four');
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three four']);
    scene.slack.land();
    expect(ours()).toHaveLength(2);
    await scene.clock.advance(61_000);
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three four']);
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  });
});

describe('a process that dies in mid-stream', () => {
  test('before the reply is in the log leaves a message that goes when the thread is taken over [T-C23]', async () => {
    const { write, answered, ours, takeOver } = writing();
    await write('One', 'One two', 'One two three');
    await takeOver();
    expect(ours()).toEqual([]);
    answered('One two three four');
    await takeOver();
    expect(ours().map(message => message.text)).toEqual(['One two three four']);
  });

  test('behind the reply leaves a thread that shows the final text once [T-C23]', async () => {
    const { write, answered, ours, takeOver } = writing();
    await write('One', 'One two', 'One two three');
    answered('One two three four');
    await takeOver();
    expect(ours().map(message => message.text)).toEqual(['One two three four']);
  });

  test('behind a reply that took minutes: its message goes, although the run stands in the log only since the reply [T-C23]', async () => {
    const { scene, run, write, ours, takeOver } = writing();
    await write('One', 'One two', 'One two three');
    await scene.clock.advance(4 * 60_000);
    scene.thread.runs[ids.run] = { ...run, startedAtMs: scene.clock.nowMs(), turn: 1 };
    record(scene.thread, []);
    await takeOver();
    expect(ours()).toEqual([]);
  });

  test('between the end of the stream and the answer leaves a message that becomes the answer [T-C23]', async () => {
    const { scene, write, answered, ours, takeOver } = writing();
    await write('One', 'One two', 'One two three');
    answered('One two three four');
    scene.slack.plan('chat.update', { kind: 'lost' });
    await scene.views.reconcile(scene.thread, workspaceEvidence, new AbortController().signal);
    const [half] = ours();
    expect(half).toMatchObject({ text: '<@U0DANA001> One two three', streaming_state: 'completed' });
    await takeOver();
    expect(ours()).toMatchObject([{ ts: half?.ts, text: 'One two three four' }]);
  });

  test('does not make the next one take its own stream away [T-C23]', async () => {
    const { scene, write, ours, takeOver } = writing();
    await write('One', 'One two');
    const other = scene.other();
    scene.thread.loose = { writer: 'node/0' as WriterId, atMs: scene.clock.nowMs() };
    const signal = new AbortController().signal;
    await other.reconcile(scene.thread, workspaceEvidence, signal);
    expect(ours()).toEqual([]);
    other.writing(scene.thread, ids.run, 'Uno');
    await scene.clock.advance(1_000);
    other.writing(scene.thread, ids.run, 'Uno due');
    await scene.clock.advance(61_000);
    await other.reconcile(scene.thread, workspaceEvidence, signal);
    expect(ours().map(message => message.text)).toEqual(['<@U0DANA001> Uno due']);
    await write('One two three');
    expect(ours()).toHaveLength(1);
    await takeOver();
    expect(ours()).toEqual([]);
  });
});

describe('a stream that is just being opened', () => {
  /** The stage's next process reaches Slack, but its streams open only when told to. */
  function slowly() {
    const opening = writing();
    const { scene } = opening;
    const opened = Promise.withResolvers<void>();
    const { api } = scene.slack;
    Object.assign(scene.slack, {
      api: async (method: string, args: Readonly<Record<string, unknown>>) => {
        if (method === 'chat.startStream') await opened.promise;
        return api(method, args);
      },
    });
    Object.assign(scene, { views: scene.other() });
    return { ...opening, open: opened.resolve };
  }

  test('when the answer is there becomes the answer', async () => {
    const { scene, write, answered, ours, open } = slowly();
    await write('One', 'One two');
    answered('One two three');
    const brought = scene.bring();
    await scene.clock.advance(500);
    open();
    await brought;
    expect(ours().map(message => message.text)).toEqual(['One two three']);
    expect(scene.slack.called('chat.postMessage')).toEqual([]);
  });

  test('does not hold the answer up, and is taken away when it is there', async () => {
    const { scene, write, answered, ours, open } = slowly();
    await write('One', 'One two');
    answered('One two three');
    const brought = scene.bring();
    await scene.clock.advance(2_000);
    expect((await brought).retryAtMs).toBeGreaterThan(scene.clock.nowMs());
    expect(ours().map(message => message.text)).toEqual(['One two three']);
    open();
    await scene.clock.advance(5_000);
    expect(ours()).toHaveLength(2);
    await scene.bring();
    expect(ours().map(message => message.text)).toEqual(['One two three']);
    expect(scene.views.behind(scene.thread, workspaceEvidence)).toBe(false);
  });
});
