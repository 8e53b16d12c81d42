/**
 * Owns that what the model is told again at each turn is worded, and its secrets masked, once: the same ending and the same
 * arguments read the same for ever, and masking all of a long thread at each turn would make it slower and slower.
 *
 * 1. What is kept goes with the thread that it belongs to: it is known by the very objects of the thread in memory.
 */
import type { Json } from '../thread/events.ts';
import type { Outcome } from '../thread/outcome.ts';
import type { ResultWords } from './transcript.ts';

/** The same words, found once for each ending and each arguments object. */
export function toldOnce({ resultText, argumentsText }: ResultWords): ResultWords {
  const kept = new WeakMap<object, string>();
  const once = (of: object, words: () => string): string => {
    const known = kept.get(of);
    if (known !== undefined) return known;
    const found = words();
    kept.set(of, found);
    return found;
  };
  const isKept = (outcome: Outcome): outcome is Extract<Outcome, { ending: object }> =>
    outcome.is === 'done' || outcome.is === 'failed';
  return {
    resultText: outcome => (isKept(outcome) ? once(outcome.ending, () => resultText(outcome)) : resultText(outcome)),
    argumentsText: (args: Json) =>
      typeof args === 'object' && args !== null ? once(args, () => argumentsText(args)) : argumentsText(args),
  };
}
