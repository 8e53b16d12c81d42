/**
 * Owns how a model's markdown becomes rich text. Only form is taken over: headings, lists, quotes, code, bold, italic.
 * Links stay what they are written as, `label (address)`; mentions and broadcasts stay letters. Nothing in it is live.
 */
import type { RichTextBlock, RichTextList, RichTextSection, RichTextText } from '@slack/web-api';

type RichPart = RichTextBlock['elements'][number];
type Style = NonNullable<RichTextText['style']>;

const text = (content: string, style: Style = {}): RichTextText => ({
  type: 'text',
  text: content,
  ...(Object.keys(style).length > 0 ? { style } : {}),
});

const inlinePattern =
  /(?<code>`{1,3})(?<coded>[^`]+?)\k<code>|\*\*(?<bold>[^*\n]+?)\*\*|__(?<bold2>[^_\n]+?)__|~~(?<strike>[^~\n]+?)~~|(?<![\w*])\*(?<italic>[^*\s][^*\n]*?)\*(?![\w*])|(?<![\w_])_(?<italic2>[^_\s][^_\n]*?)_(?![\w_])|!?\[(?<label>[^\][\n]{0,400})\]\((?<address>[^()\s]{0,2000})(?:\s+"[^"\n]*")?\)/g;

/** One paragraph's text elements. */
function inline(source: string, style: Style = {}): RichTextText[] {
  const out: RichTextText[] = [];
  let from = 0;
  for (const match of source.matchAll(inlinePattern)) {
    if (match.index > from) out.push(text(source.slice(from, match.index), style));
    from = match.index + match[0].length;
    out.push(...marked(match.groups ?? {}, match[0], style));
  }
  if (from < source.length) out.push(text(source.slice(from), style));
  return out;
}

function marked(found: Readonly<Record<string, string | undefined>>, whole: string, style: Style): RichTextText[] {
  if (found['coded'] !== undefined) return [text(found['coded'], { ...style, code: true })];
  const strong = found['bold'] ?? found['bold2'];
  if (strong !== undefined) return inline(strong, { ...style, bold: true });
  const slanted = found['italic'] ?? found['italic2'];
  if (slanted !== undefined) return inline(slanted, { ...style, italic: true });
  if (found['strike'] !== undefined) return inline(found['strike'], { ...style, strike: true });
  const { label, address } = found;
  if (label === undefined || address === undefined) return [text(whole, style)];
  return [text(label === '' || label === address ? address : `${label} (${address})`, style)];
}

const section = (elements: RichTextText[]): RichTextSection => ({ type: 'rich_text_section', elements });

interface Lines {
  readonly all: readonly string[];
  at: number;
}

const bullet = /^(?<indent>\s*)(?:(?<sign>[-*+])|(?<number>\d{1,9})[.)])\s+(?<rest>.*)$/;
const fence = /^\s*(?:```|~~~)/;

function code(lines: Lines): RichPart {
  const kept: string[] = [];
  lines.at += 1;
  while (lines.at < lines.all.length && !fence.test(lines.all[lines.at] ?? '')) kept.push(lines.all[lines.at++] ?? '');
  lines.at += 1;
  return { type: 'rich_text_preformatted', elements: [text(kept.join('\n') || ' ')] };
}

function items(lines: Lines, first: RegExpExecArray): RichTextList {
  const style = first.groups?.['sign'] === undefined ? 'ordered' : 'bullet';
  const indent = first.groups?.['indent'] ?? '';
  const elements: RichTextSection[] = [];
  for (; lines.at < lines.all.length; lines.at += 1) {
    const match = bullet.exec(lines.all[lines.at] ?? '');
    if (!match || (match.groups?.['indent'] ?? '') !== indent) break;
    if ((match.groups?.['sign'] === undefined ? 'ordered' : 'bullet') !== style) break;
    elements.push(section(inline(match.groups?.['rest'] || ' ')));
  }
  return { type: 'rich_text_list', style, indent: Math.min(5, Math.floor(indent.length / 2)), elements };
}

function quoted(lines: Lines): RichPart {
  const kept: string[] = [];
  while (/^\s*>/.test(lines.all[lines.at] ?? '')) kept.push((lines.all[lines.at++] ?? '').replace(/^\s*> ?/, ''));
  return { type: 'rich_text_quote', elements: inline(kept.join('\n') || ' ') };
}

const isTable = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

function table(lines: Lines): RichPart {
  const kept: string[] = [];
  while (isTable(lines.all[lines.at] ?? '')) kept.push(lines.all[lines.at++] ?? '');
  return { type: 'rich_text_preformatted', elements: [text(kept.join('\n'))] };
}

function paragraph(lines: Lines): RichPart {
  const kept: string[] = [];
  for (; lines.at < lines.all.length; lines.at += 1) {
    const line = lines.all[lines.at] ?? '';
    if (line.trim() === '' || (kept.length > 0 && startsAnother(line))) break;
    kept.push(line);
    if (/^\s*#{1,6}\s/.test(line)) {
      lines.at += 1;
      break;
    }
  }
  const joined = kept.join('\n');
  const title = /^\s*#{1,6}\s+(.*?)\s*#*$/.exec(joined);
  return section(title ? inline(title[1] || ' ', { bold: true }) : inline(joined));
}

const startsAnother = (line: string): boolean =>
  fence.test(line) || bullet.test(line) || /^\s*>/.test(line) || isTable(line) || /^\s*#{1,6}\s/.test(line);

function next(lines: Lines): RichPart {
  const line = lines.all[lines.at] ?? '';
  if (fence.test(line)) return code(lines);
  const item = bullet.exec(line);
  if (item) return items(lines, item);
  if (/^\s*>/.test(line)) return quoted(lines);
  return isTable(line) ? table(lines) : paragraph(lines);
}

/** The parts of a rich text block; paragraphs are kept apart by a line end. Empty for blank text. */
export function richMarkdown(markdown: string): RichPart[] {
  const lines: Lines = { all: markdown.split('\n'), at: 0 };
  const out: RichPart[] = [];
  while (lines.at < lines.all.length) {
    if ((lines.all[lines.at] ?? '').trim() === '') {
      lines.at += 1;
      continue;
    }
    const part = next(lines);
    const last = out.at(-1);
    if (last?.type === 'rich_text_section' && part.type === 'rich_text_section')
      last.elements.push(text('\n\n'), ...part.elements);
    else out.push(part);
  }
  return out;
}

/** The letters of rich text without its form. */
export const letters = (parts: readonly RichPart[]): string =>
  parts
    .map(part =>
      part.type === 'rich_text_list'
        ? part.elements.map(item => lettersOf(item.elements)).join('\n')
        : lettersOf(part.elements),
    )
    .join('\n');

const lettersOf = (elements: RichTextSection['elements']): string =>
  elements.map(element => (element.type === 'text' ? element.text : '')).join('');
