/**
 * Owns the file under a card: everything that would run, where neither the card nor a form holds it.
 *
 * 1. One file per digest of a call: an edited call gets a new one. 2. Approve is not offered before the file stands.
 */
import type { Approval, Thread } from '../../thread/thread.ts';
import { at } from '../../thread/thread.ts';
import { shortId } from '../../thread/ids.ts';
import type { Message } from '../message.ts';
import { argumentsOf, wholeText } from './arguments.ts';
import { formFacts } from './room.ts';
import { cardPlace } from './place.ts';
import { cardKey } from './keys.ts';
import { pushText } from './line.ts';
import * as block from './blocks.ts';
import type { Approved } from './scene.ts';

/** How much of the call's digest stands in the key. */
const DIGITS = 16;

const fileKey = (approval: Pick<Approval, 'id' | 'callDigest'>): string =>
  `file/${approval.id}/${approval.callDigest.slice(0, DIGITS)}`;

/** True when the file with everything stands in Slack. */
export function hasFile(thread: Thread, approval: Pick<Approval, 'id' | 'callDigest'>): boolean {
  const post = at(thread.posts, fileKey(approval));
  return post !== undefined && post.ts !== null && post.state !== 'failed';
}

/** Everything that would run, one argument below the other, as it stands in the file. */
export function fileText(scene: Approved): string {
  const { pen, call, approval } = scene;
  const { form, card } = pen.texts;
  const impact = card.impact(
    card.risk[approval.risk],
    approval.impact === null ? null : pen.show.text(approval.impact),
  );
  const all = argumentsOf(call.args, pen.context.argumentOrder(call.tool), pen.show);
  const facts = formFacts(pen, { ...approval, tool: call.tool, args: call.args }).join('');
  const parts = [scene.summary, impact, '', form.tool(pen.show.line(call.tool)), form.arguments, ''];
  return [...parts, wholeText(all), '', facts, ''].join('\n');
}

/** The file of a request that needs one; undefined for all others, and where nobody can decide any more. */
export function fileMessage(scene: Approved): Message | undefined {
  const { approval, thread, outcome, pen } = scene;
  if (approval.room !== 'file') return undefined;
  const key = fileKey(approval);
  if (outcome.is !== 'waiting' && !at(thread.posts, key)) return undefined;
  const place = cardPlace(scene);
  const own = 'channel' in place && place.threadTs !== undefined;
  const line = pen.texts.reply.fileBelow;
  return {
    key,
    rank: 'card',
    place: own ? place : { under: cardKey(approval, approval.card) },
    content: { text: pushText(line), blocks: [block.ownSection([line])] },
    file: { name: `${shortId(approval.id)}.txt`, text: fileText(scene) },
    evidence: false,
  };
}
