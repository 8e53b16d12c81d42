/** Owns a form field: label, the element that holds the value, hint, and the error under it. */
import { drawText } from '../drawn.ts';
import { html, type VNode } from '../ui.ts';
import { press, type Standing } from './host.ts';
import { drawInput } from './inputs.ts';
import type { InputBlock } from './shape.ts';

/** Draws an input block; its error is announced and tied to the element. */
export function drawField(block: InputBlock, standing: Standing): VNode {
  const { host, blockId } = standing;
  const error = host.form?.errors[blockId];
  const id = `${host.form?.id ?? 'message'}-${blockId}`.replaceAll(/[^\w-]/g, '_');
  const isGroup = ['radio_buttons', 'checkboxes', 'multi_static_select', 'multi_users_select'].includes(
    block.element.type,
  );
  const describedBy = [error && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(' ');
  const attributes = {
    ...(isGroup ? {} : { id }),
    'aria-labelledby': `${id}-label`,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error === undefined ? undefined : 'true',
  };
  const sends = block.dispatch_action ? (value: string): void => void press(standing, block.element, value) : undefined;
  const optional = block.optional && html` <span class="optional">(optional)</span>`;
  return html`<div class="form-field" data-invalid=${error !== undefined}>
    <label id=${`${id}-label`} for=${isGroup ? undefined : id}>${drawText(block.label)}${optional}</label>
    ${drawInput(block.element, standing, sends, { attributes, optional: block.optional === true })}
    ${block.hint && html`<p class="hint" id=${`${id}-hint`}>${drawText(block.hint)}</p>`}
    ${error && html`<p class="field-error" id=${`${id}-error`} role="alert">${error}</p>`}
  </div>`;
}
