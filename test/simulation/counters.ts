/**
 * Owns what a simulated world has shown: for each invariant, how often it was really put to the test, and the first time
 * that it did not hold.
 */

/** What must always hold; the numbers are those of the printed table. */
export const INVARIANTS = {
  entitled: '1 no effect without a valid, unexpired decision of the shown round by somebody entitled',
  once: '2 effects per call: at most 1, and 1 for each attempt that a person declared not run',
  same: '3 executed = approved = shown',
  single: '4 one terminal decision per approval, one record per transition',
  settles: '5 once faults stop, every thread settles and its messages say so',
  doubt: '6 in doubt is never retried by itself',
  inputs: '7 no input is lost silently',
  late: '8 a late commit starts nothing',
  budget: '9 the message budget',
  fold: '10 a session is the fold of its log',
  paired: '11 every call has exactly one result when the model is asked',
  chain: '12 the log can always be read, and what it says is whole',
  stopped: '13 a stop leaves nothing in doubt',
} as const;
export type Invariant = keyof typeof INVARIANTS;

/** Something that did not hold. */
export class Broken extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, message: string) {
    super(`${INVARIANTS[invariant]}: ${message}`);
    this.invariant = invariant;
  }
}

/** Counts by name; invariants stand under their own names, situations under others. */
export class Counters {
  readonly counts = new Map<string, number>();
  broken: Broken | undefined;

  /** Notes that something happened that tests an invariant or a situation. */
  saw(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** Checks an invariant here and now. The first breach ends the world. */
  holds(invariant: Invariant, condition: boolean, message: () => string): void {
    this.saw(invariant);
    if (!condition) this.broken ??= new Broken(invariant, message());
  }

  add(other: Counters): void {
    for (const [what, times] of other.counts) this.saw(what, times);
  }
}
