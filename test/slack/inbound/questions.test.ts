/** Answers to questions, choices and reviews: by a click, by a form, and what is said when they do not fit. */
import { expect, test } from 'vitest';
import { isObject, textIn, type JsonObject } from '../../../src/local/json.ts';
import { ACTIONS, encodeQuestion, FORMS, nth } from '../../../src/slack/views/actions.ts';
import type { AnswerForm } from '../../../src/thread/answer-form.ts';
import type { Question } from '../../../src/thread/thread.ts';
import { aQuestion, ids, opsThread, request, threadOf } from '../views/fixtures.ts';
import { open, type Scene } from './stage.ts';

const mark = { key: 'question/x', environment: 'local', thread: 't' };
const isFilled = (callback: string) => (view: { callback_id?: unknown }) => view.callback_id === callback;

async function pressed(
  question: Question,
  action: string,
  index?: number,
  more: { readonly metadata?: object; readonly asked?: number } = {},
): Promise<Scene> {
  const scene = await open();
  const call = request({ is: 'waiting' });
  scene.inbox.thread = threadOf([{ call: call.call, questions: [question] }]);
  const value = encodeQuestion(opsThread, question.id, more.asked ?? question.asked, index);
  const button = { type: 'button', action_id: action, value, text: { type: 'plain_text', text: 'Press' } };
  const ts = await scene.post('C0OPS0001', [{ type: 'actions', elements: [button] }], { ...mark, ...more.metadata });
  await scene.click('U0DANA001', 'C0OPS0001', ts, action);
  return scene;
}
const choice = (type: 'choice' | 'choices'): AnswerForm => ({
  type,
  options: [
    { value: 0, label: 'none' },
    { value: false, label: 'no' },
    { value: { version: 'v41' }, label: 'yesterday' },
  ],
  other: true,
});

test.each([
  [nth(ACTIONS.answer, 0), 0, choice('choice'), { value: 0 }],
  [nth(ACTIONS.answer, 1), 1, choice('choice'), { value: false }],
  [nth(ACTIONS.answer, 2), 2, choice('choice'), { value: { version: 'v41' } }],
  [nth(ACTIONS.answer, 0), 0, { type: 'yes_no' }, { value: true }],
  [nth(ACTIONS.answer, 1), 1, { type: 'yes_no' }, { value: false }],
  [ACTIONS.accept, undefined, { type: 'review', title: 'Contract', draft: 'Dear' }, { value: { action: 'accept' } }],
] as [string, number | undefined, AnswerForm, object][])(
  '%s (option %s) answers exactly what stood there [F-A6]',
  async (action, index, form, given) => {
    const question = aQuestion({ form, asked: 2 });
    const scene = await pressed(question, action, index);
    await scene.inbox.until(() => scene.inbox.acts.length > 0);
    const [method, act, answer] = scene.inbox.acts[0] ?? [];
    expect(method).toBe('answer');
    expect(act).toMatchObject({ thread: opsThread, actor: { user: 'U0DANA001' } });
    expect(answer).toEqual({ question: question.id, asked: 2, given, origin: 'click' });
  },
);

test.each([
  ['text', { type: 'text' }, { text: { text: ' Berlin ' } }, { text: ' Berlin ' }],
  ['an empty text', { type: 'text', optional: true }, { text: { text: '' } }, { text: '' }],
  ['a number', { type: 'number' }, { text: { text: '0' } }, { text: '0' }],
  ['several', choice('choices'), { choice: { choice: '["0","1"]' } }, { value: [0, false] }],
  ['none of several', choice('choices'), {}, { value: [] }],
  ['something else', choice('choice'), { other: { other: 'v39' } }, { text: 'v39' }],
] as [string, AnswerForm, JsonObject, object][])('the form gives %s exactly [F-A6]', async (_, form, values, given) => {
  const scene = await pressed(aQuestion({ form }), ACTIONS.answer);
  const view = await scene.form('U0DANA001', isFilled(FORMS.answer));
  const answer = await scene.human('POST', 'submit', { user: 'U0DANA001', view_id: textIn(view, 'id') ?? '', values });
  expect(answer).toEqual({ view: null });
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ given, origin: 'form' });
});

test('an answer that does not fit says why under the field, and the form stays [F-C6]', async () => {
  const scene = await pressed(aQuestion(), ACTIONS.answer);
  const view = await scene.form('U0DANA001', isFilled(FORMS.answer));
  scene.inbox.onAct = () =>
    Promise.resolve({ refusal: { code: 'bad_answer', detail: 'empty' }, thread: scene.inbox.thread });
  const values = { text: { text: 'x' } };
  const answer = await scene.human('POST', 'submit', { user: 'U0DANA001', view_id: textIn(view, 'id') ?? '', values });
  expect(isObject(answer['errors']) && answer['errors']['text']).toMatch(/\S/);
});

test.each([
  [ACTIONS.editDraft, FORMS.draft, { text: { text: 'Dear Acme,\nyes' } }, { action: 'edit', text: 'Dear Acme,\nyes' }],
  [ACTIONS.returnDraft, FORMS.returned, { text: { text: 'clause 4' } }, { action: 'return', why: 'clause 4' }],
] as const)('%s of a draft carries what the expert wrote', async (action, callback, values, given) => {
  const scene = await pressed(
    aQuestion({ kind: 'review', form: { type: 'review', title: 'Contract', draft: 'Dear Acme,\nno' } }),
    action,
  );
  const view = await scene.form('U0DANA001', isFilled(callback));
  await scene.human('POST', 'submit', { user: 'U0DANA001', view_id: textIn(view, 'id') ?? '', values });
  expect(scene.inbox.acts[0]?.[2]).toMatchObject({ given: { value: given } });
});

test.each([
  ['answered before', { state: { is: 'answered', by: ids.leo, name: 'Leo Park', value: 1, atMs: 1 } }, 'more to do'],
  ['expired', { state: { is: 'expired', atMs: 1 } }, 'expired'],
  ['withdrawn', { state: { is: 'withdrawn', atMs: 1 } }, 'no longer needed'],
  ['asked again since', { asked: 3 }, 'changed since'],
] as [string, Partial<Question>, string][])(
  'a question %s opens no form but says so [F-L10, F-A4]',
  async (_, over, sentence) => {
    const scene = await pressed(aQuestion(over), ACTIONS.answer, undefined, { asked: 0 });
    expect(JSON.stringify(await scene.form('U0DANA001', isFilled(FORMS.notice)))).toContain(sentence);
  },
);

test('who is not asked is told privately, and the question stays [S-39, F-D2]', async () => {
  const scene = await open();
  const question = aQuestion({ form: { type: 'yes_no' } });
  scene.inbox.thread = threadOf([{ call: request().call, questions: [question] }]);
  scene.inbox.onAct = () =>
    Promise.resolve({ refusal: { code: 'not_asked', question: question.id }, thread: scene.inbox.thread });
  const value = encodeQuestion(opsThread, question.id, 0, 0);
  const button = { type: 'button', action_id: 'answer_0', value, text: { type: 'plain_text', text: 'Yes' } };
  const ts = await scene.post('C0OPS0001', [{ type: 'actions', elements: [button] }], mark);
  await scene.click('U0LEO0001', 'C0OPS0001', ts, 'answer_0');
  expect((await scene.whispers('U0LEO0001'))[0]).toMatch(/\S/);
});

test("another environment's question is not answered, nor is a form of it taken", async () => {
  const scene = await open();
  const question = aQuestion();
  const value = encodeQuestion(opsThread, question.id, 0);
  const view = {
    id: 'V1',
    hash: 'h',
    callback_id: FORMS.answer,
    private_metadata: JSON.stringify(['staging', value, 'C0OPS0001', '1.1', null, '']),
    state: { values: { text: { text: { value: 'x' } } } },
  };
  const team = { id: 'T0ACME001' };
  const user = { id: 'U0DANA001', team_id: 'T0ACME001' };
  await scene.deliver('interactive', { type: 'view_submission', team, user, view });
  expect((await scene.whispers('U0DANA001'))[0]).toContain('another Countersign');
  const home = { id: 'V2', type: 'home', private_metadata: JSON.stringify(['staging', '', null, null, null, '']) };
  const actions = [{ action_id: 'answer', value, action_ts: '1.1', type: 'button', block_id: 'b' }];
  const container = { type: 'view', view_id: 'V2' };
  const trigger_id = 'none';
  await scene.deliver('interactive', { type: 'block_actions', team, user, view: home, container, actions, trigger_id });
  await scene.slack.stop();
  expect(scene.inbox.acts).toEqual([]);
});
