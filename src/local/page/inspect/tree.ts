/** Owns the drawing of JSON as a tree that opens and closes, with what changed marked. */
import type { Part } from '../text/changed.ts';
import { html, type VNode } from '../ui.ts';
import type { Json } from '../wire.ts';

const SIGNS = { same: '', changed: 'changed', added: 'new', removed: 'gone' } as const;
const LONG = 400;

/** The parts of a value; with `onlyChanged`, what is the same is left out. */
export function drawTree(root: Part, onlyChanged: boolean): VNode {
  const parts = shown(root, onlyChanged);
  if (parts.length === 0) return html`<p class="tree-empty">${onlyChanged ? 'Nothing changed.' : 'Empty.'}</p>`;
  return html`<div class="tree">
    ${parts.map(part => drawPart(part, { onlyChanged, open: onlyChanged ? 9 : 1, whole: false }))}
  </div>`;
}

interface Drawing {
  onlyChanged: boolean;
  /** How deep parts open by themselves; wherever something changed they do. */
  open: number;
  /** Inside something that is new or gone as a whole, which says so once. */
  whole: boolean;
}

function drawPart(part: Part, { onlyChanged, open, whole }: Drawing): VNode {
  const { key, state, value, was } = part;
  const name = html`<span class="tree-key">${key}</span>`;
  const isWhole = state === 'added' || state === 'removed';
  const sign = !whole && SIGNS[state] && html`<span class="tree-sign">${SIGNS[state]}</span>`;
  const inner = shown(part, onlyChanged);
  if (part.parts === undefined || part.parts.length === 0)
    return html`<div class="tree-line" data-state=${state}>
      ${name}${was !== undefined && state === 'changed' && html`<s class="tree-was">${brief(was)}</s>`}${drawLeaf(value)}${sign}
    </div>`;
  return html`<details class="tree-part" data-state=${state} open=${open > 0 || (state === 'changed' && !onlyChanged)}>
    <summary class="tree-line">${name}<span class="tree-size">${sizeOf(value)}</span>${sign}</summary>
    ${inner.map(one => drawPart(one, { onlyChanged: onlyChanged && !isWhole, open: isWhole ? 1 : open - 1, whole: whole || isWhole }))}
  </details>`;
}

function shown(part: Part, onlyChanged: boolean): Part[] {
  return (part.parts ?? []).filter(one => !onlyChanged || one.state !== 'same');
}

function drawLeaf(value: Json): VNode {
  const kind = value === null ? 'null' : typeof value;
  const text = brief(value);
  return html`<span class=${`tree-value ${kind}`} title=${typeof value === 'string' ? value : undefined}
    >${text}</span
  >`;
}

/** A value in a line; of a digest only both ends, as everywhere. */
function brief(value: Json): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return `${value.slice(0, 8)}…${value.slice(-6)}`;
  const text = JSON.stringify(value);
  return text.length > LONG ? `${text.slice(0, LONG)}… (${text.length} characters)` : text;
}

function sizeOf(value: Json): string {
  const count = Object.keys(value ?? {}).length;
  return Array.isArray(value) ? `[${count}]` : `{${count}}`;
}
