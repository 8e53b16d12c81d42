/**
 * Owns what a question accepts: the form of its answer, and whether an answer fits it. Pure.
 *
 * 1. What a person gave is kept exactly: 0, false, "" where allowed, and an empty list are answers. 2. An answer that does
 * not fit is told why, by code, and changes nothing.
 */
import { z } from 'zod';
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
export type Misfit =
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
