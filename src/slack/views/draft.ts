/** Owns drafts that a message cannot hold: the file below it. */
import { at, type Question, type Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import * as block from './blocks.ts';
import type { Pen } from './context.ts';
import { ROOM } from './limits.ts';
import { pushText } from './line.ts';
import { escapedLength } from './text/escape.ts';

const draftKey = (question: Pick<Question, 'id'>): string => `draft/${question.id}`;

/** Words, counted as people do; where a language has no spaces, its characters. */
export const wordsIn = (text: string): number => text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)?.length ?? 0;

/** True when a message cannot show the whole draft. */
export const isLongDraft = (pen: Pen, { form }: Pick<Question, 'form'>): boolean =>
  form.type === 'review' && escapedLength(pen.show.text(form.draft)) > ROOM.draft;

/** True when the file with the whole draft stands in Slack. */
export function hasDraftFile(thread: Thread, question: Pick<Question, 'id'>): boolean {
  const post = at(thread.posts, draftKey(question));
  return post !== undefined && post.ts !== null && post.state !== 'failed';
}

/** The file of a draft that needs one, below the message `parent`; undefined for all others. */
export function draftFile(pen: Pen, thread: Thread, question: Question, parent: string): Message | undefined {
  if (question.form.type !== 'review' || !isLongDraft(pen, question)) return undefined;
  if (question.state.is !== 'open' && !at(thread.posts, draftKey(question))) return undefined;
  const line = pen.texts.reply.draftFile;
  const inThread = question.channel === null || question.channel === thread.key.channel;
  return {
    key: draftKey(question),
    rank: 'final',
    place: inThread ? { channel: thread.key.channel, threadTs: thread.key.ts } : { under: parent },
    content: { text: pushText(line), blocks: [block.ownSection([line])] },
    file: { name: 'draft.txt', text: pen.show.text(question.form.draft) },
    evidence: false,
  };
}
