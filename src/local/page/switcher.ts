/** Owns the jump dialog (Ctrl/Cmd-K): type a few letters, Enter goes to a channel or becomes a person. */
import { drawAvatar } from './avatar.ts';
import { Dialog } from './dialog.ts';
import { icon } from './icons.ts';
import { becomePerson, channelsOf, go } from './navigate.ts';
import { castOf } from './people.ts';
import { patchDesk, type Desk } from './store.ts';
import { channelTitle } from './names.ts';
import { html, useState, type VNode } from './ui.ts';
import type { Workspace } from './wire.ts';

interface Target {
  id: string;
  label: string;
  hint: string;
  sign: VNode;
  choose: () => void;
}

/** The dialog; the best match is picked. */
export function Switcher({ desk, workspace }: { desk: Desk; workspace: Workspace }): VNode {
  const [query, setQuery] = useState('');
  const [picked, setPicked] = useState(0);
  const found = allTargets(desk, workspace).filter(target => matches(target, query));
  const close = (): void => patchDesk({ switching: false });
  const choose = (target: Target | undefined): void => {
    if (target === undefined) return;
    close();
    target.choose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setPicked((picked + step + found.length) % found.length);
    else if (event.key === 'Enter' && !event.isComposing) choose(found[picked]);
    else return;
    event.preventDefault();
  };
  const onInput = (event: InputEvent): void => {
    if (event.target instanceof HTMLInputElement) setQuery(event.target.value);
    setPicked(0);
  };
  return html`<${Dialog} label="Jump to" class="switcher" close=${close}>
    <input
      type="text"
      placeholder="A channel or a person"
      aria-label="Jump to a channel or person"
      role="combobox"
      aria-expanded="true"
      aria-controls="switcher-list"
      aria-activedescendant=${`switcher-${picked}`}
      value=${query}
      onInput=${onInput}
      onKeyDown=${onKeyDown}
    />
    <div role="listbox" id="switcher-list" aria-label="Places">
      ${found.map(
        (target, index) =>
          html`<div
            role="option"
            class="completion"
            id=${`switcher-${index}`}
            key=${target.id}
            data-target=${target.id}
            aria-selected=${index === picked}
            onClick=${() => choose(target)}
          >
            ${target.sign}<strong>${target.label}</strong><span class="completion-hint">${target.hint}</span>
          </div>`,
      )}
      ${found.length === 0 && html`<p class="switcher-empty">Nothing is called that here.</p>`}
    </div>
  <//>`;
}

function allTargets(desk: Desk, workspace: Workspace): Target[] {
  const channels = channelsOf(workspace, desk.me).map(channel => ({
    id: channel.id,
    label: channelTitle(workspace, channel, desk.me).replace(/^#/, ''),
    hint: (channel.unread[desk.me] ?? 0) > 0 ? `${channel.unread[desk.me]} unread` : '',
    sign: channel.is_im
      ? drawAvatar(workspace, workspace.app.user_id, 'small')
      : icon(channel.is_private ? 'lock' : 'hash'),
    choose: () => go({ view: 'channel', channel: channel.id }),
  }));
  const people = castOf(workspace).filter(person => person.id !== desk.me);
  return [
    ...channels,
    ...(workspace.app.home_tab
      ? [
          {
            id: 'home',
            label: `${workspace.app.name} Home`,
            hint: '',
            sign: drawAvatar(workspace, undefined, 'small'),
            choose: () => go({ view: 'home' }),
          },
        ]
      : []),
    ...people.map(person => ({
      id: person.id,
      label: `Switch to ${person.real_name}`,
      hint: person.title,
      sign: drawAvatar(workspace, person.id, 'small'),
      choose: () => becomePerson(person.id),
    })),
  ];
}

function matches(target: Target, query: string): boolean {
  const wanted = query.trim().toLowerCase().replace(/^[#@]/, '');
  return (
    `${target.label} ${target.hint}`
      .toLowerCase()
      .split(/[\s-]+/)
      .some(word => word.startsWith(wanted)) || target.label.toLowerCase().includes(wanted)
  );
}
