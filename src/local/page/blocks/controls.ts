/** Owns the interactive elements of Block Kit outside form fields: buttons, the ⋯ menu, selects and choices that act at once. */
import { Menu } from '../menu.ts';
import { drawText } from '../drawn.ts';
import { withEmoji } from '../text/emoji.ts';
import { html, useState, type VNode } from '../ui.ts';
import { drawInput } from './inputs.ts';
import { press, type Standing } from './host.ts';
import type { Button, Element, Overflow, TextObject } from './shape.ts';

/** Draws one element; what it does on use is the host's matter. */
export function drawControl(element: Element, standing: Standing): VNode {
  switch (element.type) {
    case 'button':
      return html`<${PushButton} key=${element.action_id} button=${element} standing=${standing} />`;
    case 'overflow':
      return html`<${OverflowMenu} key=${element.action_id} overflow=${element} standing=${standing} />`;
    default:
      return drawInput(element, standing, value => void press(standing, element, value));
  }
}

function PushButton({ button, standing }: { button: Button; standing: Standing }): VNode {
  const [busy, setBusy] = useState(false);
  const push = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await press(standing, button, button.value);
    setBusy(false);
  };
  const common = {
    class: `button ${button.style ?? 'plain'}`,
    'data-action-id': button.action_id,
    'data-value': button.value,
    'aria-label': button.accessibility_label,
  };
  if (button.url !== undefined) {
    return html`<a ...${common} href=${button.url} target="_blank" rel="noopener noreferrer" onClick=${push}
      >${label(button.text)}</a
    >`;
  }
  return html`<button type="button" ...${common} aria-busy=${busy} aria-disabled=${busy} onClick=${push}>
    ${label(button.text)}
  </button>`;
}

function OverflowMenu({ overflow, standing }: { overflow: Overflow; standing: Standing }): VNode {
  const items = overflow.options.map(option => ({
    key: option.value,
    content: html`<span>${drawText(option.text)}</span
      >${option.description && html`<small>${drawText(option.description)}</small>`}`,
    choose: () => void press(standing, overflow, option.value),
    data: { 'data-value': option.value },
  }));
  return html`<${Menu}
    label="More actions"
    class="button plain overflow"
    items=${items}
    data=${{ 'data-action-id': overflow.action_id }}
  >
    <span aria-hidden="true">⋯</span>
  <//>`;
}

function label(text: TextObject): string {
  return text.emoji === false ? text.text : withEmoji(text.text);
}
