/**
 * Owns the reading of Slack's mrkdwn: `*bold* _italic_ ~strike~ `code` ```pre``` > quote`, the `<…>` references and bare
 * web addresses. The result has the shape of rich text (inline.ts). Characters that form no markup stay as they are, so
 * that nothing a person wrote is lost.
 */
import { unescapeText } from './escape.ts';
import { emojiFor } from './emoji.ts';
import type { Inline, RichPart, TextStyle } from './inline.ts';

const MARKS: Record<string, keyof TextStyle> = { '*': 'bold', _: 'italic', '~': 'strike' };
const WORD = /[\p{L}\p{N}]/u;

/** Parses escaped mrkdwn into paragraphs, quotes and preformatted parts, in their order. */
export function parseMrkdwn(text: string): RichPart[] {
  const parts: RichPart[] = [];
  const fenced = /```([\s\S]+?)```/g;
  let from = 0;
  for (const match of text.matchAll(fenced)) {
    parts.push(...parseLines(text.slice(from, match.index).replace(/\n$/, '')));
    const inner = (match[1] ?? '').replace(/^\n/, '').replace(/\n$/, '');
    parts.push({ type: 'rich_text_preformatted', elements: plainReferences(inner) });
    from = match.index + match[0].length;
  }
  parts.push(...parseLines(from > 0 ? text.slice(from).replace(/^\n/, '') : text));
  return parts;
}

/** Parses one stretch of escaped mrkdwn without line-level markup. */
function parseInline(text: string, style: TextStyle = {}): Inline[] {
  const found: Inline[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push(withStyle({ type: 'text', text: unescapeText(plain) }, style));
    plain = '';
  };
  for (let at = 0; at < text.length;) {
    const taken =
      takeCode(text, at, style) ??
      takeReference(text, at, style) ??
      takeMarked(text, at, style) ??
      takeEmoji(text, at, style) ??
      takeAddress(text, at, style);
    if (taken === undefined) {
      plain += text[at];
      at += 1;
      continue;
    }
    flush();
    found.push(...taken.elements);
    at = taken.end;
  }
  flush();
  return found;
}

interface Taken {
  elements: Inline[];
  end: number;
}

function parseLines(text: string): RichPart[] {
  const parts: RichPart[] = [];
  let quoted: boolean | undefined;
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0 || lines.join('') === '') return;
    parts.push({ type: quoted ? 'rich_text_quote' : 'rich_text_section', elements: parseInline(lines.join('\n')) });
  };
  let quoteRest = false;
  for (const line of text.split('\n')) {
    const mark = /^(?:&gt;|>){3} ?/.exec(line) ?? /^(?:&gt;|>) ?/.exec(line);
    const isQuote = quoteRest || mark !== null;
    if (isQuote !== quoted) {
      flush();
      lines = [];
      quoted = isQuote;
    }
    lines.push(mark === null ? line : line.slice(mark[0].length));
    if (mark !== null && /^(?:&gt;|>){3}/.test(mark[0])) quoteRest = true;
  }
  flush();
  return parts;
}

function takeCode(text: string, at: number, style: TextStyle): Taken | undefined {
  if (text[at] !== '`') return undefined;
  const end = text.indexOf('`', at + 1);
  const inner = text.slice(at + 1, end);
  if (end < 0 || inner === '' || inner.includes('\n')) return undefined;
  return { elements: plainReferences(inner, { ...style, code: true }), end: end + 1 };
}

function takeReference(text: string, at: number, style: TextStyle): Taken | undefined {
  if (text[at] !== '<') return undefined;
  const match = /^<([^<>\n]+)>/.exec(text.slice(at));
  const element = match?.[1] === undefined ? undefined : readReference(match[1]);
  if (match === null || element === undefined) return undefined;
  return { elements: [withStyle(element, style)], end: at + match[0].length };
}

function takeMarked(text: string, at: number, style: TextStyle): Taken | undefined {
  const mark = text[at] ?? '';
  const key = MARKS[mark];
  if (key === undefined || style[key] || isWord(text[at - 1]) || /\s/.test(text[at + 1] ?? ' ')) return undefined;
  for (let end = text.indexOf(mark, at + 1); end > 0; end = text.indexOf(mark, end + 1)) {
    const inner = text.slice(at + 1, end);
    if (inner.includes('\n')) return undefined;
    if (inner === '' || /\s$/.test(inner) || isWord(text[end + 1]) || splitsReference(inner)) continue;
    return { elements: parseInline(inner, { ...style, [key]: true }), end: end + 1 };
  }
  return undefined;
}

function takeEmoji(text: string, at: number, style: TextStyle): Taken | undefined {
  if (text[at] !== ':') return undefined;
  const name = /^:([a-z0-9_+'-]+):/.exec(text.slice(at))?.[1];
  if (name === undefined || emojiFor(name) === undefined) return undefined;
  return { elements: [withStyle({ type: 'emoji', name }, style)], end: at + name.length + 2 };
}

function takeAddress(text: string, at: number, style: TextStyle): Taken | undefined {
  if (text[at] !== 'h' || isWord(text[at - 1])) return undefined;
  const address = /^https?:\/\/[^\s<>|`"“”]*[^\s<>|`"“”.,;:!?)*_~]/.exec(text.slice(at))?.[0];
  if (address === undefined) return undefined;
  return { elements: [withStyle({ type: 'link', url: unescapeText(address) }, style)], end: at + address.length };
}

/** Reads the inside of `<…>`; anything that is no reference of Slack's gives undefined and stays text. */
function readReference(inside: string): Inline | undefined {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : unescapeText(inside.slice(bar + 1));
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1), ...(label ? { label } : {}) };
  if (target.startsWith('!subteam^')) return { type: 'usergroup', usergroup_id: target.slice('!subteam^'.length) };
  if (target.startsWith('!date^')) return readDate(target, label);
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(target)) return undefined;
  return { type: 'link', url: unescapeText(target), ...(label ? { text: label } : {}) };
}

function readDate(target: string, label: string | undefined): Inline | undefined {
  const [, seconds, format, url] = target.split('^');
  if (seconds === undefined || !/^\d+$/.test(seconds) || !format) return undefined;
  return {
    type: 'date',
    timestamp: Number(seconds),
    format: unescapeText(format),
    ...(url ? { url: unescapeText(url) } : {}),
    ...(label ? { fallback: label } : {}),
  };
}

/** Inside code nothing is markup, except that a reference shows what it points to. */
function plainReferences(text: string, style: TextStyle = {}): Inline[] {
  return text
    .split(/(<[^<>\n]+>)/)
    .filter(piece => piece !== '')
    .map(piece => {
      const element = piece.startsWith('<') ? readReference(piece.slice(1, -1)) : undefined;
      return withStyle(element ?? { type: 'text', text: unescapeText(piece) }, style);
    });
}

function withStyle(element: Inline, style: TextStyle): Inline {
  return Object.keys(style).length === 0 ? element : { ...element, style };
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character);
}

function splitsReference(inner: string): boolean {
  return inner.lastIndexOf('<') > inner.lastIndexOf('>');
}
