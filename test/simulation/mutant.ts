/** Owns the form of a planted bug. */
import type { Invariant } from './counters.ts';

/** One bug: what it is, what it breaks, and where it is planted. */
export interface Mutant {
  readonly name: string;
  /** What must be seen not to hold; one of these. */
  readonly breaks: readonly Invariant[];
  readonly edits: readonly { readonly file: string; readonly text: string; readonly instead: string }[];
}

export const mutant = (
  name: string,
  breaks: readonly Invariant[],
  file: string,
  text: string,
  instead: string,
): Mutant => ({
  name,
  breaks,
  edits: [{ file, text, instead }],
});
