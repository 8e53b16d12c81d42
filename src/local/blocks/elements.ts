/** Checks the things one can press, choose or type into, each in the places where Slack allows it. */
import { isList, isObject, objectsIn, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { acceptConfirm, acceptLabel, acceptOption, acceptOptions, acceptString, acceptText } from './composition.ts';
import type { TextKind } from './composition.ts';
import type { Report } from './report.ts';

export type Place = 'actions' | 'section' | 'input' | 'context';

type Check = (element: JsonObject, at: string, report: Report) => JsonObject;

interface Rule {
  readonly places: readonly Place[];
  readonly check: Check;
}

const PRESSED: readonly Place[] = ['actions', 'section'];
const CHOSEN: readonly Place[] = ['actions', 'section', 'input'];

const ELEMENTS: Readonly<Record<string, Rule>> = {
  button: { places: PRESSED, check: button },
  overflow: { places: PRESSED, check: overflow },
  static_select: { places: CHOSEN, check: staticSelect },
  multi_static_select: { places: ['section', 'input'], check: staticSelect },
  users_select: { places: CHOSEN, check: plainSelect },
  multi_users_select: { places: ['section', 'input'], check: plainSelect },
  channels_select: { places: CHOSEN, check: plainSelect },
  conversations_select: { places: CHOSEN, check: plainSelect },
  radio_buttons: { places: CHOSEN, check: choiceList(['plain_text', 'mrkdwn']) },
  checkboxes: { places: CHOSEN, check: choiceList(['plain_text', 'mrkdwn']) },
  datepicker: { places: CHOSEN, check: plainSelect },
  timepicker: { places: CHOSEN, check: plainSelect },
  datetimepicker: { places: ['actions', 'input'], check: plainSelect },
  plain_text_input: { places: ['input'], check: textInput },
  email_text_input: { places: ['input'], check: textInput },
  url_text_input: { places: ['input'], check: textInput },
  number_input: { places: ['input'], check: numberInput },
  image: { places: ['section', 'context'], check: image },
};

/** Element types that may be used, by place; what the validator knows is what the coverage list names. */
export const ELEMENT_TYPES: readonly string[] = Object.keys(ELEMENTS);

/** Checks one element in its place and returns it as Slack stores it. */
export function acceptElement(
  value: Json | undefined,
  at: string,
  report: Report,
  place: Place,
  newId: () => string,
): JsonObject {
  if (!isObject(value)) {
    report.add(at, value === undefined ? 'missing required field: element' : 'must be an object');
    return {};
  }
  const type = textIn(value, 'type') ?? '';
  const rule = ELEMENTS[type];
  if (!rule?.places.includes(place)) {
    report.add(`${at}/type`, `unsupported type: ${type || 'none'}`);
    return value;
  }
  if (type === 'image') return rule.check(value, at, report);
  const actionId = acceptString(value['action_id'], `${at}/action_id`, report, limits.text.actionId) ?? newId();
  const confirm = acceptConfirm(value['confirm'], `${at}/confirm`, report);
  return { ...rule.check(value, at, report), action_id: actionId, ...(confirm ? { confirm } : {}) };
}

function button(element: JsonObject, at: string, report: Report): JsonObject {
  const text = acceptText(element['text'], `${at}/text`, report, limits.button.text, ['plain_text']);
  acceptString(element['value'], `${at}/value`, report, limits.button.value);
  acceptString(element['url'], `${at}/url`, report, limits.button.url);
  acceptString(element['accessibility_label'], `${at}/accessibility_label`, report, limits.button.accessibilityLabel);
  const style = element['style'];
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    report.add(`${at}/style`, 'must be primary or danger');
  return { ...element, text };
}

function overflow(element: JsonObject, at: string, report: Report): JsonObject {
  return {
    ...element,
    options: acceptOptions(element['options'], `${at}/options`, report, limits.option.perOverflow, ['plain_text']),
  };
}

function staticSelect(element: JsonObject, at: string, report: Report): JsonObject {
  const placeholder = acceptPlaceholder(element, at, report);
  if (element['option_groups'] !== undefined)
    return { ...element, ...placeholder, option_groups: optionGroups(element, at, report) };
  const options = acceptOptions(element['options'], `${at}/options`, report, limits.option.perSelect, ['plain_text']);
  return { ...element, ...placeholder, options, ...initialChoice(element, at, report, options, ['plain_text']) };
}

function optionGroups(element: JsonObject, at: string, report: Report): JsonObject[] {
  const groups = element['option_groups'];
  if (!isList(groups) || groups.length > limits.option.groups)
    report.add(`${at}/option_groups`, `no more than ${limits.option.groups} items allowed`);
  return objectsIn(groups).map((group, index) => ({
    ...group,
    label: acceptText(group['label'], `${at}/option_groups/${index}/label`, report, limits.option.groupLabel, [
      'plain_text',
    ]),
    options: acceptOptions(group['options'], `${at}/option_groups/${index}/options`, report, limits.option.perSelect, [
      'plain_text',
    ]),
  }));
}

function choiceList(kinds: readonly TextKind[]): Check {
  return (element, at, report) => {
    const options = acceptOptions(element['options'], `${at}/options`, report, limits.option.perRadio, kinds);
    return { ...element, options, ...initialChoice(element, at, report, options, kinds) };
  };
}

/** A preset choice must be one of the options, word for word. */
function initialChoice(
  element: JsonObject,
  at: string,
  report: Report,
  options: readonly JsonObject[],
  kinds: readonly TextKind[],
): JsonObject {
  const isOffered = (choice: JsonObject): boolean =>
    options.some(option => JSON.stringify(option) === JSON.stringify(choice));
  const one = element['initial_option'];
  const several = element['initial_options'];
  if (one !== undefined) {
    const choice = acceptOption(one, `${at}/initial_option`, report, kinds);
    if (!isOffered(choice)) report.add(`${at}/initial_option`, 'initial_option must be one of the options');
    return { initial_option: choice };
  }
  if (several === undefined) return {};
  const choices = objectsIn(several).map((choice, index) =>
    acceptOption(choice, `${at}/initial_options/${index}`, report, kinds),
  );
  if (choices.length < 1 || !choices.every(isOffered))
    report.add(`${at}/initial_options`, 'initial_options must be some of the options');
  return { initial_options: choices };
}

function plainSelect(element: JsonObject, at: string, report: Report): JsonObject {
  return { ...element, ...acceptPlaceholder(element, at, report) };
}

function textInput(element: JsonObject, at: string, report: Report): JsonObject {
  const { min_length: least, max_length: most, initial_value: initial } = element;
  if (most !== undefined && (typeof most !== 'number' || most < 1 || most > limits.input.maxLength))
    report.add(`${at}/max_length`, `must be between 1 and ${limits.input.maxLength}`);
  if (least !== undefined && (typeof least !== 'number' || least < 0 || least > limits.input.maxLength))
    report.add(`${at}/min_length`, `must be between 0 and ${limits.input.maxLength}`);
  const longest = typeof most === 'number' ? most : limits.input.maxLength;
  if (initial !== undefined && initial !== '') acceptString(initial, `${at}/initial_value`, report, longest);
  return { ...element, ...acceptPlaceholder(element, at, report) };
}

function numberInput(element: JsonObject, at: string, report: Report): JsonObject {
  if (typeof element['is_decimal_allowed'] !== 'boolean')
    report.add(`${at}/is_decimal_allowed`, 'missing required field: is_decimal_allowed');
  for (const key of ['initial_value', 'min_value', 'max_value']) {
    const value = element[key];
    if (value !== undefined && (typeof value !== 'string' || Number.isNaN(Number(value))))
      report.add(`${at}/${key}`, 'must be a number in a string');
  }
  return { ...element, ...acceptPlaceholder(element, at, report) };
}

function image(element: JsonObject, at: string, report: Report): JsonObject {
  if (textIn(element, 'image_url') === undefined && !isObject(element['slack_file']))
    report.add(at, 'must provide image_url or slack_file');
  acceptString(element['image_url'], `${at}/image_url`, report, limits.image.url);
  if (textIn(element, 'alt_text') === undefined) report.add(`${at}/alt_text`, 'missing required field: alt_text');
  acceptString(element['alt_text'], `${at}/alt_text`, report, limits.image.altText);
  return element;
}

function acceptPlaceholder(element: JsonObject, at: string, report: Report): JsonObject {
  const placeholder = acceptLabel(element['placeholder'], `${at}/placeholder`, report, limits.input.placeholder);
  return placeholder ? { placeholder } : {};
}
