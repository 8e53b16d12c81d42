/** Forms: opened at once, filled from the log, carried out after the acknowledgement. */
import { expect, test } from 'vitest';
import { FORMS } from '../../../src/slack/views/actions.ts';
import { encodeButton } from '../../../src/thread/ids.ts';
import { textIn } from '../../../src/local/json.ts';
import type { Thread } from '../../../src/thread/thread.ts';
import { LogUnavailable } from '../../../src/worker/ports.ts';
import { frozen, ids, need, request, terms, threadOf } from '../views/fixtures.ts';
import { open, type Scene } from './stage.ts';

const part = request();
const approval = part.approval?.id ?? ('' as never);
const value = (round = 1) => encodeButton({ channel: ids.ops, ts: ids.root, approval, round });
const mark = { key: `card/${approval}/1`, environment: 'local', thread: 't' };

async function press(scene: Scene, action: string, round = 1, carried = value(round), by = 'U0MIA0001') {
  const button = {
    type: 'button',
    action_id: action,
    value: carried,
    text: { type: 'plain_text', text: 'Press' },
  };
  const ts = await scene.post('C0APPROV1', [{ type: 'actions', elements: [button] }], mark);
  await scene.click(by, 'C0APPROV1', ts, action);
  return ts;
}
const isFilled = (callback: string) => (view: { callback_id?: unknown }) => view.callback_id === callback;

test('the form opens before the log has answered, and is filled when it has [S-85]', async () => {
  const scene = await open();
  const read = Promise.withResolvers<Thread>();
  scene.inbox.read = () => read.promise;
  await press(scene, 'reject');
  const loading = await scene.form('U0MIA0001', isFilled(FORMS.loading));
  read.resolve(threadOf([part]));
  const filled = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  expect(filled['id']).toBe(loading['id']);
});

test('rejecting needs no reason; what was chosen beside it travels along [S-87, S-39]', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  const ts = await press(scene, 'reject');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values: {} });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  const [method, act, decision] = scene.inbox.acts[0] ?? [];
  expect(method).toBe('decide');
  expect(act).toMatchObject({
    thread: { team: ids.team, channel: ids.ops, ts: ids.root },
    actor: { user: 'U0MIA0001' },
    place: { channel: 'C0APPROV1', ts },
  });
  expect(act?.key).toMatch(new RegExp(`^${textIn(form, 'id')}\\.`));
  expect(decision).toEqual({ approval, round: 1, verdict: 'reject', reason: null, then: 'replan', origin: 'form' });
});

test('a reason and a choice reach the worker as they were written [S-87]', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  await press(scene, 'reject');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  const values = { reason: { reason: ' Not during the sale & not <now>. ' }, then: { then: 'stop' } };
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ reason: 'Not during the sale & not <now>.', then: 'stop' });
});

test('a blank reason for approving one’s own request is asked for under its field, and the form stays', async () => {
  const own = need(part.approval);
  for (const options of [[], [{ value: 'v41', label: 'v41' }]]) {
    const scene = await open();
    scene.inbox.thread = threadOf([{ ...part, approval: { ...own, options } }]);
    scene.inbox.onAct = (_, __, what) =>
      Promise.resolve({
        refusal: (what as { reason: string | null }).reason === null ? { code: 'reason_needed' } : null,
        thread: scene.inbox.thread,
      });
    await press(scene, 'review', 1, value(), 'U0DANA001');
    const form = await scene.form('U0DANA001', isFilled(FORMS.review));
    const submit = (reason: string) =>
      scene.human('POST', 'submit', {
        user: 'U0DANA001',
        view_id: form['id'],
        values: { ...(options.length > 0 ? { choice: { choice: '0' } } : {}), reason: { reason } },
      });
    expect(await submit('  ')).toEqual({ errors: { reason: 'Write a reason: it cannot be blank.' } });
    expect(await scene.form('U0DANA001', isFilled(FORMS.review))).toMatchObject({ id: form['id'] });
    expect(await submit('Nobody else is here.')).toEqual({ view: null });
    expect(scene.inbox.acts.map(([, , what]) => (what as { reason: unknown }).reason)).toEqual([
      null,
      'Nobody else is here.',
    ]);
  }
});

test('the review form shows the arguments and approves the round that it was opened on [S-39]', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  await press(scene, 'review');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.review));
  expect(JSON.stringify(form)).toContain('deployment');
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values: {} });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ round: 1, verdict: 'approve', then: null, origin: 'form' });
});

test('the review form offers no Approve while everything is frozen, and says why', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  scene.inbox.workspace = frozen;
  await press(scene, 'review');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.notice));
  expect(form['submit'] ?? null).toBeNull();
  for (const words of ['deployment', 'Frozen by', 'bad deploy']) expect(JSON.stringify(form)).toContain(words);
});

test.each([
  ['edit', 'deployment'],
  ['more', 'Scale billing'],
] as const)(
  'the form of %s offers nothing to approve while everything is frozen, and says why',
  async (action, words) => {
    const scene = await open();
    const grants = { maxMs: 3_600_000, uses: 5, scope: 'thread', where: ['namespace'] } as const;
    const offering = { ...terms, edit: ['replicas'], grants: { ...grants, where: [...grants.where] } };
    scene.inbox.thread = threadOf([request({ is: 'waiting' }, { terms: offering })]);
    scene.inbox.workspace = frozen;
    await press(scene, action, 1, action === 'more' ? `grant.${value()}` : value());
    const form = await scene.form('U0MIA0001', isFilled(FORMS.notice));
    expect(form['submit'] ?? null).toBeNull();
    for (const said of [words, 'Frozen by', 'Approve works again after the unfreeze'])
      expect(JSON.stringify(form)).toContain(said);
  },
);

test('the form that rejects stays usable while everything is frozen', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  scene.inbox.workspace = frozen;
  await press(scene, 'reject');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values: {} });
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ verdict: 'reject' });
});

test('a form that is refused is answered privately in the channel of its card [S-52]', async () => {
  const scene = await open();
  scene.inbox.thread = threadOf([part]);
  scene.inbox.onAct = () =>
    Promise.resolve({ refusal: { code: 'not_approver', approval }, thread: scene.inbox.thread });
  await press(scene, 'reject');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values: {} });
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('Nothing was changed');
});

test('a form is acknowledged in time, whatever the worker does, and a record that cannot be reached is said then [F-B12, T-C19]', async () => {
  const scene = await open({ impatient: true });
  scene.inbox.thread = threadOf([part]);
  const never = Promise.withResolvers<never>();
  scene.inbox.onAct = () => never.promise;
  await press(scene, 'reject');
  const form = await scene.form('U0MIA0001', isFilled(FORMS.reject));
  const answer = await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: form['id'], values: {} });
  expect(answer).toMatchObject({ view: { callback_id: FORMS.loading, previous_view_id: form['id'] } });
  never.reject(new LogUnavailable('gone'));
  const notice = await scene.form('U0MIA0001', isFilled(FORMS.notice));
  expect(JSON.stringify(notice)).toContain('this was not counted');
});

const replacedCard = { card: 1, summary: 'Run it', atMs: 1, changes: [], votes: [], code: 'changed' } as const;

test.each([
  ['decided before', request({ is: 'closed' }, { state: { is: 'expired', atMs: 1 } }), 1, 'expired'],
  ['of an earlier round', request({ is: 'waiting' }, { round: 2 }), 1, 'Look at the card again'],
  [
    'whose card was replaced',
    request({ is: 'waiting' }, { round: 2, card: 2, cardRound: 2, closedCards: [replacedCard] }),
    1,
    'Decide on the new card',
  ],
  [
    'withdrawn',
    request({ is: 'closed' }, { state: { is: 'withdrawn', by: ids.dana, instead: false, atMs: 1 } }),
    1,
    'withdrew this',
  ],
] as const)('a form for a request %s says so instead of asking [F-L10]', async (_, given, round, sentence) => {
  const scene = await open();
  scene.inbox.thread = threadOf([given]);
  await press(scene, 'reject', round);
  expect(JSON.stringify(await scene.form('U0MIA0001', isFilled(FORMS.notice)))).toContain(sentence);
});

test('a request that is not known says so in the form', async () => {
  const scene = await open();
  await press(scene, 'review');
  expect(JSON.stringify(await scene.form('U0MIA0001', isFilled(FORMS.notice)))).toContain('not known here');
});

test('a log that cannot be read says so in the form', async () => {
  const scene = await open();
  scene.inbox.read = () => Promise.reject(new LogUnavailable('no table'));
  await press(scene, 'reject');
  expect(JSON.stringify(await scene.form('U0MIA0001', isFilled(FORMS.notice)))).toContain('try again in a minute');
});

test('when Slack opens no form, the person is told to click once more [F-L6]', async () => {
  const scene = await open();
  scene.workspace.faults.next('views.open', { kind: 'refused', code: 'expired_trigger_id' });
  await press(scene, 'reject');
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('click once more');
});

test('a form whose origin cannot be read is acknowledged and changes nothing [F-C7]', async () => {
  const scene = await open();
  const others = [
    '{}',
    '[]',
    '["local"]',
    JSON.stringify(['local', 'x', null, null, null, '']),
    `${value()} C0APPROV1 1.1`,
  ];
  for (const metadata of ['', 'x', ...others]) {
    const view = { id: 'V1', hash: 'h', callback_id: FORMS.review, private_metadata: metadata, state: { values: {} } };
    const body = {
      type: 'view_submission',
      team: { id: 'T0ACME001' },
      user: { id: 'U0MIA0001', team_id: 'T0ACME001' },
      view,
    };
    expect(await scene.deliver('interactive', body)).toMatchObject({ kind: 'acknowledged' });
  }
  expect(scene.inbox.acts).toEqual([]);
});

test("a form of another team's installation finds nothing [F-D5]", async () => {
  const scene = await open();
  const view = {
    id: 'V1',
    hash: 'h',
    callback_id: FORMS.review,
    private_metadata: JSON.stringify(['local', value(), 'C0APPROV1', '1.1', null, '']),
    state: { values: {} },
    app_installed_team_id: 'T0OTHER01',
  };
  await scene.deliver('interactive', {
    type: 'view_submission',
    team: { id: 'T0ACME001' },
    user: { id: 'U0MIA0001', team_id: 'T0ACME001' },
    view,
  });
  expect((await scene.whispers('U0MIA0001'))[0]).toContain('not known here');
  expect(scene.inbox.acts).toEqual([]);
});
