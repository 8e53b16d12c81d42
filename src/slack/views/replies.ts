/**
 * Owns the replies under a card: reminders, escalations, and what approvers ask the requester. Each is one post.
 *
 * 1. A reply is posted once and, but for the answer to a question, stays as it was posted. 2. Nothing is posted any more for
 * a request that is over; what stands stays.
 */
import { at, type Question } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import * as block from './blocks.ts';
import { ringing } from './context.ts';
import { fileMessage } from './file.ts';
import { inquiryLine } from './inquiry.ts';
import { cardKey } from './keys.ts';
import { ROOM } from './limits.ts';
import { nobody, pushText, type Line, type Quiet } from './line.ts';
import { cardPlace } from './place.ts';
import { what, type Approved } from './scene.ts';

function under(scene: Approved): Message['place'] {
  const place = cardPlace(scene);
  const own = 'channel' in place && place.threadTs !== undefined;
  return own ? place : { under: cardKey(scene.approval, scene.approval.card) };
}

/** A reply that is posted while the request waits; what stands stays as it is, so that a second copy of it is found and closed. */
function reply(scene: Approved, key: string, push: Line, line: Line): Message | undefined {
  const post = at(scene.thread.posts, key);
  const stands = post !== undefined && post.state !== 'failed';
  if (scene.outcome.is !== 'waiting' && !stands) return undefined;
  return {
    key,
    rank: 'card',
    place: under(scene),
    content: { text: pushText(push), blocks: [block.ownSection([line])] },
    evidence: false,
  };
}

function reminders(scene: Approved): (Message | undefined)[] {
  const { pen, approval, clock } = scene;
  const until = clock.at(approval.expiresAtMs);
  const { notify } = approval.terms;
  const whom = notify === null ? [] : ringing([notify], approval.requesters);
  return approval.reminders.map(({ n, round }) =>
    reply(
      scene,
      `remind/${approval.id}/${approval.card}/${round}/${n}`,
      pen.texts.push.reminder(what(scene), until),
      pen.texts.reply.reminder(whom, until),
    ),
  );
}

function escalations(scene: Approved): (Message | undefined)[] {
  const { pen, approval } = scene;
  return approval.escalations.flatMap(({ step, round, atMs }) => {
    const added = approval.terms.ladder[step];
    if (!added) return [];
    const time = pen.texts.duration(atMs - approval.requestedAtMs);
    return reply(
      scene,
      `escalate/${approval.id}/${approval.card}/${round}/${step}`,
      pen.texts.push.escalated(time, what(scene)),
      pen.texts.reply.escalated(ringing(added.scopes, approval.requesters), time),
    );
  });
}

/** What an approver asked, for the others to read; edited with the answer. It rings nobody. */
function inquiry(scene: Approved, question: Question): Message | undefined {
  const { pen } = scene;
  const key = `inquiry/${question.id}`;
  if (question.state.is !== 'open' && question.state.is !== 'answered' && !at(scene.thread.posts, key))
    return undefined;
  const line = inquiryLine(pen, question, scene.requester, ROOM.inquiry);
  const content = (quiet: Quiet) => ({ text: pushText(line), blocks: [block.paragraph(line, quiet)] });
  return {
    key,
    rank: 'card',
    place: under(scene),
    content: content(nobody),
    first: content('everybody'),
    evidence: false,
  };
}

/** Every reply under the card of a request. */
export const replies = (scene: Approved): Message[] =>
  [
    fileMessage(scene),
    ...reminders(scene),
    ...escalations(scene),
    ...scene.approval.inquiries.map(id => {
      const question = at(scene.thread.questions, id);
      return question && inquiry(scene, question);
    }),
  ].filter(message => message !== undefined);
