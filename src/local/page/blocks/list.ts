/** Owns the drawing of a list of blocks, one case per kind, in messages, forms and Home alike. */
import { drawMrkdwn, drawParts, drawText } from '../drawn.ts';
import { html, type VNode } from '../ui.ts';
import { markdownAsMrkdwn } from '../text/markdown.ts';
import { drawControl } from './controls.ts';
import { drawField } from './fields.ts';
import type { BlockHost } from './host.ts';
import type { Block, Element, Picture, TextObject } from './shape.ts';

/** Draws blocks in their order. */
export function drawBlocks(blocks: readonly Block[], host: BlockHost): VNode {
  return html`<div class="blocks">
    ${blocks.map((block, index) => {
      const id = block.block_id ?? '';
      return html`<div class=${`block block-${block.type}`} data-block-id=${id} key=${id || index}>
        ${drawBlock(block, id, host)}
      </div>`;
    })}
  </div>`;
}

function drawBlock(block: Block, blockId: string, host: BlockHost): VNode {
  switch (block.type) {
    case 'header':
      return html`<h3>${drawText(block.text)}</h3>`;
    case 'divider':
      return html`<hr />`;
    case 'section':
      return drawSection(block, blockId, host);
    case 'context':
      return html`${block.elements.map(drawContextElement)}`;
    case 'actions':
      return html`<div class="actions" role="group" aria-label="Actions">
        ${drawElements(block.elements, blockId, host)}
      </div>`;
    case 'rich_text':
      return drawParts(block.elements);
    case 'input':
      return drawField(block, { host, blockId });
    case 'image':
      return drawFigure(block);
    case 'markdown':
      return drawMrkdwn(markdownAsMrkdwn(block.text));
    case 'plan':
      return html`<p class="plan"><strong>${block.title}</strong></p>`;
    case 'task_card':
      return drawTask(block);
    default:
      return drawUnknown(block);
  }
}

function drawSection(block: Extract<Block, { type: 'section' }>, blockId: string, host: BlockHost): VNode {
  const { text, fields, accessory } = block;
  return html`<div class="section-text">
      ${text && drawText(text)}
      ${fields && html`<div class="fields">${fields.map(field => html`<div class="field">${drawText(field)}</div>`)}</div>`}
    </div>
    ${accessory && html`<div class="accessory">${drawAccessory(accessory, blockId, host)}</div>`}`;
}

function drawAccessory(accessory: Element | Picture, blockId: string, host: BlockHost): VNode {
  if (accessory.type === 'image') return html`<img src=${accessory.image_url} alt=${accessory.alt_text} />`;
  return drawControl(accessory, { host, blockId });
}

function drawElements(elements: readonly Element[], blockId: string, host: BlockHost): VNode[] {
  return elements.map(element => drawControl(element, { host, blockId }));
}

function drawContextElement(element: TextObject | Picture): VNode {
  if (element.type === 'image')
    return html`<img class="context-image" src=${element.image_url} alt=${element.alt_text} />`;
  return html`<div class="context-text">${drawText(element)}</div>`;
}

function drawFigure(block: Extract<Block, { type: 'image' }>): VNode {
  const caption = block.title && html`<figcaption>${drawText(block.title)}</figcaption>`;
  return html`<figure>${caption}<img src=${block.image_url} alt=${block.alt_text} /></figure>`;
}

const TASK_SIGNS: Record<string, string> = { pending: '○', in_progress: '◐', complete: '✓', error: '✗' };

/** One step of a streamed answer. */
function drawTask({ title, status, details, output }: Extract<Block, { type: 'task_card' }>): VNode {
  const state = status ?? 'pending';
  return html`<div class="task" data-task=${state}>
    <span aria-hidden="true">${TASK_SIGNS[state] ?? '○'}</span>
    <div>
      <span>${title}</span><span class="sr-only"> (${state.replaceAll('_', ' ')})</span>
      ${details && html`<small>${details}</small>`}${output && html`<small>${output}</small>`}
    </div>
  </div>`;
}

function drawUnknown(block: { type: string }): VNode {
  return html`<p class="unknown">A block of the kind “${block.type}” stands here; this page cannot draw it.</p>`;
}
