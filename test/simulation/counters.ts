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

/** Situations that many worlds together must have shown; else the simulator has lost its teeth. */
const SITUATIONS = [
  'crash',
  'crash between claim and start',
  'crash while a tool runs',
  'pause between claim and start',
  'paused longer than its lease',
  'freeze between claim and start',
  'message delivered twice',
  'message delivered again',
  'click lost',
  'click delivered twice',
  'click before the record of its card',
  'throttled',
  'post of unknown outcome',
  'post that lands late',
  'copy closed',
  'write applied, then reported as unknown',
  'commit landed late',
  'claim landed late',
  'claim held beyond the expiry',
  'claimed again',
  'not started: too_late',
  'not started: expired',
  'not started: frozen',
  'not started: lost',
  'late outcome while in doubt',
  'late outcome that contradicts',
  'settled as ran',
  'settled as not_run',
  'settled as abandoned',
  'vote fell',
  'asked again: changed',
  'asked again: not_run',
  'changed: revision',
  'changed: rule',
  'changed: tool definition',
  'round opened by a message',
  'refused: stale_round',
  'refused: requester',
  'refused: not_approver',
  'refused: already_decided',
  'refused: too_early',
  'refused: frozen',
  'settled: approved',
  'settled: rejected',
  'settled: expired',
  'settled: withdrawn',
  'settled: refused',
  'snapshot written',
  'suspended: question',
  'suspended: call',
  'suspended: run',
  'resumed',
  'question answered by form',
  'question answered by message',
  'question expired',
  'question withdrawn',
  'answer refused by its tool',
  'refused: bad_answer',
  'step done',
  'nested run',
  'option chosen',
  'edited',
  'grant.given',
  'grant.used',
  'started under a grant',
  'grant revoked',
  'not started: revoked',
  'reminder.sent',
  'escalated',
  'approver asked the requester',
  'stopped by a person',
  'checked: ran',
  'checked: not_run',
  'frozen by a person',
  'call.signed',
  'message.edited',
  'message.deleted',
] as const;

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

  /** What was never put to the test; situations only count where `many` worlds were lived. */
  missing(many: boolean): string[] {
    const wanted: readonly string[] = [...Object.keys(INVARIANTS), ...(many ? SITUATIONS : [])];
    return wanted.filter(what => (this.counts.get(what) ?? 0) === 0);
  }

  /** A table of all counters, one a line. */
  get table(): string {
    const name = (what: string): string => (what in INVARIANTS ? INVARIANTS[what as Invariant] : what);
    return [...this.counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, times]) => `${String(times).padStart(9)}  ${name(what)}`)
      .join('\n');
  }
}
