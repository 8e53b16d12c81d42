/**
 * Owns the names of every control and form, and what their values carry, so that what is rendered and what comes back are
 * written and read in one place. Every value matches `^[A-Za-z0-9_-]{1,64}$`.
 *
 * 1. Approvals (`approve`, `reject`, `review`, `ask_again`): `buttonValue`. 2. In doubt: thread, call id and
 * attempt. 3. `cancel`: thread and run. 4. `use_instead`, `keep_waiting`: thread and the message's ts.
 */
import type { Approval, Thread } from '../../thread/thread.ts';
import {
  encodeButton,
  tsFromDigits,
  type CallId,
  type ChannelId,
  type MessageTs,
  type RunId,
} from '../../thread/ids.ts';

export const ACTIONS = {
  approve: 'approve',
  reject: 'reject',
  review: 'review',
  doubtRan: 'doubt_ran',
  doubtNotRun: 'doubt_not_run',
  doubtAbandon: 'doubt_abandon',
  cancel: 'cancel',
  askAgain: 'ask_again',
  useInstead: 'use_instead',
  keepWaiting: 'keep_waiting',
} as const;

/** The value of the controls of a request: its thread, approval and present round. */
export const buttonValue = ({ key }: Pick<Thread, 'key'>, { id, round }: Pick<Approval, 'id' | 'round'>): string =>
  encodeButton({ channel: key.channel, ts: key.ts, approval: id, round });

/** Callback ids of the forms, and the block and action ids of their fields. */
export const FORMS = {
  reject: 'reject_form',
  review: 'review_form',
  loading: 'loading',
  notice: 'notice',
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
