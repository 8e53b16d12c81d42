/** Owns the whole window: which panes are drawn, the banner, what lies on top, and the keys that work everywhere. */
import { ConfirmDialog } from './dialog.ts';
import { FileDialog } from './file.ts';
import { FormDialog } from './form.ts';
import { InspectorPane } from './inspect/pane.ts';
import { HomePane } from './home.ts';
import { channelsOf, go, openThread, stepChannel } from './navigate.ts';
import { dropNotice } from './notices.ts';
import { icon } from './icons.ts';
import { Sidebar } from './sidebar.ts';
import { patchDesk, readDesk, useDesk, type Desk } from './store.ts';
import { ChannelPane } from './talk/channel.ts';
import { ThreadPane } from './talk/thread.ts';
import { Switcher } from './switcher.ts';
import { drawMrkdwn } from './drawn.ts';
import { html, useEffect, type VNode } from './ui.ts';
import type { Channel, Workspace } from './wire.ts';

/** The page. */
export function App(): VNode {
  const desk = useDesk();
  const { workspace, place } = desk;
  useEffect(() => {
    document.addEventListener('keydown', globalKeys);
    return () => document.removeEventListener('keydown', globalKeys);
  }, []);
  useEffect(() => {
    if (workspace !== undefined) document.title = windowTitle(desk, workspace);
  }, [desk]);
  if (workspace === undefined)
    return html`<div class="stage"><p class="starting" role="status">Opening the workspace…</p></div>`;
  const channel = workspace.channels.find(
    found => found.id === (place.channel ?? channelsOf(workspace, desk.me)[0]?.id),
  );
  const hasThread =
    place.thread !== undefined &&
    channel !== undefined &&
    place.view === 'channel' &&
    channel.members.includes(desk.me);
  const inspects = hasThread && place.inspect === true && workspace.inspector === true;
  const top = desk.views.at(-1);
  return html`<div class="stage" data-phone=${desk.phone}>
    <div class="shell" data-place=${place.view} data-thread-open=${hasThread} data-inspect=${inspects}>
      ${drawBanner(desk, workspace)}
      <div class="panes">
        <${Sidebar} desk=${desk} workspace=${workspace} />
        ${inspects ? html`<${InspectorPane} key=${`${channel.id}/${place.thread}`} desk=${desk} workspace=${workspace} channel=${channel.id} thread=${place.thread} />` : html`<main>${drawMain(desk, workspace, channel)}</main>`}
        ${hasThread && html`<${ThreadPane} desk=${desk} workspace=${workspace} channel=${channel} thread=${place.thread} />`}
      </div>
      ${drawNotices(desk)}
      ${top !== undefined && html`<${FormDialog} key=${top.id} view=${top} depth=${desk.views.length - 1} />`}
      ${desk.file && html`<${FileDialog} key=${desk.file.id} file=${desk.file} />`}
      ${desk.switching && html`<${Switcher} desk=${desk} workspace=${workspace} />`}
      ${desk.asking && html`<${ConfirmDialog} asking=${desk.asking} />`}
    </div>
  </div>`;
}

function drawMain(desk: Desk, workspace: Workspace, channel: Channel | undefined): VNode {
  if (desk.place.view === 'home') return html`<${HomePane} desk=${desk} workspace=${workspace} />`;
  if (channel === undefined)
    return html`<p class="starting">There is no such channel here. Choose one on the left.</p>`;
  return html`<${ChannelPane} desk=${desk} workspace=${workspace} channel=${channel} />`;
}

function drawBanner(desk: Desk, workspace: Workspace): VNode | undefined {
  const away = 'The workspace does not answer. What is on screen may be old; it is tried again by itself.';
  if (!desk.live) return html`<p class="banner" role="status" data-banner="workspace">${away}</p>`;
  if (workspace.app.connected) return undefined;
  return html`<p class="banner" role="status" data-banner="app">
    ${workspace.app.name} is not running; what you write waits
  </p>`;
}

function drawNotices(desk: Desk): VNode {
  return html`<div class="notices" role="region" aria-label="Notices">
    ${desk.notices.map(notice => {
      const { place } = notice;
      const open = (): void => {
        dropNotice(notice.id);
        if (place !== undefined) go(place);
      };
      const content = html`<strong>${notice.title}</strong
        ><span class="notice-text">${notice.kind === 'ring' ? drawMrkdwn(notice.text) : notice.text}</span>`;
      return html`<div
        class=${`notice ${notice.kind}`}
        role=${notice.kind === 'error' ? 'alert' : 'status'}
        key=${notice.id}
        data-notice=${notice.kind}
      >
        ${place === undefined ? html`<div class="notice-body">${content}</div>` : html`<button type="button" class="notice-body" onClick=${open}>${content}</button>`}
        <button type="button" class="icon-button" aria-label="Close notice" onClick=${() => dropNotice(notice.id)}>
          ${icon('close')}
        </button>
      </div>`;
    })}
  </div>`;
}

function globalKeys(event: KeyboardEvent): void {
  const { views, asking, switching, place, file } = readDesk();
  if (document.querySelector(':popover-open') !== null) return;
  const covered = views.length > 0 || asking !== undefined || file !== undefined;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !covered)
    patchDesk({ switching: !switching });
  else if (event.altKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp') && !covered)
    stepChannel(event.key === 'ArrowDown' ? 1 : -1);
  else if (
    event.key === 'Escape' &&
    !covered &&
    !switching &&
    place.channel !== undefined &&
    place.thread !== undefined
  )
    openThread(place.channel, undefined);
  else return;
  event.preventDefault();
}

function windowTitle(desk: Desk, workspace: Workspace): string {
  const unread = channelsOf(workspace, desk.me).reduce((sum, channel) => sum + (channel.unread[desk.me] ?? 0), 0);
  const place = workspace.channels.find(channel => channel.id === desk.place.channel);
  const where = place === undefined || place.is_im ? workspace.app.name : `#${place.name}`;
  return `${unread > 0 ? `(${unread}) ` : ''}${where} · ${workspace.team.name}`;
}
