/**
 * Owns the inspector: the log of the open thread as a time line, and beside it the selected commit. It follows new
 * commits as long as the newest one is selected.
 */
import { icon } from '../icons.ts';
import { toggleInspector } from '../navigate.ts';
import { threadKey, type Desk } from '../store.ts';
import { html, useEffect, useRef, useState, type VNode } from '../ui.ts';
import type { LogCommit, Workspace } from '../wire.ts';
import { CommitDetail } from './detail.ts';
import { Timeline } from './timeline.ts';

interface InspectorProps {
  desk: Desk;
  workspace: Workspace;
  channel: string;
  thread: string;
}

/** The pane in place of the channel. */
export function InspectorPane({ desk, workspace, channel, thread }: InspectorProps): VNode {
  const [chosen, setChosen] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const commits = desk.log?.key === threadKey(channel, thread) ? desk.log.log.commits : undefined;
  const newest = commits?.at(-1)?.number;
  const selected = commits?.find(commit => commit.number === (chosen ?? newest));
  const select = (number: number): void => setChosen(number === newest ? undefined : number);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-commit="${selected?.number}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    if (list.current?.contains(document.activeElement)) row?.focus({ preventScroll: true });
  }, [selected?.number]);
  const close = (): void => toggleInspector(channel, thread, false);
  const count = commits === undefined ? '' : `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}, UTC`;
  return html`<section class="pane inspector" aria-label="Inspector" data-inspected=${thread}>
    <header class="pane-head">
      <button type="button" class="icon-button back" aria-label="Back to the thread" onClick=${close}>
        ${icon('back')}
      </button>
      <h2>Inspector <small>${count}</small></h2>
      <span class="spring"></span>
      ${chosen !== undefined && html`<button type="button" class="button plain" onClick=${() => setChosen(undefined)}>Follow the newest</button>`}
      ${chosen === undefined && html`<span class="following"><i aria-hidden="true"></i>following</span>`}
      <button type="button" class="icon-button close" aria-label="Close the inspector" onClick=${close}>
        ${icon('close')}
      </button>
    </header>
    <p class="unmasked">
      Unmasked: this page is for you, on this machine. Secrets in arguments stand here as they are kept.
    </p>
    ${drawBody(
      commits,
      html`<div class="inspector-body">
        <div class="inspector-list" ref=${list}>
          <${Timeline} commits=${commits ?? []} selected=${selected?.number} workspace=${workspace} select=${select} />
        </div>
        ${selected && html`<${CommitDetail} channel=${channel} thread=${thread} commit=${selected} />`}
      </div>`,
    )}
  </section>`;
}

function drawBody(commits: readonly LogCommit[] | undefined, body: VNode): VNode {
  if (commits === undefined) return html`<div class="messages-frame loading" aria-busy="true"></div>`;
  if (commits.length > 0) return body;
  return html`<p class="starting">
    No log is kept of this thread. A request has its log in the thread where it was asked: follow “open thread” on the
    card.
  </p>`;
}
