/** Owns the shape of a grant: a standing, scoped, counted, expiring permission that a person gave. Pure. */
import type { GrantFacts, Json } from './terms.ts';
import type { CallId, UserId } from './ids.ts';

/** Arguments that must be equal, by their top-level name. Never empty. */
export type GrantPattern = Readonly<Record<string, Json>>;

export interface Grant extends Readonly<GrantFacts> {
  readonly by: UserId;
  readonly name: string;
  /** As it was shown when it was given. */
  readonly sentence: string;
  readonly pattern: GrantPattern;
  readonly givenAtMs: number;
  /** Calls that have used it, each once. */
  used: CallId[];
  revoked: { readonly by: UserId; readonly atMs: number } | null;
}
