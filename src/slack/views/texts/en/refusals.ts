/** Why something was not done, in English. */
import { t, type Line, type Part } from '../../line.ts';
import { many } from './count.ts';

type Piece = Line | Part;

export const notRun = {
  rights: t`somebody who approved may no longer decide.`,
  incompatible: t`the agent no longer has this tool.`,
  requester_gone: t`somebody who asked for it is no longer a member of this organisation.`,
  agent_closed: t`the agent no longer answers somebody who asked for it.`,
  agent_gone: t`the agent that wanted it is no longer there.`,
  invalid_arguments: t`the arguments are no longer valid.`,
  inspect_failed: t`the world could not be checked before it would have run.`,
  denied: t`a rule does not allow it any more.`,
  too_late: t`it came too late to start, three times.`,
  altered: t`what would have run is not what was approved.`,
  changed_too_often: t`it kept changing while it waited.`,
  no_approvers: t`nobody who may decide this is left.`,
  quorum_impossible: t`fewer people than needed may decide it now.`,
  too_long: t`it has become too long to be shown in full.`,
  other: t`what was checked before it would have run did not hold.`,
};

/** Why a tool that waited from inside did not go on; where it is not named here, `notRun` says it. */
export const leftOff = {
  cancelled: t`the run was over.`,
  read_only: t`after a rejection only reading is allowed in this run.`,
  asked_again: t`it asked again for what it had been told.`,
  too_deep: t`agents had called one another too deeply.`,
};

export const refused = {
  unknown_tool: t`I have no such tool.`,
  invalid_arguments: t`the arguments were not valid.`,
  inspect_failed: t`the world could not be checked for it.`,
  too_long: t`it is too long to be shown in full, so nobody could approve it.`,
  denied: t`Not allowed here.`,
  deniedWhy: (why: Piece) => t`Not allowed here: ${why}`,
  read_only: t`after the rejection only reading is allowed in this run.`,
  rejected_before: t`a person has rejected exactly this in this run.`,
  no_more_requests: t`after a rejection I may ask only once more in this run.`,
  in_doubt_before: t`nobody knows yet whether the same call has run; that is settled first.`,
  duplicate: t`the same request waits already.`,
  lookup_failed: t`Slack did not tell me who may decide, so I did not ask. Write to try again.`,
  no_approvers: (scopes: Piece) =>
    t`Nobody who may decide this is left: ${scopes} has nobody but you, and nobody approves their own request. Nothing ran; ask an admin to add somebody, or to set self_approval: with_reason while you try it out.`,
  quorum_impossible: (needed: number) =>
    t`This needs ${many(needed, 'person', 'people')}, and fewer may decide now. Nothing ran; an admin was told.`,
  quorum_unknown: t`This needs more people than may decide now. Nothing ran; an admin was told.`,
  too_many_open: t`Too many requests are waiting already. Decide or cancel one first.`,
  too_late: t`it came too late to start, three times.`,
  cancelled: t`cancelled before it started.`,
  requester_gone: t`somebody who asked for it is no longer a member of this organisation.`,
  tool_changed: t`its description changed since it was approved for use. It is blocked until an admin looks at it.`,
  agent_closed: t`the agent does not answer somebody who asked for it.`,
  agent_gone: t`the agent that wanted it is no longer there.`,
  other: t`it could not be put to anybody.`,
};

/** When it is not the person's doing that their act came to nothing. */
export const lost = {
  notCounted: t`I could not reach my records, so this was not counted. Nothing was changed; try again in a minute.`,
  notOpened: t`Slack did not open the form in time. Nothing was changed; click once more.`,
};

export const refusal = {
  too_early: (until: Piece | null) =>
    until === null
      ? t`It may still be running. Say so a little later.`
      : t`It may still be running until ${until}. Say so after that.`,
  other_environment: t`This card belongs to another Countersign. Use the card of the one that you want to answer.`,
  thread_damaged: t`The record of this thread does not fit together, so I have stopped here. Nothing more runs; an admin was told.`,
  not_found: t`This request is not known here. If the card looks alive, tell an admin: it may belong to another Countersign.`,
  approvedBefore: (by: Piece, at: Piece, now: 'done' | 'running' | 'doubt' | 'ended') =>
    now === 'running'
      ? t`${by} approved this at ${at}, and it is running. Nothing more to do.`
      : now === 'done'
        ? t`${by} approved this at ${at}, and it is done. Nothing more to do.`
        : now === 'doubt'
          ? t`${by} approved this at ${at}, and nobody knows whether it ran. Look at the card again.`
          : t`${by} approved this at ${at}. Nothing more to do.`,
  rejectedBefore: (by: Piece, at: Piece) => t`${by} rejected this at ${at}. Nothing more to do.`,
  settledBefore: (by: Piece, at: Piece) => t`${by} settled this at ${at}. Nothing more to do.`,
  stoppedBefore: (by: Piece, at: Piece) => t`${by} stopped this at ${at}. Nothing more to do.`,
  notRunBefore: (at: Piece, why: Line) => t`This was closed at ${at} and did not run: ${why} Nothing more to do.`,
  decidedBefore: t`This was decided before. Nothing more to do.`,
  expired: (at: Piece | null) =>
    at === null
      ? t`This expired, so your click was too late and nothing ran.`
      : t`This expired at ${at}, so your click was too late and nothing ran.`,
  withdrawn: (by: Piece | null, at: Piece | null) =>
    by === null || at === null ? t`This was withdrawn. Nothing ran.` : t`${by} withdrew this at ${at}. Nothing ran.`,
  superseded: (at: Piece | null, why: Line) =>
    at === null
      ? t`This was replaced because ${why}. Decide on the new card.`
      : t`This was replaced at ${at} because ${why}. Decide on the new card.`,
  stale_round: (requester: Piece) =>
    t`${requester} has written since you opened this. Look at the card again, then decide.`,
  changed_since: t`This changed since you opened it. Look at the card again, then decide.`,
  key_reused: t`This form was sent before with another content. Open the card again and decide there.`,
  wrong_card: (where: Piece | null) =>
    where === null
      ? t`This button does not belong to this card. Use the card in the thread.`
      : t`This button does not belong to this card. Use the card in ${where}.`,
  requester: (scopes: Piece) =>
    t`You asked for this, so somebody else decides: ${scopes}. You can cancel it in the thread.`,
  not_approver: (scopes: Piece, several: boolean) =>
    several
      ? t`${scopes} decide this, and you are in neither. Nothing was changed.`
      : t`${scopes} decides this, and you are not in it. Nothing was changed.`,
  already_counted: (at: Piece | null, missing: number) =>
    at === null
      ? t`Your approval counts already. ${many(missing, 'more person is', 'more people are')} needed.`
      : t`Your approval from ${at} counts. ${many(missing, 'more person is', 'more people are')} needed.`,
  guest: t`Guests cannot decide.`,
  external: t`People from other organisations cannot decide.`,
  deactivated: t`This account is deactivated.`,
  bot: t`Only people decide.`,
  lookup_failed: (scopes: Piece | null) =>
    scopes === null
      ? t`Slack did not tell me what I had to know, so I did not count your click. Try again in a minute.`
      : t`Slack did not tell me who is in ${scopes}, so I did not count your click. Try again in a minute.`,
  frozen: (at: Piece | null, why: Piece | null) =>
    at === null
      ? t`Everything is frozen. Your click was not counted; Reject still works.`
      : why === null
        ? t`Everything is frozen since ${at}. Your click was not counted; Reject still works.`
        : t`Everything is frozen since ${at} (“${why}”). Your click was not counted; Reject still works.`,
  may_not_stop: (requester: Piece) => t`Only ${requester}, whoever may decide this, or an admin can stop it.`,
  not_yours: {
    cancel: (requesters: Piece) => t`Only ${requesters} or an admin can cancel this.`,
    again: (requesters: Piece) => t`Only ${requesters} can ask for this again. Write to me to ask for it yourself.`,
    keep: (author: Piece) => t`Only ${author} can say this of their own message.`,
    grant: (giver: Piece) => t`Only ${giver} or an admin can revoke this.`,
  },
  nothing_to_do: t`This is over already. Nothing was changed.`,
  nothing_to_cancel: t`I am not at work in this thread, so there is nothing to cancel.`,
  busy: t`I am still at work in this thread. Ask again when that is done.`,
  reason_needed: t`This is your own request, so it needs a reason. Use Review to approve and write one.`,
  review_needed: t`This is too long for the card. Use Review to approve, which shows everything.`,
  not_asked: (whom: Piece | null) =>
    whom === null
      ? t`This question is for somebody else. Nothing was changed.`
      : t`This question is for ${whom}. Nothing was changed.`,
  bad_answer: (why: Piece | null) =>
    why === null
      ? t`This answer does not fit the question. It is still open.`
      : t`Not taken: ${why} The question is still open.`,
  bad_edit: (why: Piece | null) =>
    why === null
      ? t`The edited call is not valid. Nothing was changed.`
      : t`The edited call is not valid: ${why} Nothing was changed.`,
  not_editable: t`The rule does not let this be edited. Reject it, and say what should be different.`,
  denied: (why: Piece | null) =>
    why === null
      ? t`A rule does not allow the edited call. Nothing was changed.`
      : t`Not allowed here: ${why} Nothing was changed.`,
  unchanged: t`Nothing is different from what was asked. Approve it as it is, or change something.`,
  quorum_impossible: (needed: number, who: Piece | null) =>
    who === null
      ? t`This needs ${many(needed, 'person', 'people')}, and fewer may decide now. An admin was told.`
      : t`This needs ${many(needed, 'person', 'people')}, and only ${who} may decide now. An admin was told.`,
  option_needed: t`Choose one of the ways; approving alone does not say which.`,
  no_grant: t`The rule does not let this be allowed for a while, or not for so long. Approve it once.`,
  not_admin: t`Only an admin can do this. Nothing was changed.`,
  may_not_freeze: t`You may not freeze here; the policy names who may. Nothing was changed.`,
  not_your_record: t`This record is not open to you. Whoever asked or may decide, and auditors, can open it.`,
  question_expired: (at: Piece | null) =>
    at === null
      ? t`This question has expired. Nothing was changed.`
      : t`This question expired at ${at}. Nothing was changed.`,
  question_withdrawn: t`An answer is no longer needed. Nothing was changed.`,
  unknown_control: t`This button is from an older version. Open the card again or write to me.`,
  use_buttons: t`I read no decisions from text. Use the buttons on the card.`,
  not_a_member: t`I only work for members of this organisation. Ask one of them to ask for you.`,
};
