/** Every sentence that the model is given as a call's result. English always; the same words whoever reads the cards. */

const final = 'Final; do not try again, and do not try another way to the same end.';

export const model = {
  ran: (result: string) => result,
  ranElsewhere: (bytes: number) =>
    `ran; its result of ${bytes} bytes is kept in the record and too long to be shown here`,
  ranEmpty: 'ran; no output',
  ranChecked: "ran, as the tool's own check found; its result is not known",
  failedNone: (result: string) => `failed, nothing was done: ${result}`,
  failedPossible: (result: string) => `ran and failed, part may have happened: ${result}`,
  noDetail: 'no details',
  leftOff: (why: string) => `it waited for something and was ended there: ${why}`,
  inDoubt: `unknown whether it ran; people are settling it. ${final}`,
  saidDone: 'ran, as a person says; its result is not known',
  givenUp: `unknown whether it ran; a person has given it up. ${final}`,
  rejectedReplan: (reason: string | null) =>
    `did not run: rejected by a person${reason === null ? '' : `: "${reason}"`}. This call is final. You may propose one different step that respects the reason, never the same end by another way.`,
  rejected: (reason: string | null) =>
    `did not run: rejected by a person${reason === null ? '' : `: "${reason}"`}. Final; do not try another way to the same end.`,
  /** By how many it had been approved when its time was over. */
  expired: {
    by_nobody: `did not run: expired, nobody decided. ${final}`,
    by_some: `did not run: expired, fewer people than needed had approved. ${final}`,
    by_all: `did not run: approved, but it could not start before it expired. ${final}`,
  },
  withdrawn: `did not run: withdrawn. ${final}`,
  approvedNotRun: (why: string) => `did not run: approved, but ${why} ${final}`,
  refused: (why: string) => `did not run: ${why} ${final}`,
  /** Where people's sentence would mislead the model. */
  why: {
    no_approvers: 'nobody who may decide this is left.',
    quorum_impossible: 'fewer people than needed may decide it now.',
    too_many_open: 'too many requests are waiting already.',
    too_long: 'too long to be shown to people in full.',
  },
  /** For calls that the model itself got wrong; a corrected call is welcome. */
  wrong: (why: string) => `did not run: ${why}`,
  pending: 'not settled yet',
  running: 'still running',
};
