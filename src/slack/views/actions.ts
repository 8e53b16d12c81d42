/**
 * Owns the names of every control and form, and what their values carry, so that what is rendered and what comes back are
 * written and read in one place. Every value matches `^[A-Za-z0-9_-]{1,64}$`.
 *
 * 1. Approvals (`approve`, `reject`, `review`, `edit`, `ask_again`, and every entry of `more`): `buttonValue`; a way of a
 * choice (`option_<n>`, and the options of `option_select`): the same and its index. 2. In doubt: thread, call id and attempt;
 * `stop`: thread and call. 3. `cancel`: thread and run. 4. `use_instead`, `keep_waiting`: thread and the message's ts.
 * 5. Questions (`answer`, `answer_<n>`, `answer_select`, `accept`, `edit_draft`, `return_draft`): thread, question, the count
 * of answers that were not taken, and for an option its index. 6. On Home a control carries the same value as on the card.
 */
import type { Approval, Thread } from '../../thread/thread.ts';
import {
  decodeButton,
  encodeButton,
  tsFromDigits,
  type ButtonValue,
  type CallId,
  type ChannelId,
  type MessageTs,
  type QuestionId,
  type RunId,
} from '../../thread/ids.ts';

export const ACTIONS = {
  approve: 'approve',
  reject: 'reject',
  review: 'review',
  doubtRan: 'doubt_ran',
  doubtNotRun: 'doubt_not_run',
  doubtAbandon: 'doubt_abandon',
  /** On Home: opens the form with the three answers; the value is theirs. */
  settle: 'settle',
  cancel: 'cancel',
  askAgain: 'ask_again',
  useInstead: 'use_instead',
  keepWaiting: 'keep_waiting',
  edit: 'edit',
  /** The ⋯ of a card; its entries' values begin with one of `MORE`, then a dot, then the value. */
  more: 'more',
  option: 'option',
  optionSelect: 'option_select',
  stop: 'stop',
  answer: 'answer',
  answerSelect: 'answer_select',
  accept: 'accept',
  editDraft: 'edit_draft',
  returnDraft: 'return_draft',
  record: 'record',
  revoke: 'revoke',
  freeze: 'freeze',
  unfreeze: 'unfreeze',
} as const;

/** What the ⋯ of a card offers. */
export const MORE = { ask: 'ask', everything: 'everything', grant: 'grant', record: 'record' } as const;
export type More = (typeof MORE)[keyof typeof MORE];

/** The value of an entry of ⋯; an option's value may hold a dot. */
export const encodeMore = (more: More, value: string): string => `${more}.${value}`;

/** Undefined when it is not one of ours. */
export function decodeMore(text: string): { readonly more: More; readonly value: string } | undefined {
  const [more = '', value = ''] = text.split('.');
  const known = Object.values(MORE).find(each => each === more);
  return known === undefined || value === '' ? undefined : { more: known, value };
}

/** The action id of the `index`-th button of a row of options. */
export const nth = (action: string, index: number): string => `${action}_${index}`;

/** The value of one way of a choice among deciders. */
export const optionValue = (
  thread: Pick<Thread, 'key'>,
  approval: Pick<Approval, 'id' | 'round'>,
  index: number,
): string => `${buttonValue(thread, approval)}-${index}`;

/** Undefined when it is not one of ours. */
export function decodeOption(text: string): { readonly value: ButtonValue; readonly index: number } | undefined {
  const match = /^(.+)-(\d{1,3})$/.exec(text);
  const value = match ? decodeButton(match[1] ?? '') : undefined;
  return value ? { value, index: Number(match?.[2]) } : undefined;
}

/** The value of the controls of a request: its thread, approval and present round. */
export const buttonValue = ({ key }: Pick<Thread, 'key'>, { id, round }: Pick<Approval, 'id' | 'round'>): string =>
  encodeButton({ channel: key.channel, ts: key.ts, approval: id, round });

/** Callback ids of the forms, and the block and action ids of their fields. */
export const FORMS = {
  edit: 'edit_form',
  editConfirm: 'edit_confirm_form',
  grant: 'grant_form',
  ask: 'ask_form',
  answer: 'answer_form',
  draft: 'draft_form',
  returned: 'return_form',
  freeze: 'freeze_form',
  record: 'record_view',
  askAbout: 'ask_about_form',
  settle: 'settle_form',
  reject: 'reject_form',
  review: 'review_form',
  loading: 'loading',
  notice: 'notice',
  /** Text fields: the question to the requester, an answer, a draft, why everything is frozen. */
  text: { block: 'text', action: 'text' },
  /** Selects: one or several options of a question, a grant's time and uses. */
  choice: { block: 'choice', action: 'choice' },
  other: { block: 'other', action: 'other' },
  time: { block: 'time', action: 'time' },
  uses: { block: 'uses', action: 'uses' },
  /** One field per argument of an edit: block `arg.<name>`, action `value`. */
  argument: { block: 'arg.', action: 'value' },
  reason: { block: 'reason', action: 'reason' },
  then: { block: 'then', action: 'then' },
} as const;

/** Where a thread lives, as far as a button can say it; the team comes with the click. */
export interface ThreadPlace {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
}

const place = ({ channel, ts }: ThreadPlace): string => `${channel}-${ts.replace('.', '')}`;

/** The value of the three answers to "did it run?". */
export const encodeDoubt = (thread: ThreadPlace, call: CallId, attempt: number): string =>
  `${place(thread)}-${call}-${attempt}`;

/** Undefined when it is not one of ours. */
export function decodeDoubt(
  text: string,
): { readonly thread: ThreadPlace; readonly call: CallId; readonly attempt: number } | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-([A-Z2-7]{26})-(\d{1,6})$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', call = '', attempt = ''] = match;
  return {
    thread: { channel: channel as ChannelId, ts: tsFromDigits(digits) },
    call: call as CallId,
    attempt: Number(attempt),
  };
}

/** The value of Cancel. */
export const encodeRun = (thread: ThreadPlace, run: RunId): string => `${place(thread)}-${run}`;

/** Undefined when it is not one of ours. */
export function decodeRun(text: string): { readonly thread: ThreadPlace; readonly run: RunId } | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-(r\d{1,9})$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', run = ''] = match;
  return { thread: { channel: channel as ChannelId, ts: tsFromDigits(digits) }, run: run as RunId };
}

/** The value of Use this instead and Keep waiting. */
export const encodeMessage = (thread: ThreadPlace, message: MessageTs): string =>
  `${place(thread)}-m${message.replace('.', '')}`;

/** Undefined when it is not one of ours. */
export function decodeMessage(text: string): { readonly thread: ThreadPlace; readonly message: MessageTs } | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-m(\d{7,20})$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', message = ''] = match;
  return { thread: { channel: channel as ChannelId, ts: tsFromDigits(digits) }, message: tsFromDigits(message) };
}

/** The value of Stop: the running call. */
export const encodeCall = (thread: ThreadPlace, call: CallId): string => `${place(thread)}-${call}`;

/** Undefined when it is not one of ours. */
export function decodeCall(text: string): { readonly thread: ThreadPlace; readonly call: CallId } | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-([A-Z2-7]{26})$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', call = ''] = match;
  return { thread: { channel: channel as ChannelId, ts: tsFromDigits(digits) }, call: call as CallId };
}

/** What a control of a question carries; `index` only for one of its options. */
export interface QuestionValue {
  readonly thread: ThreadPlace;
  readonly question: QuestionId;
  /** How many answers had not been taken when it was drawn. */
  readonly asked: number;
  readonly index: number | null;
}

/** The value of a question's controls. */
export const encodeQuestion = (thread: ThreadPlace, question: QuestionId, asked: number, index?: number): string =>
  `${place(thread)}-${question}-${asked}${index === undefined ? '' : `-${index}`}`;

/** Undefined when it is not one of ours. */
export function decodeQuestion(text: string): QuestionValue | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-([A-Z2-7]{26})-(\d{1,4})(?:-(\d{1,3}))?$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', question = '', asked = '', index] = match;
  return {
    thread: { channel: channel as ChannelId, ts: tsFromDigits(digits) },
    question: question as QuestionId,
    asked: Number(asked),
    index: index === undefined ? null : Number(index),
  };
}
