/** Owns the elements that choose among what the workspace has (people, channels) or a moment: as selects with options. */
import { authorName } from '../names.ts';
import { readDesk } from '../store.ts';
import type { Element, MultiChoice, Option, Picker, Select } from './shape.ts';

const KINDS: readonly string[] = [
  'users_select',
  'multi_users_select',
  'channels_select',
  'conversations_select',
  'datepicker',
  'timepicker',
];

/** True for the elements of this kind. */
export function isPicker(element: Element): element is Picker {
  return KINDS.includes(element.type);
}

/** What is chosen at first, as a string of the people's API. */
export function initialPick(element: Picker): string | undefined {
  if (element.type === 'multi_users_select') return JSON.stringify(element.initial_users ?? []);
  return (
    element.initial_user ??
    element.initial_channel ??
    element.initial_conversation ??
    element.initial_date ??
    element.initial_time
  );
}

/** People, or channels, as the options of a select. */
export function asSelect(element: Picker): Select {
  const { action_id, confirm, placeholder } = element;
  const options = element.type === 'users_select' ? people() : channels();
  return {
    type: 'static_select',
    action_id,
    options,
    ...(placeholder ? { placeholder } : {}),
    ...(confirm ? { confirm } : {}),
  };
}

/** Everybody as options of which several can be taken. */
export function asChoices({ action_id, confirm }: Picker): MultiChoice {
  return { type: 'multi_static_select', action_id, options: people(), ...(confirm ? { confirm } : {}) };
}

function people(): Option[] {
  const { workspace } = readDesk();
  const users = workspace?.users.filter(user => !user.deleted) ?? [];
  return users.map(({ id }) => option(workspace === undefined ? id : authorName(workspace, id), id));
}

function channels(): Option[] {
  const all = readDesk().workspace?.channels ?? [];
  return all.filter(channel => !channel.is_im).map(({ id, name }) => option(`#${name}`, id));
}

function option(text: string, value: string): Option {
  return { text: { type: 'plain_text', text, emoji: false }, value };
}
