/**
 * Owns the one door to the protocol: (thread, command with its evidence, time) → events or a refusal. Pure.
 *
 * Called by the worker for everything that changes a thread: messages, effects' outcomes, clicks, forms, timers. What it
 * returns is appended as one commit, or decided again if another writer was faster.
 */
import type { Thread } from '../thread.ts';
import { wellFormed } from '../well-formed.ts';
import { amend, remove } from './amend.ts';
import { answer, closeQuestion } from './answer.ts';
import { claim } from './claim.ts';
import type { Command, Decision } from './command.ts';
import { decideApproval } from './decision.ts';
import { edit } from './edit.ts';
import { ended, notStarted, recover, sign } from './ending.ts';
import { grantSettled } from './grant.ts';
import { inquire } from './inquire.ts';
import { receive } from './intake.ts';
import { judgeProposed } from './judge.ts';
import { alsoTaking, release, take } from './lease.ts';
import { recheck } from './recheck.ts';
import { escalate, remind } from './remind.ts';
import { reply } from './reply.ts';
import { askAgain, away, cancel, endRun, keep, start } from './run.ts';
import { countPeople } from './people.ts';
import { posted } from './posted.ts';
import { checked, expire, settleDoubt } from './settle.ts';
import { stop } from './stop.ts';
import { answerRefused, beginStep, stepDone, suspend } from './suspend.ts';

/** What a command leads to in this thread at this time (epoch ms). Whatever text it brings can be stored afterwards. */
export const decide = (thread: Thread, command: Command, nowMs: number): Decision =>
  decideOn(thread, command.type === 'reply' ? storable(command) : wellFormed(command), nowMs);

/** Arguments are left as the model wrote them: those that are no text are refused, not repaired. */
function storable(command: Extract<Command, { type: 'reply' }>): Command {
  const calls = command.calls.map(({ tool, args }) => ({ tool: tool.toWellFormed(), args }));
  return { ...wellFormed({ ...command, calls: [] }), calls };
}

function decideOn(thread: Thread, command: Command, nowMs: number): Decision {
  switch (command.type) {
    case 'receive':
      return receive(thread, command, nowMs);
    case 'take':
      return take(thread, command);
    case 'release':
      return release(thread, command);
    case 'start':
      return start(thread, command, nowMs);
    case 'reply':
      return reply(thread, command, nowMs);
    case 'judge':
      return judgeProposed(thread, command, nowMs);
    case 'away':
      return away(thread, command, nowMs);
    case 'end':
      return endRun(thread, command, nowMs);
    case 'claim':
      return claim(thread, command, nowMs);
    case 'notStarted':
      return notStarted(thread, command, nowMs);
    case 'ended':
      return ended(thread, command);
    case 'sign':
      return sign(thread, command);
    case 'recover':
      return recover(thread, command, nowMs);
    case 'posted':
      return posted(thread, command);
    case 'expire':
      return expire(thread, command, nowMs);
    case 'decide':
      return alsoTaking(thread, decideApproval(thread, command, nowMs), command.lease);
    case 'suspend':
      return suspend(thread, command, nowMs);
    case 'answerRefused':
      return answerRefused(thread, command, nowMs);
    case 'beginStep':
      return beginStep(thread, command);
    case 'stepDone':
      return stepDone(thread, command);
    case 'answer':
      return alsoTaking(thread, answer(thread, command, nowMs), command.lease);
    case 'closeQuestion':
      return closeQuestion(thread, command, nowMs);
    case 'edit':
      return alsoTaking(thread, edit(thread, command, nowMs), command.lease);
    case 'remind':
      return remind(thread, command, nowMs);
    case 'escalate':
      return escalate(thread, command, nowMs);
    case 'recheck':
      return recheck(thread, command, nowMs);
    case 'countPeople':
      return countPeople(thread, command, nowMs);
    case 'inquire':
      return inquire(thread, command, nowMs);
    case 'stop':
      return stop(thread, command, nowMs);
    case 'checked':
      return checked(thread, command, nowMs);
    case 'grantSettled':
      return grantSettled(thread, command, nowMs);
    case 'amend':
      return amend(thread, command, nowMs);
    case 'remove':
      return remove(thread, command, nowMs);
    case 'settle':
      return settleDoubt(thread, command, nowMs);
    case 'cancel':
      return cancel(thread, command, nowMs);
    case 'keep':
      return keep(thread, command);
    case 'askAgain':
      return askAgain(thread, command);
  }
}
