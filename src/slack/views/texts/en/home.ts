/** Home, `/countersign` and the shortcuts, in English. */
import { bold, t, type Line, type Part } from '../../line.ts';
import { many } from './count.ts';

type Piece = Line | Part;

export const home = {
  title: (environment: string) => t`${bold('Countersign')} · ${environment}`,
  waiting: (count: number) => `Waiting for you (${count})`,
  questions: (count: number) => `Questions for you (${count})`,
  asked: (count: number) => `You asked (${count})`,
  grants: (count: number) => `Allowed for a while (${count})`,
  lately: 'Lately',
  more: (count: number) => `… and ${many(count, 'more', 'more')}`,
  empty: t`Nothing waits for you. Write to me in a message, or mention @Countersign in a channel.`,
  incomplete: t`I could not read everything, so something may be missing here. Look again in a minute.`,
  closed: t`I only work for members of this organisation. Ask one of them to ask for you.`,
  frozen: (by: Piece, at: Piece, why: Piece | null) =>
    why === null
      ? t`🧊 Frozen by ${by} ${at}. Reject works, Approve works again after the unfreeze.`
      : t`🧊 Frozen by ${by} ${at}: “${why}”. Reject works, Approve works again after the unfreeze.`,
  freezeUnknown: t`I could not read whether everything is frozen.`,
  didItRun: (what: string) => `Did “${what}” run?`,
  risk: { low: '', medium: '', high: 'high risk' },
  until: (until: Piece) => t`until ${until}`,
  votes: (votes: number, quorum: number) => t`${votes} of ${quorum}`,
  started: (at: Piece) => t`started ${at}`,
  asks: (who: Piece) => t`${who} asks`,
  allowed: (until: Piece, used: number, uses: number) => t`until ${until}, ${used} of ${uses} used`,
  usedUp: t`used up`,
  idle: t`applies to nothing now, its rule or tool has changed`,
  where: (where: Piece) => t`in ${where}`,
  whereThread: (where: Piece) => t`in a thread in ${where}`,
  allowedLike: (tool: string, where: string) => `${tool} where ${where}`,
  allowedBy: (by: Piece, who: Piece) => t`by ${by} for ${who}`,
  message: 'message',
  thread: 'thread',
  review: 'Review',
  settle: 'Settle',
  answer: 'Answer',
  record: 'Show record',
  revoke: 'Revoke',
  freeze: 'Freeze',
  unfreeze: 'Unfreeze',
};

export const houseConfirm = {
  revoke: { title: 'Revoke this?', text: 'From the next call on it is asked for again.', yes: 'Revoke' },
  unfreeze: {
    title: 'Unfreeze everything?',
    text: 'What was approved meanwhile is checked again and then runs.',
    yes: 'Unfreeze',
  },
};

export const settleWords = {
  title: 'Did it run?',
  label: 'As far as you know',
  ran: 'It ran: the agent goes on with that',
  ranOver: 'It ran: that is on record',
  notRunNow: 'It did not run: run it now',
  notRunAsk: 'It did not run: ask again',
  notRunOver: 'It did not run: that is on record',
  abandon: 'Give it up: it stays unknown',
  submit: 'Settle',
};

export const told = {
  frozen: (environment: string, by: Piece, at: Piece) =>
    t`🧊 Everything is frozen since ${at} by ${by}, in ${environment}. Nothing new starts, Reject works.`,
  unfrozen: (environment: string) =>
    t`Unfrozen. In ${environment}, what was approved meanwhile is checked again and then runs.`,
  running: (count: number) => t`Still running (${count}), and told to stop:`,
  nothingRuns: t`Nothing is running.`,
  moreRunning: (count: number) => t`… and ${count} more`,
  revoked: t`Revoked. From the next call on it is asked for again.`,
  noGrants: t`Nothing is allowed for a while.`,
  done: t`Done.`,
  editGone: t`What was shown here is no longer kept, so nothing was changed. Go back and have it shown again.`,
  notInChannel: t`I am not in this channel. Add me to it, then use the shortcut again.`,
  asked: t`I have it; the answer comes in the thread of that message.`,
  notAsked: t`This thread does not listen to you, so nothing was asked.`,
  about: (who: Piece, text: Piece) => t`${who}: “${text}”`,
};

export const command = {
  help: (where: Piece) =>
    t`Mention me, or write to me directly. What I may not do alone, people approve in ${where}. “cancel” in a thread stops it. /countersign shows what waits.`,
  words: t`/countersign · freeze [why] · unfreeze · grants · record <link or A-7F3K> · help`,
  threads: 'the thread',
  unknown: (word: Piece) => t`I do not know “${word}”.`,
  recordWhat: t`Say which: /countersign record A-7F3K, or the link of a message.`,
  freezeWhy: t`Say why, everybody sees it: /countersign freeze bad deploy`,
};

export const prompts = [
  { title: 'What can you do?', message: 'What can you do, and what needs an approval?' },
  { title: 'What waits?', message: 'What of mine waits for an approval?' },
  { title: 'Look around', message: 'list notes' },
  { title: 'Ask for something sensitive', message: 'run echo hello' },
];
