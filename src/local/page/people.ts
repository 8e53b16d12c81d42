/** Owns switching between the people of the workspace: who one is, and what may be known of everybody else. */
import { drawAvatar } from './avatar.ts';
import { groupHandles, personFlags } from './names.ts';
import { icon } from './icons.ts';
import { Menu, type MenuItem } from './menu.ts';
import { becomePerson } from './navigate.ts';
import { html, type VNode } from './ui.ts';
import type { Person, Workspace } from './wire.ts';

interface SwitcherProps {
  me: string;
  workspace: Workspace;
  /** In the head of a pane, where the sidebar is out of sight on a phone, only the face is shown. */
  place: 'sidebar' | 'head';
}

/** The person on screen, with a menu of all others. */
export function PersonSwitcher({ me, workspace, place }: SwitcherProps): VNode {
  const person = workspace.users.find(user => user.id === me);
  if (person === undefined) return html`<div class="you"></div>`;
  const items: MenuItem[] = castOf(workspace).map(other => ({
    key: other.id,
    selected: other.id === me,
    content: drawPerson(other, workspace),
    choose: () => becomePerson(other.id),
    data: { 'data-user': other.id },
  }));
  const label = `You are ${person.real_name}, ${person.title}. Switch person`;
  const inHead = place === 'head';
  const face = inHead ? drawAvatar(workspace, me) : html`${drawPerson(person, workspace)}${icon('updown')}`;
  const data: Record<string, string> = inHead ? {} : { 'data-me': me };
  return html`<div class=${`you in-${place}`}>
    <${Menu} label=${label} class="you-button" items=${items} heading="Look at the workspace as" data=${data}
      >${face}<//
    >
  </div>`;
}

/** Everybody who can be played, no bots: ordinary members first, each part by name. */
export function castOf(workspace: Workspace): Person[] {
  const people = workspace.users.filter(user => !user.is_bot && user.id !== workspace.app.user_id);
  const rank = (person: Person): number => (personFlags(person, workspace).length > 0 ? 1 : 0);
  return people.sort((a, b) => rank(a) - rank(b) || a.real_name.localeCompare(b.real_name));
}

function drawPerson(person: Person, workspace: Workspace): VNode {
  const flags = personFlags(person, workspace);
  const more = flags.filter(flag => flag !== person.title);
  return html`${drawAvatar(workspace, person.id)}
    <span class="person" data-deleted=${person.deleted}>
      <span class="person-name">${person.real_name}</span>
      <span class="person-more">
        <span class=${flags.includes(person.title) ? 'flag' : 'person-title'}>${person.title}</span>
        ${more.map(flag => html`<span class="flag">${flag}</span>`)}
        ${groupHandles(person, workspace).map(handle => html`<span class="handle">${handle}</span>`)}
      </span>
    </span>`;
}
