/** Checks rich text: its sections, lists, quotes and code, and what may stand in them. Rich text is stored as it comes, unescaped. */
import { isList, isObject, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { Report } from './report.ts';

/** The fields that an inline element must have, with their kind. */
const INLINE: Readonly<Record<string, Readonly<Record<string, 'string' | 'number'>>>> = {
  text: { text: 'string' },
  link: { url: 'string' },
  user: { user_id: 'string' },
  usergroup: { usergroup_id: 'string' },
  channel: { channel_id: 'string' },
  team: { team_id: 'string' },
  emoji: { name: 'string' },
  broadcast: { range: 'string' },
  color: { value: 'string' },
  date: { timestamp: 'number', format: 'string' },
};

export function checkRichText(block: JsonObject, at: string, report: Report): void {
  const elements = block['elements'];
  if (!isList(elements) || elements.length < 1) {
    report.add(`${at}/elements`, 'must have at least 1 item');
    return;
  }
  elements.forEach((element, index) => checkPart(element, `${at}/elements/${index}`, report));
}

function checkPart(part: Json, at: string, report: Report): void {
  const type = isObject(part) ? textIn(part, 'type') : undefined;
  if (!isObject(part)) report.add(at, 'must be an object');
  else if (type === 'rich_text_section' || type === 'rich_text_quote')
    checkInlines(part, at, report, Object.keys(INLINE));
  else if (type === 'rich_text_preformatted') checkInlines(part, at, report, ['text', 'link']);
  else if (type === 'rich_text_list') checkList(part, at, report);
  else report.add(`${at}/type`, `unsupported type: ${type ?? 'none'}`);
}

function checkList(list: JsonObject, at: string, report: Report): void {
  if (list['style'] !== 'bullet' && list['style'] !== 'ordered') report.add(`${at}/style`, 'must be bullet or ordered');
  const indent = list['indent'];
  if (indent !== undefined && (typeof indent !== 'number' || indent < 0 || indent > limits.richText.listIndent))
    report.add(`${at}/indent`, `must be between 0 and ${limits.richText.listIndent}`);
  const items = list['elements'];
  if (!isList(items) || items.length < 1) return report.add(`${at}/elements`, 'must have at least 1 item');
  items.forEach((item, index) => {
    const here = `${at}/elements/${index}`;
    if (isObject(item) && item['type'] === 'rich_text_section') checkInlines(item, here, report, Object.keys(INLINE));
    else report.add(`${here}/type`, 'must be rich_text_section');
  });
}

function checkInlines(part: JsonObject, at: string, report: Report, allowed: readonly string[]): void {
  const elements = part['elements'];
  if (!isList(elements)) return report.add(`${at}/elements`, 'missing required field: elements');
  elements.forEach((element, index) => checkInline(element, `${at}/elements/${index}`, report, allowed));
}

function checkInline(element: Json, at: string, report: Report, allowed: readonly string[]): void {
  if (!isObject(element)) return report.add(at, 'must be an object');
  const type = textIn(element, 'type') ?? '';
  const fields = allowed.includes(type) ? INLINE[type] : undefined;
  if (!fields) return report.add(`${at}/type`, `unsupported type: ${type || 'none'}`);
  for (const [key, kind] of Object.entries(fields)) {
    if (typeof element[key] !== kind) report.add(`${at}/${key}`, `missing required field: ${key}`);
    else if (element[key] === '') report.add(`${at}/${key}`, 'must be more than 0 characters');
  }
  const style = element['style'];
  if (style !== undefined && !isObject(style)) report.add(`${at}/style`, 'must be an object');
}
