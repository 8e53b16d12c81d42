import { expect, test } from 'vitest';
import type { Json } from '../../src/thread/events.ts';
import type { QuestionId, UserId } from '../../src/thread/ids.ts';
import type { Told } from '../../src/worker/ports.ts';
import { project } from './project.ts';

const answered = (value: Json): Told => ({
  is: 'answered',
  question: 'Q' as QuestionId,
  value,
  by: 'U0DANA001' as UserId,
  name: 'Dana Ito',
});
const labels = (...words: string[]) => words.map(label => ({ label }));

/** What the model is told when `ask_user` was called with these arguments and answered with this value. */
async function result(args: Json, value: Json): Promise<Json> {
  const { end } = await project();
  return JSON.parse((await end('ask_user', args, { told: { answer: answered(value) } })).result) as Json;
}

test('ask_user puts its question to the requester in the words and the form that the model chose', async () => {
  const { inspect, run } = await project();
  const args = { question: 'From which city\ndo you fly?', kind: 'text', options: null, other: null };
  expect(await inspect('ask_user', args)).toMatchObject({ summary: 'Ask: “From which city do you fly?”', bind: {} });
  expect(await run('ask_user', args)).toMatchObject({
    how: 'suspended',
    name: 'answer',
    asking: {
      on: 'question',
      kind: 'question',
      prompt: args.question,
      form: { type: 'text' },
      scopes: [],
      channel: null,
    },
  });
  const days = { question: 'Which days?', kind: 'choices', options: labels('Monday', 'Tuesday'), other: true };
  expect(await run('ask_user', days)).toMatchObject({
    asking: {
      kind: 'choice',
      form: {
        type: 'choices',
        other: true,
        options: [
          { label: 'Monday', value: 'Monday' },
          { label: 'Tuesday', value: 'Tuesday' },
        ],
      },
    },
  });
});

test.each<[string, Json, Json]>([
  ['number', {}, 0],
  ['yes_no', {}, false],
  ['text', {}, '0'],
  [
    'choice',
    {
      options: [
        { label: 'None', value: 0 },
        { label: 'One', value: 1 },
      ],
    },
    0,
  ],
  [
    'choice',
    {
      options: [
        { label: 'Off', value: false },
        { label: 'On', value: true },
      ],
    },
    false,
  ],
  ['choice', { options: [{ label: 'Nothing', value: '' }, { label: 'All' }] }, ''],
  ['choices', { options: labels('Monday', 'Tuesday') }, []],
  [
    'choices',
    {
      options: [
        { label: 'None', value: 0 },
        { label: 'Off', value: false },
      ],
    },
    [0, false],
  ],
])(
  'a %s answer reaches the model exactly as it was given, with who gave it: %j, %j [F-A6]',
  async (kind, more, value) => {
    expect(await result({ question: 'Well?', kind, ...(more as object) }, value)).toEqual({
      answer: value,
      answered_by: { id: 'U0DANA001', name: 'Dana Ito' },
    });
  },
);

test.each<[string, Json, string]>([
  ['a choice without options', { question: '?', kind: 'choice' }, 'options: goes with choice and choices'],
  ['options without a choice', { question: '?', kind: 'text', options: labels('A') }, 'options: goes with choice'],
  ['other words for a number', { question: '?', kind: 'number', other: true }, 'other: goes with choice'],
  ['no options', { question: '?', kind: 'choice', options: [] }, 'options: '],
  ['a label of blanks', { question: '?', kind: 'choice', options: labels('A', ' \u200b') }, 'options'],
  ['two labels alike', { question: '?', kind: 'choice', options: labels('A', ' a') }, 'no two options may be alike'],
  [
    'two values alike',
    { question: '?', kind: 'choice', options: [{ label: 'A', value: 'B' }, { label: 'B' }] },
    'no two options may be alike',
  ],
  [
    'a label that no button holds',
    { question: '?', kind: 'choice', options: labels('x'.repeat(76)) },
    'options[0].label',
  ],
  ['no question', { question: '', kind: 'text' }, 'question: '],
])('ask_user with %s does not fit', async (_, args, says) => {
  const { inspect } = await project();
  expect(await inspect('ask_user', args)).toMatchObject({
    ok: false,
    code: 'invalid_arguments',
    detail: expect.stringContaining(says),
  });
});

test('a question that nobody answers ends as failed, with nothing made up [F-C8]', async () => {
  const { run } = await project();
  const told: Record<string, Told> = { answer: { is: 'over', why: 'Nobody answered by 16:05.' } };
  expect(await run('ask_user', { question: '?', kind: 'yes_no' }, { told })).toEqual({
    how: 'failed',
    effect: 'none',
    code: 'not_answered',
    result: 'Nobody answered by 16:05.',
  });
});

const rollBack = {
  question: 'Roll billing back: to which version?',
  options: [{ label: 'v41 (yesterday)', value: 'v41' }, { label: 'v40 (Monday)' }],
};

test('ask_approvers puts a request with options to those who may decide, whole in its arguments', async () => {
  const { run } = await project();
  const options = [
    { label: 'v41 (yesterday)', value: 'v41' },
    { label: 'v40 (Monday)', value: 'v40 (Monday)' },
  ];
  expect(await run('ask_approvers', rollBack)).toEqual({
    how: 'suspended',
    name: 'choice',
    asking: {
      on: 'call',
      summary: 'Choose: “Roll billing back: to which version?”',
      impact: null,
      args: rollBack,
      bind: {},
      options,
    },
  });
});

test('ask_approvers tells the model what was chosen and by whom, or that nothing was and why', async () => {
  const { end } = await project();
  const chosen = await end('ask_approvers', rollBack, {
    told: { choice: { is: 'approved', option: 'v41', by: ['U0MIA0001' as UserId] } },
  });
  expect(JSON.parse(chosen.result)).toEqual({
    approved: true,
    option: 'v41',
    label: 'v41 (yesterday)',
    by: ['U0MIA0001'],
  });
  const none = await end('ask_approvers', rollBack, {
    told: { choice: { is: 'not_approved', why: 'Rejected by Mia Chen: “None of these.”' } },
  });
  expect(none).toMatchObject({ how: 'succeeded', effect: 'none' });
  expect(JSON.parse(none.result)).toEqual({ approved: false, why: 'Rejected by Mia Chen: “None of these.”' });
});

test('a long question is cut with a sign in the summary; whole it stands in the arguments', async () => {
  const { inspect } = await project();
  const args = { question: 'x'.repeat(200), options: labels('A', 'B') };
  expect(await inspect('ask_approvers', args)).toMatchObject({ summary: `Choose: “${'x'.repeat(80)}…”`, args });
});

test('the tools that ask people speak Chinese where Chinese is set', async () => {
  const { inspect } = await project({ language: 'zh' });
  expect(await inspect('ask_user', { question: '从哪里出发？', kind: 'text' })).toMatchObject({
    summary: '提问：“从哪里出发？”',
  });
  expect(await inspect('ask_approvers', { question: '哪个？', options: labels('甲', '乙') })).toMatchObject({
    summary: '选择：“哪个？”',
  });
});
