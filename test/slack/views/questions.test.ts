import { describe, expect, it } from 'vitest';
import type { AnswerForm } from '../../../src/thread/answer-form.ts';
import type { Scope } from '../../../src/thread/events.ts';
import type { ChannelId, MessageTs, RunId, UserId } from '../../../src/thread/ids.ts';
import type { Question } from '../../../src/thread/thread.ts';
import { render } from '../../../src/slack/views/render.ts';
import type { Message } from '../../../src/slack/message.ts';
import { draw } from './drawn.ts';
import { refusedOfMessage } from './limits.ts';
import {
  aPost,
  aCall,
  aQuestion,
  calm,
  cardStates,
  clock,
  context,
  ids,
  inquiry,
  judgement,
  need,
  request,
  threadOf,
  type Part,
} from './fixtures.ts';

const legal: Scope = { name: 'legal', label: 'Legal', users: ['U0NOOR001' as UserId], groups: [] };
const sales = 'C0SALES01' as ChannelId;
const cities: AnswerForm = {
  type: 'choice',
  options: ['Berlin', 'Kyoto', 'Lagos'].map(label => ({ value: label, label })),
  other: true,
};

/** A run whose tool waits for the answer to this question. */
const asking = (over: Partial<Question>): Part => {
  const question = aQuestion(over);
  const call = aCall(0, {
    tool: 'ask_user',
    judgement: judgement({ verdict: 'allow', summary: 'Ask Dana', effect: 'read' }),
  });
  return { call: { ...call, waits: { answer: { on: 'question', id: question.id } } }, questions: [question] };
};

/** Everything about questions that stands in Slack; what was posted before is on record. */
function shown(over: Partial<Question>, posted = false): Message[] {
  const thread = threadOf([asking(over)]);
  if (posted)
    for (const { id } of Object.values(thread.questions))
      thread.posts[`question/${id}`] = aPost(`question/${id}`, { channel: ids.ops });
  return render(thread, calm, context).filter(({ key }) => /^(?:question|draft)\//.test(key));
}
const drawn = (over: Partial<Question>, posted = false): string => `\n${shown(over, posted).map(draw).join('\n\n')}\n`;

const answered = (value: string | number | boolean | object | null): Partial<Question> => ({
  state: { is: 'answered', by: ids.dana, name: 'Dana Ito', value: value as never, atMs: clock(14, 9) },
});

describe('A question', () => {
  it('is a new message that rings whom it is for, with a form and the hint to reply', () => {
    expect(drawn({})).toMatchSnapshot();
  });

  it('says that a reply here answers it only while nothing else asks the same person', () => {
    const second = aQuestion({ prompt: 'For how many?' });
    const both = (other: Question): string => {
      const part = asking({});
      const thread = threadOf([{ ...part, questions: [...(part.questions ?? []), other] }]);
      const [first] = render(thread, calm, context).filter(({ key }) => key.startsWith('question/'));
      return draw(need(first));
    };
    expect(both(second)).not.toContain('just reply here');
    expect(both({ ...second, to: [ids.leo] })).toContain('just reply here');
    expect(both({ ...second, state: { is: 'withdrawn', atMs: 1 } })).toContain('just reply here');
  });

  it('says in the same message why an answer was not taken, and stays open [F-C6]', () => {
    const wrong = { by: ids.dana, given: 'Atlantis', why: 'There is no such city.', atMs: clock(14, 8) };
    const again = shown({ wrong, asked: 1 }, true);
    expect(again).toHaveLength(1);
    expect(drawn({ wrong, asked: 1 }, true)).toMatchSnapshot();
    expect(drawn({ wrong: { ...wrong, why: 'not_a_number' }, asked: 1 }, true)).toContain('that is not a number.');
  });

  it.each([
    ['text', answered('Berlin')],
    ['zero', { form: { type: 'number' }, ...answered(0) }],
    ['no', { form: { type: 'yes_no' }, ...answered(false) }],
    ['an empty list', { form: { type: 'choices', options: [] }, ...answered([]) }],
    ['an option', { form: cities, ...answered('Kyoto') }],
    ['expired', { state: { is: 'expired', atMs: clock(16, 5) } }],
    ['withdrawn', { state: { is: 'withdrawn', atMs: clock(14, 8) } }],
  ] as [string, Partial<Question>][])(
    'says what it was answered, and has no buttons afterwards: %s [F-A6]',
    (_, over) => {
      const text = drawn(over, true);
      expect(text).toMatchSnapshot();
      expect(text).not.toMatch(/^\[/m);
    },
  );

  it('that is over is never rich text alone: Slack would not let its message have buttons again', () => {
    for (const over of [answered('Berlin'), { form: cities, ...answered('Kyoto') }])
      for (const { content } of shown(over, true))
        expect(content.blocks.filter(({ type }) => type !== 'rich_text')).not.toEqual([]);
  });

  it('beside another one for the same person asks for the buttons, and says so of a message that may answer either', () => {
    const [first, second] = [aQuestion(), aQuestion({ id: 'R'.repeat(26) as Question['id'], prompt: 'When?' })];
    const thread = threadOf([{ ...asking({}), questions: [first, second] }]);
    const texts = () =>
      render(thread, calm, context)
        .filter(({ key }) => key.startsWith('question/'))
        .map(draw);
    expect(texts()).toHaveLength(2);
    for (const text of texts()) {
      expect(text).toContain('several questions wait here: use the buttons');
      expect(text).not.toContain('or just reply');
    }
    const [by] = second.to;
    if (by === undefined) throw new Error('Somebody is asked.');
    second.wrong = { by, given: 'Lis<!here>bon', why: 'which_question', atMs: second.askedAtMs + 1 };
    const hints = texts().map(text => /“Lis.*here.*bon” may answer more than one question/.test(text));
    expect(hints).toEqual([false, true]);
    first.state = { is: 'expired', atMs: 0 };
    thread.open = [second.id];
    const left = texts()[1] ?? '';
    expect(left).toContain('or just reply here');
    expect(left).not.toContain('may answer more than one');
    first.state = { is: 'open' };
    thread.open = [first.id, second.id];
    second.state = { is: 'expired', atMs: 0 };
    thread.open.pop();
    const [alone = ''] = texts();
    expect(alone).toContain('or just reply here');
    expect(alone).not.toContain('may answer more than one');
  });

  it('that was over before it was posted has no control, so that it is only looked for', () => {
    const [over, ...others] = shown({ state: { is: 'withdrawn', atMs: clock(14, 8) } });
    expect(others).toEqual([]);
    expect(over?.evidence).toBe(true);
    expect(over?.content.blocks.some(({ type }) => type === 'actions')).toBe(false);
  });

  it('of up to five options has a button for each, and one for something else where that is allowed', () => {
    expect(drawn({ kind: 'choice', form: cities })).toMatchSnapshot();
  });

  it('of more options has a select, and of very many a form, with none left out', () => {
    const options = (count: number) => Array.from({ length: count }, (_, n) => ({ value: n, label: `Gate ${n}` }));
    expect(drawn({ kind: 'choice', form: { type: 'choice', options: options(7) } })).toMatch(/\[v Gate 0.*Gate 6\]/);
    expect(drawn({ kind: 'choice', form: { type: 'choice', options: options(300) } })).toContain('[Answer primary]');
  });

  it('of an approver stands in the thread and, with the answer, under the card', () => {
    const open = { ...inquiry, state: { is: 'open' as const } };
    const part = (question: Question): Part => ({
      ...request({ is: 'waiting' }, { inquiries: [question.id] }),
      questions: [question],
    });
    const all = (question: Question): string =>
      `\n${render(threadOf([part(question)]), calm, context)
        .filter(({ key }) => /^(?:question|inquiry)\//.test(key))
        .map(draw)
        .join('\n\n')}\n`;
    expect(all(open)).toMatchSnapshot();
    expect(all(inquiry)).toContain('Which cluster?” <@U0DANA001>: “eu-1”');
  });
});

describe('A review', () => {
  const draft = 'Between Acme and Globex.\nClause 1: …\nClause 2: …';
  const review: Partial<Question> = {
    kind: 'review',
    to: [],
    scopes: [legal],
    channel: sales,
    prompt: 'Look at this.',
    form: { type: 'review', title: 'Contract with Globex', draft },
  };
  const said = (value: object): Partial<Question> => ({
    ...review,
    state: { is: 'answered', by: 'U0NOOR001' as UserId, name: 'Noor Aziz', value: value as never, atMs: clock(14, 20) },
  });

  it('is put to the experts in the channel that the hand-off names, with the draft', () => {
    expect(drawn(review)).toMatchSnapshot();
  });

  it.each([
    ['accepted', { action: 'accept' }],
    ['edited', { action: 'edit', text: 'Clause 1 only.' }],
    ['returned', { action: 'return', why: 'clause 4' }],
  ])('says that it was %s, and by whom', (_, value) => {
    expect(drawn(said(value), true)).toMatchSnapshot();
  });

  it('of a long draft has it in a file, and nobody accepts it before that stands', () => {
    const long: Partial<Question> = {
      ...review,
      form: { type: 'review', title: 'Contract', draft: `${'word '.repeat(20)}\n`.repeat(200) },
    };
    const before = shown(long);
    expect(before.map(({ key }) => key.split('/')[0])).toEqual(['question', 'draft']);
    expect(draw(need(before[0]))).not.toContain('[Accept');
    expect(before[1]?.file?.text).toBe(`${'word '.repeat(20)}\n`.repeat(200));
    const thread = threadOf([asking(long)]);
    const [question] = Object.values(thread.questions);
    const key = `draft/${need(question).id}`;
    thread.posts[key] = {
      key,
      channel: sales,
      ts: '1796045002.000100' as MessageTs,
      hash: '',
      state: 'found',
      code: null,
      atMs: 0,
    };
    const after = render(thread, calm, context).filter(message => message.key.startsWith('question/'));
    expect(draw(need(after[0]))).toContain('[Accept primary]');
    expect(after.flatMap(refusedOfMessage)).toEqual([]);
  });

  it('makes whoever asked know what is waited for', () => {
    const part = asking(review);
    const id = need(part.questions?.[0]).id;
    const suspended = {
      is: 'suspended' as const,
      claim: need(cardStates['waiting for an answer']).call.state,
      name: 'answer',
      wait: { on: 'question' as const, id },
      sinceMs: clock(14, 6),
    };
    if (suspended.claim.is !== 'suspended') throw new Error('The fixture lacks what this test needs.');
    const state = { ...suspended, claim: suspended.claim.claim };
    const messages = render(threadOf([{ ...part, call: { ...part.call, state } }]), calm, context);
    const status = messages.find(({ key }) => key.startsWith('status/'));
    expect(draw(need(status))).toContain('⏳ Waiting for a review by Legal: Ask Dana');
  });
});

describe('An agent that works for another', () => {
  it('has its calls as rows of the one status message, under its name', () => {
    const outer = aCall(0, {
      tool: 'ask_researcher',
      judgement: judgement({ verdict: 'allow', summary: 'Ask researcher', rule: null }),
      waits: { task: { on: 'run', id: 'r2' as RunId } },
    });
    const claim = need(cardStates['waiting for another agent']).call.state;
    const thread = threadOf([{ call: { ...outer, state: claim } }]);
    const inner = request({ is: 'waiting' }, { run: 'r2' as RunId }, { run: 'r2' as RunId, id: aCall(5).id });
    const approval = { ...need(inner.approval), call: inner.call.id };
    thread.calls[inner.call.id] = { ...inner.call, approval: approval.id };
    thread.approvals[approval.id] = approval;
    thread.runs['r2'] = {
      ...need(thread.runs[ids.run]),
      id: 'r2' as RunId,
      agent: 'researcher',
      messages: [],
      calls: [inner.call.id],
      turnCalls: [inner.call.id],
      within: { call: outer.id, name: 'task' },
      task: 'find it',
      answer: 'found',
    };
    thread.live.push('r2' as RunId);
    const messages = render(thread, calm, context);
    expect(messages.filter(({ key }) => key.startsWith('status/'))).toHaveLength(1);
    expect(messages.filter(({ key }) => key.startsWith('answer/'))).toEqual([]);
    expect(draw(need(messages.find(({ key }) => key.startsWith('status/'))))).toMatchSnapshot();
    expect(draw(need(messages.find(({ key }) => key.startsWith('card/'))))).toContain('Dana in <#C0OPS0001>');
  });
});
