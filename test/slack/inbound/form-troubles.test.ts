/** What goes wrong with forms, one table for all of them: one clear sentence, nothing typed is lost, nothing is done twice. */
import { expect, test } from 'vitest';
import { isObject, objectsIn, textIn, type JsonObject } from '../../../src/local/json.ts';
import { buttonValue, encodeDoubt, encodeQuestion, FORMS } from '../../../src/slack/views/actions.ts';
import type { Refusal } from '../../../src/thread/refusal.ts';
import type { Thread } from '../../../src/thread/thread.ts';
import { LogUnavailable } from '../../../src/worker/ports.ts';
import { aQuestion, claimOf, frozen, ids, need, opsThread, request, terms, threadOf } from '../views/fixtures.ts';
import { previewOf } from './previews.ts';
import { open, type Scene } from './stage.ts';

const MIA = 'U0MIA0001';
const grants = { maxMs: 3_600_000, uses: 5, scope: 'thread' as const, where: ['namespace'] };
const part = request({ is: 'waiting' }, { terms: { ...terms, edit: ['replicas'], grants } });
const approval = need(part.approval);
const waiting = threadOf([part]);
const doubtful = request(call => ({ is: 'in_doubt', claim: claimOf(call), sinceMs: 1, lastSign: null }));
const question = aQuestion();
const draft = aQuestion({ kind: 'review', form: { type: 'review', title: 'Contract', draft: 'Dear Acme' } });
const choice = aQuestion({
  form: { type: 'choice', options: [{ value: 'v41', label: 'yesterday' }], other: true },
});
const asking = (asked: typeof question): Thread => threadOf([{ call: part.call, questions: [asked] }]);
const onRequest = buttonValue(waiting, approval);

interface Case {
  readonly form: string;
  readonly thread: Thread;
  /** The control that opens it and its value; a word that is typed, or a shortcut, for those without. */
  readonly opened: readonly [action: string, value: string] | 'command' | 'shortcut';
  readonly values: JsonObject;
}
const cases: Readonly<Record<string, Case>> = {
  reject: {
    form: FORMS.reject,
    thread: waiting,
    opened: ['reject', onRequest],
    values: { reason: { reason: 'Not during the sale.' } },
  },
  edit: {
    form: FORMS.edit,
    thread: waiting,
    opened: ['edit', onRequest],
    values: { 'arg.replicas': { value: '4' } },
  },
  'allow for a while': { form: FORMS.grant, thread: waiting, opened: ['more', `grant.${onRequest}`], values: {} },
  ask: {
    form: FORMS.ask,
    thread: waiting,
    opened: ['more', `ask.${onRequest}`],
    values: { text: { text: 'Which cluster?' } },
  },
  settle: {
    form: FORMS.settle,
    thread: threadOf([doubtful]),
    opened: ['settle', encodeDoubt(opsThread, doubtful.call.id, 1)],
    values: { choice: { choice: 'ran' } },
  },
  answer: {
    form: FORMS.answer,
    thread: asking(question),
    opened: ['answer', encodeQuestion(opsThread, question.id, 0)],
    values: { text: { text: 'Berlin' } },
  },
  'other of a choice': {
    form: FORMS.answer,
    thread: asking(choice),
    opened: ['answer', encodeQuestion(opsThread, choice.id, 0)],
    values: { other: { other: 'v39' } },
  },
  'edit a draft': {
    form: FORMS.draft,
    thread: asking(draft),
    opened: ['edit_draft', encodeQuestion(opsThread, draft.id, 0)],
    values: { text: { text: 'Dear Acme,\nyes' } },
  },
  'return a draft': {
    form: FORMS.returned,
    thread: asking(draft),
    opened: ['return_draft', encodeQuestion(opsThread, draft.id, 0)],
    values: { text: { text: 'clause 4' } },
  },
  freeze: { form: FORMS.freeze, thread: waiting, opened: 'command', values: { text: { text: 'bad deploy' } } },
  'ask about a message': {
    form: FORMS.askAbout,
    thread: waiting,
    opened: 'shortcut',
    values: { text: { text: 'What is it?' } },
  },
  /** The one form without a field. */
  review: { form: FORMS.review, thread: waiting, opened: ['review', onRequest], values: {} },
};
const names = Object.keys(cases);
const withFields = names.filter(name => name !== 'review');
/** Those that the worker answers by a refusal with a code. */
const refusable = names.filter(name => name !== 'ask about a message');

interface Opened {
  readonly scene: Scene;
  readonly form: JsonObject;
  readonly submit: () => Promise<JsonObject>;
}

async function opened(name: string, impatient = false): Promise<Opened> {
  const scene = await open({ impatient });
  const { form: callback, thread, opened: by, values } = need(cases[name]);
  scene.inbox.thread = thread;
  scene.inbox.onPreview = (_, { args }) => Promise.resolve(previewOf(thread, args));
  if (by === 'command')
    await scene.human('POST', 'command', {
      user: MIA,
      channel: 'C0GENERAL',
      command: '/countersign',
      text: 'freeze',
    });
  else if (by === 'shortcut') {
    const ts = await scene.say('U0DANA001', 'C0GENERAL', 'the disk is full');
    const callback_id = 'ask_countersign';
    await scene.human('POST', 'shortcut', { user: MIA, channel: 'C0GENERAL', ts, callback_id });
  } else {
    const [action_id, value] = by;
    const text = { type: 'plain_text', text: 'Press' };
    const menu = {
      type: 'overflow',
      action_id,
      options: [
        { text, value },
        { text, value: 'x.y' },
      ],
    };
    const control = action_id === 'more' ? menu : { type: 'button', action_id, value, text };
    const mark = { key: `card/${approval.id}/1`, environment: 'local', thread: 't' };
    const ts = await scene.post('C0APPROV1', [{ type: 'actions', elements: [control] }], mark);
    await scene.human('POST', 'click', { user: MIA, channel: 'C0APPROV1', ts, action_id, value });
  }
  const form = await scene.form(MIA, view => view['callback_id'] === callback);
  const submit = (): Promise<JsonObject> =>
    scene.human('POST', 'submit', { user: MIA, view_id: textIn(form, 'id') ?? '', values });
  return { scene, form, submit };
}

/** Whatever the form asks of the worker comes to this. */
function answers({ inbox }: Scene, come: () => Promise<unknown>): void {
  const { onAct, onPreview, onFreeze, onReceive } = inbox;
  inbox.onAct = async (...of) => come().then(() => onAct(...of));
  inbox.onPreview = async (...of) => come().then(() => onPreview(...of));
  inbox.onFreeze = async (...of) => come().then(() => onFreeze(...of));
  inbox.onReceive = async received => come().then(() => onReceive(received));
}

function refuses({ inbox }: Scene, refusal: Refusal): void {
  const { thread } = inbox;
  inbox.onAct = () => Promise.resolve({ refusal, thread });
  inbox.onPreview = () => Promise.resolve({ refusal, thread });
  inbox.onFreeze = () => Promise.resolve({ refusal, workspace: inbox.workspace, running: [] });
}

const away = (): Promise<never> => Promise.reject(new LogUnavailable('no table'));
const stack = async ({ human }: Scene): Promise<readonly JsonObject[]> =>
  objectsIn((await human('GET', `views?user=${MIA}`))['views']);
const sentences = (answer: JsonObject): string[] =>
  Object.values(isObject(answer['errors']) ? answer['errors'] : {}).map(String);
const topOf = (answer: JsonObject): JsonObject => (isObject(answer['view']) ? answer['view'] : {});

test.each(withFields)(
  '%s: a table that is away is said under a field, and the form stays as it was filled in',
  async name => {
    const { scene, form, submit } = await opened(name);
    answers(scene, away);
    expect(sentences(await submit())).toEqual([expect.stringContaining('try again in a minute')]);
    expect(await stack(scene)).toEqual([form]);
    expect(await scene.human('GET', `ephemerals?user=${MIA}`)).toMatchObject({ messages: [] });
  },
);

test('review: a table that is away is said above the form, which stays', async () => {
  const { scene, form, submit } = await opened('review');
  answers(scene, away);
  const notice = topOf(await submit());
  expect(JSON.stringify(notice)).toContain('try again in a minute');
  expect(await stack(scene)).toEqual([form, notice]);
});

test.each(names)('%s: a table that fails late is said above the form, which stays as it was filled in', async name => {
  const { scene, form, submit } = await opened(name, true);
  const slow = Promise.withResolvers<never>();
  answers(scene, () => slow.promise);
  const working = topOf(await submit());
  expect(working['callback_id']).toBe(FORMS.loading);
  expect(await stack(scene)).toEqual([form, working]);
  slow.reject(new LogUnavailable('no table'));
  const notice = await scene.form(MIA, view => view['callback_id'] === FORMS.notice);
  expect(JSON.stringify(notice)).toContain('try again in a minute');
  expect(await scene.human('POST', 'close', { user: MIA, view_id: notice['id'] })).toEqual({ view: form });
});

test.each(names.filter(name => name !== 'edit'))(
  '%s: what takes longer is carried out once and says so; closing that leaves no form behind',
  async name => {
    const { scene, submit } = await opened(name, true);
    const slow = Promise.withResolvers<undefined>();
    answers(scene, () => slow.promise);
    await submit();
    slow.resolve(undefined);
    const told = await scene.form(MIA, view => view['callback_id'] === FORMS.notice);
    expect(await scene.human('POST', 'close', { user: MIA, view_id: told['id'] })).toEqual({ view: null });
    expect(await stack(scene)).toEqual([]);
  },
);

test.each(names)('%s: who has closed everything before a slow table failed is told privately', async name => {
  const { scene, form, submit } = await opened(name, true);
  const slow = Promise.withResolvers<never>();
  answers(scene, () => slow.promise);
  const working = topOf(await submit());
  await scene.human('POST', 'close', { user: MIA, view_id: working['id'] });
  await scene.human('POST', 'close', { user: MIA, view_id: form['id'] });
  slow.reject(new LogUnavailable('no table'));
  // From a command there is no conversation to answer in: the trigger of the form opens a view of its own.
  const said =
    name === 'freeze'
      ? JSON.stringify(await scene.form(MIA, view => view['callback_id'] === FORMS.notice))
      : (await scene.whispers(MIA)).join();
  expect(said).toContain('this was not counted');
});

test.each(refusable)('%s: over before it was sent is one sentence, and no form stays [F-L10]', async name => {
  const { scene, submit } = await opened(name);
  refuses(scene, { code: 'expired', approval: approval.id, atMs: approval.expiresAtMs });
  const answer = await submit();
  const said = answer['view'] === null ? (await scene.whispers(MIA)).join() : JSON.stringify(topOf(answer));
  expect(said).toContain('This expired at');
  for (const view of await stack(scene)) await scene.human('POST', 'close', { user: MIA, view_id: view['id'] });
  expect(await stack(scene)).toEqual([]);
});

test.each(
  refusable.flatMap(name => (['lookup_failed', 'frozen', 'stale_round'] as const).map(code => [name, code] as const)),
)('%s: refused for now (%s) is said in the form, which stays', async (name, code) => {
  const { scene, form, submit } = await opened(name);
  scene.inbox.workspace = frozen;
  refuses(scene, { code, approval: approval.id });
  const answer = await submit();
  const [below, above] = await stack(scene);
  expect(below).toEqual(form);
  expect([...sentences(answer), ...(above ? [JSON.stringify(above['blocks'])] : [])]).toHaveLength(1);
});

test.each(names)('%s: sent twice at once asks for the same thing under one key', async name => {
  const { scene, submit } = await opened(name);
  const before = scene.inbox.received.length;
  await Promise.allSettled([submit(), submit()]);
  expect(new Set(scene.inbox.acts.map(([, act]) => act.key)).size).toBeLessThanOrEqual(1);
  expect(new Set(scene.inbox.received.slice(before).map(({ message }) => message.ts)).size).toBeLessThanOrEqual(1);
});

test('allowing for a while that arrives again a moment later is not told that it is something else', async () => {
  const { scene, submit } = await opened('allow for a while');
  refuses(scene, { code: 'key_reused', approval: approval.id });
  expect(await submit()).toEqual({ view: null });
  expect(await scene.human('GET', `ephemerals?user=${MIA}`)).toMatchObject({ messages: [] });
});

test('a form that is refused from Home, where there is no conversation, says so in its place [S-52]', async () => {
  const scene = await open();
  const metadata = JSON.stringify(['local', onRequest, null, null, null, '']);
  const view = { id: 'V1', hash: 'h', callback_id: FORMS.reject, private_metadata: metadata, state: { values: {} } };
  scene.inbox.thread = waiting;
  refuses(scene, { code: 'requester', approval: approval.id });
  const team = { id: 'T0ACME001' };
  const answer = await scene.deliver('interactive', {
    type: 'view_submission',
    team,
    user: { id: ids.mia, team_id: team.id },
    view,
  });
  expect(answer).toMatchObject({ payload: { response_action: 'update', view: { clear_on_close: true } } });
  expect(JSON.stringify(answer)).toContain('You asked for this');
});
