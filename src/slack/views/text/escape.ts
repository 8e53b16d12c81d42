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

/** The longest start of a text whose escaped length is at most `max`, and how many characters are left over. */
export function take(text: string, max: number): { readonly head: string; readonly left: number } {
  let length = 0;
  let end = 0;
  for (const sign of text) {
    length += entities[sign]?.length ?? sign.length;
    if (length > max) {
      const head = text.slice(0, end).replace(brokenCodePoint, '');
      return { head, left: characters(text.slice(head.length)) };
    }
    end += sign.length;
  }
  return { head: text, left: 0 };
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
  let rest = text;
  while (escapedLength(rest) > max) {
    const { head } = take(rest, max);
    const line = head.lastIndexOf('\n');
    const end = line > head.length / 2 ? line + 1 : head.length;
    out.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === '' && out.length > 0 ? out : [...out, rest];
}
