/**
 * Owns what of an unfinished answer can be read already. It is shown as Markdown that only grows, so that what stands there
 * must be safe and right whatever follows.
 *
 * 1. Nothing is shown of which more text could still make a secret, a mask of another length, or a link: the unfinished word
 * is held back, and what changes under any continuation. 2. Nothing in it is live: `<` and `&` are escaped, links are taken
 * apart, and an address is not shown before the answer itself stands. 3. A text that may be JSON as a whole is not shown:
 * whether its values are secrets shows at its end.
 */
import type { Run, Thread } from '../../thread/thread.ts';
import { answerKey } from './answer.ts';
import { somebody, type Pen } from './context.ts';
import { ROOM } from './limits.ts';
import { joined, mrkdwn } from './line.ts';
import { escape, take } from './text/escape.ts';

/** What stands so far: `opening` rings who asked and stands before the text. */
export interface Growing {
  /** The key of the answer that takes its place. */
  readonly key: string;
  readonly opening: string;
  readonly text: string;
}

/** The part of an answer that can be read while the rest is written; its text is empty while nothing can. */
export function growingAnswer(pen: Pen, thread: Thread, run: Run, text: string): Growing {
  const people = run.requesters.slice(0, ROOM.people).map(user => [somebody(pen, thread, run, user)]);
  const shown = dead(take(settled(pen.show.text, text), ROOM.answer).head);
  return {
    key: answerKey(run),
    opening: `${mrkdwn(joined(people, ' '))}${ownLine.test(shown) ? '\n' : ' '}`,
    text: shown,
  };
}

/** Markdown that has a meaning only at the start of a line. */
const ownLine = /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|```|~~~|>|\|)/;

/** Up to and with the last character behind which no word goes on: blank, or of a script that does not part its words. */
const wholeWords =
  /^[\s\S]*[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]/u;

/** What may follow: nothing, a word that goes on (long enough for any secret), another word, more lines of a key. */
const CONTINUATIONS = ['', 'x1A'.repeat(24), ' x', '\nAb+='];

/** What stands at the end and may still be counted together with what follows. */
const openEnd = /(?:\s|\\u\{[0-9a-f]*\}?|\[×[\d,]*\]?)+$/;

/** No more of a text is looked at: what is shown of it is never longer than the answer. */
const LOOKED_AT = 2 * ROOM.answer;

/** The start of the shown text that stays as it is, whatever is written next. */
function settled(show: (raw: string) => string, raw: string): string {
  const text = raw.trimStart().slice(0, LOOKED_AT);
  if (/^[{[]/.test(text)) return '';
  const whole = wholeWords.exec(text)?.[0] ?? '';
  const [first = '', ...others] = CONTINUATIONS.map(more => show(whole + more));
  const common = others.reduce(sharedStart, first);
  return withoutOpenMask(common).replace(openEnd, '');
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length).replace(/[\u{D800}-\u{DBFF}]$/u, '');
}

/** A mask that ends with the text may grow: it is held back as a whole. */
function withoutOpenMask(text: string): string {
  const mask = text.lastIndexOf('••••');
  return mask < 0 || /[)）]/.test(text.slice(mask)) ? text : text.slice(0, mask);
}

const address =
  /(?:[a-z0-9+.-]{0,40}:\/\/|\b(?:www\.|(?:mailto|tel|javascript|data|slack):)(?=[!-~]))[^\s)`>*"<|\u0080-\uffff]*/gi;
const email = /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g;

/** Markdown in which nothing is live. */
const dead = (text: string): string =>
  escape(
    text
      .replace(address, '[…]')
      .replace(email, '[…]')
      .replace(/\](?=[([:])/g, '] ')
      .replace(/@(?=channel|here|everyone|group)/gi, '@ '),
  ).replace(/^([ \t]*)&gt;/gm, '$1>');
