/** Owns the messages to operators: one per cause of trouble, edited when it is over. */
import type { TroubleAbout } from '../../thread/workspace.ts';
import type { Content } from '../message.ts';
import * as block from './blocks.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { channel, joined, link, pushText, t, words, type Line } from './line.ts';
import { linkToMessage } from './links.ts';
import { cut } from './text/escape.ts';

/**
 * Trouble as it stands in the workspace log: `cause` says where, `code` what, `detail` more in other people's words, `about`
 * where somebody finds it.
 */
export interface Trouble {
  readonly cause: string;
  readonly code: string;
  readonly detail: string;
  readonly about: TroubleAbout | null;
  readonly over: boolean;
}

/** The key of the message about a cause. */
export const troubleKey = (cause: string): string => `trouble/${cause}`;

/** The operators' message: what it means and where to look, what it is about, and small what to call it. */
export function troubleContent(trouble: Trouble, context: RenderContext): Content {
  const pen = penOf(context);
  const { operators } = pen.texts;
  const sentence = wordsFor(operators, trouble.code) ?? operators.other;
  const line = trouble.over
    ? operators.closed(wordsFor(operators.ended, trouble.code) ?? sentence)
    : operators.open(sentence);
  const detail = cut(pen.show.text(detailOf(pen, trouble)), ROOM.result);
  // Where a call is meant, the detail is its summary, and says at once which.
  const which: Line = trouble.about?.short === undefined ? [] : [words(pen.show.line(trouble.detail))];
  return {
    text: pushText(joined([line, which], ' ')),
    blocks: [
      block.ownSection([joined([line, lookLine(pen, trouble.about)], ' · ')]),
      ...(detail.trim() === '' ? [] : [block.preformatted(detail)]),
      block.fine([[...namesOf(pen, trouble), cut(context.environment, ROOM.label)].join(' · ')]),
    ],
  };
}

/** Words where the log has a code: why Slack did not take a card, which limit was reached. */
function detailOf({ texts: { slackSays, operators } }: Pen, { code, detail }: Trouble): string {
  if (code === 'undelivered') return wordsFor(slackSays, detail) ?? slackSays.other(detail);
  return (code === 'budget' ? wordsFor(operators.limits, detail) : undefined) ?? detail;
}

/** The words that a table has for a code. */
function wordsFor(table: object, code: string): string | undefined {
  const [, found] = Object.entries(table).find(([name]) => name === code) ?? [];
  return typeof found === 'string' ? found : undefined;
}

/** A link to the message, or the channel's name. */
function lookLine({ texts }: Pen, about: TroubleAbout | null): Line {
  if (about === null) return [];
  const { channel: id, ts } = about;
  return ts === undefined
    ? t`${channel(id, texts.people.channel)}`
    : t`${link(linkToMessage(id, ts), texts.operators.look)}`;
}

/** What people call it. Long ids are for the logs: they stand here only where nothing else says what is meant. */
function namesOf({ show }: Pen, { cause, code, about }: Trouble): string[] {
  if (about?.short !== undefined) return [show.line(about.short)];
  if (about !== null) return [cut(show.line(code), ROOM.label * 2)];
  const [where, what] = [cut(show.line(cause), ROOM.why), cut(show.line(code), ROOM.label * 2)];
  return where.startsWith(what) ? [where] : [where, what];
}
