import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/local/json.ts';
import { isObject, textIn } from '../../src/local/json.ts';
import type { RunningWorkspace } from '../../src/local/server.ts';
import { api, HandClock, human, openWorkspace } from './stage.ts';
import { SocketClient } from './socket-client.ts';

const clock = new HandClock();
let running: RunningWorkspace;
let app: SocketClient;
let cardTs = '';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const field = (change: JsonObject = {}, element: JsonObject = {}) =>
  ({
    type: 'input',
    block_id: 'reason',
    label: plain('Reason'),
    element: { type: 'plain_text_input', action_id: 'text', ...element },
    ...change,
  }) as const;
const form = (change: JsonObject = {}) =>
  ({
    type: 'modal',
    callback_id: 'reject',
    title: plain('Reject'),
    submit: plain('Reject'),
    blocks: [field()],
    ...change,
  }) as const;

const MIA = 'U0MIA0001';

beforeEach(async () => {
  running = await openWorkspace({ clock });
  app = await SocketClient.connect(running.url);
  const actions = { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] };
  const posted = await api(running.url, 'chat.postMessage', { channel: 'C0APPROV1', text: 'card', blocks: [actions] });
  cardTs = textIn(posted, 'ts') ?? '';
  app.acknowledge(await app.next());
});

const call = (method: string, fields: JsonObject) => api(running.url, method, fields);
const act = async (name: string, body: JsonObject) =>
  (await human(running.url, 'POST', name, { user: MIA, ...body })).body;

/** Clicks and returns the trigger id that the app gets. */
async function trigger(click: JsonObject = { channel: 'C0APPROV1', ts: cardTs, action_id: 'go' }): Promise<string> {
  await act('click', click);
  const envelope = await app.next();
  app.acknowledge(envelope);
  return textIn(isObject(envelope['payload']) ? envelope['payload'] : {}, 'trigger_id') ?? '';
}

async function openForm(view: JsonObject = form()): Promise<JsonObject & { id: string; hash: string }> {
  const opened = (await call('views.open', { trigger_id: await trigger(), view })) as unknown;
  const shown = isObject(opened) && isObject(opened['view']) ? opened['view'] : {};
  return { ...shown, id: textIn(shown, 'id') ?? '', hash: textIn(shown, 'hash') ?? '' };
}

async function openViews(): Promise<unknown> {
  return (await human(running.url, 'GET', `views?user=${MIA}`)).body['views'];
}

test('a trigger id opens one form, within three seconds [S-85]', async () => {
  const used = await trigger();
  expect(await call('views.open', { trigger_id: used, view: form() })).toMatchObject({ ok: true });
  expect(await call('views.open', { trigger_id: used, view: form() })).toMatchObject({ error: 'exchanged_trigger_id' });
  const late = await trigger();
  clock.pass(3_001);
  expect(await call('views.open', { trigger_id: late, view: form() })).toMatchObject({ error: 'expired_trigger_id' });
  expect(await call('views.open', { trigger_id: 'made.up', view: form() })).toMatchObject({
    error: 'invalid_trigger_id',
  });
});

test('a form that Slack would not show is refused and does not use the trigger up', async () => {
  const id = await trigger();
  const refused = async (view: JsonObject) => {
    const { error, response_metadata } = await call('views.open', { trigger_id: id, view });
    return [error, isObject(response_metadata) ? response_metadata['messages'] : undefined];
  };
  expect(await refused(form({ title: plain('x'.repeat(25)) }))).toEqual([
    'invalid_arguments',
    ['[ERROR] must be less than 25 characters [json-pointer:/title/text]'],
  ]);
  expect(await refused(form({ submit: undefined }))).toEqual([
    'invalid_arguments',
    ['[ERROR] missing required field: submit [json-pointer:/submit]'],
  ]);
  expect(await refused(form({ private_metadata: 'x'.repeat(3_001) }))).toMatchObject([
    'invalid_arguments',
    [expect.stringContaining('/private_metadata')],
  ]);
  expect(await refused(form({ blocks: [{ type: 'markdown', text: 'x' }] }))).toMatchObject([
    'invalid_arguments',
    [expect.stringContaining('unsupported type: markdown')],
  ]);
  expect(await refused(form({ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }))).toMatchObject([
    'invalid_arguments',
    [expect.stringContaining('no more than 100 items')],
  ]);
  const large = Array.from({ length: 90 }, () => ({ type: 'section', text: plain('x'.repeat(2_900)) }));
  expect(await refused(form({ blocks: large }))).toEqual(['view_too_large', [expect.stringContaining('bytes')]]);
  expect(await call('views.open', { trigger_id: id, view: form() })).toMatchObject({ ok: true });
});

test('an update with an old hash is refused, so that the later content stands', async () => {
  const view = await openForm();
  const updated = await call('views.update', {
    view_id: view.id,
    hash: view.hash,
    view: form({ private_metadata: 'second' }),
  });
  expect(updated).toMatchObject({ ok: true, view: { id: view.id, private_metadata: 'second' } });
  expect(await call('views.update', { view_id: view.id, hash: view.hash, view: form() })).toMatchObject({
    error: 'hash_conflict',
  });
  expect(await call('views.update', { view_id: 'V0NOWHERE', view: form() })).toMatchObject({ error: 'not_found' });
  expect(await openViews()).toMatchObject([{ private_metadata: 'second' }]);
});

test('forms stack three deep from within a form; closing shows the one below, and the app hears of it if it asked to', async () => {
  const button = { type: 'actions', elements: [{ type: 'button', action_id: 'deeper', text: plain('Deeper') }] };
  const deep = form({ blocks: [button], notify_on_close: true });
  let view = await openForm(deep);
  const push = async () =>
    call('views.push', { trigger_id: await trigger({ view_id: view.id, action_id: 'deeper' }), view: deep });
  const root = view.id;
  for (let depth = 2; depth <= 3; depth += 1) {
    const { view: pushed } = (await push()) as { view: JsonObject & { id: string; hash: string } };
    expect(pushed).toMatchObject({ root_view_id: root, previous_view_id: view.id });
    view = pushed;
  }
  expect(await push()).toMatchObject({ error: 'push_limit_reached' });
  expect(await call('views.push', { trigger_id: await trigger(), view: deep })).toMatchObject({
    error: 'invalid_trigger_id',
  });
  expect(await act('close', { view_id: view.id })).toMatchObject({ view: { id: view['previous_view_id'] } });
  expect(await app.next()).toMatchObject({
    payload: { type: 'view_closed', is_cleared: false, view: { id: view.id } },
  });
});

test('fields that must be filled, are too short, or are no numbers are told before the app is asked', async () => {
  const number = {
    type: 'number_input',
    action_id: 'text',
    is_decimal_allowed: false,
    min_value: '1',
    max_value: '50',
  };
  const view = await openForm(form({ blocks: [field({}, { min_length: 3 }), field({ block_id: 'count' }, number)] }));
  const submit = (text: string, count: string) =>
    act('submit', { view_id: view.id, values: { reason: { text }, count: { text: count } } });
  expect(await submit('', '')).toEqual({
    errors: { reason: 'Please complete this required field.', count: 'Please complete this required field.' },
  });
  expect(await submit('no', '51')).toEqual({
    errors: { reason: 'Please write at least 3 characters.', count: 'Please enter a number up to 50.' },
  });
  expect(await submit('because', '1.5')).toEqual({ errors: { count: 'Please enter a whole number.' } });
  expect(app.unread).toBe(0);
});

test('a submission carries what was typed, chosen and preset, each as its kind wants it', async () => {
  const options = ['stop', 'replan'].map(value => ({ text: plain(value), value }));
  const radio = { type: 'radio_buttons', action_id: 'then', options, initial_option: options[0] };
  const boxes = { type: 'checkboxes', action_id: 'who', options };
  const view = await openForm(
    form({
      blocks: [field({ optional: true }), field({ block_id: 'then' }, radio), field({ block_id: 'who' }, boxes)],
    }),
  );
  const submitted = act('submit', {
    view_id: view.id,
    values: { reason: { text: '0' }, who: { who: '["stop","replan"]' } },
  });
  const envelope = await app.next();
  expect(envelope).toMatchObject({
    type: 'interactive',
    payload: {
      type: 'view_submission',
      team: { id: 'T0ACME001' },
      user: { id: MIA, team_id: 'T0ACME001' },
      view: {
        id: view.id,
        callback_id: 'reject',
        hash: view.hash,
        state: {
          values: {
            reason: { text: { type: 'plain_text_input', value: '0' } },
            then: { then: { type: 'radio_buttons', selected_option: { value: 'stop' } } },
            who: { who: { type: 'checkboxes', selected_options: [{ value: 'stop' }, { value: 'replan' }] } },
          },
        },
      },
    },
  });
  app.acknowledge(envelope, { response_action: 'clear' });
  expect(await submitted).toEqual({ view: null });
  expect(await openViews()).toEqual([]);
});

test('a form that the app answers wrongly, or not at all, stays open and the person is told', async () => {
  const view = await openForm(form({ blocks: [field({ optional: true })] }));
  const submit = () => human(running.url, 'POST', 'submit', { user: MIA, view_id: view.id, values: {} });
  const wrong = submit();
  app.acknowledge(await app.next(), { response_action: 'update', view: { type: 'modal' } });
  expect(await wrong).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('a form that Slack would not show') as string },
  });
  const silent = submit();
  await app.next();
  clock.pass(10_000);
  expect((await silent).status).toBe(504);
  expect(await openViews()).toMatchObject([{ id: view.id }]);
});

test('only the person whose form it is can submit it, and only the form on top', async () => {
  const view = await openForm();
  const body = { view_id: view.id, values: {} };
  expect((await human(running.url, 'POST', 'submit', { ...body, user: 'U0LEO0001' })).status).toBe(404);
  expect((await human(running.url, 'POST', 'submit', { ...body, user: MIA, view_id: 'V0NOWHERE' })).status).toBe(404);
});

test('Home is published for one person, opened as an event, and a click in it names its view', async () => {
  const blocks = [
    { type: 'actions', elements: [{ type: 'button', action_id: 'review', text: plain('Review'), value: 'a-1' }] },
  ];
  expect(await act('home', {})).toEqual({ view: null });
  const opened = await app.next();
  app.acknowledge(opened);
  expect(opened).toMatchObject({
    payload: { event: { type: 'app_home_opened', user: MIA, tab: 'home', channel: 'D0MIA001' } },
  });
  await call('views.publish', { user_id: MIA, view: { type: 'home', blocks } });
  const { view } = (await human(running.url, 'GET', `views?user=${MIA}`)).body['home']
    ? await act('home', {})
    : { view: null };
  expect(view).toMatchObject({ type: 'home', blocks: [{ type: 'actions' }] });
  app.acknowledge(await app.next());
  await act('click', { view_id: textIn(isObject(view) ? view : {}, 'id'), action_id: 'review' });
  expect(await app.next()).toMatchObject({
    payload: { type: 'block_actions', container: { type: 'view' }, actions: [{ action_id: 'review', value: 'a-1' }] },
  });
});
