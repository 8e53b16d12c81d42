/** From a click to the worker, and back to whoever clicked. */
import { expect, test } from 'vitest';
import {
  ACTIONS,
  encodeCall,
  encodeDoubt,
  encodeMessage,
  encodeRun,
  nth,
  optionValue,
} from '../../../src/slack/views/actions.ts';
import { encodeButton, type CallId, type MessageTs, type RunId } from '../../../src/thread/ids.ts';
import type { Refusal } from '../../../src/thread/refusal.ts';
import { LogDamaged, LogUnavailable } from '../../../src/worker/ports.ts';
import { ids, opsThread, request, threadOf, ways } from '../views/fixtures.ts';
import { open, type Scene } from './stage.ts';

const part = request();
const approval = part.approval?.id ?? ('' as never);
const decide = encodeButton({ channel: ids.ops, ts: ids.root, approval, round: 1 });
const controls = (action: string, value = decide) => [
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: action, value, text: { type: 'plain_text', text: 'Press' } }],
  },
];
const mark = { key: `card/${approval}/1`, environment: 'local', thread: 't' };

/** A card with one button, clicked by Mia. */
async function clicked(scene: Scene, action: string, value = decide, payload: object = mark): Promise<MessageTs> {
  scene.inbox.thread = threadOf([part]);
  const ts = await scene.post('C0APPROV1', controls(action, value), { ...payload });
  await scene.click('U0MIA0001', 'C0APPROV1', ts, action);
  return ts;
}
const refuse = (scene: Scene, refusal: Refusal): void => {
  scene.inbox.onAct = () => Promise.resolve({ refusal, thread: scene.inbox.thread });
};
const textOf = async ({ human }: Scene, ts: string) => {
  const { messages } = await human('GET', 'messages?channel=C0APPROV1');
  return (messages as { ts: string; text: string; edited?: unknown }[]).find(message => message.ts === ts);
};

test('Approve asks for a decision on the round that was shown, from that card, under a key of its own [S-41]', async () => {
  const scene = await open();
  const ts = await clicked(scene, 'approve');
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  const [method, act, decision] = scene.inbox.acts[0] ?? [];
  expect(method).toBe('decide');
  expect(act).toMatchObject({
    thread: opsThread,
    actor: { user: 'U0MIA0001', team: 'T0ACME001' },
    place: { channel: 'C0APPROV1', ts },
  });
  expect(act?.key).toMatch(new RegExp(`^${approval}\\.1\\.U0MIA0001\\.\\d+\\.\\d+$`));
  expect(decision).toEqual({ approval, round: 1, verdict: 'approve', reason: null, then: null, origin: 'click' });
});

test.each([
  [ACTIONS.doubtRan, encodeDoubt(opsThread, part.call.id, 2), 'settle', { call: part.call.id, attempt: 2, as: 'ran' }],
  [ACTIONS.doubtNotRun, encodeDoubt(opsThread, part.call.id, 1), 'settle', { as: 'not_run' }],
  [ACTIONS.doubtAbandon, encodeDoubt(opsThread, part.call.id, 1), 'settle', { as: 'abandoned' }],
  [ACTIONS.cancel, encodeRun(opsThread, 'r1' as RunId), 'cancel', 'r1'],
  [ACTIONS.useInstead, encodeMessage(opsThread, ids.root), 'useInstead', ids.root],
  [ACTIONS.keepWaiting, encodeMessage(opsThread, ids.root), 'keepWaiting', ids.root],
  [ACTIONS.askAgain, decide, 'askAgain', part.call.id],
  [ACTIONS.stop, encodeCall(opsThread, part.call.id), 'stop', part.call.id],
])('%s asks the worker for just that [S-25]', async (action, value, method, what) => {
  const scene = await open();
  await clicked(scene, action, value);
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  const [acted] = scene.inbox.acts;
  expect(acted?.[0]).toBe(method);
  expect(acted?.[1]).toMatchObject({ thread: opsThread, actor: { user: 'U0MIA0001', team: 'T0ACME001' } });
  expect([acted?.[2]]).toMatchObject([what]);
});

test.each([
  ['a button', nth(ACTIONS.option, 1), 1, 'v1'],
  ['a select', ACTIONS.optionSelect, 2, 'v2'],
  ['a place where no way stands', nth(ACTIONS.option, 9), 9, '#9'],
])('a way of a choice is decided as such, by %s [F-M6, S-25]', async (_, action, index, option) => {
  const scene = await open();
  const choosing = request({ is: 'waiting' }, { options: ways(3) });
  scene.inbox.thread = threadOf([choosing]);
  const value = optionValue({ key: opsThread }, { id: approval, round: 1 }, index);
  const ts = await scene.post('C0APPROV1', controls(action, value), mark);
  await scene.click('U0MIA0001', 'C0APPROV1', ts, action);
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ approval, round: 1, verdict: 'approve', option });
});

test('clicks and forms are acknowledged before anything else is done [F-B12, T-C19]', async () => {
  const scene = await open();
  const never = Promise.withResolvers<never>();
  scene.inbox.onAct = () => never.promise;
  const ts = await scene.post('C0APPROV1', controls('approve'), mark);
  for (let index = 0; index < 20; index += 1) scene.workspace.faults.next('*', { kind: 'held', until: never.promise });
  const answer = await scene.deliver('interactive', body(ts));
  expect(answer).toMatchObject({ kind: 'acknowledged' });
  never.reject(new Error('The test is over.'));
  scene.workspace.faults.clear();
});

const body = (ts: string, more: object = {}) => ({
  type: 'block_actions',
  team: { id: 'T0ACME001' },
  user: { id: 'U0MIA0001', team_id: 'T0ACME001' },
  channel: { id: 'C0APPROV1' },
  container: { type: 'message', message_ts: ts, channel_id: 'C0APPROV1' },
  message: { ts, text: 'card' },
  trigger_id: 'none',
  response_url: 'http://127.0.0.1:9/none',
  actions: [{ type: 'button', action_id: 'approve', block_id: 'b', value: decide, action_ts: '1796047201.000001' }],
  state: { values: {} },
  ...more,
});

test('the same click delivered five times carries one key, so that it counts once [F-B11, T-C18, T-C20]', async () => {
  const scene = await open();
  await Promise.all(Array.from({ length: 5 }, () => scene.deliver('interactive', body('1.1'))));
  await scene.inbox.until(() => scene.inbox.acts.length === 5);
  expect(new Set(scene.inbox.acts.map(acted => acted[1].key))).toEqual(
    new Set([`${approval}.1.U0MIA0001.1796047201.000001`]),
  );
});

test('who may not decide is told privately, and the card stays as it is [F-D1, S-52, F-L6, T-A11, T-A12d]', async () => {
  const scene = await open();
  refuse(scene, { code: 'requester', approval });
  const ts = await clicked(scene, 'approve');
  const [whisper] = await scene.whispers('U0MIA0001');
  expect(whisper).toContain('You asked for this, so somebody else decides');
  expect(await textOf(scene, ts)).toMatchObject({ text: 'a message of ours' });
  expect((await textOf(scene, ts))?.edited).toBeUndefined();
  expect((await scene.human('GET', 'ephemerals?user=U0DANA001'))['messages']).toEqual([]);
});

test.each(['expired', 'withdrawn', 'already_decided', 'superseded', 'not_found'] as const)(
  'a click on a dead control is answered: %s [F-L10, F-L6]',
  async code => {
    const scene = await open();
    refuse(scene, { code, approval, atMs: 1_796_047_200_000, by: ids.leo });
    await clicked(scene, 'approve');
    expect((await scene.whispers('U0MIA0001'))[0]).toMatch(/\S/);
  },
);

test('when the log cannot be reached the click is not counted, the person is told, and the card keeps its buttons [S-33]', async () => {
  const scene = await open();
  scene.inbox.onAct = () => Promise.reject(new LogUnavailable('no table'));
  const ts = await clicked(scene, 'approve');
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('this was not counted');
  expect((await textOf(scene, ts))?.edited).toBeUndefined();
});

test('a damaged record is said as such', async () => {
  const scene = await open();
  scene.inbox.onAct = () => Promise.reject(new LogDamaged('chain'));
  await clicked(scene, 'approve');
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('does not fit together');
});

test('when the way back to the click is closed, the answer goes the other way [S-52, F-L6]', async () => {
  const scene = await open();
  refuse(scene, { code: 'not_approver', approval });
  scene.workspace.faults.next('response_url', { kind: 'status', status: 404 });
  await clicked(scene, 'approve');
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('Nothing was changed');
});

test('who is not in the channel is answered in a form [S-52, F-L6]', async () => {
  const scene = await open();
  refuse(scene, { code: 'not_approver', approval });
  scene.workspace.faults.next('response_url', { kind: 'status', status: 404 });
  scene.workspace.faults.next('chat.postEphemeral', { kind: 'refused', code: 'user_not_in_channel' });
  await clicked(scene, 'approve');
  const form = await scene.form('U0MIA0001', view => view['callback_id'] === 'notice');
  expect(JSON.stringify(form)).toContain('Nothing was changed');
});

test('when no private answer gets through, that is noted and nothing breaks', async () => {
  const scene = await open();
  refuse(scene, { code: 'not_approver', approval });
  scene.workspace.faults.next('response_url', { kind: 'status', status: 404 });
  scene.workspace.faults.next('chat.postEphemeral', { kind: 'refused', code: 'user_not_in_channel' });
  scene.workspace.faults.next('views.open', { kind: 'refused', code: 'expired_trigger_id' });
  await clicked(scene, 'approve');
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  await scene.slack.stop();
  expect(scene.notes.join(' ')).toContain('did not reach');
});

test('a card of another environment is refused as such, before the worker is asked', async () => {
  const scene = await open();
  const metadata = { event_type: 'countersign', event_payload: { ...mark, environment: 'staging' } };
  const ts = await scene.post('C0APPROV1', controls('approve'), mark);
  await scene.deliver('interactive', body(ts, { message: { ts, text: 'card', metadata } }));
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('belongs to another Countersign');
  expect(scene.inbox.acts).toEqual([]);
});

test('a request that is not in our log is looked at: its card may be of another environment', async () => {
  const scene = await open();
  refuse(scene, { code: 'not_found' });
  const ts = await scene.post('C0APPROV1', controls('approve'), { ...mark, environment: 'staging' });
  await scene.deliver('interactive', body(ts));
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('belongs to another Countersign');
});

test("a click from another team's installation finds nothing [F-D5]", async () => {
  const scene = await open();
  const ts = await scene.post('C0APPROV1', controls('approve'), mark);
  await scene.deliver('interactive', body(ts, { team: { id: 'T0OTHER01' } }));
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('not known here');
  expect(scene.inbox.acts).toEqual([]);
});

test('a person of another team acts under their own team, in a thread of ours [S-48]', async () => {
  const scene = await open();
  const ts = await scene.post('C0APPROV1', controls('approve'), mark);
  await scene.deliver('interactive', body(ts, { user: { id: 'U0PETRA01', team_id: 'T0PARTNER' } }));
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[1]).toMatchObject({
    thread: { team: 'T0ACME001' },
    actor: { user: 'U0PETRA01', team: 'T0PARTNER' },
  });
});

test.each([
  ['a control of an older version', 'snooze', decide],
  ['a value that is not ours', 'approve', 'drop table'],
  ['a value that names no request', 'approve', decide.replace(approval, '')],
  ['a value that names the thread alone', 'approve', decide.slice(0, decide.indexOf(approval) - 1)],
  ['a value of another control', 'cancel', decide],
  ['a value of another control', 'doubt_ran', encodeRun(opsThread, 'r1' as RunId)],
  ['a value of another control', 'use_instead', encodeDoubt(opsThread, 'A'.repeat(26) as CallId, 1)],
])('%s is acknowledged and answered: %s %s [F-L10, F-C7, F-A3]', async (_, action, value) => {
  const scene = await open();
  await clicked(scene, action, value);
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('This button is from an older version');
  expect(scene.inbox.acts).toEqual([]);
});

test('Approve that needs a reason opens the form that asks for it', async () => {
  const scene = await open();
  refuse(scene, { code: 'review_needed', approval });
  await clicked(scene, 'approve');
  const form = await scene.form('U0MIA0001', view => view['callback_id'] === 'review_form');
  expect(JSON.stringify(form)).toContain('billing');
  expect((await scene.human('GET', 'ephemerals?user=U0MIA0001'))['messages']).toEqual([]);
});

test('a click is answered after a restart too [F-L6]', async () => {
  const scene = await open({ started: false });
  scene.inbox.thread = threadOf([part]);
  refuse(scene, { code: 'not_approver', approval });
  const ts = await scene.post('C0APPROV1', controls('approve'), mark);
  await scene.click('U0MIA0001', 'C0APPROV1', ts, 'approve');
  await scene.slack.start(scene.inbox);
  expect(await scene.whispers('U0MIA0001')).toHaveLength(1);
});

test('a lost click leaves a live card, and the next one counts [T-C19]', async () => {
  const scene = await open();
  scene.workspace.workspace.deliveries.loseNext();
  const ts = await clicked(scene, 'approve');
  await scene.click('U0MIA0001', 'C0APPROV1', ts, 'approve');
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts).toHaveLength(1);
});
