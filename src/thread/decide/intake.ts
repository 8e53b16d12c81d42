/**
 * Owns what a person's message becomes. Free text is never a decision.
 *
 * 1. The same message (channel + ts) counts once. 2. Without a mention only a requester of this thread is listened to.
 * 3. While a request waits, its requester's message opens a new round of it: votes fall, the card shows the message.
 */
import { approvalDigest, sha256 } from '../digest.ts';
import type { ThreadEvent } from '../events.ts';
import { at, currentRun, type Approval, type Thread } from '../thread.ts';
import { decided, type Command, type Decision, type Incoming } from './command.ts';

const CANCEL_WORDS = new Set(['cancel', 'stop', '取消', '停止', '算了']);

/** True when the whole message asks to cancel: trimmed, case folded, without mention and final punctuation. */
export const isCancel = (text: string): boolean =>
  CANCEL_WORDS.has(
    text
      .replaceAll(/<@[A-Z0-9]+(\|[^>]*)?>/g, '')
      .trim()
      .replace(/[\p{P}\s]+$/u, '')
      .toLowerCase(),
  );

/** True when the agent listens to this message in this thread. */
export const isListenedTo = (thread: Thread, message: Incoming): boolean =>
  message.mention || message.direct || Object.values(thread.messages).some(other => other.author === message.author);

/** Takes messages in, in any state of the thread. */
export function receive(thread: Thread, command: Extract<Command, { type: 'receive' }>): Decision {
  const events: ThreadEvent[] = [];
  const seen = new Set<string>();
  const rounds = new Map<string, number>();
  for (const message of command.messages) {
    if (seen.has(message.ts) || at(thread.messages, message.ts) || !isListenedTo(thread, message)) continue;
    seen.add(message.ts);
    events.push({
      type: 'message.received',
      ts: message.ts,
      channel: message.channel,
      author: message.author,
      team: message.team,
      mention: message.mention,
      direct: message.direct,
      body: { text: message.text.toWellFormed(), name: message.name.toWellFormed(), files: [...message.files] },
    });
    for (const approval of waitingApprovals(thread, message)) {
      const round = (rounds.get(approval.id) ?? approval.round) + 1;
      rounds.set(approval.id, round);
      events.push(openRound(approval, round, message, command.salt));
    }
  }
  const { lease } = command;
  if (events.length > 0 && lease)
    events.push({ type: 'lease.taken', holder: lease.holder, lengthMs: lease.lengthMs, body: {} });
  return decided(...events);
}

/** Open approvals of the current run, if the author is among those who asked for it. */
function waitingApprovals(thread: Thread, message: Incoming): Approval[] {
  const run = currentRun(thread);
  if (!run?.requesters.includes(message.author)) return [];
  return run.turnCalls.flatMap(id => {
    const call = at(thread.calls, id);
    const approval = call?.approval ? at(thread.approvals, call.approval) : undefined;
    return approval?.state.is === 'open' && call?.state.is === 'waiting' ? [approval] : [];
  });
}

function openRound(approval: Approval, round: number, message: Incoming, fresh: string): ThreadEvent {
  const salt = sha256(`${fresh}.${approval.id}.${round}`);
  return {
    type: 'round.opened',
    approval: approval.id,
    round,
    why: 'message',
    supersedes: round - 1,
    message: message.ts,
    digest: approvalDigest({
      callDigest: approval.callDigest,
      requesters: approval.requesters,
      bind: approval.bind,
      ruleDigest: approval.ruleDigest,
      expiresAtMs: approval.expiresAtMs,
      round,
      salt,
    }),
    body: { salt },
  };
}
