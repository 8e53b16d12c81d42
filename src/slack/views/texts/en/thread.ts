/** What stands in the requester's thread, in English. */
import { t, type Line, type Part } from '../../line.ts';
import { many } from './count.ts';

type Piece = Line | Part;

export const row = {
  waiting: (what: Piece) => t`Waiting for approval: ${what}`,
  decide: (scopes: Piece, several: boolean, needed: number, until: Piece) =>
    t`${scopes} ${several ? 'decide' : 'decides'}, ${needed} needed · until ${until}`,
  waitingShort: (what: Piece, scopes: Piece, until: Piece) => t`${what} · ${scopes}, until ${until}`,
  partly: (votes: Piece, missing: number) => t` · approved by ${votes}, ${missing} more needed`,
  partlyChosen: (votes: Piece, missing: number) => t` · chosen by ${votes}, ${missing} more must choose the same`,
  replaced: (why: Line) => t`Asked again: ${why} meanwhile`,
  replacedShort: (what: Piece, why: Line) => t`Asked again, ${why} meanwhile: ${what}`,
  running: (what: Piece) => t`Running: ${what}`,
  approvedBy: (votes: Piece) => t`, approved by ${votes}`,
  approved: (votes: Piece) => t` · approved by ${votes}`,
  done: (at: Piece, what: Piece) => t`Done ${at}: ${what}`,
  failedNone: (at: Piece, what: Piece) => t`Failed ${at}: ${what} · nothing was done`,
  failedPossible: (at: Piece, what: Piece) => t`Failed ${at}: ${what} · part of it may have happened`,
  leftOff: (why: Line) => t` · ended while it waited: ${why}`,
  inDoubt: (what: Piece) => t`In doubt: ${what}`,
  doneChecked: (at: Piece, what: Piece) => t`Done, its tool's own check found ${at}: ${what}`,
  saidDone: (by: Piece, at: Piece, what: Piece) => t`Done, says ${by} ${at} (was in doubt): ${what}`,
  givenUp: (by: Piece, at: Piece, what: Piece) => t`Given up by ${by} ${at}, unknown whether it ran: ${what}`,
  rejected: (by: Piece, what: Piece | null, reason: Piece | null) =>
    what === null
      ? reason === null
        ? t`Rejected by ${by}. Nothing ran.`
        : t`Rejected by ${by}: “${reason}” Nothing ran.`
      : reason === null
        ? t`Rejected by ${by}: ${what} · nothing ran`
        : t`Rejected by ${by}: ${what} · “${reason}” · nothing ran`,
  editedApproved: (by: Piece, changes: Line) => t` · ${by} changed ${changes} and approved`,
  edited: (by: Piece, changes: Line) => t` · ${by} changed ${changes}`,
  underGrant: t` · allowed for a while`,
  chose: (option: Piece) => t` · chosen: “${option}”`,
  suspendedOn: {
    answer: (what: Piece, who: Piece) => t`Waiting for an answer from ${who}: ${what}`,
    review: (what: Piece, who: Piece) => t`Waiting for a review by ${who}: ${what}`,
    request: (what: Piece) => t`Waiting for an approval from inside: ${what}`,
    agent: (what: Piece) => t`At work: ${what}`,
  },
  stopping: (what: Piece, by: Piece) => t`Stopping, asked by ${by}: ${what}`,
  stopped: (by: Piece) => t` · stopped by ${by}`,
  ofAgent: (agent: Piece) => t`${agent}: `,
  fromTo: (name: string, was: string, is: string) => `${name} ${was} → ${is}`,
  expired: (at: Piece, what: Piece | null) =>
    what === null ? t`Nobody decided by ${at}. Nothing ran.` : t`Nobody decided by ${at}: ${what} · nothing ran`,
  expiredApproved: (at: Piece, what: Piece | null) =>
    what === null
      ? t`Approved, but it could not start by ${at}. Nothing ran.`
      : t`Approved, but it could not start by ${at}: ${what} · nothing ran`,
  expiredShort: (at: Piece, what: Piece | null, missing: number) =>
    what === null
      ? t`${missing} more had to approve by ${at}. Nothing ran.`
      : t`${missing} more had to approve by ${at}: ${what} · nothing ran`,
  withdrawn: (what: Piece, instead: boolean) =>
    instead ? t`Withdrawn, your new message instead: ${what} · nothing ran` : t`Withdrawn: ${what} · nothing ran`,
  approvedNotRun: (why: Line, what: Piece | null) =>
    what === null ? t`Approved, but not run: ${why}` : t`Approved, but not run: ${what} · ${why}`,
  notRun: (why: Line, what: Piece | null) => (what === null ? t`Not run: ${why}` : t`Not run: ${what} · ${why}`),
  whenSettled: t` Ask again when it is settled.`,
  refused: (why: Line, what: Piece | null) => (what === null ? why : t`Not run: ${what} · ${why}`),
  undelivered: (what: Piece, where: Piece, why: string, until: Piece) =>
    t`I could not post the card in ${where} (${why}): ${what}. Nothing ran; an admin was told, and I keep trying until ${until}.`,
  contradicted: t` · its process reported otherwise later, see the card`,
  askedAgainBy: t` · asked again`,
  counts: (n: {
    all: number;
    done: number;
    waiting: number;
    running: number;
    doubt: number;
    failed: number;
    givenUp: number;
    notRun: number;
  }) =>
    [
      n.done > 0 || n.notRun < n.all ? `${n.done} of ${n.all} done` : '',
      n.waiting > 0 ? `${n.waiting} ${n.waiting === 1 ? 'waits' : 'wait'}` : '',
      n.running > 0 ? `${n.running} running` : '',
      n.doubt > 0 ? `${n.doubt} in doubt` : '',
      n.failed > 0 ? `${n.failed} failed` : '',
      n.givenUp > 0 ? `${n.givenUp} given up` : '',
      n.notRun > 0 ? `${n.notRun} did not run` : '',
    ]
      .filter(part => part !== '')
      .join(', '),
  earlier: (count: number) => `… ${many(count, 'earlier call', 'earlier calls')}`,
  card: 'card',
};

export const run = {
  cancelled: t`Cancelled. Nothing ran.`,
  cancelledBy: (by: Piece) => t`${by} cancelled it.`,
  cancelledAfter: (what: Piece, more: number) =>
    more === 0
      ? t`Cancelled, but “${what}” had already run.`
      : t`Cancelled, but “${what}” and ${more} more had already run.`,
  cancelledDuring: (what: Piece, done: boolean) =>
    done
      ? t`Cancelled while “${what}” was running: it ran to its end.`
      : t`Cancelled while “${what}” was running: it was stopped, and part of it may have happened.`,
  cancelledWhile: (what: Piece) => t`Cancelled while “${what}” was running: it is being settled on the card.`,
  cancelledWhileHere: (what: Piece) =>
    t`Cancelled while “${what}” was running: it is being stopped, and what already happened stays.`,
  changeAsked: (requester: Piece, by: Piece, what: Piece, reason: Piece | null) =>
    reason === null
      ? t`${requester} ${by} asks you to change this before it can be decided: ${what}. Nothing ran; say what should be different.`
      : t`${requester} ${by} asks you to change this: ${what}. “${reason}” Nothing ran; say what should be different.`,
  frozen: (by: Piece, at: Piece, why: Piece) => t`Frozen by ${by} ${at}: “${why}”. Your request is kept.`,
  frozenSilent: (by: Piece, at: Piece) => t`Frozen by ${by} ${at}. Your request is kept.`,
  steps: (steps: number) =>
    t`Stopped after ${many(steps, 'step', 'steps')}, the limit for one run. What was done is done; write to go on.`,
  tokens: (tokens: number) =>
    t`Stopped after ${many(tokens, 'token', 'tokens')}, the limit for one run. What was done is done; write to go on.`,
  wall: (minutes: number) =>
    t`Stopped after ${many(minutes, 'minute', 'minutes')} of work, the limit for one run. What was done is done; write to go on.`,
  exhausted: t`Stopped at the limit for one run. What was done is done; write to go on.`,
  away: (until: Piece) => t`The model does not answer; trying until ${until}. Nothing is lost.`,
  back: t`The model answers again.`,
  modelAway: (at: Piece) => t`Stopped at ${at}: the model did not answer. Write to try again.`,
  modelRefused: (at: Piece) => t`Stopped at ${at}: the model would not answer this. Write it differently to try again.`,
  contextTooLong: (at: Piece) =>
    t`Stopped at ${at}: this conversation has become too long for the model. Start a new thread to go on.`,
  modelSetUp: (at: Piece) =>
    t`Stopped at ${at}: the model is not set up as it should be, and an admin was told. Write to try again later.`,
  replyTooLong: (at: Piece) => t`Stopped at ${at}: the model's answer came out too long. Ask for less at once.`,
  agentClosed: (answers: Piece | null) =>
    answers === null
      ? t`This agent does not answer you. Ask an admin who may ask.`
      : t`This agent answers ${answers}. Ask one of them, or an admin, to ask for you.`,
  agentGone: t`The agent of this thread is no longer there, so nothing was done. Write in a new thread.`,
  notAMember: t`I only work for members of this organisation. Ask one of them to ask for you.`,
  lookupFailed: (at: Piece) =>
    t`Stopped at ${at}: Slack did not tell me who you are, so I did nothing. Write to try again.`,
  damaged: t`The record of this thread does not fit together, so I have stopped here. Nothing more runs; an admin was told.`,
  failed: (at: Piece) => t`Stopped at ${at} because of a fault on my side. What was done is done; write to go on.`,
  ended: t`Done.`,
};

/** What stands behind the app's name in Slack's own line while it works. */
export const working = {
  thinking: 'is thinking …',
  runs: (summary: string) => `is at work: ${summary}`,
};

export const meanwhile = {
  have: t`I have this, and the approvers see it on the card.`,
  privacy: (where: Piece) => t`Approvers in ${where} see your message and what would run.`,
};

export const doubt = {
  ring: (people: Piece) => t`${people} Someone must say whether this ran.`,
  ringNobody: t`Someone must say whether this ran.`,
  settled: (how: Line) => t`Settled: ${how}`,
  ran: (by: Piece, at: Piece) => t`it ran, says ${by} ${at}.`,
  givenUp: (by: Piece, at: Piece) => t`given up by ${by} ${at}, nobody knows whether it ran.`,
  notRunSaid: (by: Piece, at: Piece) => t`it did not run, says ${by} ${at}.`,
  notRunChecked: (at: Piece) => t`it did not run, its tool's own check found ${at}.`,
  notRunReported: (at: Piece) => t`it had not started, its process reported ${at}.`,
  notRunSomebody: t`it did not run.`,
  ranChecked: (at: Piece) => t`it ran, its tool's own check found ${at}.`,
  reported: (at: Piece) => t`its process reported ${at} what came of it.`,
  over: t`what came of it is known by now.`,
  thread: (requester: Piece, what: Piece, deciders: Piece) =>
    t`${requester} Nobody knows whether this ran: ${what}. ${deciders} will settle it. Do not ask for the same again until then.`,
  threadSettled: (what: Piece, how: Line) => t`It was unknown whether this ran: ${what}. Settled: ${how}`,
  somebody: (scopes: Piece) => t`Somebody of ${scopes}, or an admin,`,
  anAdmin: t`An admin`,
  allowed: t`No rule asked about this one; it was allowed.`,
};

export const answer = {
  empty: 'I have nothing to add.',
  more: (count: number) =>
    `… ${many(count, 'more character', 'more characters')} did not fit here. Ask me for the rest.`,
};

/** Why Slack did not take a card. */
export const slackSays = {
  not_in_channel: 'I am not in that channel',
  channel_not_found: 'I cannot see that channel',
  is_archived: 'the channel is archived',
  channel_shared: 'the channel is shared with another organisation',
  restricted_action: 'posting there is restricted',
  too_large: 'Slack found it too large',
  other: (code: string) => `Slack says ${code}`,
};
