/** Owns turning a stored message back into what its author typed, so that it can be changed. */
import { unescapeText } from './escape.ts';

interface Known {
  users: readonly { id: string; real_name: string }[];
  groups: readonly { id: string; handle: string }[];
}

/** `<@U0BOT0001> see <https://x.dev>` → `@Countersign see https://x.dev`; what is not known stays in Slack's form. */
export function typedAgain(text: string, known: Known | undefined): string {
  const parts = text.split(/(<[^<>]*>)/);
  return parts.map((part, index) => (index % 2 === 1 ? reference(part, known) : unescapeText(part))).join('');
}

function reference(part: string, known: Known | undefined): string {
  const [, sign = '', rest = ''] = /^<([@#!]?)(.*)>$/.exec(part) ?? [];
  const [id = '', label] = rest.split('|');
  if (sign === '') return label === undefined ? unescapeText(id) : part;
  if (sign === '#') return label === undefined ? part : `#${label}`;
  if (sign === '@') {
    const person = known?.users.find(user => user.id === id);
    return person === undefined ? part : `@${person.real_name}`;
  }
  const group = known?.groups.find(one => id === `subteam^${one.id}`);
  if (group !== undefined) return `@${group.handle}`;
  return /^(?:here|channel|everyone)$/.test(id) ? `@${id}` : part;
}
