/** Starting, staying connected, stopping; and what is found before any of it. */
import { expect, onTestFinished, test } from 'vitest';
import { startWorkspace } from '../../src/local/server.ts';
import { createSlackApp } from '../../src/slack/app.ts';
import { identify } from '../../src/slack/identity.ts';
import { handClock } from '../support/hand-clock.ts';
import { open, optionsFor, ScriptedInbox } from './inbound/stage.ts';

test('who we are comes from Slack, before anything is posted', async () => {
  const { slack } = await open({ started: false });
  expect(slack.identity).toMatchObject({
    team: 'T0ACME001',
    teamName: 'Acme',
    self: { user: 'U0BOT0001', bot: 'B0BOT0001' },
  });
  expect(slack.health.connected).toBe(false);
});

test.each([
  [{ is: 'refused', code: 'invalid_auth' }, 'Slack does not take the bot token: invalid_auth.'],
  [{ is: 'unknown', why: 'x' }, 'Slack cannot be reached'],
  [{ is: 'ok', data: { ok: true, team_id: 'T', url: 'https://x', user_id: 'U' } }, "not a bot's"],
] as const)('a token that is no good stops the start with a sentence: %j [S-15]', async (answer, sentence) => {
  await expect(identify(() => Promise.resolve(answer))).rejects.toThrow(sentence);
});

test('a start without an answer ends with a sentence, and deliveries wait [S-15]', async () => {
  const workspace = await startWorkspace({ log: () => {} });
  onTestFinished(() => workspace.close());
  const clock = handClock();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const slack = await createSlackApp({ ...optionsFor(workspace.url, []), clock });
  onTestFinished(async () => {
    const stopped = slack.stop();
    await clock.advance(5_000);
    await stopped;
  });
  const called = Promise.withResolvers<void>();
  const until = held.promise;
  workspace.faults.next('apps.connections.open', {
    kind: 'held',
    get until() {
      called.resolve();
      return until;
    },
  });
  const starting = slack.start(new ScriptedInbox(), 5_000).then(
    () => 'started',
    (error: Error) => error.message,
  );
  await called.promise;
  await clock.advance(5_000);
  expect(await starting).toBe('Slack did not open a socket within 5 s.');
});

test('an app token that Slack refuses stops the start at once [S-15]', async () => {
  const { slack, inbox, workspace } = await open({ started: false });
  workspace.faults.next('apps.connections.open', { kind: 'refused', code: 'invalid_auth' });
  await expect(slack.start(inbox)).rejects.toThrow('Slack refuses to open a socket: invalid_auth.');
});

test('a socket that closes is opened again, also when Slack is away for a moment [S-11, S-13]', async () => {
  const { slack, say, inbox, workspace } = await open();
  expect(slack.health).toMatchObject({ connected: true, connections: 1 });
  workspace.faults.next('apps.connections.open', { kind: 'dropped' });
  workspace.disconnectApp();
  const ts = await say('U0DANA001', 'C0GENERAL', '@Countersign run echo hello');
  await inbox.until(() => inbox.received.length > 0);
  expect(inbox.received[0]?.message.ts).toBe(ts);
  expect(slack.health).toMatchObject({ connected: true });
});

test('a second process of the same app is noticed and harmless [S-16, T-A16b]', async () => {
  const { workspace, notes, inbox, say } = await open();
  const counted: (number | null)[] = [];
  const second = await createSlackApp({
    ...optionsFor(workspace.url, notes),
    tooManyConnections: connections => counted.push(connections),
  });
  const other = new ScriptedInbox();
  await second.start(other);
  onTestFinished(() => second.stop());
  expect(counted).toEqual([2]);
  expect(notes.join(' ')).toContain('more connections than expected');
  const sent = [];
  for (let count = 0; count < 4; count += 1)
    sent.push(await say('U0DANA001', 'C0GENERAL', `@Countersign list ${count}`));
  // Message and mention may go to different processes; the log counts them once.
  const all = () => new Set([...inbox.received, ...other.received].map(one => one.message.ts));
  await Promise.race([inbox.until(() => all().size === 4), other.until(() => all().size === 4)]);
  expect([...all()].toSorted()).toEqual(sent);
});

test('a stop carries out what was acknowledged, and takes nothing more', async () => {
  const { slack, post, click, inbox, say, workspace } = await open();
  const value = 'C0OPS0001-1796044931000100-AAAAAAAAAAAAAAAAAAAAAAAAAA-1';
  const button = { type: 'button', action_id: 'approve', value, text: { type: 'plain_text', text: 'Approve' } };
  const ts = await post('C0APPROV1', [{ type: 'actions', elements: [button] }], {
    key: 'k',
    environment: 'local',
    thread: 't',
  });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  inbox.onAct = async () => {
    asked.resolve();
    await answered.promise;
    return { refusal: null, thread: inbox.thread };
  };
  await click('U0MIA0001', 'C0APPROV1', ts, 'approve');
  await asked.promise;
  let stopped = false;
  const stopping = slack.stop().then(() => (stopped = true));
  await say('U0DANA001', 'C0GENERAL', '@Countersign run echo hello');
  expect(stopped).toBe(false);
  answered.resolve();
  await stopping;
  expect(inbox.acts).toHaveLength(1);
  expect(inbox.received).toEqual([]);
  expect(workspace.workspace.deliveries.pending()).toHaveLength(2);
});
