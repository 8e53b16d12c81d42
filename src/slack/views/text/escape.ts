/**
 * Owns escaping and cutting. Text is taken apart into whole code points, measured escaped, and cut between them, so that no
 * cut falls into an entity or a surrogate pair.
 */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes what is live in mrkdwn and `text`: `&`, `<`, `>`. */
export const escape = (text: string): string => text.replace(/[&<>]/g, sign => entities[sign] ?? sign);

/** Length in UTF-16 units after escaping. */
export function escapedLength(text: string): number {
  let length = text.length;
  for (const sign of text) length += (entities[sign]?.length ?? sign.length) - sign.length;
  return length;
}

/** The number of people's characters in a text: code points. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** `1,840`. */
export const grouped = (value: number): string => value.toLocaleString('en-US');

/** A code point written as `\u{…}` stays whole. */
const brokenCodePoint = /\\u\{[0-9a-f]{0,6}$/;

/** Where the longest stretch from `from` ends whose escaped length is at most `max`; never inside a code point or `\u{…}`. */
function endOf(text: string, from: number, max: number): number {
  let length = 0;
  let end = from;
  while (end < text.length) {
    const sign = String.fromCodePoint(text.codePointAt(end) ?? 0);
    length += entities[sign]?.length ?? sign.length;
    if (length > max) {
      const broken = brokenCodePoint.exec(text.slice(Math.max(from, end - 10), end));
      return broken ? end - broken[0].length : end;
    }
    end += sign.length;
  }
  return end;
}

/** The longest start of a text whose escaped length is at most `max`, and how many characters are left over. */
export function take(text: string, max: number): { readonly head: string; readonly left: number } {
  const end = endOf(text, 0, max);
  return { head: text.slice(0, end), left: characters(text.slice(end)) };
}

/** A text in at most `max` units after escaping; a cut shows as `…[+1,840]`. */
export function cut(text: string, max: number): string {
  if (escapedLength(text) <= max) return text;
  const { head, left } = take(text, Math.max(0, max - 14));
  return `${head}…[+${grouped(left)}]`;
}

/** A text in at most `max` units after escaping; a cut shows as `…`. */
export const shorten = (text: string, max: number): string =>
  escapedLength(text) <= max ? text : `${take(text, Math.max(0, max - 1)).head.trimEnd()}…`;

/** Splits a text into pieces of at most `max` units after escaping, at line ends where there are any. */
export function pieces(text: string, max: number): string[] {
  const out: string[] = [];
  let from = 0;
  while (from < text.length) {
    const end = Math.max(endOf(text, from, max), from + 1);
    const line = end === text.length ? -1 : text.lastIndexOf('\n', end - 1) + 1;
    const stop = line > from + (end - from) / 2 ? line : end;
    out.push(text.slice(from, stop));
    from = stop;
  }
  return out.length === 0 ? [''] : out;
}
