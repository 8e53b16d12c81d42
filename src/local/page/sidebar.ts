/** Owns the column of channels and direct messages, with their unread marks. */
import { drawAvatar } from './avatar.ts';
import { icon } from './icons.ts';
import { channelsOf, go } from './navigate.ts';
import { PersonSwitcher } from './people.ts';
import { patchDesk, type Desk } from './store.ts';
import { channelTitle } from './names.ts';
import { html, type VNode } from './ui.ts';
import type { Channel, Workspace } from './wire.ts';

/** The sidebar of the person on screen. */
export function Sidebar({ desk, workspace }: { desk: Desk; workspace: Workspace }): VNode {
  const channels = channelsOf(workspace, desk.me);
  const list = (isDirect: boolean): VNode[] =>
    channels.filter(channel => channel.is_im === isDirect).map(channel => drawChannel(desk, workspace, channel));
  return html`<nav class="sidebar" aria-label="Channels">
    <header class="team"><strong>${workspace.team.name}</strong><small>embedded workspace</small></header>
    <button type="button" class="jump" onClick=${() => patchDesk({ switching: true })}>
      ${icon('search')}<span>Jump to…</span><kbd>${isMac() ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
    <div class="sidebar-lists">
      <h2 id="channels-heading">Channels</h2>
      <ul aria-labelledby="channels-heading">
        ${list(false)}
      </ul>
      <h2 id="direct-heading">Direct messages</h2>
      <ul aria-labelledby="direct-heading">
        ${list(true)}
      </ul>
    </div>
    <${PersonSwitcher} me=${desk.me} workspace=${workspace} place="sidebar" />
  </nav>`;
}

function drawChannel(desk: Desk, workspace: Workspace, channel: Channel): VNode {
  const unread = channel.unread[desk.me] ?? 0;
  const { place } = desk;
  const isHere = place.channel === channel.id || (place.view === 'home' && channel.is_im);
  const title = channelTitle(workspace, channel, desk.me).replace(/^#/, '');
  const label = `${title}${unread > 0 ? `, ${unread} unread` : ''}`;
  const sign = channel.is_im
    ? html`<span class="presence" data-connected=${workspace.app.connected}
        >${drawAvatar(workspace, workspace.app.user_id, 'small')}</span
      >`
    : icon(channel.is_private ? 'lock' : 'hash');
  return html`<li key=${channel.id}>
    <button
      type="button"
      class="channel-link"
      data-channel=${channel.id}
      data-unread=${unread}
      aria-current=${isHere ? 'page' : undefined}
      aria-label=${label}
      onClick=${() => go({ view: 'channel', channel: channel.id })}
    >
      ${sign}<span class="channel-name">${title}</span
      >${unread > 0 && html`<span class="badge" aria-hidden="true">${unread > 99 ? '99+' : unread}</span>`}
    </button>
  </li>`;
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
