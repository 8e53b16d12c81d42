/**
 * Owns what happens to a draft: completing `@`, `#` and `/` while it is typed, and writing it as Slack sends it, with
 * mentions as ids (`@Countersign` → `<@U0BOT0001>`) and everything else escaped. Code spans are left alone.
 */
import { escapeText } from './escape.ts';

/** Who and what can be mentioned in this workspace. */
export interface Mentionable {
  users: readonly { id: string; name: string; real_name: string; deleted: boolean }[];
  groups: readonly { id: string; handle: string; name: string }[];
  channels: readonly { id: string; name: string; is_im: boolean }[];
}

/** One line of the completion list. `insert` replaces the draft's characters `from`…`to`. */
export interface Completion {
  kind: 'user' | 'group' | 'channel' | 'command';
  id: string;
  label: string;
  hint: string;
  insert: string;
}

/** What the caret stands in: the completed stretch of the draft and its choices. */
export interface Completing {
  from: number;
  to: number;
  choices: Completion[];
}

const COMMANDS = [{ name: '/countersign', hint: 'what waits for you · freeze · unfreeze · grants · record · help' }];
const EVERYBODY = ['here', 'channel', 'everyone'];
const MOST_CHOICES = 8;

/** Writes a draft as escaped mrkdwn with ids for the people, groups and channels it names. */
export function encodeDraft(draft: string, known: Mentionable): string {
  const targets = mentionTargets(known);
  return draft
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 1 ? escapeText(piece) : encodePlain(piece, targets)))
    .join('');
}

/** The choices for the word before the caret, or undefined when nothing is being completed. */
export function completeDraft(draft: string, caret: number, known: Mentionable): Completing | undefined {
  const before = draft.slice(0, caret);
  const word = /(?:^|[\s(（「“"'])([@#][^@#\n]{0,30})$/u.exec(before)?.[1] ?? /^(\/\S*)$/.exec(before)?.[1];
  if (word === undefined) return undefined;
  const query = word.slice(1).toLowerCase();
  const choices = allChoices(word.charAt(0), known).filter(choice => matches(choice, query));
  if (choices.length === 0) return undefined;
  return { from: caret - word.length, to: caret, choices: choices.slice(0, MOST_CHOICES) };
}

/** Splits `/command rest` into the two fields of a slash command, or undefined when the draft is none. */
export function readCommand(draft: string): { command: string; text: string } | undefined {
  const match = /^(\/[a-z][a-z0-9_-]*)(?:\s+([\s\S]*))?$/i.exec(draft.trim());
  return match?.[1] === undefined ? undefined : { command: match[1], text: (match[2] ?? '').trim() };
}

function mentionTargets(known: Mentionable): Map<string, string> {
  const targets = new Map<string, string>();
  for (const word of EVERYBODY) targets.set(`@${word}`, `<!${word}>`);
  for (const channel of known.channels) if (!channel.is_im) targets.set(`#${channel.name}`, `<#${channel.id}>`);
  for (const group of known.groups) targets.set(`@${group.handle}`, `<!subteam^${group.id}>`);
  for (const user of known.users) targets.set(`@${user.name}`, `<@${user.id}>`);
  for (const user of known.users) targets.set(`@${user.real_name}`, `<@${user.id}>`);
  return new Map([...targets].map(([label, code]) => [label.toLowerCase(), code]));
}

function encodePlain(text: string, targets: Map<string, string>): string {
  const labels = [...targets.keys()].filter(label => label.length > 1).sort((a, b) => b.length - a.length);
  let encoded = '';
  for (let at = 0; at < text.length;) {
    const label =
      /[@#]/.test(text[at] ?? '') && !/[\w@#/.]/.test(text[at - 1] ?? '') ? labels.find(startsHere) : undefined;
    encoded += label === undefined ? escapeText(text.charAt(at)) : targets.get(label);
    at += label?.length ?? 1;

    function startsHere(candidate: string): boolean {
      const end = at + candidate.length;
      return text.slice(at, end).toLowerCase() === candidate && !/[\w-]/.test(text[end] ?? '');
    }
  }
  return encoded;
}

function allChoices(sign: string, known: Mentionable): Completion[] {
  if (sign === '/') {
    return COMMANDS.map(({ name, hint }) => ({ kind: 'command', id: name, label: name, hint, insert: `${name} ` }));
  }
  if (sign === '#') {
    return known.channels
      .filter(channel => !channel.is_im)
      .map(({ id, name }) => ({ kind: 'channel', id, label: `#${name}`, hint: '', insert: `#${name} ` }));
  }
  const people = known.users.filter(user => !user.deleted);
  return [
    ...people.map(({ id, name, real_name }): Completion => {
      return { kind: 'user', id, label: real_name, hint: name, insert: `@${real_name} ` };
    }),
    ...known.groups.map(({ id, handle, name }): Completion => {
      return { kind: 'group', id, label: `@${handle}`, hint: name, insert: `@${handle} ` };
    }),
  ];
}

function matches(choice: Completion, query: string): boolean {
  const label = choice.label.replace(/^[@#/]/, '').toLowerCase();
  if (label === query && choice.kind !== 'command') return false;
  return [label, ...label.split(' '), choice.hint.toLowerCase()].some(word => word.startsWith(query));
}
