/** Owns the app's Home: the view that Countersign publishes for the person on screen. */
import { click } from './act.ts';
import { drawBlocks } from './blocks/list.ts';
import type { Desk } from './store.ts';
import { PaneHead } from './talk/paneHead.ts';
import { html, type VNode } from './ui.ts';
import type { Workspace } from './wire.ts';

/** The Home pane. */
export function HomePane({ desk, workspace }: { desk: Desk; workspace: Workspace }): VNode {
  const { home } = desk;
  const content =
    home === undefined
      ? html`<p class="home-empty">${workspace.app.name} has put nothing here yet.</p>`
      : drawBlocks(home.blocks, { click: press => click({ view_id: home.id }, press) });
  return html`<section class="pane home" aria-label=${`${workspace.app.name} Home`} data-view=${home?.id}>
    <${PaneHead} desk=${desk} workspace=${workspace} />
    <div class="home-body" tabindex="0"><div class="home-inner">${content}</div></div>
  </section>`;
}
