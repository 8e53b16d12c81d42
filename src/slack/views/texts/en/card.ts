/** Cards and push lines, in English. */
import { bold, t, type Line, type Part } from '../../line.ts';
import { many, ordinal } from './count.ts';

type Piece = Line | Part;

export const card = {
  risk: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
  impact: (risk: string, impact: string | null) => (impact === null ? `${risk}.` : `${risk}: ${impact}`),
  waiting: (needs: number, scopes: Piece, eligible: number, until: Piece) =>
    t`${bold('Waiting')} · needs ${needs} of ${scopes} (${many(eligible, 'person', 'people')}) · until ${until}`,
  partly: (votes: Piece, missing: number, not: Piece) => t`Approved by ${votes} · ${missing} more needed, not ${not}`,
  partlyChosen: (votes: Piece, missing: number) => t`Chosen by ${votes} · ${missing} more must choose the same way`,
  approvedBy: (votes: Piece) => t`Approved by ${votes}`,
  noLongerCounts: (votes: Piece) => t`Approved by ${votes} (no longer counts)`,
  askedAgain: (nth: number, changes: Line | null) =>
    changes === null
      ? t`${bold('Asked again')} (${ordinal(nth)} time): what was checked has changed.`
      : t`${bold('Asked again')} (${ordinal(nth)} time): ${changes}.`,
  askedAfterDoubt: (nth: number, how: Line) => t`${bold('Asked again')} (${ordinal(nth)} time): ${how}`,
  wasIs: (fact: string, was: string, is: string) => t`${fact} was ${was}, is ${is}`,
  changedFromTo: (fact: string, was: string, is: string) => t`${fact} changed from ${was} to ${is}`,
  changed: (fact: string) => t`${fact} changed`,
  somethingChanged: t`what was checked changed`,
  ruleChanged: t`the rule changed`,
  toolChanged: t`the tool's definition changed`,
  diffWas: (fact: string, value: string) => `- ${fact} now ${value}`,
  diffIs: (fact: string, value: string) => `+ ${fact} now ${value}`,
  frozenOpen: (by: Piece, at: Piece) =>
    t`🧊 Frozen by ${by} ${at}: Reject works, Approve works again after the unfreeze`,
  frozenApproved: (by: Piece, at: Piece, until: Piece) =>
    t`🧊 ${bold('Frozen')} by ${by} ${at}: approved, and it runs after the unfreeze if that is before ${until}.`,
  frozenWhy: (why: Piece) => t`Frozen because: “${why}”`,
  edited: (by: Piece) => t`${bold('Edited')} by ${by}: approvals given before do not count`,
  editedBy: (by: Piece) => t`Edited by ${by}`,
  reminded: (times: Piece) => t`Reminded ${times}`,
  mayDecideToo: (at: Piece, scopes: Piece) => t`Since ${at} ${scopes} may decide too`,
  ownRequests: t`Whoever asked may approve this too, with a reason that everybody reads`,
  allowedToo: (who: Piece) => t`${who} also allowed: `,
  choseOption: (option: Piece) => t`Chosen: “${option}”`,
  suspendedOn: {
    answer: (who: Piece, at: Piece) => t`${bold('Waiting')} for an answer from ${who} since ${at}`,
    review: (who: Piece, at: Piece) => t`${bold('Waiting')} for a review by ${who} since ${at}`,
    request: (at: Piece) => t`${bold('Waiting')} since ${at} for the approval of another request`,
    agent: (at: Piece) => t`${bold('Running')} since ${at}: another agent is at work`,
  },
  stopAsked: (by: Piece, at: Piece) => t`Stop asked for by ${by} ${at}`,
  stoppedBy: (by: Piece, at: Piece) => t`Stopped by ${by} ${at}`,
  checked: (at: Piece, found: 'ran' | 'not_run' | 'unknown') =>
    found === 'unknown'
      ? t`Checked ${at}: no clear answer`
      : found === 'ran'
        ? t`Checked ${at}: it seems to have run`
        : t`Checked ${at}: it seems not to have run`,
  expiredAsked: (scopes: Piece, reminded: Line, more: Line) => t`Asked: ${scopes}${reminded}${more}.`,
  expiredReminded: (times: Piece) => t`; reminded ${times}`,
  expiredSince: (scopes: Piece, at: Piece) => t`; ${scopes} since ${at}`,
  inFile: t`There is more than fits here or in a form: the file under this card has everything.`,
  filePending: t`There is more than fits here or in a form. Nobody can approve before the file with everything is under this card.`,
  tooLong: (review: string) => t`There is more than fits here. ${review} shows everything.`,
  unfaithful: (review: string) => t`Some characters cannot be shown as they are. ${review} shows where.`,
  running: (since: Piece) => t`${bold('Running')} since ${since}`,
  starting: t`${bold('Running')}: about to start`,
  done: (at: Piece, took: string) => t`${bold('Done')} ${at}, took ${took} · `,
  told: (requester: Piece) => t`${requester} was told`,
  failedNone: (at: Piece) => t`${bold('Failed')} ${at}: nothing was done.`,
  failedPossible: (at: Piece, code: string | null) =>
    code === null
      ? t`${bold('Failed')} ${at}: it ran and ended with an error. Part of it may have happened.`
      : t`${bold('Failed')} ${at}: it ran and ended with an error (${code}). Part of it may have happened.`,
  leftOff: (why: Line) => t`While it waited it was ended: ${why}`,
  exitCode: (code: number) => `exit code ${code}`,
  timedOut: 'it took too long',
  aborted: 'it was stopped',
  agentTold: t`The agent was told.`,
  inDoubt: (at: Piece) =>
    t`${bold('In doubt:')} started ${at}, then the process stopped. Nobody knows whether it ran. It will not be retried by itself.`,
  mayRun: (until: Piece) => t`It cannot run past ${until}; only from then on can somebody say that it did not run.`,
  lastSign: (sign: Piece, at: Piece | null) => (at === null ? t`Last sign: “${sign}”` : t`Last sign ${at}: “${sign}”`),
  saidDone: (by: Piece, at: Piece) => t`${bold('Done')}, says ${by} ${at} (was in doubt)`,
  givenUp: (by: Piece, at: Piece) => t`${bold('Given up')} by ${by} ${at}: unknown whether it ran`,
  notRunBefore: (how: Line) => t`${bold('Not run')}: ${how}`,
  seeNewer: t`What happens now stands on the newer card or in the thread.`,
  doneChecked: (at: Piece) =>
    t`${bold('Done')}: its tool's own check found ${at} that it ran; what came out of it is not known. · `,
  reportedLate: (at: Piece) => t`It was in doubt until its process reported this ${at}.`,
  contradicted: (how: 'ran' | 'failed' | 'nothing', at: Piece) =>
    how === 'ran'
      ? t`⚠️ Its process reported later: it ran to its end ${at}.`
      : how === 'failed'
        ? t`⚠️ Its process reported later: it ended with an error ${at}, and part of it may have happened.`
        : t`⚠️ Its process reported later: nothing had been done ${at}.`,
  rejected: (by: Piece, at: Piece) => t`${bold('Rejected')} by ${by} ${at}`,
  afterReject: {
    replan: (_: Piece) => t`Nothing ran. The agent may propose something else.`,
    read_only: (_: Piece) => t`Nothing ran. Only reading from here on.`,
    requester: (requester: Piece) => t`Nothing ran. ${requester} was asked to change it.`,
    stop: (_: Piece) => t`Nothing ran. The run was stopped.`,
  },
  expired: (at: Piece) => t`${bold('Expired')} ${at}: nobody decided. Nothing ran.`,
  expiredShort: (at: Piece, missing: number) =>
    t`${bold('Expired')} ${at}: ${missing} more had to approve. Nothing ran.`,
  expiredApproved: (at: Piece) => t`${bold('Expired')} ${at}: approved, but it could not start in time. Nothing ran.`,
  canAskAgain: (requester: Piece) => t`${requester} can ask again in the thread.`,
  withdrawn: (by: Piece | null, at: Piece) =>
    by === null
      ? t`${bold('Withdrawn')} ${at}, before a decision: the run ended. Nothing ran.`
      : t`${bold('Withdrawn')} by ${by} ${at}, before a decision. Nothing ran.`,
  withdrawnApproved: (by: Piece | null, at: Piece) =>
    by === null
      ? t`${bold('Withdrawn')} ${at}, after it was approved: the run ended. Nothing ran.`
      : t`${bold('Withdrawn')} by ${by} ${at}, after it was approved. Nothing ran.`,
  instead: (requester: Piece) => t`${requester} sent a new request instead.`,
  replaced: (at: Piece, why: Line) => t`${bold('Replaced')} ${at}: ${why} while this waited. Nothing ran.`,
  replacedAfterDoubt: (at: Piece, how: Line) => t`${bold('Replaced')} ${at}: ${how} It was asked again.`,
  newCard: 'new card',
  copy: 'Replaced: the request stands on another card.',
  notRun: (at: Piece, why: Line) => t`${bold('Not run')} ${at}: ${why}`,
  nothingRan: t`Nothing ran.`,
  now: 'Now: ',
  asksAgain: ' (if this changes, you are asked again)',
  noteAt: (at: Piece) => t` at ${at}`,
  inChannel: (who: Piece, where: Piece) => t`${who} in ${where}: `,
  inDirect: (who: Piece) => t`${who} in a direct message with Countersign: `,
  wroteSince: (who: Piece, at: Piece) => t`${who} has written since, ${at}: `,
  earlierToo: (count: number) => t`(${many(count, 'earlier message', 'earlier messages')} left out)`,
  said: (who: Piece) => t`${who}: `,
  ownRequest: (who: Piece) => t`${who}, approving their own request: `,
  inQuotes: (text: Piece) => t`“${text}”`,
  openThread: 'open thread',
  noArguments: '(no arguments)',
  moreArguments: (count: number) => `[+${many(count, 'more argument', 'more arguments')}]`,
  moreChanges: (count: number) => `[+${many(count, 'more change', 'more changes')}]`,
  moreFacts: (count: number) => `[+${count.toLocaleString('en-US')} more]`,
  resultLines: (shown: number, all: number) => `${shown} of ${many(all, 'line', 'lines')}`,
  resultElsewhere: (kilobytes: number) => `(${kilobytes.toLocaleString('en-US')} KB of output, kept in the record)`,
  ifRejected: {
    replan: (_: Piece, control: string | null) =>
      t`${control ?? 'If you reject'}: nothing runs; the agent is told why and may propose something else.`,
    read_only: (_: Piece, control: string | null) =>
      t`${control ?? 'If you reject'}: nothing runs; the agent is told why and may only read from then on.`,
    requester: (requester: Piece, control: string | null) =>
      t`${control ?? 'If you reject'}: nothing runs; ${requester} is asked to change it.`,
    stop: (_: Piece, control: string | null) => t`${control ?? 'If you reject'}: nothing runs, and the run stops.`,
  },
  ifNobody: (until: Piece) => t`If nobody decides by ${until}: it expires, nothing runs.`,
  ifInDoubt: {
    notRunNow: t`It ran: the agent goes on with that. Run it now: counts as your approval; the world is checked again first. Give it up: nothing runs; the agent is told that it is unknown.`,
    notRunAsk: t`It ran: the agent goes on with that. Ask again: the approvers decide once more. Give it up: nothing runs; the agent is told that it is unknown.`,
    notRunOver: t`The run is over, so nothing runs again. It ran, it did not run: that is on record. Give it up: it stays unknown.`,
  },
  rule: (rule: string, why: string | null) => (why === null ? `Rule ${rule}` : `Rule ${rule}: ${why}`),
  noRule: (why: string | null) => (why === null ? 'No rule matched: the defaults ask.' : why),
  partOf: (summary: string, short: string | null) =>
    short === null ? `Part of “${summary}”` : `Part of ${short}: “${summary}”`,
  agentWords: (text: string) => `Agent's own words, unchecked: “${text}”`,
  short: t`Slack did not take the whole card. Review to approve shows everything.`,
  shortClosed: t`Slack did not take the whole card; the record has everything.`,
};

export const push = {
  card: (what: Piece, who: Piece, until: Piece) => t`Approve? ${what} · ${who} · until ${until}`,
  again: (why: Line, what: Piece) => t`Approve again? ${why}: ${what}`,
  running: (what: Piece) => t`Running: ${what}`,
  done: (what: Piece) => t`Done: ${what}`,
  failed: (what: Piece) => t`Failed: ${what}`,
  inDoubt: (what: Piece) => t`In doubt: did “${what}” run? Someone must say`,
  saidDone: (what: Piece) => t`Done, a person says: ${what}`,
  givenUp: (what: Piece) => t`Given up: ${what}`,
  rejected: (what: Piece) => t`Rejected: ${what}`,
  expired: (what: Piece) => t`Expired, nothing ran: ${what}`,
  withdrawn: (what: Piece) => t`Withdrawn, nothing ran: ${what}`,
  replaced: (what: Piece) => t`Replaced by a new card: ${what}`,
  notRun: (what: Piece) => t`Not run: ${what}`,
  suspended: (what: Piece) => t`Waiting for an answer: ${what}`,
  reminder: (what: Piece, until: Piece) => t`Still waiting: ${what} · expires ${until}`,
  escalated: (time: string, what: Piece) => t`Nobody has decided for ${time}: ${what} · now also yours`,
};

/** Replies under a card. */
export const reply = {
  reminder: (whom: Line, until: Piece) =>
    whom.length === 0 ? t`Still waiting, expires ${until}.` : t`${whom} Still waiting, expires ${until}.`,
  escalated: (whom: Line, time: string) =>
    whom.length === 0
      ? t`Nobody has decided for ${time}. More people may decide now.`
      : t`${whom} Nobody has decided for ${time}. You may decide now.`,
  inquiry: (by: Piece, whom: Piece, question: Piece) => t`${by} asked ${whom}: “${question}”`,
  inquiryAnswered: (by: Piece, answer: Piece) => t` ${by}: “${answer}”`,
  inquiryOver: t` Not answered.`,
  fileBelow: t`Everything that would run, in full.`,
  draftFile: t`The whole draft.`,
};

/** `1 h`, `30 min`. */
export const duration = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
