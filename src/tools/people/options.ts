/** Owns the options that a model offers to people: their words, and the value that each stands for. */
import { z } from 'zod';

/** Slack's buttons hold no more. */
const LABEL_LENGTH = 75;

/** Values of options, as they are when none are named: their words. */
export interface NamedOption<V> {
  readonly label: string;
  readonly value?: V | undefined;
}

export const labelSchema = z
  .string()
  .min(1)
  .max(LABEL_LENGTH)
  .refine(label => /[\p{L}\p{N}\p{P}\p{S}]/u.test(label))
  .describe('What people read.');

/** Every option with its value. */
export const withValues = <V>(
  options: readonly NamedOption<V>[],
): { readonly value: V | string; readonly label: string }[] =>
  options.map(({ label, value }) => ({ label, value: value ?? label }));

/** True when no two options have one label, and no two one value. */
export function areApart(options: readonly NamedOption<unknown>[]): boolean {
  const values = withValues(options).map(({ value }) => JSON.stringify(value));
  const labels = options.map(({ label }) => label.trim().toLowerCase());
  return new Set(values).size === options.length && new Set(labels).size === options.length;
}
