import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerForm } from '../../../src/thread/answer-form.ts';
import {
  answerForm,
  draftForm,
  readAnswerForm,
  readText,
  returnForm,
  type FormValues,
} from '../../../src/slack/views/forms.ts';
import { drawView } from './drawn.ts';
import { refusedOfForm } from './limits.ts';
import { aQuestion, context, request, threadOf } from './fixtures.ts';

const thread = threadOf([request()]);
const options = [0, 1, 2].map(value => ({ value, label: `Gate ${value}` }));
const forms: Readonly<Record<string, AnswerForm>> = {
  text: { type: 'text', maxLength: 80 },
  number: { type: 'number', min: 0 },
  'yes or no': { type: 'yes_no' },
  choice: { type: 'choice', options, other: true },
  'one of many': {
    type: 'choice',
    options: Array.from({ length: 230 }, (_, value) => ({ value, label: `Gate ${value}` })),
  },
  several: { type: 'choices', options, other: true },
};
const chosen = (value: string): FormValues => ({ choice: { choice: { selected_option: { value } } } });
const typed = (value: string | null): FormValues => ({ text: { text: { value } } });

describe('The form of an answer', () => {
  it.each(Object.entries(forms).filter(([name]) => name !== 'one of many'))('fits the question: %s', (_, form) => {
    const view = answerForm(thread, aQuestion({ form }), context);
    expect(drawView(view)).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('leaves out no option, however many there are', () => {
    const view = JSON.stringify(answerForm(thread, aQuestion({ form: forms['one of many'] as AnswerForm }), context));
    for (const value of [0, 99, 100, 229]) expect(view).toContain(`"Gate ${value}"`);
  });

  it('is read exactly: zero, no, and nothing chosen are what they are [F-A6]', () => {
    const readAs = (form: AnswerForm, values: FormValues) => readAnswerForm(values, { form });
    expect(readAs({ type: 'text' }, typed('  two words '))).toEqual({ text: '  two words ' });
    expect(readAs({ type: 'text' }, typed(null))).toEqual({ text: '' });
    expect(readAs({ type: 'yes_no' }, chosen('no'))).toEqual({ value: false });
    expect(readAs({ type: 'choice', options }, chosen('0'))).toEqual({ value: 0 });
    expect(readAs({ type: 'choice', options }, chosen('7'))).toEqual({ text: '' });
    expect(readAs({ type: 'choices', options }, {})).toEqual({ value: [] });
    const several = { choice: { choice: { selected_options: [{ value: '0' }, { value: '2' }] } } };
    expect(readAs({ type: 'choices', options }, several)).toEqual({ value: [0, 2] });
  });

  it('takes something else only where that is allowed', () => {
    const values = { ...chosen('1'), other: { other: { value: ' by train ' } } };
    expect(readAnswerForm(values, { form: { type: 'choice', options, other: true } })).toEqual({ text: 'by train' });
    expect(readAnswerForm(values, { form: { type: 'choice', options } })).toEqual({ value: 1 });
  });
});

describe('The forms of a review', () => {
  const review = (draft: string) =>
    aQuestion({ kind: 'review', prompt: 'Look', form: { type: 'review', title: 'Contract', draft } });
  const sent = (draft: string): FormValues => {
    const values: Record<string, Record<string, { value: string | null }>> = {};
    for (const block of draftForm(thread, review(draft), context).blocks)
      if (block.type === 'input' && 'element' in block && block.element.type === 'plain_text_input')
        values[block.block_id ?? ''] = { text: { value: block.element.initial_value ?? null } };
    return values;
  };

  it('give a draft back as it was when nobody changed it, in as many parts as it needs', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 900 }), { maxLength: 30 }), lines => {
        const draft = lines.join('\n').replaceAll('\r', '');
        expect(refusedOfForm(draftForm(thread, review(draft), context))).toEqual([]);
        const isLong = draft.split('\n').some(line => line.length > 3_000) || draft.length > 60_000;
        const back = draftForm(thread, review(draft), context).submit ? readText(sent(draft)) : isLong ? draft : null;
        expect(back).toBe(draft);
      }),
      { numRuns: 40 },
    );
  });

  it('are not offered for a draft in which something is masked, so that no mask comes back as text [T-A17b]', () => {
    const view = draftForm(thread, review('Authorization: Bearer abcdefghijklmnop1234567890'), context);
    expect(view.submit).toBeUndefined();
    expect(JSON.stringify(view)).not.toContain('abcdefghijklmnop');
  });

  it('say of a draft beyond them that it can be returned', () => {
    const view = draftForm(thread, review('x'.repeat(9_000)), context);
    expect(view.submit).toBeUndefined();
    expect(drawView(view)).toContain('Return it and say what should be different.');
    expect(drawView(returnForm(thread, review('x'), context))).toMatchSnapshot();
  });
});
