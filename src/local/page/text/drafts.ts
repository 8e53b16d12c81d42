/**
 * Owns what happens to a draft while it is typed: completing `@`, `#` and `/`, and telling a slash command from a message.
 * A completed name stays a name; the workspace turns it into a mention (`@Countersign` → `<@U0BOT0001>`) when it is sent.
 */

/** Who and what can be mentioned in this workspace. */
export interface Mentionable {
  users: readonly { id: string; name: string; real_name: string; deleted: boolean }[];
  groups: readonly { id: string; handle: string; name: string }[];
  channels: readonly { id: string; name: string; is_im: boolean }[];
  /** The app's slash commands, with their slash, and how they are used. */
  commands: readonly { command: string; description: string; usage_hint: string }[];
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

const MOST_CHOICES = 8;

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

function allChoices(sign: string, known: Mentionable): Completion[] {
  if (sign === '/') {
    return known.commands.map(({ command, description, usage_hint: usage }) => {
      const hint = [usage, description].filter(text => text !== '').join(' · ');
      return { kind: 'command', id: command, label: command, hint, insert: `${command} ` };
    });
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
