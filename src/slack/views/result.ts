/** Owns what the model is given as a call's result: one text per outcome, English always, secrets masked. */
import type { Outcome } from '../../thread/outcome.ts';
import type { RenderContext } from './context.ts';
import { resultOf } from './seen.ts';
import { showWith } from './text/show.ts';
import { en } from './texts/en.ts';

/** The model's result for what a call has come to. */
export const resultText = (outcome: Outcome, context: Pick<RenderContext, 'secretsKey'>): string =>
  resultOf(outcome, showWith(context.secretsKey, en.mask));
