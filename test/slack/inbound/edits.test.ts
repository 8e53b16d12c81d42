/** Edit in two views: nothing changes before the second submit, which asks the worker once. */
import { expect, test } from 'vitest';
import { isObject, objectsIn, textIn, type JsonObject } from '../../../src/local/json.ts';
import { FORMS } from '../../../src/slack/views/actions.ts';
import { encodeButton, type Digest } from '../../../src/thread/ids.ts';
import { LogUnavailable, type EditPreview } from '../../../src/worker/ports.ts';
import { frozen, ids, request, terms, threadOf } from '../views/fixtures.ts';
import { previewOf, shown } from './previews.ts';
import { open, type Scene } from './stage.ts';

const part = request({ is: 'waiting' }, { terms: { ...terms, edit: ['replicas', 'namespace'] } });
const approval = part.approval?.id ?? ('' as never);
const value = (round = 1) => encodeButton({ channel: ids.ops, ts: ids.root, approval, round });
const mark = { key: `card/${approval}/1`, environment: 'local', thread: 't' };
const isFilled = (callback: string) => (view: { callback_id?: unknown }) => view.callback_id === callback;

/** The first view, open at Mia's. */
async function editing(impatient = false): Promise<{ scene: Scene; form: JsonObject; ts: string }> {
  const scene = await open({ impatient });
  scene.inbox.thread = threadOf([part]);
  scene.inbox.onPreview = (_, { args }) => Promise.resolve(previewOf(scene.inbox.thread, args));
  const button = { type: 'button', action_id: 'edit', value: value(), text: { type: 'plain_text', text: 'Edit' } };
  const ts = await scene.post('C0APPROV1', [{ type: 'actions', elements: [button] }], mark);
  await scene.click('U0MIA0001', 'C0APPROV1', ts, 'edit');
  return { scene, ts, form: await scene.form('U0MIA0001', isFilled(FORMS.edit)) };
}
const submit = (scene: Scene, form: JsonObject, values: JsonObject = {}): Promise<JsonObject> =>
  scene.human('POST', 'submit', { user: 'U0MIA0001', view_id: textIn(form, 'id') ?? '', values });
const viewIn = (answer: JsonObject): JsonObject => (isObject(answer['view']) ? answer['view'] : {});

test('what was filled in is looked at and shown, and only the second submit asks for it, with what was shown', async () => {
  const { scene, form, ts } = await editing();
  const second = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  expect(second['callback_id']).toBe(FORMS.editConfirm);
  expect(second['previous_view_id']).toBe(form['id']);
  expect(scene.inbox.acts).toEqual([]);
  const edited = { deployment: 'billing', namespace: 'production', replicas: 4 };
  expect(scene.inbox.asked.find(([method]) => method === 'previewEdit')?.[2]).toEqual({
    approval,
    round: 1,
    args: edited,
  });
  expect(await submit(scene, second)).toEqual({ view: null });
  const [method, act, edit] = scene.inbox.acts[0] ?? [];
  expect(method).toBe('edit');
  expect(act).toMatchObject({ actor: { user: 'U0MIA0001' }, place: { channel: 'C0APPROV1', ts } });
  expect(edit).toEqual({ approval, round: 1, args: edited, shown });
});

test('a field that cannot be read, or that the tool does not take, says so under it', async () => {
  const { scene, form } = await editing();
  const unread = await submit(scene, form, { 'arg.replicas': { value: 'many' } });
  expect(JSON.stringify(unread)).toContain('arg.replicas');
  scene.inbox.onPreview = () =>
    Promise.resolve({
      refusal: { code: 'bad_edit', detail: 'Must be a number from 1 to 50.' },
      thread: scene.inbox.thread,
    });
  const refused = await submit(scene, form, { 'arg.replicas': { value: '900' } });
  expect(JSON.stringify(refused)).toContain('Must be a number from 1 to 50.');
  scene.inbox.onPreview = () =>
    Promise.resolve({
      refusal: { code: 'bad_edit', detail: 'The arguments do not fit: replicas: Too big' },
      thread: scene.inbox.thread,
    });
  const both = { 'arg.namespace': { value: 'staging' }, 'arg.replicas': { value: '900' } };
  const named = await submit(scene, form, both);
  expect(named).toMatchObject({ errors: { 'arg.replicas': expect.stringContaining('Too big') as unknown } });
  expect(scene.inbox.acts).toEqual([]);
});

test('arguments that Slack does not keep with a form are kept here, exactly', async () => {
  const { scene, form } = await editing();
  const long = `x${'é'.repeat(2_990)}`;
  scene.inbox.onPreview = (_, { args }) =>
    Promise.resolve(previewOf(scene.inbox.thread, { ...(args as object), more: 'y'.repeat(4_000) }));
  const second = viewIn(await submit(scene, form, { 'arg.namespace': { value: long } }));
  expect((textIn(second, 'private_metadata') ?? '').length).toBeLessThanOrEqual(3_000);
  await submit(scene, second);
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ args: { namespace: long, more: 'y'.repeat(4_000) } });
});

test('when what was kept is gone (a restart), that is said, and nothing changes', async () => {
  const { scene } = await editing();
  const metadata = JSON.stringify(['local', value(), 'C0APPROV1', '1.1', null, JSON.stringify({ shown })]);
  const view = {
    id: 'V0',
    hash: 'h',
    callback_id: FORMS.editConfirm,
    private_metadata: metadata,
    state: { values: {} },
  };
  const answer = await scene.deliver('interactive', {
    type: 'view_submission',
    team: { id: 'T0ACME001' },
    user: { id: 'U0MIA0001', team_id: 'T0ACME001' },
    view,
  });
  expect(JSON.stringify(answer)).toContain('is no longer kept, so nothing was changed');
  expect(scene.inbox.acts).toEqual([]);
});

test('when the world has changed since the second view, it is shown again', async () => {
  const { scene, form } = await editing();
  const second = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  scene.inbox.onAct = () =>
    Promise.resolve({ refusal: { code: 'changed_since', approval }, thread: scene.inbox.thread });
  scene.inbox.onPreview = (_, { args }) =>
    Promise.resolve(previewOf(scene.inbox.thread, args, { shown: 'b'.repeat(64) as Digest } as Partial<EditPreview>));
  const third = viewIn(await submit(scene, second));
  expect(third['callback_id']).toBe(FORMS.editConfirm);
  scene.inbox.onAct = () => Promise.resolve({ refusal: null, thread: scene.inbox.thread });
  await submit(scene, third);
  expect(scene.inbox.acts[1]?.[2]).toMatchObject({ shown: 'b'.repeat(64) });
});

test.each(['requester', 'not_approver', 'stale_round'] as const)(
  'who may not edit reads why in the form: %s [S-39]',
  async code => {
    const { scene, form } = await editing();
    const second = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
    scene.inbox.onAct = () => Promise.resolve({ refusal: { code, approval }, thread: scene.inbox.thread });
    const notice = viewIn(await submit(scene, second));
    expect(notice['callback_id']).toBe(FORMS.notice);
    expect(objectsIn(notice['blocks'])).toHaveLength(1);
    const below = await scene.human('POST', 'close', { user: 'U0MIA0001', view_id: notice['id'] });
    expect(below).toEqual({ view: code === 'stale_round' ? second : null });
  },
);

test('a request that was decided meanwhile says so instead of the second view [F-L10]', async () => {
  const { scene, form } = await editing();
  scene.inbox.thread = threadOf([request({ is: 'closed' }, { state: { is: 'expired', atMs: 1 } })]);
  const notice = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  expect(JSON.stringify(notice)).toContain('expired');
  expect(scene.inbox.asked.filter(([method]) => method === 'previewEdit')).toEqual([]);
});

test('a look at the world that takes longer than Slack waits is shown when it is there [F-B12]', async () => {
  const { scene, form } = await editing(true);
  const preview = Promise.withResolvers<EditPreview>();
  scene.inbox.onPreview = () => preview.promise;
  const loading = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  expect(loading['callback_id']).toBe(FORMS.loading);
  preview.resolve(previewOf(scene.inbox.thread, { replicas: 4 }));
  const second = await scene.form('U0MIA0001', isFilled(FORMS.editConfirm));
  expect(second['previous_view_id']).toBe(form['id']);
  expect(second['id']).toBe(loading['id']);
});

test('a log that cannot be reached says so in the form, and nothing changed', async () => {
  const { scene, form } = await editing();
  scene.inbox.onPreview = () => Promise.reject(new LogUnavailable('no table'));
  const answer = await submit(scene, form, { 'arg.replicas': { value: '4' } });
  expect(JSON.stringify(answer['errors'])).toContain('try again in a minute');
  expect(scene.inbox.acts).toEqual([]);
});

test('Back in the second view leads to the fields as they were left, and another look shows what stands there then', async () => {
  const { scene, form } = await editing();
  const second = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  const first = viewIn(await scene.human('POST', 'close', { user: 'U0MIA0001', view_id: second['id'] }));
  expect(first).toEqual(form);
  const other = viewIn(await submit(scene, first, { 'arg.replicas': { value: '5' } }));
  expect(other['id']).not.toBe(second['id']);
  expect(await submit(scene, other)).toEqual({ view: null });
  const [, act, edit] = scene.inbox.acts[0] ?? [];
  expect(edit).toMatchObject({ args: { replicas: 5 } });
  expect(act?.key).toContain(textIn(other, 'id'));
  expect(scene.inbox.acts).toHaveLength(1);
});

test('a second view that is refused for now stands, and is sent again from there', async () => {
  const { scene, form } = await editing();
  const second = viewIn(await submit(scene, form, { 'arg.replicas': { value: '4' } }));
  scene.inbox.onAct = () => Promise.reject(new LogUnavailable('no table'));
  const notice = viewIn(await submit(scene, second));
  expect(JSON.stringify(notice)).toContain('try again in a minute');
  expect(await scene.human('POST', 'close', { user: 'U0MIA0001', view_id: notice['id'] })).toEqual({ view: second });
  scene.inbox.onAct = () => Promise.resolve({ refusal: null, thread: scene.inbox.thread });
  expect(await submit(scene, second)).toEqual({ view: null });
});

test('a freeze between opening and looking is said with its reason, and the fields stay', async () => {
  const { scene, form } = await editing();
  scene.inbox.workspace = frozen;
  scene.inbox.onPreview = () => Promise.resolve({ refusal: { code: 'frozen', atMs: 1 }, thread: scene.inbox.thread });
  const answer = await submit(scene, form, { 'arg.replicas': { value: '4' } });
  expect(answer).toEqual({ errors: { 'arg.replicas': expect.stringContaining('bad deploy') as unknown } });
});

test('a second view of long arguments can be sent again when its answer did not come', async () => {
  const { scene, form } = await editing();
  scene.inbox.onPreview = (_, { args }) =>
    Promise.resolve(previewOf(scene.inbox.thread, { ...(args as object), more: 'y'.repeat(4_000) }));
  const second = viewIn(await submit(scene, form));
  await Promise.allSettled([submit(scene, second), submit(scene, second)]);
  const edits = scene.inbox.acts.map(([, act, edit]) => ({ key: act.key, edit }));
  expect(edits).toHaveLength(2);
  expect(edits[0]).toEqual(edits[1]);
});
