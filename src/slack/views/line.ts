/**
 * Owns what a line of ours is made of, and how it is written in each of Slack's kinds of text. The tables of texts make
 * lines; nobody else builds mrkdwn.
 *
 * 1. Other people's words are a part of their own (`words`), already masked and made visible; in mrkdwn they are escaped, in
 * rich text they are text elements, which nothing reads as markup. 2. A person in `quiet` is written by first name and does
 * not ring.
 */
import type { RichTextElement } from '@slack/web-api';
import type { ChannelId, UserId } from '../../thread/ids.ts';
import { escape, escapedLength, shorten } from './text/escape.ts';
import { ROOM } from './limits.ts';

export type Part =
  | { readonly is: 'own'; readonly text: string; readonly bold: boolean }
  | { readonly is: 'words'; readonly text: string }
  | { readonly is: 'person'; readonly id: UserId; readonly first: string }
  | { readonly is: 'group'; readonly id: string }
  | { readonly is: 'channel'; readonly id: ChannelId; readonly label: string }
  | { readonly is: 'time'; readonly ms: number; readonly format: string; readonly fallback: string }
  | { readonly is: 'link'; readonly url: string; readonly label: string };
export type Line = readonly Part[];
type Piece = string | number | Part | Line;

const own = (text: string, bold = false): Part => ({ is: 'own', text, bold });
const parts = (piece: Piece): Line =>
  typeof piece === 'string' || typeof piece === 'number'
    ? [own(String(piece))]
    : Array.isArray(piece)
      ? (piece as Line)
      : [piece as Part];

/** A line of own words with parts between them: t`Approved by ${person} ${time}`. */
export const t = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Line =>
  texts.flatMap((text, index) => {
    const piece = pieces[index];
    return [...(text === '' ? [] : [own(text)]), ...(piece === undefined ? [] : parts(piece))];
  });

/** Own words in bold. */
export const bold = (text: string): Line => [own(text, true)];
/** Other people's words, as `Show` gives them. */
export const words = (text: string): Part => ({ is: 'words', text });
export const person = (id: UserId, first: string): Part => ({ is: 'person', id, first });
export const link = (url: string, label: string): Part => ({ is: 'link', url, label });
export const channel = (id: ChannelId, label: string): Part => ({ is: 'channel', id, label });

/** Lines one after the other with `between` in the gaps; empty ones are left out. */
export const joined = (lines: readonly Line[], between: string): Line =>
  lines.filter(line => line.length > 0).flatMap((line, index) => (index === 0 ? line : [own(between), ...line]));

/** Who is written by first name instead of a mention: some, everybody, or everybody but some. */
export type Quiet = ReadonlySet<UserId> | 'everybody' | { readonly allBut: readonly UserId[] };
export const nobody: ReadonlySet<UserId> = new Set();

const isQuiet = (id: UserId, quiet: Quiet): boolean =>
  quiet === 'everybody' || ('allBut' in quiet ? !quiet.allBut.includes(id) : quiet.has(id));

function mrkdwnPart(part: Part, quiet: Quiet): string {
  switch (part.is) {
    case 'own':
      return part.bold ? `*${escape(part.text)}*` : escape(part.text);
    case 'words':
      return escape(part.text);
    case 'person':
      return isQuiet(part.id, quiet) ? escape(part.first) : `<@${part.id}>`;
    case 'group':
      return `<!subteam^${part.id}>`;
    case 'channel':
      return `<#${part.id}>`;
    case 'time':
      return `<!date^${Math.floor(part.ms / 1000)}^${part.format}|${part.fallback}>`;
    case 'link':
      return `<${part.url}|${escape(part.label)}>`;
  }
}

/** mrkdwn; everything but our own marks is escaped. */
export const mrkdwn = (line: Line, quiet: Quiet = nobody): string => line.map(part => mrkdwnPart(part, quiet)).join('');

function plainPart(part: Part): string {
  switch (part.is) {
    case 'own':
    case 'words':
      return part.text;
    case 'person':
      return part.first;
    case 'group':
      return '';
    case 'channel':
      return part.label;
    case 'time':
      return part.fallback;
    case 'link':
      return part.label;
  }
}

/** Plain text, for places without markup: first names, times in UTC, nothing escaped. */
export const plain = (line: Line): string => line.map(plainPart).join('');

function richPart(part: Part, quiet: Quiet): RichTextElement {
  switch (part.is) {
    case 'own':
      return { type: 'text', text: part.text, ...(part.bold ? { style: { bold: true } } : {}) };
    case 'words':
      return { type: 'text', text: part.text };
    case 'person':
      return isQuiet(part.id, quiet) ? { type: 'text', text: part.first } : { type: 'user', user_id: part.id };
    case 'group':
      return { type: 'usergroup', usergroup_id: part.id };
    case 'channel':
      return { type: 'channel', channel_id: part.id };
    case 'time':
      return {
        type: 'date',
        timestamp: Math.floor(part.ms / 1000),
        format: part.format,
        fallback: part.fallback,
      };
    case 'link':
      return { type: 'link', url: part.url, text: part.label };
  }
}

/** Elements of rich text; empty texts, which Slack refuses, are left out. */
export const rich = (line: Line, quiet: Quiet = nobody): RichTextElement[] =>
  line.filter(part => !('text' in part) || part.text !== '').map(part => richPart(part, quiet));

/** Length as Slack may count it: mrkdwn with addresses in place of link tokens. */
export const lengthOf = (line: Line): number =>
  line.reduce((sum, part) => sum + (part.is === 'link' ? ROOM.address : escapedLength(mrkdwnPart(part, nobody))), 0);

/**
 * The `text` of a message, at most `max` characters as they are read: times count as such, people are first names unless
 * `quiet` says otherwise, and other people's words are what is cut first.
 */
export function pushText(line: Line, quiet: Quiet = 'everybody', max: number = ROOM.push): string {
  const fixed = line.reduce((sum, part) => sum + (part.is === 'words' ? 0 : escapedLength(plainPart(part))), 0);
  let forWords = Math.max(20, max - fixed);
  let left = max;
  return line
    .map(part => {
      const read = escapedLength(plainPart(part));
      if (part.is === 'words') {
        const text = escape(shorten(part.text, Math.max(0, Math.min(forWords, left))));
        forWords = Math.max(0, forWords - text.length);
        left -= text.length;
        return text;
      }
      // Where our own words alone are too many, their end is left out.
      const fits = read <= left;
      const rest = left;
      left -= read;
      return fits ? mrkdwnPart(part, quiet) : part.is === 'own' && rest > 1 ? escape(shorten(part.text, rest)) : '';
    })
    .join('');
}
