/**
 * Owns `ask_user`: the agent asks the person it works for, and the answer is the call's result, exactly as it was given.
 */
import { z } from 'zod';
import type { Json } from '../../thread/events.ts';
import { defineTool, type Tool } from '../define.ts';
import { quoted } from '../quoted.ts';
import type { Waits } from '../waiting.ts';
import type { Words } from '../words.ts';
import { areApart, labelSchema, withValues } from './options.ts';

/** Where tools come from that put something to people. */
export const PEOPLE = 'people';

/** Longest question; it stands in a message, whole. */
const QUESTION_LENGTH = 1_000;
const MOST_OPTIONS = 50;
const WAIT = 'answer';

const isChoice = (kind: string): boolean => kind === 'choice' || kind === 'choices';

/** `ask_user {question, kind, options?, other?}`; the result is `{"answer": …, "answered_by": {"id", "name"}}`. */
export const askUser = (say: Words): Tool =>
  defineTool({
    name: 'ask_user',
    server: PEOPLE,
    offer: 'always',
    description:
      'Asks the person who wrote to you, and waits for the answer. Use it when something is missing that only they can know. Never to have something approved.',
    parameters: z
      .object({
        question: z.string().min(1).max(QUESTION_LENGTH).describe('One question, in their language.'),
        kind: z
          .enum(['text', 'number', 'yes_no', 'choice', 'choices'])
          .describe('What the answer is. choice: one of the options; choices: any number of them.'),
        options: z
          .array(z.object({ label: labelSchema, value: z.union([z.string(), z.number(), z.boolean()]).optional() }))
          .min(1)
          .max(MOST_OPTIONS)
          .optional()
          .describe(
            'For choice and choices only. value: what you are told when it is chosen; the label when left out.',
          ),
        other: z.boolean().optional().describe('For choice and choices: whether another answer in words is allowed.'),
      })
      .refine(({ kind, options }) => isChoice(kind) === (options !== undefined), {
        path: ['options'],
        error: () => say.optionsWithChoices,
      })
      .refine(({ kind, other }) => isChoice(kind) || other === undefined, {
        path: ['other'],
        error: () => say.optionsWithChoices,
      })
      .refine(({ options = [] }) => areApart(options), { path: ['options'], error: () => say.optionsAlike }),
    effect: 'read',
    risk: 'low',
    summary: ({ question }) => say.askUser(quoted(question)),
    execute: async (asked, context) => {
      const answer = await answerTo(asked, context);
      const answerer = context.answerer(WAIT);
      return JSON.stringify({ answer, answered_by: answerer && { id: answerer.by, name: answerer.name } });
    },
  });

interface Asked {
  readonly question: string;
  readonly kind: 'text' | 'number' | 'yes_no' | 'choice' | 'choices';
  readonly options?:
    readonly { readonly label: string; readonly value?: string | number | boolean | undefined }[] | undefined;
  readonly other?: boolean | undefined;
}

function answerTo({ question: prompt, kind, options = [], other = false }: Asked, waits: Waits): Promise<Json> {
  if (kind !== 'choice' && kind !== 'choices') return waits.ask(WAIT, { prompt, form: { type: kind } });
  return waits
    .choose(WAIT, { prompt, options: withValues(options), other, several: kind === 'choices' })
    .then((chosen): Json => (typeof chosen === 'object' ? [...chosen] : chosen));
}
