/**
 * Owns what a question accepts: the form of its answer, and whether an answer fits it. Pure.
 *
 * 1. What a person gave is kept exactly: 0, false, "" where allowed, and an empty list are answers. 2. An answer that does
 * not fit is told why, by code, and changes nothing.
 */
import { z } from 'zod';
import { canonical } from './digest.ts';
import type { Json } from './terms.ts';

const count = z.number().int().nonnegative();
/** One option of a choice; `value` is what is answered, any JSON. */
const optionSchema = z.object({ value: z.json(), label: z.string() });

/** What may be answered. `required` defaults to true; `other` allows a text that is no option. */
export const answerFormSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), maxLength: z.exactOptional(count), optional: z.exactOptional(z.boolean()) }),
  z.object({
    type: z.literal('number'),
    min: z.exactOptional(z.number()),
    max: z.exactOptional(z.number()),
    whole: z.exactOptional(z.boolean()),
  }),
  z.object({ type: z.literal('yes_no') }),
  z.object({ type: z.literal('choice'), options: z.array(optionSchema), other: z.exactOptional(z.boolean()) }),
  z.object({
    type: z.literal('choices'),
    options: z.array(optionSchema),
    min: z.exactOptional(count),
    max: z.exactOptional(count),
    other: z.exactOptional(z.boolean()),
  }),
  z.object({ type: z.literal('review'), title: z.string(), draft: z.string() }),
]);
export type AnswerForm = z.infer<typeof answerFormSchema>;

/** What an expert says of a draft. */
export const reviewSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept') }),
  z.object({ action: z.literal('edit'), text: z.string() }),
  z.object({ action: z.literal('return'), why: z.string() }),
]);
export type Review = z.infer<typeof reviewSchema>;

/** Why an answer does not fit. */
type Misfit =
  | 'empty'
  | 'too_long'
  | 'not_a_number'
  | 'not_whole'
  | 'too_small'
  | 'too_large'
  | 'not_yes_or_no'
  | 'not_an_option'
  | 'too_few'
  | 'too_many'
  | 'no_review';

export type Fitted = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: Misfit };

const misfit = (why: Misfit): Fitted => ({ ok: false, why });
const fits = (value: Json): Fitted => ({ ok: true, value });

/** Whether a JSON value, as a form or a caller gives it, answers this form; it is kept exactly as it is. */
export function fitValue(form: AnswerForm, value: Json): Fitted {
  switch (form.type) {
    case 'text':
      return typeof value === 'string' ? fitString(form, value) : misfit('empty');
    case 'number':
      return typeof value === 'number' ? fitNumber(form, value) : misfit('not_a_number');
    case 'yes_no':
      return typeof value === 'boolean' ? fits(value) : misfit('not_yes_or_no');
    case 'choice':
      return isOption(form, value) ? fits(value) : misfit('not_an_option');
    case 'choices':
      if (!Array.isArray(value) || !value.every(each => isOption(form, each))) return misfit('not_an_option');
      return fitList(form, value);
    case 'review': {
      const review = reviewSchema.safeParse(value);
      return review.success ? fits(review.data) : misfit('no_review');
    }
  }
}

/** Whether what somebody typed answers this form: options by their label or number, several of them set apart by commas. */
export function fitText(form: AnswerForm, text: string): Fitted {
  const typed = text.trim();
  switch (form.type) {
    case 'text':
      return fitString(form, typed);
    case 'number':
      if (!NUMBER.test(typed)) return misfit('not_a_number');
      // So many digits would be kept as a neighbour of the number that was typed.
      if (/^[+-]?\d+$/.test(typed) && !Number.isSafeInteger(Number(typed)))
        return misfit(typed.startsWith('-') ? 'too_small' : 'too_large');
      return fitNumber(form, Number(typed));
    case 'yes_no': {
      const said = typed.toLowerCase().replace(/[.!。！]+$/, '');
      if (YES.has(said)) return fits(true);
      return NO.has(said) ? fits(false) : misfit('not_yes_or_no');
    }
    case 'choice': {
      const option = optionNamed(form, typed);
      if (option) return fits(option.value);
      return form.other && typed !== '' ? fits(typed) : misfit('not_an_option');
    }
    case 'choices':
      return fitNames(form, typed);
    case 'review':
      return misfit('no_review');
  }
}

type FormOf<T extends AnswerForm['type']> = Extract<AnswerForm, { type: T }>;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const YES = new Set(['yes', 'y', 'true', 'ok', '1', '是', '好', '对', '可以']);
const NO = new Set(['no', 'n', 'false', '0', '否', '不', '不是', '不可以']);
/** What stands for an empty list where somebody types it. */
const NONE = new Set(['', 'none', 'nothing', '[]', '无', '没有']);

function fitString(form: FormOf<'text'>, text: string): Fitted {
  if (text.trim() === '' && form.optional !== true) return misfit('empty');
  return form.maxLength !== undefined && text.length > form.maxLength ? misfit('too_long') : fits(text);
}

function fitNumber(form: FormOf<'number'>, value: number): Fitted {
  if (!Number.isFinite(value)) return misfit('not_a_number');
  if (form.whole === true && !Number.isInteger(value)) return misfit('not_whole');
  if (form.min !== undefined && value < form.min) return misfit('too_small');
  return form.max !== undefined && value > form.max ? misfit('too_large') : fits(value);
}

/** What is chosen twice is chosen once. */
function fitList(form: FormOf<'choices'>, given: Json[]): Fitted {
  const values = [...new Map(given.map(value => [canonical(value), value])).values()];
  if (values.length < (form.min ?? 0)) return misfit('too_few');
  return form.max !== undefined && values.length > form.max ? misfit('too_many') : fits(values);
}

const SEPARATOR = /\s*[,，、;；\n]\s*/g;

/** Names set apart by commas; a label that holds a comma itself is found whole. */
function fitNames(form: FormOf<'choices'>, typed: string): Fitted {
  if (NONE.has(typed.toLowerCase())) return fitList(form, []);
  const values: Json[] = [];
  for (let rest = typed; rest !== '';) {
    const ends = [...[...rest.matchAll(SEPARATOR)].map(({ index }) => index), rest.length];
    const end = ends.findLast(at => labelled(form, rest.slice(0, at))) ?? ends[0] ?? rest.length;
    const name = rest.slice(0, end).trim();
    rest = rest.slice(end).replace(/^\s*[,，、;；\n]\s*/, '');
    if (name === '') continue;
    const option = optionNamed(form, name);
    if (!option && form.other !== true) return misfit('not_an_option');
    values.push(option ? option.value : name);
  }
  return fitList(form, values);
}

/** An option's value, or a text of one's own where that is allowed. */
const isOption = (form: FormOf<'choice' | 'choices'>, value: Json): boolean =>
  form.options.some(option => canonical(option.value) === canonical(value)) ||
  (form.other === true && typeof value === 'string' && value.trim() !== '');

const labelled = ({ options }: FormOf<'choice' | 'choices'>, typed: string) =>
  options.find(({ label }) => label.trim().toLowerCase() === typed.trim().toLowerCase());

/** By label first; a number counts the options from 1 where no label is that number. */
function optionNamed(form: FormOf<'choice' | 'choices'>, typed: string) {
  const named = labelled(form, typed);
  if (named) return named;
  return /^\d{1,3}$/.test(typed) ? form.options[Number(typed) - 1] : undefined;
}
