/** Owns the answer: the new message that rings whoever asked, with the model's words as safe rich text. */
import type { RichTextBlock } from '@slack/web-api';
import type { Run, Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { somebody, type Pen } from './context.ts';
import { ROOM } from './limits.ts';
import { joined, nobody, pushText, rich, t, words, type Line } from './line.ts';
import { letters, richMarkdown } from './markdown.ts';
import { take } from './text/escape.ts';
import { oneLine } from './text/show.ts';

/** The key of the message with the answer of a run. */
export const answerKey = (run: Run): string => `answer/${run.id}`;

/** The run's answer; undefined while there is none. */
export function answerMessage(pen: Pen, thread: Thread, run: Run): Message | undefined {
  if (run.answer === null || (run.end !== null && run.end.how !== 'succeeded')) return undefined;
  const shown = pen.show.text(run.answer.trim() === '' ? pen.texts.answer.empty : run.answer).trim();
  const { head, left } = take(shown, ROOM.answer);
  const people: Line = joined(
    run.requesters.slice(0, ROOM.people).map(user => [somebody(pen, thread, run, user)]),
    ' ',
  );
  const more: Line = left > 0 ? t`${pen.texts.answer.more(left)}` : [];
  const parts = richMarkdown(head);
  const [first] = parts;
  const opening =
    first?.type === 'rich_text_section'
      ? [{ ...first, elements: [...rich(t`${people} `), ...first.elements] }, ...parts.slice(1)]
      : [{ type: 'rich_text_section' as const, elements: rich(people) }, ...parts];
  const answer: RichTextBlock = {
    type: 'rich_text',
    elements: [
      ...opening,
      ...(more.length === 0 ? [] : [{ type: 'rich_text_section' as const, elements: rich(t`${'\n'}${more}`) }]),
    ],
  };
  return {
    key: answerKey(run),
    rank: 'final',
    place: { channel: thread.key.channel, threadTs: thread.key.ts },
    content: { text: pushText(t`${people} ${words(oneLine(letters(parts)))}`, nobody), blocks: [answer] },
    evidence: false,
  };
}
