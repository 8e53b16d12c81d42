/** Home tabs: when they are published, and what a click on one of them asks. */
import { expect, onTestFinished, test } from 'vitest';
import { Homes } from '../../../src/slack/inbound/homes.ts';
import type { Person } from '../../../src/worker/ports.ts';
import type { Parts } from '../../../src/slack/inbound/performing.ts';
import { isObject, textIn, type JsonObject } from '../../../src/local/json.ts';
import { ACTIONS, FORMS } from '../../../src/slack/views/actions.ts';
import { cardKey } from '../../../src/slack/views/keys.ts';
import type { Standing } from '../../../src/thread/evidence.ts';
import type { Thread } from '../../../src/thread/thread.ts';
import type { OpenCall } from '../../../src/worker/ports.ts';
import { handClock } from '../../support/hand-clock.ts';
import { claimOf, context, ids, need, request, threadOf } from '../views/fixtures.ts';
import { nothingOpen, open, ScriptedInbox, type Scene } from './stage.ts';

const mia: Person = { user: ids.mia, team: ids.team };
const openIn = (thread: Thread): OpenCall[] => [
  { thread, run: need(thread.runs[ids.run]), call: need(Object.values(thread.calls)[0]) },
];

function desk() {
  const clock = handClock();
  const inbox = new ScriptedInbox();
  const published: string[] = [];
  const state = { standing: 'member' as Standing, refuses: false };
  const parts = {
    api: (_: string, args: Readonly<Record<string, unknown>>) => {
      if (state.refuses) return Promise.resolve({ is: 'refused', code: 'internal_error' } as const);
      published.push(JSON.stringify(args['view']));
      return Promise.resolve({ is: 'ok', data: {} } as const);
    },
    clock,
    inbox,
    context,
    environment: 'production',
    address: () => 'https://acme.example/x',
    standingOf: () => Promise.resolve(state.standing),
  };
  const homes = new Homes(parts as unknown as Parts);
  onTestFinished(() => homes.close());
  return { clock, inbox, published, state, homes };
}

test('Home is published when it is opened, and again at most once in 10 s when something has changed', async () => {
  const { clock, inbox, published, homes } = desk();
  homes.opened(mia);
  await clock.advance(0);
  expect(published).toHaveLength(1);
  inbox.open = { ...nothingOpen, mayFreeze: false };
  for (let count = 0; count < 20; count += 1) homes.changed();
  await clock.advance(9_999);
  expect(published).toHaveLength(1);
  await clock.advance(1);
  expect(published).toHaveLength(2);
  inbox.open = nothingOpen;
  await clock.advance(5_000);
  homes.changed();
  await clock.advance(5_000);
  expect(published).toHaveLength(3);
});

test('what has not changed is not published again; what another process changed is, within a minute', async () => {
  const { clock, inbox, published, homes } = desk();
  homes.opened(mia);
  await clock.advance(0);
  homes.changed();
  await clock.advance(11_000);
  expect(inbox.asked).toHaveLength(2);
  expect(published).toHaveLength(1);
  inbox.open = { ...nothingOpen, mayFreeze: false };
  await clock.advance(60_000);
  expect(published).toHaveLength(2);
});

test('whose Home nobody has opened is not read for, and after half an hour it is left alone', async () => {
  const { clock, inbox, homes } = desk();
  homes.changed();
  await clock.advance(60_000);
  expect(inbox.asked).toEqual([]);
  homes.opened(mia);
  await clock.advance(31 * 60_000);
  const { length } = inbox.asked;
  expect(length).toBeGreaterThan(20);
  homes.changed();
  await clock.advance(60 * 60_000);
  expect(inbox.asked).toHaveLength(length);
  expect(clock.sleeping()).toBe(0);
});

test('a Home that Slack does not take is tried again at the next change, and nothing else happens', async () => {
  const { clock, inbox, published, state, homes } = desk();
  state.refuses = true;
  homes.opened(mia);
  await clock.advance(0);
  state.refuses = false;
  inbox.overview = () => Promise.reject(new Error('no table'));
  homes.changed();
  await clock.advance(10_000);
  expect(published).toEqual([]);
  inbox.overview = () => Promise.resolve(nothingOpen);
  homes.changed();
  await clock.advance(10_000);
  expect(published).toHaveLength(1);
});

test.each(['guest', 'external', 'deactivated', 'bot'] as const)(
  'a Home of somebody who is no member shows nothing: %s [S-39, S-48]',
  async standing => {
    const { clock, inbox, published, state, homes } = desk();
    state.standing = standing;
    homes.opened(mia);
    await clock.advance(0);
    expect(published[0]).toContain('only work for members');
    expect(inbox.asked).toEqual([]);
  },
);

async function openHome(scene: Scene, user: string): Promise<JsonObject> {
  await scene.human('POST', 'home', { user });
  return homeOf(scene, user);
}
async function homeOf(scene: Scene, user: string): Promise<JsonObject> {
  for (;;) {
    const changed = new Promise<void>(resolve => {
      const stop = scene.workspace.workspace.feed.listen(() => {
        stop();
        resolve();
      });
    });
    const { view } = await scene.human('POST', 'home', { user });
    if (isObject(view)) return view;
    await changed;
  }
}

test('a control on Home acts on the card that is on record, with the rights of whoever clicks [S-39]', async () => {
  const scene = await open();
  const part = request();
  const approval = need(part.approval);
  const thread = threadOf([part]);
  const key = cardKey(approval, 1);
  thread.posts[key] = {
    key,
    channel: ids.approvals,
    ts: '5.000001' as never,
    hash: '',
    state: 'posted',
    code: null,
    atMs: 1,
  };
  scene.inbox.thread = thread;
  scene.inbox.open = { ...nothingOpen, waitingForYou: openIn(thread) };
  const home = await openHome(scene, 'U0MIA0001');
  await scene.human('POST', 'click', {
    user: 'U0MIA0001',
    view_id: textIn(home, 'id') ?? '',
    action_id: ACTIONS.review,
  });
  const form = await scene.form('U0MIA0001', view => view['callback_id'] === FORMS.review);
  scene.inbox.onAct = () => Promise.resolve({ refusal: { code: 'not_approver', approval: approval.id }, thread });
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values: {} });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[1]).toMatchObject({
    actor: { user: 'U0MIA0001' },
    place: { channel: 'C0APPROV1', ts: '5.000001' },
  });
  const notice = await scene.form('U0MIA0001', view => view['callback_id'] === FORMS.notice);
  expect(JSON.stringify(notice)).toContain('you are in neither');
});

test('a doubt is settled from Home by the same act as on its card', async () => {
  const scene = await open();
  const part = request(call => ({ is: 'in_doubt', claim: claimOf(call), sinceMs: 1, lastSign: null }));
  const thread = threadOf([part]);
  scene.inbox.thread = thread;
  scene.inbox.open = { ...nothingOpen, waitingForYou: openIn(thread) };
  const home = await openHome(scene, 'U0MIA0001');
  await scene.human('POST', 'click', {
    user: 'U0MIA0001',
    view_id: textIn(home, 'id') ?? '',
    action_id: ACTIONS.settle,
  });
  const form = await scene.form('U0MIA0001', view => view['callback_id'] === FORMS.settle);
  const values = { choice: { choice: 'abandoned' } };
  await scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values });
  await scene.inbox.until(() => scene.inbox.acts.length > 0);
  expect(scene.inbox.acts[0]?.[0]).toBe('settle');
  expect(scene.inbox.acts[0]?.[2]).toEqual({ call: part.call.id, attempt: 1, as: 'abandoned' });
});

test('a refusal on Home, where there is no conversation, is answered in a form [S-52]', async () => {
  const scene = await open();
  const thread = threadOf([request()]);
  scene.inbox.thread = thread;
  scene.inbox.open = { ...nothingOpen, youAsked: openIn(thread) };
  scene.inbox.onAct = () => Promise.resolve({ refusal: { code: 'not_yours' }, thread });
  const home = await openHome(scene, 'U0DANA001');
  await scene.human('POST', 'click', {
    user: 'U0DANA001',
    view_id: textIn(home, 'id') ?? '',
    action_id: ACTIONS.cancel,
  });
  const notice = await scene.form('U0DANA001', view => view['callback_id'] === FORMS.notice);
  expect(JSON.stringify(notice)).toContain('can cancel this');
});

test('whoever opens a conversation with the app is told what can be said, at most four things', async () => {
  const scene = await open();
  const opening = { type: 'app_home_opened', user: 'U0MIA0001', channel: 'D0MIA001', tab: 'messages' };
  await scene.deliver('events_api', scene.event(opening));
  const assistant_thread = { user_id: 'U0MIA0001', channel_id: 'D0MIA001', thread_ts: '1.1' };
  await scene.deliver('events_api', scene.event({ type: 'assistant_thread_started', assistant_thread }));
  await scene.slack.stop();
  const all = scene.workspace.workspace.statuses.prompts();
  expect(all.map(({ channel, threadTs, prompts }) => [channel, threadTs, prompts.length])).toEqual([
    ['D0MIA001', undefined, 4],
    ['D0MIA001', '1.1', 4],
  ]);
});
