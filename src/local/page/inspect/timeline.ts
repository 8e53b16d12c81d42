/** Owns the time line of a thread's log: one row per commit, with who, what, and what it means for lease and wake. */
import { authorName } from '../names.ts';
import { exactDay, exactNear, exactTime, spanOf } from '../text/spans.ts';
import { html, type VNode } from '../ui.ts';
import type { LogCommit, Workspace } from '../wire.ts';

interface TimelineProps {
  commits: readonly LogCommit[];
  selected: number | undefined;
  workspace: Workspace;
  select: (number: number) => void;
}

/** The rows, the oldest first; arrow keys go from row to row. */
export function Timeline({ commits, selected, workspace, select }: TimelineProps): VNode {
  const writers = [...new Set(commits.map(commit => commit.writer))];
  const move = (event: KeyboardEvent): void => {
    const at = commits.findIndex(commit => commit.number === selected);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: commits.length - 1 }[event.key];
    const commit = next === undefined ? undefined : commits[next];
    if (commit === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    select(commit.number);
  };
  return html`<ol class="timeline" role="listbox" aria-label="Commits" onKeyDown=${move}>
    ${commits.map((commit, index) => {
      const before = commits[index - 1];
      const isSelected = commit.number === selected;
      const choose = (): void => select(commit.number);
      return html`<li
        key=${commit.number}
        role="option"
        class="commit"
        data-commit=${commit.number}
        aria-selected=${isSelected}
        tabindex=${isSelected ? 0 : -1}
        onClick=${choose}
      >
        ${drawHead(commit, before, writers)}
        ${commit.events.map(event => {
          const who = event.who === null ? undefined : authorName(workspace, event.who);
          return html`<div class="commit-event">
            <code>${event.type}</code>${who && html`<span class="commit-who">${who}</span>`}
            <p>${event.words}</p>
          </div>`;
        })}
        ${drawFoot(commit)}
      </li>`;
    })}
  </ol>`;
}

function drawHead(commit: LogCommit, before: LogCommit | undefined, writers: readonly string[]): VNode {
  const { number, at_ms: atMs, writer } = commit;
  const day = exactDay(atMs);
  const newDay = before !== undefined && exactDay(before.at_ms) !== day;
  return html`<div class="commit-head">
    <strong>#${number}</strong>
    <time datetime=${new Date(atMs).toISOString()} title=${new Date(atMs).toISOString()}
      >${newDay && `${day} `}${exactTime(atMs)}</time
    >
    ${before && html`<span class="commit-gap">+${spanOf(Math.max(0, atMs - before.at_ms))}</span>`}
    <span class="spring"></span>
    <span class=${`writer writer-${writers.indexOf(writer) % 6}`} title=${`Written by ${writer}`}
      >${briefWriter(writer)}</span
    >
  </div>`;
}

function drawFoot({ at_ms: atMs, lease, next_look_ms: look, entry_due_ms: entry }: LogCommit): VNode {
  return html`<div class="commit-foot">
    <span data-held=${lease !== null}>
      ${lease === null ? 'no lease' : `lease: ${briefWriter(lease.holder)} until ${exactNear(lease.until_ms, atMs)}`}
    </span>
    <span>${look === null ? 'waits for people only' : `next look by ${exactNear(look, atMs)}`}</span>
    ${entry !== null && html`<span class="standing">wake entry stands: ${exactNear(entry, atMs)}</span>`}
  </div>`;
}

/** The last letters of node and boot: enough to tell processes apart. */
function briefWriter(writer: string): string {
  return writer
    .split('/')
    .map(piece => piece.slice(-4))
    .join('/');
}
