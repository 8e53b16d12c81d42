/** Forms and operators' messages, in English. */
import { t, type Line, type Part } from '../../line.ts';
import { many } from './count.ts';

type Piece = Line | Part;

export const form = {
  reject: 'Reject this request',
  review: 'Review to approve',
  loading: 'One moment',
  loadingText: 'Reading the request …',
  working: 'This takes a little longer. What you filled in is kept until it is done.',
  notice: 'Countersign',
  kept: t`What you filled in is still there: go back.`,
  reason: (requester: string) => `Reason (${requester} and the agent will read it)`,
  selfReason: 'Why you approve your own request (all approvers read it)',
  noReason: t`Write a reason: it cannot be blank.`,
  then: 'Then',
  thenOption: {
    replan: 'The agent may propose something else',
    read_only: 'Only reading from here on',
    requester: (requester: string) => `Ask ${requester} to change it`,
    stop: 'Stop the run',
  },
  tool: (tool: string) => `Tool ${tool}`,
  arguments: 'Every argument:',
  beginning: 'The arguments begin like this; the file has all of them:',
  everything: 'Everything',
  inFile: t`This is longer than a form can show. Everything that would run stands in the file under the card; read it before you approve.`,
  noFile: t`The file with everything is not under the card yet, so that nobody can approve. Open this again in a minute.`,
  way: 'Which way?',
  edit: 'Edit this request',
  showEdited: 'Show what would run',
  approveEdited: 'Approve edited',
  askEdited: 'Ask for the edited call',
  votesFall: t`Approvals given before do not count for the edited call.`,
  stays: 'This stays as it is:',
  changed: 'Changed:',
  runsThen: 'Every argument of the edited call:',
  restStays: 'Everything else stays as it was asked.',
  tooMuchEdited: t`More was edited at once than can be shown here, so nobody can approve it. Go back and edit less.`,
  editNeeds: (needs: number, scopes: Piece) => t`The edited call needs ${needs} of ${scopes}.`,
  editFree: t`No rule asks about the edited call.`,
  editApproves: t`Approve edited counts as your approval, and it runs.`,
  editCounts: t`Your approval of the edited call counts; others have to approve it as well.`,
  editAsks: t`You cannot approve the edited call yourself: others decide it.`,
  whenEmpty: {
    kept: 'Hidden. Left empty, it stays as it is.',
    left_out: 'Left empty, it is not given.',
    value: 'It may be empty.',
  },
  notGiven: '(not given)',
  fieldHint: { text: '', number: '', yes_no: 'true or false.', lines: 'One per line.', json: 'JSON.' },
  fieldWrong: { number: 'Must be a number.', yes_no: 'Must be true or false.', json: 'Must be valid JSON.' },
  mustBeNumber: (least: number | null, most: number | null) =>
    most === null
      ? `Must be a number of at least ${least}.`
      : least === null
        ? `Must be a number of at most ${most}.`
        : `Must be a number from ${least} to ${most}.`,
  ask: (who: string) => `Ask ${who}`,
  askLabel: (who: string) => `Your question (${who} is asked in the thread)`,
  send: 'Send',
  askAbout: 'Ask Countersign',
  askAboutLabel: 'What do you want to know or have done?',
  freeze: 'Freeze everything',
  freezeWhy: 'Why (everybody sees it)',
  freezeNow: 'Freeze',
  grant: 'Approve and allow',
  forHowLong: 'For how long',
  howOften: 'How often',
  forTime: (minutes: number) =>
    minutes < 60
      ? many(minutes, 'minute', 'minutes')
      : minutes % 60 === 0
        ? many(minutes / 60, 'hour', 'hours')
        : `${Math.floor(minutes / 60)} h ${minutes % 60} min`,
  usesTimes: (uses: number) => (uses === 1 ? 'once' : `at most ${many(uses, 'time', 'times')}`),
  grantScope: { thread: 'in this thread', channel: 'in this channel', anywhere: 'anywhere' },
  nothingElse: (where: string) => `${where} and nothing else`,
  grantSentence: (g: { until: Piece; uses: number; scope: string; who: string; tool: string; where: string }) =>
    t`Until ${g.until}, at most ${many(g.uses, 'time', 'times')}, ${g.scope}, for ${g.who}: ${g.tool} where ${g.where}. Anything else asks again. Revoke: /countersign grants.`,
  answer: 'Answer',
  answerLabel: 'Your answer',
  otherLabel: 'Something else',
  answerIt: 'Answer',
  yes: 'Yes',
  no: 'No',
  draft: 'Edit the draft',
  draftLabel: 'Draft',
  draftPart: (nth: number, all: number) => `Draft, part ${nth} of ${all}`,
  draftTooLong: t`This draft is too long to be edited here. Return it and say what should be different.`,
  acceptEdited: 'Accept as edited',
  returned: 'Return the draft',
  returnWhy: 'What should be different',
  returnIt: 'Return',
};

export const operators = {
  /** One sentence per code of trouble; `cause` says where. */
  undelivered: 'A card could not be posted, so a request waits that nobody can see.',
  channel_shared:
    'The approvers’ channel is shared with another organisation. No card is posted there until that ends.',
  approvers_unreadable: 'Slack does not tell who is in the approvers’ groups. Clicks are not counted until it does.',
  no_approvers: 'A request was refused because nobody who may decide it is left.',
  quorum_impossible: 'A request needs more people than may decide it now.',
  waits_for_nobody: 'A request waits that nobody may decide any more. It goes on when somebody may.',
  waits_for_too_few: 'A request waits that fewer people may decide than it needs. It goes on when there are enough.',
  in_doubt: 'Nobody knows whether a call ran. Somebody must say so on its card.',
  approved_not_run: 'An approved call has not started for 5 minutes.',
  contradiction: 'A process reported something else than people had said about its call.',
  budget: 'A run was stopped at its limit.',
  model_away: 'The model does not answer. Runs wait for it.',
  content_filter: 'The model refused to answer.',
  context_too_long: 'A conversation has become too long for the model.',
  reply_too_long: 'An answer of the model was too long to be taken.',
  reply_cut_off: 'An answer of the model was cut off at its length limit.',
  model_auth: 'The model’s server refuses the key.',
  model_not_found: 'The model’s server does not know this model.',
  model_bad_request: 'The model’s server does not understand the request.',
  table_unavailable: 'The table does not answer. New messages are not taken until it does; Slack sends them again.',
  thread_damaged: 'The record of a thread does not fit together. Nothing more runs in it.',
  condition_failed: 'A condition of the policy file failed, so its rule did not match.',
  tool_changed: 'A tool changed its description. It is blocked until an admin looks at it.',
  too_many_connections:
    'Slack counts more connections of this app than expected: another process may be using its tokens.',
  slack_away: 'The connection to Slack is down.',
  internal: 'A fault of this program stopped a piece of work; it is tried again.',
  other: 'Something needs a look.',
  /** How it ended, where the sentence above asks somebody to do something. */
  ended: {
    in_doubt: 'It has been settled what became of a call.',
    waits_for_nobody: 'A request no longer waits for somebody who may decide it.',
    waits_for_too_few: 'A request no longer waits for more people who may decide it.',
    approved_not_run: 'An approved call is no longer held up.',
  },
  /** What a run may have no more of. */
  limits: { steps: 'The steps of one run.', tokens: 'The tokens of one run.', wall: 'The time of one run.' },
  /** Leads to the card or thread. */
  look: 'open',
  open: (sentence: string) => t`⚠️ ${sentence}`,
  closed: (sentence: string) => t`✅ Over: ${sentence}`,
};
