/** Checks the small parts that blocks are made of: text objects, options, confirmations, ids. Returns them as Slack stores them. */
import { isList, isObject, objectsIn, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { escapeLoose, escapePlain } from '../text.ts';
import { checkLength } from './report.ts';
import type { Report } from './report.ts';

export type TextKind = 'plain_text' | 'mrkdwn';

/** A text object of one of the allowed kinds, at most `most` characters after escaping. */
export function acceptText(
  value: Json | undefined,
  at: string,
  report: Report,
  most: number,
  kinds: readonly TextKind[],
): JsonObject {
  if (!isObject(value)) {
    report.add(at, value === undefined ? 'missing required field' : 'must be an object');
    return {};
  }
  const type = textIn(value, 'type');
  const text = textIn(value, 'text');
  if (type !== 'plain_text' && type !== 'mrkdwn') report.add(`${at}/type`, 'must be a valid text type');
  else if (!kinds.includes(type)) report.add(`${at}/type`, `must be ${kinds.join(' or ')}`);
  if (text === undefined) {
    report.add(`${at}/text`, 'missing required field: text');
    return value;
  }
  if (type === 'plain_text') {
    const stored = escapePlain(text);
    checkLength(report, `${at}/text`, stored, most);
    if (value['verbatim'] !== undefined) report.add(`${at}/verbatim`, 'no more properties allowed');
    return { ...value, text: stored, emoji: value['emoji'] !== false };
  }
  const stored = escapeLoose(text);
  checkLength(report, `${at}/text`, stored, most);
  if (value['emoji'] !== undefined) report.add(`${at}/emoji`, 'no more properties allowed');
  return { ...value, text: stored, verbatim: value['verbatim'] === true };
}

/** An optional plain text; absent stays absent. */
export function acceptLabel(value: Json | undefined, at: string, report: Report, most: number): JsonObject | undefined {
  return value === undefined || value === null ? undefined : acceptText(value, at, report, most, ['plain_text']);
}

/** An optional string field of at most `most` characters. */
export function acceptString(value: Json | undefined, at: string, report: Report, most: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    report.add(at, 'must be a string');
    return undefined;
  }
  checkLength(report, at, value, most);
  return value;
}

/** A confirmation: title 100, text 300, buttons 30. */
export function acceptConfirm(value: Json | undefined, at: string, report: Report): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    report.add(at, 'must be an object');
    return undefined;
  }
  const style = textIn(value, 'style');
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    report.add(`${at}/style`, 'must be primary or danger');
  return {
    ...value,
    title: acceptText(value['title'], `${at}/title`, report, limits.confirm.title, ['plain_text']),
    text: acceptText(value['text'], `${at}/text`, report, limits.confirm.text, ['plain_text', 'mrkdwn']),
    confirm: acceptText(value['confirm'], `${at}/confirm`, report, limits.confirm.confirm, ['plain_text']),
    deny: acceptText(value['deny'], `${at}/deny`, report, limits.confirm.deny, ['plain_text']),
  };
}

/** One option of a select, radio, checkbox or overflow menu. */
export function acceptOption(
  value: Json | undefined,
  at: string,
  report: Report,
  kinds: readonly TextKind[],
): JsonObject {
  if (!isObject(value)) {
    report.add(at, 'must be an object');
    return {};
  }
  const text = acceptText(value['text'], `${at}/text`, report, limits.option.text, kinds);
  if (textIn(value, 'value') === undefined) report.add(`${at}/value`, 'missing required field: value');
  else acceptString(value['value'], `${at}/value`, report, limits.option.value);
  if (value['description'] === undefined) return { ...value, text };
  return {
    ...value,
    text,
    description: acceptText(value['description'], `${at}/description`, report, limits.option.description, kinds),
  };
}

/** A list of options; values are unique. */
export function acceptOptions(
  value: Json | undefined,
  at: string,
  report: Report,
  most: number,
  kinds: readonly TextKind[],
): JsonObject[] {
  if (!isList(value)) {
    report.add(at, value === undefined ? 'missing required field: options' : 'must be a list');
    return [];
  }
  if (value.length < 1) report.add(at, 'no fewer than 1 items');
  if (value.length > most) report.add(at, `no more than ${most} items allowed`);
  const values = objectsIn(value).map(one => textIn(one, 'value'));
  if (new Set(values).size < values.length) report.add(at, 'values must be unique');
  return value.map((one, index) => acceptOption(one, `${at}/${index}`, report, kinds));
}
