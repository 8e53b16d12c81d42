/** Owns the signal of what nobody aborts. */

/** Never aborted. */
export const NEVER: AbortSignal = new AbortController().signal;
