/** From what Slack delivers to what stands in the log, and when Slack hears that it does. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/local/json.ts';
import { LogUnavailable } from '../../../src/worker/ports.ts';
import { HandClock } from '../../local/stage.ts';
import { aQuestion, request, threadOf } from '../views/fixtures.ts';
import { open } from './stage.ts';

const workspace = { version: 1, frozen: null };

const said = (more: object = {}) => ({
  type: 'message',
  channel: 'C0GENERAL',
  channel_type: 'channel',
  user: 'U0DANA001',
  text: '<@U0BOT0001> run echo hello',
  ts: '1796047200.000100',
  ...more,
});

test('a mention reaches the inbox with its thread, its author and readable text', async () => {
  const { say, inbox } = await open();
  const ts = await say('U0DANA001', 'C0GENERAL', '@Countersign run echo "a & b" <now>');
  await inbox.until(() => inbox.received.length > 0);
  expect(inbox.received).toMatchObject([
    {
      thread: { team: 'T0ACME001', channel: 'C0GENERAL', ts },
      message: {
        author: 'U0DANA001',
        name: 'Dana Ito',
        text: '<@U0BOT0001> run echo "a & b" <now>',
        mention: true,
        direct: false,
      },
    },
  ]);
});

test('the same event three times at once is received once, and each delivery is acknowledged [S-1, T-C18]', async () => {
  const { deliver, event, inbox } = await open();
  const body = event(said());
  const answers = await Promise.all([1, 2, 3].map(() => deliver('events_api', body)));
  expect(answers.map(answer => answer.kind)).toEqual(['acknowledged', 'acknowledged', 'acknowledged']);
  expect(inbox.received).toHaveLength(1);
});

test('another event id for the same message changes nothing [S-3]', async () => {
  const { deliver, event, inbox } = await open();
  await deliver('events_api', event(said()));
  await deliver('events_api', event(said()));
  expect(inbox.received).toHaveLength(1);
});

test.each([
  ['the mention first', ['app_mention', 'message']],
  ['the message first', ['message', 'app_mention']],
])('a message that comes as mention and as message is received once: %s [S-4]', async (_, types) => {
  const { deliver, event, inbox } = await open();
  await Promise.all(types.map(type => deliver('events_api', event(said({ type })))));
  expect(inbox.received).toHaveLength(1);
  expect(inbox.received[0]?.message.mention).toBe(true);
});

test('a twin that nobody listens to does not use up the mention that follows [S-6]', async () => {
  const { deliver, event, inbox } = await open();
  const reply = said({ text: 'run echo hello', thread_ts: '1796047000.000100' });
  inbox.onReceive = ({ message }) => Promise.resolve(message.mention);
  await deliver('events_api', event(reply));
  await deliver('events_api', event({ ...reply, type: 'app_mention' }));
  expect(inbox.received.map(one => one.message.mention)).toEqual([false, true]);
});

test('a message is acknowledged only when it is in the log [S-8, F-B12]', async () => {
  const { deliver, event, inbox, workspace } = await open();
  const stored = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  inbox.onReceive = () => {
    asked.resolve();
    return stored.promise;
  };
  const answer = deliver('events_api', event(said()));
  await asked.promise;
  expect(workspace.workspace.deliveries.pending()).toHaveLength(1);
  stored.resolve(true);
  expect((await answer).kind).toBe('acknowledged');
  expect(workspace.workspace.deliveries.pending()).toEqual([]);
});

test('what the log did not take is not acknowledged; Slack sends it again, and then it counts [S-9, S-12, S-2, F-L7]', async () => {
  const clock = new HandClock();
  const { deliver, event, inbox, notes } = await open({ clock });
  const refused = Promise.withResolvers<void>();
  inbox.onReceive = () => {
    refused.resolve();
    return Promise.reject(new LogUnavailable('the table does not answer'));
  };
  const answer = deliver('events_api', event(said()));
  await refused.promise;
  inbox.onReceive = () => Promise.resolve(true);
  clock.pass(3_000);
  expect((await answer).kind).toBe('acknowledged');
  expect(inbox.received).toHaveLength(1);
  expect(notes.join(' ')).toContain('Slack sends it again');
});

test('a first delivery that carries a retry mark is taken like any other [S-12]', async () => {
  const clock = new HandClock();
  const { deliver, event, inbox, slack, workspace } = await open({ clock, started: false });
  const answer = deliver('events_api', event(said()));
  await slack.start(inbox);
  expect((await answer).kind).toBe('acknowledged');
  workspace.workspace.deliveries.repeat(() => true);
  await deliver('events_api', event(said({ ts: '1796047200.000200' })));
  expect(inbox.received.map(one => one.message.ts)).toEqual(['1796047200.000100', '1796047200.000200']);
});

test('the socket that closes before the acknowledgement costs nothing: the event comes again and counts once [S-11]', async () => {
  const { deliver, event, inbox, workspace } = await open();
  inbox.onReceive = () => {
    inbox.onReceive = () => Promise.resolve(true);
    workspace.disconnectApp();
    return Promise.resolve(true);
  };
  expect((await deliver('events_api', event(said()))).kind).toBe('acknowledged');
  expect(inbox.received).toHaveLength(1);
});

test('hidden events, edits, bots and our own messages never reach the inbox [S-71, F-D7, S-69]', async () => {
  const { deliver, event, inbox } = await open();
  const noise = [
    { subtype: 'message_changed', hidden: true, message: said() },
    { subtype: 'message_deleted', hidden: true },
    { subtype: 'channel_join' },
    { subtype: 'bot_message', bot_id: 'B0OTHER001' },
    { bot_id: 'B0OTHER001' },
    { user: 'U0BOT0001', bot_id: 'B0BOT0001' },
    { user: 'U0BOT0001' },
    { user: undefined },
    { hidden: true },
    { subtype: 'assistant_app_thread' },
  ];
  for (const more of noise) expect((await deliver('events_api', event(said(more)))).kind).toBe('acknowledged');
  expect(inbox.received).toEqual([]);
});

test('files, and replies that are also sent to the channel, are messages', async () => {
  const { deliver, event, inbox } = await open();
  const files = [{ id: 'F1', name: 'plan.txt' }, { id: 'F2' }];
  await deliver('events_api', event(said({ subtype: 'file_share', files })));
  await deliver(
    'events_api',
    event(said({ subtype: 'thread_broadcast', ts: '1796047200.000200', thread_ts: '1796047200.000100' })),
  );
  expect(inbox.received[0]?.message.files).toEqual([
    { id: 'F1', name: 'plan.txt' },
    { id: 'F2', name: 'F2' },
  ]);
  expect(inbox.received[1]?.thread.ts).toBe('1796047200.000100');
});

test('without a mention nothing is asked of a channel; a reply may belong to a thread of ours [S-47]', async () => {
  const { deliver, event, inbox } = await open();
  await deliver('events_api', event(said({ text: 'hello everybody' })));
  expect(inbox.received).toEqual([]);
  await deliver('events_api', event(said({ text: 'and staging?', thread_ts: '1796047000.000100' })));
  expect(inbox.received).toMatchObject([{ message: { mention: false } }]);
});

test('a thread is team, channel and root; each message has its own author [S-46, S-63, S-64, T-A21a]', async () => {
  const { say, inbox } = await open();
  const root = await say('U0DANA001', 'C0OPS0001', '@Countersign list notes');
  await say('U0LEO0001', 'C0OPS0001', '@Countersign and read notes/today.txt', root);
  const direct = await say('U0MIA0001', 'D0MIA001', 'list notes');
  await inbox.until(() => inbox.received.length === 3);
  expect(inbox.received.map(one => [one.thread, one.message.author, one.message.name, one.message.direct])).toEqual([
    [{ team: 'T0ACME001', channel: 'C0OPS0001', ts: root }, 'U0DANA001', 'Dana Ito', false],
    [{ team: 'T0ACME001', channel: 'C0OPS0001', ts: root }, 'U0LEO0001', 'Leo Park', false],
    [{ team: 'T0ACME001', channel: 'D0MIA001', ts: direct }, 'U0MIA0001', 'Mia Chen', true],
  ]);
});

test("another team's event is acknowledged and dropped [F-D5]", async () => {
  const { deliver, event, inbox } = await open();
  const body = event(said(), { team_id: 'T0OTHER01', authorizations: [{ team_id: 'T0OTHER01' }] });
  expect((await deliver('events_api', body)).kind).toBe('acknowledged');
  expect(inbox.received).toEqual([]);
});

test('in a channel shared with another team, the team is ours and the author keeps theirs [S-48]', async () => {
  const { deliver, event, inbox } = await open();
  await deliver(
    'events_api',
    event(said({ user: 'U0PETRA01', user_team: 'T0PARTNER', team: 'T0PARTNER' }), { team_id: 'T0PARTNER' }),
  );
  expect(inbox.received).toMatchObject([
    { thread: { team: 'T0ACME001' }, message: { author: 'U0PETRA01', team: 'T0PARTNER' } },
  ]);
});

test('a name that Slack does not tell holds nothing up', async () => {
  const { deliver, event, inbox, workspace } = await open();
  workspace.faults.next('users.info', { kind: 'refused', code: 'user_not_found' });
  await deliver('events_api', event(said()));
  expect(inbox.received).toMatchObject([{ message: { name: '' } }]);
});

test('"yes" under a card is no decision: whoever wrote it is told once where the buttons are [S-92, T-A6b, F-I3]', async () => {
  const { post, say, inbox, whispers } = await open();
  const card = await post('C0APPROV1', [], { key: 'card/x/1', environment: 'local', thread: 't' });
  await say('U0MIA0001', 'C0APPROV1', 'yes', card);
  await say('U0MIA0001', 'C0APPROV1', '@Countersign approve', card);
  await say('U0LEO0001', 'C0APPROV1', 'ok!', card);
  expect(await whispers('U0LEO0001')).toEqual(['I read no decisions from text. Use the buttons on the card.']);
  expect(await whispers('U0MIA0001')).toEqual(['I read no decisions from text. Use the buttons on the card.']);
  expect(inbox.received).toEqual([]);
  expect(inbox.acts).toEqual([]);
});

test('other words under a card, and "yes" elsewhere, are ordinary messages [S-92]', async () => {
  const { post, say, inbox } = await open();
  const card = await post('C0APPROV1', [], { key: 'card/x/1', environment: 'local', thread: 't' });
  await say('U0MIA0001', 'C0APPROV1', '@Countersign what does this do?', card);
  const root = await say('U0DANA001', 'C0OPS0001', '@Countersign run echo hello');
  await say('U0DANA001', 'C0OPS0001', 'yes', root);
  await inbox.until(() => inbox.received.length === 3);
  expect(inbox.received.map(one => one.message.text)).toEqual([
    '<@U0BOT0001> what does this do?',
    '<@U0BOT0001> run echo hello',
    'yes',
  ]);
});

const reply = (more: JsonObject = {}): JsonObject =>
  said({ text: 'run echo bye', ts: '1796047201.000100', thread_ts: '1796047200.000100', ...more });
const changed = (before: JsonObject, after: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  subtype: 'message_changed',
  hidden: true,
  channel: 'C0GENERAL',
  ts: '1796047209.000100',
  message: after,
  previous_message: before,
  ...more,
});
const deleted = (before: JsonObject): JsonObject => ({
  type: 'message',
  subtype: 'message_deleted',
  hidden: true,
  channel: 'C0GENERAL',
  ts: '1796047209.000100',
  deleted_ts: '1796047201.000100',
  previous_message: before,
});
const general = { team: 'T0ACME001', channel: 'C0GENERAL', ts: '1796047200.000100' };

test('what an author changes is told to the thread of the message, as it reads now, and starts nothing [S-68, S-69]', async () => {
  const { deliver, event, inbox } = await open();
  const edited = { user: 'U0DANA001', ts: '1796047208.000000' };
  const after = reply({ text: 'run echo &lt;bye&gt;', edited });
  expect((await deliver('events_api', event(changed(reply(), after)))).kind).toBe('acknowledged');
  const message = { ts: '1796047201.000100', author: 'U0DANA001', text: 'run echo <bye>' };
  expect(inbox.asked).toEqual([['amend', general, message]]);
  expect(inbox.received).toEqual([]);
});

test('what an author takes back is told to the thread, a reply and the root of a thread alike [S-70]', async () => {
  const { deliver, event, inbox } = await open();
  await deliver('events_api', event(deleted(reply())));
  const root = said();
  const marker = { ...said(), subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' };
  await deliver('events_api', event(changed(root, marker)));
  expect(inbox.asked).toEqual([
    ['remove', general, '1796047201.000100'],
    ['remove', general, '1796047200.000100'],
  ]);
  expect(inbox.received).toEqual([]);
});

test('unfurled links, decoration, and what bots and we ourselves change are no changes of a person [S-68, S-71]', async () => {
  const { deliver, event, inbox } = await open();
  const edited = { user: 'U0BOT0001', ts: '1796047208.000000' };
  const noise = [
    changed(reply(), reply({ attachments: [{ title: 'unfurled' }] })),
    changed(reply(), reply({ edited })),
    changed(
      reply({ user: 'U0BOT0001', bot_id: 'B0BOT0001' }),
      reply({ user: 'U0BOT0001', bot_id: 'B0BOT0001', text: 'x', edited }),
    ),
    changed(reply({ bot_id: 'B0OTHER01' }), reply({ bot_id: 'B0OTHER01', text: 'x', edited })),
    changed(reply(), { subtype: 'tombstone', ts: '1', user: 'USLACKBOT' }, { previous_message: undefined }),
    deleted(reply({ user: 'U0BOT0001', bot_id: 'B0BOT0001' })),
    deleted({}),
  ];
  for (const each of noise) expect((await deliver('events_api', event(each))).kind).toBe('acknowledged');
  expect(inbox.asked).toEqual([]);
});

test('a message of ours with controls that somebody takes away is told to the thread that it speaks for', async () => {
  const { deliver, event, inbox } = await open();
  const actions = (...elements: JsonObject[]): JsonObject => ({ blocks: [{ type: 'actions', elements }] });
  const ours = { user: 'U0BOT0001', bot_id: 'B0BOT0001' };
  const id = 'A'.repeat(26);
  const card = { ...reply(ours), ...actions({ type: 'button', value: `C0GENERAL-1796047200000100-${id}-1` }) };
  await deliver('events_api', event({ ...deleted(card), channel: 'C0APPROV1' }));
  const question = {
    ...reply(ours),
    ...actions({ options: [{ value: `C0GENERAL-1796047200000100-${id}-0-1` }] }),
  };
  await deliver('events_api', event(changed(question, { subtype: 'tombstone', ts: '1', user: 'USLACKBOT' })));
  await deliver('events_api', event(deleted({ ...card, user: 'U0OTHER01' })));
  await deliver('events_api', event(changed(card, { ...card, text: 'x' })));
  await deliver('events_api', event(deleted({ ...reply(ours), blocks: [{ type: 'section' }, { type: 'actions' }] })));
  const ts = '1796047201.000100';
  expect(inbox.asked).toEqual([
    ['lost', general, { channel: 'C0APPROV1', ts }],
    ['lost', general, { channel: 'C0GENERAL', ts }],
  ]);
});

test('a change is acknowledged only when the log has it, and waits for its message [S-9]', async () => {
  const clock = new HandClock();
  const { deliver, event, inbox } = await open({ clock });
  const stored = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  inbox.onReceive = () => {
    asked.resolve();
    return stored.promise;
  };
  const first = deliver('events_api', event(reply({ text: '<@U0BOT0001> run echo bye' })));
  await asked.promise;
  const edited = { user: 'U0DANA001', ts: '1796047208.000000' };
  const second = deliver('events_api', event(changed(reply(), reply({ text: 'no', edited }))));
  expect(inbox.asked).toEqual([]);
  stored.resolve(true);
  expect((await first).kind).toBe('acknowledged');
  expect((await second).kind).toBe('acknowledged');
  expect(inbox.asked).toHaveLength(1);
  const refused = Promise.withResolvers<void>();
  const { amend } = inbox;
  inbox.amend = () => {
    refused.resolve();
    return Promise.reject(new LogUnavailable('no table'));
  };
  const third = deliver('events_api', event(changed(reply({ text: 'no' }), reply({ text: 'yes', edited }))));
  await refused.promise;
  inbox.amend = amend;
  clock.pass(3_000);
  expect((await third).kind).toBe('acknowledged');
  expect(inbox.asked).toHaveLength(2);
});

test("Slack's own Stop cancels what runs in that thread, under a key that counts once", async () => {
  const { deliver, event, inbox } = await open();
  const stop = {
    type: 'agent_session_stopped',
    channel: 'D0DANA001',
    thread_ts: '1.1',
    user: 'U0DANA001',
    event_ts: '2.2',
  };
  await deliver('events_api', event(stop));
  await deliver('events_api', event(stop));
  const [first, second] = inbox.asked;
  expect(first).toEqual([
    'stopThread',
    { team: 'T0ACME001', channel: 'D0DANA001', ts: '1.1' },
    { user: 'U0DANA001', team: 'T0ACME001' },
    'stop.D0DANA001.1.1.U0DANA001.2.2',
  ]);
  expect(second).toEqual(first);
});

test('who may not cancel is told so privately, once, whatever events the message comes as [F-D2]', async () => {
  const { deliver, event, inbox, whispers } = await open();
  inbox.onReceive = ({ told }) => {
    told?.({ refusal: { code: 'not_yours', actor: 'U0OTTO001' as never }, thread: inbox.thread, workspace });
    return Promise.resolve(true);
  };
  const cancel = said({ user: 'U0OTTO001', text: '<@U0BOT0001> cancel', thread_ts: '1796047000.000100' });
  await deliver('events_api', event(cancel));
  await deliver('events_api', event({ ...cancel, type: 'app_mention' }));
  expect(await whispers('U0OTTO001')).toEqual([expect.stringMatching(/^Only .* or an admin can/)]);
  expect(inbox.received).toHaveLength(1);
});

test('what reads like a decision under a card is an answer where a question waits there for its author [T-A6b]', async () => {
  const scene = await open();
  const ts = await scene.post('C0APPROV1', [], { key: `card/${'A'.repeat(26)}/1`, environment: 'local', thread: 't' });
  scene.inbox.thread = threadOf([{ ...request(), questions: [aQuestion({ expiresAtMs: Number.MAX_SAFE_INTEGER })] }]);
  for (const user of ['U0DANA001', 'U0LEO0001']) await scene.say(user, 'C0APPROV1', 'yes', ts);
  expect((await scene.whispers('U0LEO0001'))[0]).toContain('I read no decisions from text');
  await scene.inbox.until(() => scene.inbox.received.length > 0);
  expect(scene.inbox.received.map(({ message }) => [message.author, message.text])).toEqual([['U0DANA001', 'yes']]);
});
