/** Forms and operators' messages, in English. */
import { t } from '../../line.ts';

export const form = {
  reject: 'Reject this request',
  review: 'Review to approve',
  loading: 'One moment',
  loadingText: 'Reading the request …',
  notice: 'Countersign',
  reason: (requester: string) => `Reason (${requester} and the agent will read it)`,
  selfReason: 'Why you approve your own request (all approvers read it)',
  then: 'Then',
  thenOption: {
    replan: 'The agent may propose something else',
    read_only: 'Only reading from here on',
    requester: (requester: string) => `Ask ${requester} to change it`,
    stop: 'Stop the run',
  },
  tool: (tool: string) => `Tool ${tool}`,
  arguments: 'Every argument:',
};

export const operators = {
  /** One sentence per code of trouble; `cause` says where. */
  undelivered: 'A card could not be posted, so a request waits that nobody can see.',
  channel_shared:
    'The approvers’ channel is shared with another organisation. No card is posted there until that ends.',
  approvers_unreadable: 'Slack does not tell who is in the approvers’ groups. Clicks are not counted until it does.',
  no_approvers: 'A request was refused because nobody who may decide it is left.',
  quorum_impossible: 'A request needs more people than may decide it now.',
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
  open: (sentence: string) => t`⚠️ ${sentence}`,
  closed: (sentence: string) => t`✅ Over: ${sentence}`,
};
