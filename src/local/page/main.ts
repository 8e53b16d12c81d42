/** Starts the page: reads the workspace, goes to the asked place, draws, and follows what changes from then on. */
import { App } from './app.ts';
import { follow, watchWhatFades } from './live.ts';
import { applyPlace, firstPlace, go } from './navigate.ts';
import { refreshWorkspace } from './refresh.ts';
import { readDesk } from './store.ts';
import { html, render } from './ui.ts';

const PHONE_PX = 480;
const RETRY_MS = 1_000;

async function start(): Promise<void> {
  const root = document.getElementById('page');
  if (root === null) throw new Error('The page has no element to draw in.');
  render(html`<${App} />`, root);
  const startedMs = Date.now();
  for (await refreshWorkspace(); readDesk().workspace === undefined; await refreshWorkspace()) {
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
  addEventListener('hashchange', applyPlace);
  applyPlace();
  const { place, me, workspace } = readDesk();
  if (place.view === 'list' && innerWidth > PHONE_PX) go(firstPlace(me));
  follow(workspace?.cursor ?? 0, startedMs);
  watchWhatFades();
}

void start();
