/** Owns how people's messages are quoted: Slack's own codes become readable text, the bot's mention is left out. */
import type { UserId } from '../../thread/ids.ts';

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

function code(inner: string): string {
  const [target = '', label] = inner.split('|', 2);
  if (target.startsWith('@')) return label === undefined ? target : `@${label}`;
  if (target.startsWith('#')) return `#${label === undefined || label === '' ? target.slice(1) : label}`;
  if (target.startsWith('!subteam^')) return label ?? '@group';
  if (target.startsWith('!date^')) return label ?? '';
  if (target.startsWith('!')) return `@${(label ?? target.slice(1)).replace(/^@/, '')}`;
  return label === undefined || label === target ? target : `${label} (${target})`;
}

/** A message's text as its author saw it, still untrusted. */
export const spoken = (text: string, botUser: UserId): string =>
  text
    .replaceAll(`<@${botUser}>`, '')
    .replace(/<([@#!][^<>\n]{1,300}|(?:https?|mailto|tel):[^<>\n]{1,3000})>/g, (_, inner: string) => code(inner))
    .replace(/&(?:amp|lt|gt);/g, entity => entities[entity] ?? entity)
    .trim();
