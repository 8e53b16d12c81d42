/**
 * Owns `ask_approvers`: the agent puts a choice to those who may decide, on a card, under the same checks as any request.
 */
import { z } from 'zod';
import { defineTool, type Tool } from '../define.ts';
import { quoted } from '../quoted.ts';
import type { Words } from '../words.ts';
import { PEOPLE } from './ask-user.ts';
import { areApart, labelSchema, withValues } from './options.ts';

const QUESTION_LENGTH = 1_000;

/** `ask_approvers {question, options}`; the result is `{"approved": true, "option", "label", "by"}` or `{"approved": false, "why"}`. */
export const askApprovers = (say: Words): Tool =>
  defineTool({
    name: 'ask_approvers',
    server: PEOPLE,
    offer: 'always',
    description:
      'Lets the people who may decide choose among several ways, or none of them. Use it before you act, when more than one way is sensible. It carries nothing out: make the call for the chosen way afterwards.',
    parameters: z
      .object({
        question: z
          .string()
          .min(1)
          .max(QUESTION_LENGTH)
          .describe('What is to be decided, such as: Roll billing back: to which version?'),
        options: z
          .array(z.object({ label: labelSchema, value: z.string().min(1).max(200).optional() }))
          .min(2)
          .max(10)
          .describe('The ways. value: what you are told when it is chosen; the label when left out.'),
      })
      .refine(({ options }) => areApart(options), { path: ['options'], error: () => say.optionsAlike }),
    effect: 'read',
    risk: 'low',
    summary: ({ question }) => say.askApprovers(quoted(question)),
    execute: async ({ question, options }, { approve }) => {
      const ways = withValues(options);
      const decided = await approve('choice', {
        summary: say.askApprovers(quoted(question)),
        args: {
          question,
          options: options.map(({ label, value }) => (value === undefined ? { label } : { label, value })),
        },
        options: ways,
      });
      if (!decided.approved) return JSON.stringify(decided);
      const { option, by } = decided;
      return JSON.stringify({ approved: true, option, label: ways.find(({ value }) => value === option)?.label, by });
    },
  });
