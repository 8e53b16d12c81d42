/**
 * The things in a message or view that a person can press, choose or type into: finds them, and turns the strings of
 * people's side into what Slack sends for each kind.
 */
import { isList, objectIn, objectsIn, parseJson, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { HttpRefusal } from '../http.ts';

export interface Control {
  readonly blockId: string;
  readonly element: JsonObject;
  /** The input block around it, if it stands in one. */
  readonly input?: JsonObject;
}

/** What was typed or chosen, by block and action. */
export type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All controls of a list of blocks, in order. */
export function controlsIn(blocks: readonly JsonObject[]): Control[] {
  return blocks.flatMap(block => {
    const blockId = textIn(block, 'block_id') ?? '';
    const accessory = objectIn(block, 'accessory');
    const element = objectIn(block, 'element');
    if (block['type'] === 'actions') return objectsIn(block['elements']).map(one => ({ blockId, element: one }));
    if (block['type'] === 'input' && element) return [{ blockId, element, input: block }];
    return block['type'] === 'section' && accessory && textIn(accessory, 'action_id')
      ? [{ blockId, element: accessory }]
      : [];
  });
}

/** The control with this action id (and block id, and button value, where they are given); refuses if there is none. */
export function findControl(
  blocks: readonly JsonObject[],
  actionId: string,
  blockId?: string,
  value?: string,
): Control {
  const named = controlsIn(blocks).filter(
    one => textIn(one.element, 'action_id') === actionId && (blockId === undefined || one.blockId === blockId),
  );
  const exact = named.find(
    one => one.element['type'] !== 'button' || value === undefined || textIn(one.element, 'value') === value,
  );
  if (exact) return exact;
  if (named.length > 0) throw new HttpRefusal(409, 'That button has another value by now. Look again.');
  throw new HttpRefusal(404, 'There is no such button or field here (any more).');
}

/** What Slack sends for a choice in this control, without ids; the preset if no value is given. */
export function choiceOf(element: JsonObject, value: string | undefined): JsonObject {
  const type = textIn(element, 'type') ?? '';
  const preset = (key: string): string | undefined => value ?? textIn(element, key);
  switch (type) {
    case 'button':
      return { value: element['value'], text: element['text'], style: element['style'] };
    case 'overflow':
    case 'static_select':
    case 'radio_buttons':
      return { selected_option: oneOption(element, value ?? textIn(objectIn(element, 'initial_option'), 'value')) };
    case 'checkboxes':
    case 'multi_static_select':
      return { selected_options: someOptions(element, value) };
    case 'users_select':
      return { selected_user: preset('initial_user') ?? null };
    case 'channels_select':
      return { selected_channel: preset('initial_channel') ?? null };
    case 'conversations_select':
      return { selected_conversation: preset('initial_conversation') ?? null };
    case 'multi_users_select':
      return { selected_users: value === undefined ? (element['initial_users'] ?? []) : listOf(value) };
    case 'datepicker':
      return { selected_date: preset('initial_date') ?? null };
    case 'timepicker':
      return { selected_time: preset('initial_time') ?? null };
    case 'datetimepicker':
      return { selected_date_time: value === undefined ? (element['initial_date_time'] ?? null) : Number(value) };
    default:
      return { value: (value === '' ? undefined : preset('initial_value')) ?? null };
  }
}

/** The `state.values` that Slack sends for all fields of a message or view. */
export function stateOf(blocks: readonly JsonObject[], values: Values): { values: JsonObject } {
  const state: Record<string, Record<string, JsonObject>> = {};
  for (const { blockId, element } of controlsIn(blocks)) {
    const type = textIn(element, 'type') ?? '';
    const actionId = textIn(element, 'action_id') ?? '';
    if (type === 'button' || type === 'overflow') continue;
    state[blockId] = { ...state[blockId], [actionId]: { type, ...choiceOf(element, values[blockId]?.[actionId]) } };
  }
  return { values: state };
}

function optionsOf(element: JsonObject): readonly JsonObject[] {
  return [
    ...objectsIn(element['options']),
    ...objectsIn(element['option_groups']).flatMap(group => objectsIn(group['options'])),
  ];
}

function oneOption(element: JsonObject, value: string | undefined): JsonObject | null {
  if (value === undefined || value === '') return null;
  const option = optionsOf(element).find(one => one['value'] === value);
  if (!option) throw new HttpRefusal(422, `“${value}” is not one of the choices.`);
  return option;
}

function someOptions(element: JsonObject, value: string | undefined): readonly JsonObject[] {
  if (value === undefined) return objectsIn(element['initial_options']);
  return listOf(value).flatMap(one => {
    const option = oneOption(element, one);
    return option ? [option] : [];
  });
}

/** Several values come as a JSON list; a single one may come as it is. */
function listOf(value: string): string[] {
  if (value === '') return [];
  const parsed = value.startsWith('[') ? parseJson(value) : undefined;
  return isList(parsed) ? parsed.map(String) : [value];
}
