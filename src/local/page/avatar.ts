/** Owns faces: initials on a colour of the person's own, and the app's seal. */
import { html, type VNode } from './ui.ts';
import type { Workspace } from './wire.ts';

const COLOURS = 9;

/** The square face of a person or the app; decorative, since the name always stands beside it. */
export function drawAvatar(
  workspace: Workspace,
  user: string | undefined,
  size: 'small' | 'medium' | 'large' = 'medium',
): VNode {
  if (user === undefined || user === workspace.app.user_id) {
    return html`<img class=${`avatar app ${size}`} src="/page/icon.svg" alt="" />`;
  }
  const people = workspace.users.filter(person => !person.is_bot);
  const at = people.findIndex(person => person.id === user);
  const name = people[at]?.real_name ?? '?';
  return html`<span class=${`avatar colour-${at < 0 ? 0 : at % COLOURS} ${size}`} aria-hidden="true"
    >${initials(name)}</span
  >`;
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return words
    .map(word => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
}
