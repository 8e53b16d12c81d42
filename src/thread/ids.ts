/**
 * Owns the branded ids of a thread and how they are derived. Ids that name something in a log are derived from where it
 * stands (thread, run, turn, index), so that doing a step again gives the same id again.
 */
import { createHash } from 'node:crypto';

type Brand<T, B extends string> = T & { readonly __brand: B };

/** A Slack user id (`U…` or `W…`): the identity of a person; names are for display only. */
export type UserId = Brand<string, 'UserId'>;
/** A Slack team id (`T…`). */
export type TeamId = Brand<string, 'TeamId'>;
/** A Slack channel id (`C…`, `G…`, `D…`). */
export type ChannelId = Brand<string, 'ChannelId'>;
/** A Slack message timestamp, `seconds.micros`; unique in its channel. */
export type MessageTs = Brand<string, 'MessageTs'>;
/** `r1`, `r2`, …: ordinal of a run in its thread, nested runs among them. */
export type RunId = Brand<string, 'RunId'>;
/** 26 base32 characters, derived from thread, run, turn and index; also the idempotency key that a tool is given. */
export type CallId = Brand<string, 'CallId'>;
/** 26 base32 characters, derived from thread, run and call id; one per call, for ever. */
export type ApprovalId = Brand<string, 'ApprovalId'>;
/** 26 base32 characters, derived from thread, run and what it belongs to; the identity of a question, choice or review. */
export type QuestionId = Brand<string, 'QuestionId'>;
/** 26 base32 characters: a standing permission; derived from the decision that gave it. */
export type GrantId = Brand<string, 'GrantId'>;
/** `<callId>.<attempt>`: one attempt to execute a call. */
export type ExecutionId = Brand<string, 'ExecutionId'>;
/** `<node>/<boot>`: the process that writes a commit or holds a lease. */
export type WriterId = Brand<string, 'WriterId'>;
/** A SHA-256 in lower-case hex. */
export type Digest = Brand<string, 'Digest'>;
/** The partition of a log: `thread#<team>#<channel>#<ts>` or `workspace#<team>`. */
export type LogKey = Brand<string, 'LogKey'>;

/** Where a thread lives in Slack; `ts` is the root message's (`thread_ts ?? ts`). */
export interface ThreadKey {
  readonly team: TeamId;
  readonly channel: ChannelId;
  readonly ts: MessageTs;
}

/** The partition key of a thread's log. */
export const threadLog = (key: ThreadKey): LogKey => `thread#${key.team}#${key.channel}#${key.ts}` as LogKey;

/** The partition key of a workspace's log (freeze, grants, tool pins, policy texts, trouble). */
export const workspaceLog = (team: TeamId): LogKey => `workspace#${team}` as LogKey;

/** Reads a thread's partition key back; undefined when the key is not a thread's. */
export function parseThreadLog(log: string): ThreadKey | undefined {
  const [kind, team, channel, ts, ...rest] = log.split('#');
  if (kind !== 'thread' || !team || !channel || !ts || rest.length > 0) return undefined;
  return { team: team as TeamId, channel: channel as ChannelId, ts: ts as MessageTs };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding, cut to `length` characters, of the SHA-256 of the parts' JSON. */
function derived(length: number, ...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  let bits = 0;
  let value = 0;
  let out = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5 && out.length < length) {
      out += ALPHABET.charAt((value >>> (bits - 5)) & 31);
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return out;
}

/** The id of the `index`-th call (from 0) of the `turn`-th model reply (from 1) of a run. */
export const callId = (key: ThreadKey, run: RunId, turn: number, index: number): CallId =>
  derived(26, 'call', key.team, key.channel, key.ts, run, String(turn), String(index)) as CallId;

/** The id of the approval of a call. */
export const approvalId = (key: ThreadKey, run: RunId, call: CallId): ApprovalId =>
  derived(26, 'approval', key.team, key.channel, key.ts, run, call) as ApprovalId;

/** The id of the call that a tool puts to people from inside, under the name that its author gave it. */
export const innerCallId = (key: ThreadKey, outer: CallId, name: string): CallId =>
  derived(26, 'inner', key.team, key.channel, key.ts, outer, name) as CallId;

/** The id of a question: `owner` is the call that asks (or the approval that is asked about), `name` tells its questions apart. */
export const questionId = (key: ThreadKey, owner: CallId | ApprovalId, name: string): QuestionId =>
  derived(26, 'question', key.team, key.channel, key.ts, owner, name) as QuestionId;

/** The id of the grant that a person gave with the decision `decisionKey`. */
export const grantId = (key: ThreadKey, approval: ApprovalId, decisionKey: string): GrantId =>
  derived(26, 'grant', key.team, key.channel, key.ts, approval, decisionKey) as GrantId;

/** The id of the `attempt`-th execution (from 1) of a call. */
export const executionId = (call: CallId, attempt: number): ExecutionId => `${call}.${attempt}` as ExecutionId;

/** The attempt that an execution is, from 1. */
export const attemptOf = (execution: ExecutionId): number => Number(execution.split('.')[1] ?? 0);

/** The key under which an extra copy of a message is on record, beside the message's own key. */
export const copyKey = (key: string, ts: MessageTs): string => `${key}~${ts}`;

/** True for keys of copies. */
export const isCopyKey = (key: string): boolean => key.includes('~');

/** `A-7F3K`: what people say when they talk about an approval, or a call that needed none; never accepted as identity. */
export const shortId = (id: ApprovalId | CallId): string => `A-${id.slice(0, 4)}`;

/** What a card's button carries, `<channel>-<ts without dot>-<approvalId>-<round>`, so that a click finds its thread. */
export interface ButtonValue {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly approval: ApprovalId;
  readonly round: number;
}

/** Reads a timestamp back from its digits, the dot left out. */
export const tsFromDigits = (digits: string): MessageTs => `${digits.slice(0, -6)}.${digits.slice(-6)}` as MessageTs;

/** Encodes a button's value; matches `^[A-Za-z0-9_-]{1,64}$`. */
export const encodeButton = (value: ButtonValue): string =>
  `${value.channel}-${value.ts.replace('.', '')}-${value.approval}-${value.round}`;

/** Decodes a button's value; undefined when it is not one of ours. */
export function decodeButton(text: string): ButtonValue | undefined {
  const match = /^([A-Z0-9]{2,20})-(\d{7,20})-([A-Z2-7]{26})-(\d{1,6})$/.exec(text);
  if (!match) return undefined;
  const [, channel = '', digits = '', approval = '', round = ''] = match;
  return {
    channel: channel as ChannelId,
    ts: tsFromDigits(digits),
    approval: approval as ApprovalId,
    round: Number(round),
  };
}
