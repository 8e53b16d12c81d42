/** What is about the whole house: `/countersign`, freeze, standing permissions, records, and the message shortcuts. */
import { expect, test } from 'vitest';
import { isObject, objectsIn, textIn, type JsonObject } from '../../../src/local/json.ts';
import { ACTIONS, buttonValue, FORMS } from '../../../src/slack/views/actions.ts';
import { readWanted, readWords } from '../../../src/slack/inbound/commands.ts';
import { cardKey } from '../../../src/slack/views/keys.ts';
import type { Grant } from '../../../src/thread/grant.ts';
import type { GrantId } from '../../../src/thread/ids.ts';
import { recordOfThread } from '../../../src/thread/record.ts';
import type { Thread } from '../../../src/thread/thread.ts';
import { LogUnavailable, type OpenCall } from '../../../src/worker/ports.ts';
import { claimOf, frozen, ids, need, request, terms, threadOf } from '../views/fixtures.ts';
import { nothingOpen, open, type Scene } from './stage.ts';

const part = request();
const approval = need(part.approval);
const grantId = 'G'.repeat(26) as GrantId;
const isFilled = (callback: string) => (view: { callback_id?: unknown }) => view.callback_id === callback;
const openIn = (thread: Thread): OpenCall[] => [
  { thread, run: need(thread.runs[ids.run]), call: need(Object.values(thread.calls)[0]) },
];
const command = (scene: Scene, text: string, user = 'U0MIA0001'): Promise<JsonObject> =>
  scene.human('POST', 'command', { user, channel: 'C0GENERAL', command: '/countersign', text });
const shownTo = async ({ human }: Scene, user: string): Promise<string> =>
  JSON.stringify((await human('GET', `ephemerals?user=${user}`))['messages']);

test.each([
  ['', 'overview'],
  ['pending', 'overview'],
  [' Mine ', 'overview'],
  ['待办', 'overview'],
  ['freeze bad deploy', 'freeze'],
  ['冻结 部署出错', 'freeze'],
  ['unfreeze', 'unfreeze'],
  ['解冻', 'unfreeze'],
  ['grants', 'grants'],
  ['授权', 'grants'],
  ['record A-7F3K', 'record'],
  ['audit A-7F3K', 'record'],
  ['记录 A-7F3K', 'record'],
  ['help', 'help'],
  ['帮助', 'help'],
  ['approve A-7F3K', null],
])('the command understands %j as %s', (text, word) => {
  expect(readWords(text).word).toBe(word);
});

test.each([
  ['A-7F3K', { short: '7F3K' }],
  ['7f3k', { short: '7F3K' }],
  [
    '<https://acme.slack.com/archives/C0APPROV1/p1796044931000100>',
    { place: { channel: 'C0APPROV1', ts: '1796044931.000100', threadTs: null } },
  ],
  [
    'https://acme.slack.com/archives/C0OPS0001/p1796044932000100?thread_ts=1796044931.000100&amp;cid=C0OPS0001',
    { place: { channel: 'C0OPS0001', ts: '1796044932.000100', threadTs: '1796044931.000100' } },
  ],
  ['A-7F', undefined],
  ['the one from yesterday', undefined],
])('a record is named by short id or link: %j', (text, wanted) => {
  expect(readWanted(text)).toEqual(wanted);
});

test('the command alone shows privately what waits, with the controls of the cards', async () => {
  const scene = await open();
  const thread = threadOf([part]);
  scene.inbox.open = { ...nothingOpen, waitingForYou: openIn(thread) };
  await command(scene, '');
  await scene.whispers('U0MIA0001');
  expect(await shownTo(scene, 'U0MIA0001')).toContain(buttonValue(thread, approval));
  expect(await shownTo(scene, 'U0LEO0001')).toBe('[]');
});

test('a control in that private message decides on the card that is on record', async () => {
  const scene = await open();
  const thread = threadOf([part]);
  const key = cardKey(approval, 1);
  const posted = {
    key,
    channel: ids.approvals,
    ts: '5.000001' as never,
    hash: 'h',
    state: 'posted',
    code: null,
    atMs: 1,
  };
  thread.posts[key] = posted as never;
  scene.inbox.thread = thread;
  scene.inbox.open = { ...nothingOpen, waitingForYou: openIn(thread) };
  await command(scene, '');
  await scene.whispers('U0MIA0001');
  const { messages } = await scene.human('GET', 'ephemerals?user=U0MIA0001');
  await scene.click('U0MIA0001', 'C0GENERAL', textIn(need(objectsIn(messages)[0]), 'ts') ?? '', 'review');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.review));
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values: {} });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[1]).toMatchObject({ place: { channel: 'C0APPROV1', ts: '5.000001' } });
});

test('freeze with a reason freezes, and answers with what still runs', async () => {
  const scene = await open();
  const running = threadOf([request(call => ({ is: 'claimed', claim: claimOf(call) }))]);
  scene.inbox.onFreeze = () => Promise.resolve({ refusal: null, workspace: frozen, running: openIn(running) });
  await command(scene, 'freeze bad deploy');
  await scene.whispers('U0MIA0001');
  expect(scene.inbox.asked).toContainEqual(['freeze', { user: 'U0MIA0001', team: 'T0ACME001' }, 'bad deploy']);
  expect(await shownTo(scene, 'U0MIA0001')).toMatch(
    /Everything is frozen.*, in local\..*Still running \(1\).*Scale billing/s,
  );
});

test('freeze without a reason asks for one, and the form answers with what still runs', async () => {
  const scene = await open();
  await command(scene, 'freeze');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.freeze));
  const values = { text: { text: ' bad deploy ' } };
  const answer = await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values });
  expect(scene.inbox.asked).toContainEqual(['freeze', expect.objectContaining({ user: 'U0MIA0001' }), 'bad deploy']);
  expect(JSON.stringify(answer['view'])).toContain('Nothing is running');
});

test('freeze with a blank reason asks for it under the field, and the form stays', async () => {
  const scene = await open();
  scene.inbox.onFreeze = () =>
    Promise.resolve({ refusal: { code: 'reason_needed' }, workspace: scene.inbox.workspace, running: [] });
  await command(scene, 'freeze');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.freeze));
  const sent = { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values: { text: { text: '  ' } } };
  const errors = { text: 'Write a reason: it cannot be blank.' };
  expect(await scene.human('POST', 'submit', sent)).toEqual({ errors });
});

test.each([
  ['freeze bad deploy', 'may_not_freeze'],
  ['freeze bad deploy', 'not_admin'],
] as const)('who may not freeze is told so: %s %s [S-39]', async (text, code) => {
  const scene = await open();
  scene.inbox.onFreeze = () => Promise.resolve({ refusal: { code }, workspace: scene.inbox.workspace, running: [] });
  await command(scene, text);
  expect((await scene.whispers('U0MIA0001'))[0]).toMatch(/\S/);
});

test('unfreeze, grants and help answer privately', async () => {
  const scene = await open();
  const grant: Grant = {
    grant: grantId,
    tool: 'k8s.scale',
    toolDigest: 'a',
    who: ids.dana,
    where: { channel: ids.ops, thread: null },
    untilMs: 1_796_050_000_000,
    uses: 5,
    by: ids.mia,
    name: 'Mia Chen',
    sentence: 'Until 15:05, at most 5 times, for Dana: k8s.scale where namespace = staging.',
    pattern: { namespace: 'staging' },
    givenAtMs: 1_796_040_000_000,
    used: [],
    revoked: null,
  };
  scene.inbox.open = { ...nothingOpen, grants: [grant] };
  for (const text of ['unfreeze', 'grants', 'help', 'open sesame']) await command(scene, text);
  await scene.whispers('U0MIA0001', 4);
  const all = await shownTo(scene, 'U0MIA0001');
  for (const words of ['Unfrozen. In local, ', 'where namespace = staging', 'Mention me', 'I do not know “open”'])
    expect(all).toContain(words);
  const { messages } = await scene.human('GET', 'ephemerals?user=U0MIA0001');
  const listed = objectsIn(messages).find(message => JSON.stringify(message).includes(grantId));
  await scene.click('U0MIA0001', 'C0GENERAL', textIn(need(listed), 'ts') ?? '', ACTIONS.revoke);
  await scene.whispers('U0MIA0001', 5);
  expect(scene.inbox.asked).toContainEqual(['revokeGrant', expect.objectContaining({ user: 'U0MIA0001' }), grantId]);
});

test.each(['', 'freeze now', 'unfreeze', 'grants', 'record A-7F3K'])(
  'a guest gets nothing out of the command: %j [S-39, S-48]',
  async text => {
    const scene = await open();
    await command(scene, text, 'U0GUS0001');
    expect((await scene.whispers('U0GUS0001'))[0]).toContain('only work for members');
    expect(scene.inbox.asked).toEqual([]);
  },
);

test('the command is acknowledged before anything is read [F-B12]', async () => {
  const scene = await open();
  const held = Promise.withResolvers<void>();
  scene.inbox.overview = async () => {
    await held.promise;
    throw new LogUnavailable('no table');
  };
  expect(await command(scene, '')).toEqual({});
  held.resolve();
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('try again in a minute');
});

test('a record opens by its short id, and says so when there is none or it is not theirs', async () => {
  const scene = await open();
  const thread = threadOf([request(call => ({ is: 'claimed', claim: claimOf(call) }))]);
  scene.inbox.onRecord = () => Promise.resolve({ refusal: null, calls: openIn(thread) });
  await command(scene, 'record A-7F3K');
  const record = await scene.form('U0MIA0001', isFilled(FORMS.record));
  expect(scene.inbox.asked).toContainEqual([
    'record',
    expect.objectContaining({ user: 'U0MIA0001' }),
    { short: '7F3K' },
  ]);
  expect(JSON.stringify(record)).toMatch(/Asked.*Dana Ito.*#ops \(C0OPS0001\).*k8s\.scale/s);
  expect(JSON.stringify(record)).toMatch(/archives\/C0OPS0001\/p\d+\|open thread/);
  scene.inbox.onRecord = () => Promise.resolve({ refusal: { code: 'not_your_record' }, calls: [] });
  await command(scene, 'record A-7F3K');
  await scene.form('U0MIA0001', isFilled(FORMS.notice));
});

test('a record is read whole, and one that cannot be read says so, and nothing of clicks', async () => {
  const scene = await open();
  const thread = threadOf([part]);
  const calls = openIn(thread);
  scene.inbox.onRecord = () => Promise.resolve({ refusal: null, calls });
  scene.inbox.onWholeRecord = async found => ({
    ...recordOfThread(found.thread, found.call),
    refused: [
      {
        atMs: Date.UTC(2026, 10, 30, 14, 2, 50),
        round: 1,
        by: { id: ids.dana, name: 'Dana Ito' },
        code: 'requester',
        verdict: null,
      },
    ],
  });
  await command(scene, 'record A-7F3K');
  const record = await scene.form('U0MIA0001', isFilled(FORMS.record));
  expect(JSON.stringify(record)).toContain('2026-11-30 14:02:50Z  round 1  Dana Ito (U0DANA001)  requester');
  scene.inbox.onWholeRecord = () => Promise.reject(new LogUnavailable('no table'));
  await command(scene, 'record A-7F3K');
  const notice = JSON.stringify(await scene.form('U0MIA0001', isFilled(FORMS.notice)));
  expect(notice).toContain('I cannot read this record right now. Try again in a minute.');
  expect(notice).not.toContain('counted');
});

test('the shortcut opens the record of the message, or the choice where there are several', async () => {
  const scene = await open();
  const second = request({ is: 'waiting' }, {}, { id: 'B'.repeat(26) as never, tool: 'k8s.delete' });
  const thread = threadOf([{ ...second, approval: { ...need(second.approval), id: 'C'.repeat(26) as never } }, part]);
  scene.inbox.thread = thread;
  const all = Object.values(thread.calls).map(call => ({ thread, run: need(thread.runs[ids.run]), call }));
  scene.inbox.onRecord = () => Promise.resolve({ refusal: null, calls: all });
  const ts = await scene.say('U0DANA001', 'C0GENERAL', 'hello');
  await scene.human('POST', 'shortcut', { user: 'U0MIA0001', channel: 'C0GENERAL', ts, callback_id: 'show_record' });
  const several = await scene.form('U0MIA0001', isFilled(FORMS.record));
  expect(JSON.stringify(several)).toContain('Which of these?');
  await scene.human('POST', 'click', {
    user: 'U0MIA0001',
    view_id: textIn(several, 'id') ?? '',
    action_id: ACTIONS.record,
    value: buttonValue(thread, approval),
  });
  const one = await scene.form('U0MIA0001', view => JSON.stringify(view).includes('Asked'));
  expect(one['previous_view_id']).toBe(several['id']);
});

test('what is asked about a message comes in as a message of whoever asks, in its thread, with the message quoted', async () => {
  const scene = await open();
  const root = await scene.say('U0DANA001', 'C0GENERAL', 'the disk of db-3 is full & <https://x.example|red>');
  await scene.human('POST', 'shortcut', {
    user: 'U0MIA0001',
    channel: 'C0GENERAL',
    ts: root,
    callback_id: 'ask_countersign',
  });
  const form = await scene.form('U0MIA0001', isFilled(FORMS.askAbout));
  const values = { text: { text: 'Can you clean up?' } };
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values });
  await scene.inbox.until(() => scene.inbox.received.length > 0);
  const [taken] = scene.inbox.received;
  expect(taken).toMatchObject({
    thread: { team: 'T0ACME001', channel: 'C0GENERAL', ts: root },
    message: { author: 'U0MIA0001', name: 'Mia Chen', mention: true },
  });
  expect(taken?.message.text).toMatch(/^Can you clean up\?\n\n> <@U0DANA001>:\n> the disk of db-3 is full/);
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('the answer comes in the thread');
  const { messages } = await scene.human('GET', 'messages?channel=C0GENERAL');
  expect(objectsIn(messages)).toHaveLength(1);
});

test('where the app is no member, nothing is asked, and that is said', async () => {
  const scene = await open();
  const ts = await scene.say('U0DANA001', 'C0GENERAL', 'hello');
  await scene.human('POST', 'member', { channel: 'C0GENERAL', user: 'U0BOT0001', member: false });
  await scene.human('POST', 'shortcut', {
    user: 'U0MIA0001',
    channel: 'C0GENERAL',
    ts,
    callback_id: 'ask_countersign',
  });
  expect(JSON.stringify(await scene.form('U0MIA0001', isFilled(FORMS.notice)))).toContain('not in this channel');
});

const grants = { maxMs: 3_600_000, uses: 5, scope: 'thread', where: ['namespace'] } as const;

/** The form that allows the like of a call for a while, open at Mia's. */
async function granting(): Promise<{ scene: Scene; form: JsonObject; submit: (uses?: string) => Promise<JsonObject> }> {
  const scene = await open();
  const asking = request({ is: 'waiting' }, { terms: { ...terms, grants: { ...grants, where: [...grants.where] } } });
  scene.inbox.thread = threadOf([asking]);
  const value = `grant.${buttonValue(scene.inbox.thread, need(asking.approval))}`;
  const option = { text: { type: 'plain_text', text: 'Allow' }, value };
  const menu = { type: 'overflow', action_id: 'more', options: [option, { ...option, value: 'x.y' }] };
  const mark = { key: cardKey(approval, 1), environment: 'local', thread: 't' };
  const ts = await scene.post('C0APPROV1', [{ type: 'actions', elements: [menu] }], mark);
  await scene.human('POST', 'click', { user: 'U0MIA0001', channel: 'C0APPROV1', ts, action_id: 'more', value });
  const form = await scene.form('U0MIA0001', isFilled(FORMS.grant));
  const submit = (uses?: string): Promise<JsonObject> =>
    scene.human('POST', 'submit', {
      user: 'U0MIA0001',
      view_id: textIn(form, 'id') ?? '',
      values: uses === undefined ? {} : { uses: { uses } },
    });
  return { scene, form, submit };
}

test('what is allowed for a while is the sentence that stood in the form; another choice shows its own first [F-M4]', async () => {
  const { scene, submit } = await granting();
  const again = await submit('2');
  expect(JSON.stringify(again['view'])).toContain('at most 2 times');
  expect(scene.inbox.acts).toEqual([]);
  await submit();
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  const decision = scene.inbox.acts[0]?.[2];
  expect(decision).toMatchObject({ verdict: 'approve', grant: { uses: 2 } });
  const { grant } = decision as { grant: { sentence: string; forMs: number } };
  expect(JSON.stringify(again['view'])).toContain(JSON.stringify(grant.sentence).slice(1, -1));
  expect(grant.forMs).toBeLessThanOrEqual(grants.maxMs);
});

test('the sentence changes with each choice, before anything is sent [F-M4]', async () => {
  const { scene, form, submit } = await granting();
  await scene.human('POST', 'click', {
    user: 'U0MIA0001',
    view_id: textIn(form, 'id') ?? '',
    action_id: FORMS.uses.action,
    value: '3',
  });
  await scene.form('U0MIA0001', view => JSON.stringify(view).includes('at most 3 times'));
  expect(await submit('3')).toEqual({ view: null });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({
    grant: { uses: 3, sentence: expect.stringContaining('at most 3 times') },
  });
});

test('a choice that cannot be shown with its sentence leaves the form, and is said privately', async () => {
  const { scene, form } = await granting();
  scene.inbox.read = () => Promise.reject(new LogUnavailable('no table'));
  const view_id = textIn(form, 'id') ?? '';
  await scene.human('POST', 'click', { user: 'U0MIA0001', view_id, action_id: FORMS.uses.action, value: '3' });
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('try again in a minute');
  expect(objectsIn((await scene.human('GET', 'views?user=U0MIA0001'))['views'])).toEqual([form]);
});

test('a question of an approver reaches the worker with the round that was read', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  const value = `ask.${buttonValue(scene.inbox.thread, approval)}`;
  const option = { text: { type: 'plain_text', text: 'Ask Dana' }, value };
  const menu = { type: 'overflow', action_id: 'more', options: [option, { ...option, value: 'x.y' }] };
  const mark = { key: cardKey(approval, 1), environment: 'local', thread: 't' };
  const ts = await scene.post('C0APPROV1', [{ type: 'actions', elements: [menu] }], mark);
  await scene.human('POST', 'click', { user: 'U0MIA0001', channel: 'C0APPROV1', ts, action_id: 'more', value });
  const form = await scene.form('U0MIA0001', isFilled(FORMS.ask));
  const values = { text: { text: 'Which cluster?' } };
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[0]).toBe('inquire');
  expect(scene.inbox.acts[0]?.[2]).toEqual({ approval: approval.id, round: 1, text: 'Which cluster?' });
  expect(isObject(form['blocks'])).toBe(false);
});
