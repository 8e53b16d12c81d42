/** Owns the elements that hold a value: text fields, selects, radio buttons, checkboxes. The value lives in the form. */
import { html, type VNode } from '../ui.ts';
import { withEmoji } from '../text/emoji.ts';
import { drawText } from '../drawn.ts';
import { readChoices, type Standing } from './host.ts';
import { asChoices, asSelect, initialPick, isPicker } from './pickers.ts';
import type { Element, MultiChoice, Option, Radio, Select, TextInput } from './shape.ts';

/** Draws an element that holds a value; `changed` is called with every new value. `name` ties labels and errors to it. */
export function drawInput(
  element: Element,
  standing: Standing,
  changed?: (value: string) => void,
  described?: Described,
): VNode {
  const { host, blockId } = standing;
  const set = (value: string): void => {
    host.form?.change(blockId, element.action_id, value);
    changed?.(value);
  };
  const value = host.form?.value(blockId, element.action_id) ?? initialValue(element);
  const common = { 'data-action-id': element.action_id, ...described?.attributes };
  const actsAtOnce = host.form === undefined;
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return drawTextInput(element, value, set, common);
    case 'static_select':
      return drawSelect(element, value, set, common, { actsAtOnce, canClear: described?.optional === true });
    case 'users_select':
    case 'channels_select':
    case 'conversations_select':
      return drawSelect(asSelect(element), value, set, common, { actsAtOnce, canClear: described?.optional === true });
    case 'multi_users_select':
      return drawChecks(asChoices(element), readChoices(value), set, common);
    case 'datepicker':
    case 'timepicker':
      return drawMoment(element.type === 'datepicker' ? 'date' : 'time', value, set, common);
    case 'radio_buttons':
      return drawRadios(element, value, set, common, `${host.form?.id ?? ''}${blockId}`);
    case 'multi_static_select':
    case 'checkboxes':
      return drawChecks(element, readChoices(value), set, common);
    default:
      return html`<p class="unknown">
        An element of the kind “${element.type}” stands here; this page cannot draw it.
      </p>`;
  }
}

/** The attributes that tie an element to its label, hint and error. */
export interface Described {
  attributes: Record<string, unknown>;
  optional?: boolean;
}

/** The value that an element starts with, as a string of the people's API; undefined when it starts empty. */
function initialValue(element: Element): string | undefined {
  if ('initial_value' in element) return element.initial_value;
  if ('initial_option' in element) return element.initial_option?.value;
  if (isPicker(element)) return initialPick(element);
  if ('initial_options' in element) return JSON.stringify(element.initial_options?.map(option => option.value) ?? []);
  return undefined;
}

type Attributes = Record<string, unknown>;
type Set = (value: string) => void;

function drawTextInput(element: TextInput, value: string | undefined, set: Set, common: Attributes): VNode {
  const onInput = (event: InputEvent): void => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
      set(event.target.value);
  };
  const shared = {
    ...common,
    onInput,
    value: value ?? '',
    placeholder: element.placeholder?.text,
    maxlength: element.max_length,
  };
  if (element.multiline) return html`<textarea ...${shared} rows="4"></textarea>`;
  if (element.type === 'number_input') return html`<input ...${shared} type="text" inputmode="decimal" />`;
  const type = { plain_text_input: 'text', email_text_input: 'email', url_text_input: 'url' }[element.type];
  return html`<input ...${shared} type=${type} />`;
}

function drawSelect(
  element: Select,
  value: string | undefined,
  set: Set,
  common: Attributes,
  { actsAtOnce, canClear }: { actsAtOnce: boolean; canClear: boolean },
): VNode {
  const onChange = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement) || (event.target.value === '' && !canClear)) return;
    set(event.target.value);
    if (actsAtOnce) event.target.value = initialValue(element) ?? '';
  };
  const options = (list: readonly Option[]): VNode[] =>
    list.map(
      option => html`<option value=${option.value} selected=${option.value === value}>${plain(option)}</option>`,
    );
  const placeholder = element.placeholder?.text ?? 'Choose…';
  return html`<select
    ...${common}
    aria-label=${common['aria-labelledby'] === undefined ? placeholder : undefined}
    onChange=${onChange}
  >
    <option value="" selected=${value === undefined || value === ''} disabled=${!canClear} hidden=${!canClear}>
      ${canClear && value ? '(nothing)' : placeholder}
    </option>
    ${options(element.options ?? [])}
    ${element.option_groups?.map(group => html`<optgroup label=${group.label.text}>${options(group.options)}</optgroup>`)}
  </select>`;
}

function drawMoment(type: 'date' | 'time', value: string | undefined, set: Set, common: Attributes): VNode {
  const onChange = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) set(event.target.value);
  };
  return html`<input ...${common} type=${type} value=${value ?? ''} onChange=${onChange} />`;
}

function drawRadios(element: Radio, value: string | undefined, set: Set, common: Attributes, name: string): VNode {
  return html`<div class="choices" role="radiogroup" ...${common}>
    ${element.options.map(option => {
      const checked = option.value === value;
      return html`<label class="choice">
        <input
          type="radio"
          name=${name + element.action_id}
          value=${option.value}
          checked=${checked}
          onChange=${() => set(option.value)}
        />
        ${drawOption(option)}
      </label>`;
    })}
  </div>`;
}

function drawChecks(element: MultiChoice, taken: string[], set: Set, common: Attributes): VNode {
  const options = [...(element.options ?? []), ...(element.option_groups ?? []).flatMap(group => group.options)];
  const toggle = (value: string): void => {
    const next = taken.includes(value) ? taken.filter(other => other !== value) : [...taken, value];
    set(JSON.stringify(options.map(option => option.value).filter(known => next.includes(known))));
  };
  const boxed = element.type === 'multi_static_select' ? ' boxed' : '';
  return html`<div class=${`choices${boxed}`} role="group" ...${common}>
    ${options.map(option => {
      const checked = taken.includes(option.value);
      return html`<label class="choice">
        <input type="checkbox" value=${option.value} checked=${checked} onChange=${() => toggle(option.value)} />
        ${drawOption(option)}
      </label>`;
    })}
  </div>`;
}

function drawOption(option: Option): VNode {
  return html`<span class="option-text"
    >${drawText(option.text)}${option.description && html`<small>${drawText(option.description)}</small>`}</span
  >`;
}

function plain(option: Option): string {
  return option.text.emoji === false ? option.text.text : withEmoji(option.text.text);
}
