/** Owns the head of the main pane: where one is, who is there, the app's tabs, and the phone switch. */
import { drawAvatar } from '../avatar.ts';
import { icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { PersonSwitcher } from '../people.ts';
import { go } from '../navigate.ts';
import { patchDesk, type Desk } from '../store.ts';
import { html, type VNode } from '../ui.ts';
import type { Channel, Workspace } from '../wire.ts';
import { channelTitle } from '../names.ts';

interface PaneHeadProps {
  desk: Desk;
  workspace: Workspace;
  /** Absent on the app's Home. */
  channel?: Channel;
}

/** The head of a channel, a direct message or Home. */
export function PaneHead({ desk, workspace, channel }: PaneHeadProps): VNode {
  const isApp = channel === undefined || channel.is_im;
  const title =
    channel === undefined ? workspace.app.name : channelTitle(workspace, channel, desk.me).replace(/^#/, '');
  const sign = isApp
    ? drawAvatar(workspace, workspace.app.user_id, 'small')
    : icon(channel.is_private ? 'lock' : 'hash');
  return html`<header class="pane-head">
    <button
      type="button"
      class="icon-button back"
      aria-label="Back to the channels"
      onClick=${() => go({ view: 'list' })}
    >
      ${icon('back')}
    </button>
    <h1>${sign}<span>${title}</span></h1>
    ${isApp && workspace.app.home_tab && drawTabs(desk, workspace, channel)}
    <span class="spring"></span>
    ${!isApp && drawMembers(workspace, channel)} ${drawPhoneSwitch(desk)}
    <${PersonSwitcher} me=${desk.me} workspace=${workspace} place="head" />
  </header>`;
}

function drawTabs(desk: Desk, workspace: Workspace, channel: Channel | undefined): VNode {
  const direct = channel ?? workspace.channels.find(found => found.is_im && found.members.includes(desk.me));
  const toMessages = (): void => go(direct === undefined ? { view: 'list' } : { view: 'channel', channel: direct.id });
  return html`<div class="tabs" role="tablist" aria-label=${workspace.app.name}>
    <button type="button" role="tab" aria-selected=${channel !== undefined} onClick=${toMessages}>Messages</button>
    <button type="button" role="tab" aria-selected=${channel === undefined} onClick=${() => go({ view: 'home' })}>
      Home
    </button>
  </div>`;
}

function drawMembers(workspace: Workspace, channel: Channel): VNode {
  const people = workspace.users.filter(user => channel.members.includes(user.id));
  const items = people.map(person => ({
    key: person.id,
    content: html`${drawAvatar(workspace, person.id, 'small')}<span class="member-name">${person.real_name}</span
      ><small>${person.title}</small>`,
    choose: () => undefined,
  }));
  return html`<${Menu} label=${`${people.length} members`} class="members" items=${items} heading="Members">
    <span class="faces">${people.slice(0, 3).map(person => drawAvatar(workspace, person.id, 'small'))}</span
    >${people.length}
  <//>`;
}

function drawPhoneSwitch(desk: Desk): VNode {
  const press = (): void => patchDesk({ phone: !desk.phone });
  return html`<button
    type="button"
    class="icon-button phone-switch"
    aria-pressed=${desk.phone}
    aria-label="Phone width"
    title="See it as on a phone"
    onClick=${press}
  >
    ${icon('phone')}
  </button>`;
}
