/**
 * Owns what of Slack's written form reaches the log: text as its author read it. Slack's escapes and its marks for links,
 * channels and groups become plain text; mentions of people stay as `<@U…>`, since ids are their identity.
 */
import { withoutMentions } from '../../thread/text/mentions.ts';

const MARK = /<([^<>\n]*)>/g;

function shown(mark: string): string {
  const [target = '', label] = mark.split('|', 2);
  if (target.startsWith('@')) return `<${target}>`;
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!subteam^')) return label || `@${target.slice('!subteam^'.length)}`;
  if (target.startsWith('!date^')) return label ?? '';
  if (target.startsWith('!')) return label ?? `@${target.slice(1)}`;
  const bare = target.replace(/^(https?:\/\/|mailto:|tel:)/, '');
  return label === undefined || label === target || label === bare ? (label ?? target) : `${label} (${target})`;
}

/** Reads a message's `text`. */
export const readable = (text: string): string =>
  text
    .replace(MARK, (_, mark: string) => shown(mark))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** True when the text mentions this user. */
export const mentions = (text: string, user: string): boolean =>
  text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

const DECISIVE = new Set(
  [
    'ok, okay, k, yes, y, yep, yeah, sure, approve, approved, i approve, lgtm, go, go ahead, do it, ship it',
    "no, n, nope, reject, rejected, deny, denied, decline, do not, don't",
    '+1, -1, :+1:, :-1:, :thumbsup:, :thumbsdown:, :white_check_mark:, :x:, 👍, 👎, ✅, ❌',
    '好, 好的, 行, 可以, 同意, 批准, 通过, 拒绝, 不同意, 不行, 不可以, 驳回',
  ].flatMap(words => words.split(', ')),
);

/** True for a whole text that reads like a decision. It never is one; whoever wrote it is told where the buttons are. */
export const readsLikeDecision = (text: string): boolean =>
  DECISIVE.has(
    withoutMentions(text)
      .replace(/[.!?。！？,，…\s]+$/u, '')
      .toLowerCase(),
  );
