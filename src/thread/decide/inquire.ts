/**
 * Owns an approver's question to the requester about a request that waits.
 *
 * 1. Only who may decide may ask. 2. It changes nothing about the request, and is over when the request is.
 */
import { questionId } from '../ids.ts';
import type { Problem } from '../refusal.ts';
import { at, requestOf, type Approval, type Thread } from '../thread.ts';
import { decided, refused, repeated, type Command, type Decision } from './command.ts';
import { cardRefusal, refuse, stateRefusal } from './decision.ts';
import { entitlement } from './rights.ts';

/** Questions about one request that may wait for an answer at once. */
const MAX_OPEN_INQUIRIES = 5;
/** Characters of a question. */
const MAX_INQUIRY_LENGTH = 500;

type Inquire = Extract<Command, { type: 'inquire' }>;

/** Asks the requesters something about a request, or refuses with a code (`busy`: five such questions wait already). */
export function inquire(thread: Thread, command: Inquire, nowMs: number): Decision {
  const actor = command.actor.user;
  const found = requestOf(thread, command.approval);
  if (!found) return refused({ code: 'not_found', actor });
  const { approval, call } = found;
  const prompt = command.text.trim();
  const id = questionId(thread.key, approval.id, command.key);
  const earlier = at(thread.questions, id);
  if (earlier?.askedBy?.by === actor && earlier.prompt === prompt) return repeated;
  const problem = earlier ? ({ code: 'key_reused' } as const) : problemOf(thread, approval, command, prompt, nowMs);
  if (problem) return refuse(thread, approval, command, problem);
  return decided({
    type: 'question.asked',
    question: id,
    run: call.run,
    kind: 'question',
    to: [...approval.requesters],
    expiresAtMs: approval.expiresAtMs,
    about: approval.id,
    by: actor,
    body: { prompt, schema: { type: 'text' }, name: command.actor.name },
  });
}

function problemOf(
  thread: Thread,
  approval: Approval,
  command: Inquire,
  prompt: string,
  nowMs: number,
): Problem | undefined {
  const problem = stateRefusal(approval, command.round, nowMs) ?? cardRefusal(command);
  if (problem) return problem;
  const rights = entitlement(approval, command.actor, nowMs);
  if (rights !== 'ok') return { code: rights };
  if (prompt === '') return { code: 'bad_answer', detail: 'empty' };
  if (prompt.length > MAX_INQUIRY_LENGTH) return { code: 'bad_answer', detail: 'too_long' };
  const open = approval.inquiries.filter(id => at(thread.questions, id)?.state.is === 'open').length;
  return open >= MAX_OPEN_INQUIRIES ? { code: 'busy', detail: 'inquiries' } : undefined;
}
