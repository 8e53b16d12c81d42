/** Control words and the small words between them, in English. */
import { t } from '../../line.ts';
import { many } from './count.ts';

export const control = {
  approve: 'Approve',
  reject: 'Reject',
  review: 'Review to approve',
  ran: 'It ran',
  notRunNow: 'It did not run: run it now',
  notRunAsk: 'It did not run: ask again',
  notRunOver: 'It did not run',
  abandon: 'Give it up',
  cancel: 'Cancel',
  askAgain: 'Ask again',
  useInstead: 'Use this instead',
  keepWaiting: 'Keep waiting',
  edit: 'Edit',
  ask: (who: string) => `Ask ${who}`,
  everything: 'Show everything',
  allow: 'Approve, allow for a while',
  record: 'Show record',
  none: 'None of these',
  choose: 'Choose one',
  stop: 'Stop',
  answer: 'Answer',
  other: 'Other …',
  accept: 'Accept',
  editDraft: 'Edit',
  returnDraft: 'Return',
  yes: 'Yes',
  no: 'No',
  back: 'Back',
  close: 'Close',
};

export const confirm = {
  approve: {
    title: 'Approve this?',
    text: (summary: string, several: boolean) =>
      several
        ? `${summary}. It runs as soon as enough people have approved.`
        : `${summary}. It runs as soon as you have approved.`,
    yes: 'Approve',
  },
  ran: { title: 'It ran?', text: 'The agent goes on as if it had worked. Your name stands on this.', yes: 'It ran' },
  notRunNow: {
    title: 'Run it now?',
    text: 'This counts as your approval. The world is checked again first, and then it runs. If it had run after all, it runs twice.',
    yes: 'Run it now',
  },
  notRunAsk: {
    title: 'Ask again?',
    text: 'It is put to the approvers once more. If it had run after all, approving it runs it twice.',
    yes: 'Ask again',
  },
  notRunOver: {
    title: 'It did not run?',
    text: 'That is put on record with your name. Nothing runs by it.',
    yes: 'It did not run',
  },
  abandon: {
    title: 'Give it up?',
    text: 'Nothing more runs. The agent is told that nobody knows whether it ran.',
    yes: 'Give it up',
  },
  ranOver: { title: 'It ran?', text: 'That is put on record with your name.', yes: 'It ran' },
  abandonOver: { title: 'Give it up?', text: 'Nothing more runs. It stays unknown whether it ran.', yes: 'Give it up' },
  cancel: { title: 'Cancel this?', text: 'What waits is withdrawn. What already ran stays.', yes: 'Cancel it' },
  stop: { title: 'Stop this call?', text: 'What already happened stays.', yes: 'Stop' },
};

export const list = {
  comma: ', ',
  sentence: ' ',
  and: ' and ',
  or: ' or ',
  more: (count: number) => `${count.toLocaleString('en-US')} more`,
};

export const people = {
  requester: 'the requester',
  decider: 'an approver',
  admin: 'an admin',
  anybody: t`somebody`,
  channel: 'the approvers’ channel',
};

export const mask = (characters: number, fingerprint: string) =>
  `•••• (${many(characters, 'character', 'characters')}, fingerprint ${fingerprint})`;

export const seconds = (seconds: number) =>
  seconds < 1 ? 'less than 1 s' : seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
