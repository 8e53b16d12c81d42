/** How Slack stores text: which characters it escapes in mrkdwn and plain text, and what it makes of what a person types. Pure. */
import type { Channel, Group, Person } from './world.ts';

/** `<…>` forms that Slack understands: mentions, channels, groups, broadcasts, dates, links. */
const TOKEN = /<(?:[@#][A-Z0-9]+(?:\|[^<>]*)?|![a-z]+[^<>]*|(?:https?|mailto|tel|slack):[^<>]*)>/y;
const BROADCAST = /<!(?:here|channel|everyone)>/y;
const LINK = /<https?:[^<>]*>/y;
const ENTITY = /&(?:amp|lt|gt);/y;

/** Escapes `&`, `<` and `>`, as Slack stores plain text. */
export function escapePlain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Takes the escapes back. */
export function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Escapes what is neither an entity nor one of Slack's `<…>` forms, as Slack stores mrkdwn and message text. */
export function escapeLoose(text: string): string {
  let out = '';
  for (let at = 0; at < text.length;) {
    const kept = matchAt(ENTITY, text, at) ?? matchAt(TOKEN, text, at);
    out += kept ?? escapePlain(text.charAt(at));
    at += kept?.length ?? 1;
  }
  return out;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

export interface Names {
  readonly people: readonly Person[];
  readonly groups: readonly Group[];
  readonly channels: readonly Channel[];
}

/**
 * What Slack sends for what a person types: `@Countersign` and `#ops` become mentions, web addresses become links, the rest
 * is escaped. What is already in Slack's form (`<@U…>` of somebody who exists, `&amp;`) stays, and code stays as typed.
 */
export function typedText(typed: string, names: Names): string {
  const labels = mentionLabels(names);
  const pieces = typed.split(/(```[\s\S]*?```|`[^`\n]+`)/);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? escapeLoose(piece) : typedProse(piece, names, labels)))
    .join('');
}

function typedProse(typed: string, names: Names, labels: readonly Label[]): string {
  let out = '';
  for (let at = 0; at < typed.length;) {
    const found = knownToken(typed, at, names) ?? mention(typed, at, labels) ?? link(typed, at);
    out += found?.stored ?? escapePlain(typed.charAt(at));
    at += found?.length ?? 1;
  }
  return out;
}

interface Found {
  readonly stored: string;
  readonly length: number;
}

interface Label {
  readonly typed: string;
  readonly stored: string;
}

/** Longest names first, so that "@Dana Ito" is not taken for "@Dana" and a rest. */
function mentionLabels({ people, groups, channels }: Names): Label[] {
  const labels: Label[] = [];
  for (const { id, name, realName } of people)
    labels.push(...[name, realName].map(label => ({ typed: `@${label}`, stored: `<@${id}>` })));
  for (const { id, handle } of groups) labels.push({ typed: `@${handle}`, stored: `<!subteam^${id}>` });
  for (const word of ['here', 'channel', 'everyone']) labels.push({ typed: `@${word}`, stored: `<!${word}>` });
  for (const { id, name, imUser } of channels)
    if (imUser === undefined) labels.push({ typed: `#${name}`, stored: `<#${id}|${name}>` });
  return labels.sort((one, other) => other.typed.length - one.typed.length);
}

function mention(typed: string, at: number, labels: readonly Label[]): Found | undefined {
  if (typed[at] !== '@' && typed[at] !== '#') return undefined;
  if (at > 0 && /[\p{L}\p{N}_]/u.test(typed.charAt(at - 1))) return undefined;
  for (const label of labels) {
    const end = at + label.typed.length;
    const same = typed.slice(at, end).toLowerCase() === label.typed.toLowerCase();
    if (same && !/^[a-z0-9_-]/i.test(typed.slice(end))) return { stored: label.stored, length: label.typed.length };
  }
  return undefined;
}

function knownToken(typed: string, at: number, { people, groups, channels }: Names): Found | undefined {
  const ready = matchAt(ENTITY, typed, at) ?? matchAt(BROADCAST, typed, at) ?? matchAt(LINK, typed, at);
  if (ready !== undefined) return { stored: ready, length: ready.length };
  const token = /^<(@|#|!subteam\^)([A-Z0-9]+)(?:\|[^<>]*)?>/.exec(typed.slice(at, at + 200));
  const [whole, kind, id] = token ?? [];
  if (whole === undefined) return undefined;
  const known = { '@': people, '#': channels, '!subteam^': groups }[kind ?? ''] ?? [];
  return known.some(one => one.id === id) ? { stored: whole, length: whole.length } : undefined;
}

function link(typed: string, at: number): Found | undefined {
  const url = /^https?:\/\/[^\s<>|"]+[^\s<>|"'.,;:!?)\]]/.exec(typed.slice(at, at + 4_000))?.[0];
  return url === undefined ? undefined : { stored: `<${escapePlain(url)}>`, length: url.length };
}
