/**
 * Owns what a person's message becomes. Free text is never a decision.
 *
 * 1. The same message (channel + ts) counts once. 2. Without a mention only those are listened to whom the agent's
 * `follow_ups` names, and whoever has a question to answer, while it is open. 3. While a request waits, its requester's
 * message opens a new round of it: votes fall, the card shows the message. 4. A message that answers a question, or may
 * answer one of several, does only that.
 */
import { approvalDigest, sha256 } from '../digest.ts';
import type { EventOf, ThreadEvent } from '../events.ts';
import type { MessageTs, QuestionId } from '../ids.ts';
import { withoutMentions } from '../text/mentions.ts';
import { approvalOf, at, liveCalls, type Approval, type Question, type Thread } from '../thread.ts';
import { answerableBy, answeredBy } from './answer.ts';
import { decided, type Command, type Decision, type Incoming } from './command.ts';

const CANCEL_WORDS = new Set(['cancel', 'stop', '取消', '停止', '算了']);

/** True when the whole message asks to cancel: trimmed, case folded, without mention and final punctuation. */
export const isCancel = (text: string): boolean =>
  CANCEL_WORDS.has(
    withoutMentions(text)
      .replace(/[\p{P}\s]+$/u, '')
      .toLowerCase(),
  );

/**
 * True when the agent listens to this message in this thread. `asked`: questions that it may answer; `others`: messages of
 * the thread that are not in the log yet.
 */
export function isListenedTo(
  thread: Thread,
  message: Pick<Incoming, 'mention' | 'direct' | 'author' | 'followUps'>,
  asked: readonly Question[],
  others: readonly Pick<Incoming, 'author'>[] = [],
): boolean {
  if (message.mention || message.direct || asked.length > 0) return true;
  const before = [...Object.values(thread.messages), ...others];
  switch (message.followUps) {
    case 'requester':
      return before.some(other => other.author === message.author);
    case 'everyone':
      return before.length > 0;
    case 'never':
      return false;
  }
}

/** Takes messages in, in any state of the thread. */
export function receive(thread: Thread, command: Extract<Command, { type: 'receive' }>, nowMs: number): Decision {
  const events: ThreadEvent[] = [];
  const taken: Incoming[] = [];
  const answered = new Set<QuestionId>();
  const rounds = new Map<string, number>();
  for (const message of command.messages) {
    const known = at(thread.messages, message.ts) !== undefined || taken.some(other => other.ts === message.ts);
    // What an earlier one of the same commit has answered waits no more.
    const asked = answerableBy(thread, message.author, nowMs).filter(({ id }) => !answered.has(id));
    if (known || !isListenedTo(thread, message, asked, taken)) continue;
    taken.push(message);
    events.push(received(message));
    if (asked.length === 0)
      events.push(...openRounds(waitingFor(thread, message.author), message.ts, command.salt, rounds));
    for (const event of answeredBy(asked, message)) {
      events.push(event);
      if (event.type === 'question.answered') answered.add(event.question as QuestionId);
    }
  }
  const { lease } = command;
  if (events.length > 0 && lease)
    events.push({ type: 'lease.taken', holder: lease.holder, lengthMs: lease.lengthMs, body: {} });
  return decided(...events);
}

const received = (message: Incoming): ThreadEvent => ({
  type: 'message.received',
  ts: message.ts,
  channel: message.channel,
  author: message.author,
  team: message.team,
  mention: message.mention,
  direct: message.direct,
  body: { text: message.text.toWellFormed(), name: message.name.toWellFormed(), files: [...message.files] },
});

/** Open approvals of runs in progress, nested ones among them, that this person asked for. */
export const waitingFor = (thread: Thread, author: Incoming['author']): Approval[] =>
  liveCalls(thread).flatMap(call => {
    const approval = approvalOf(thread, call);
    if (call.state.is !== 'waiting' || approval?.state.is !== 'open') return [];
    return at(thread.runs, call.run)?.end === null && approval.requesters.includes(author) ? [approval] : [];
  });

/** A new round of each approval, for a message of its requester; `rounds` keeps those that the same commit has opened. */
export const openRounds = (
  approvals: readonly Approval[],
  message: MessageTs,
  salt: string,
  rounds: Map<string, number> = new Map(),
): EventOf<'round.opened'>[] =>
  approvals.map(approval => {
    const round = (rounds.get(approval.id) ?? approval.round) + 1;
    rounds.set(approval.id, round);
    return openRound(approval, round, message, salt);
  });

function openRound(approval: Approval, round: number, message: MessageTs, fresh: string): EventOf<'round.opened'> {
  const salt = sha256(`${fresh}.${approval.id}.${round}`);
  return {
    type: 'round.opened',
    approval: approval.id,
    round,
    why: 'message',
    supersedes: round - 1,
    message,
    digest: approvalDigest({
      callDigest: approval.callDigest,
      requesters: approval.requesters,
      bind: approval.bind,
      ruleDigest: approval.ruleDigest,
      expiresAtMs: approval.expiresAtMs,
      round,
      salt,
      options: approval.options,
    }),
    body: { salt },
  };
}
