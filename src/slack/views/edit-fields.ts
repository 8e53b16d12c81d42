/**
 * Owns the fields of an edit: what stands in each at first, and how what comes back is read.
 *
 * 1. What comes back as it was put in is no change: the argument keeps its exact value. 2. The kind of an argument stays: a
 * number is read as a number, a list as a list. 3. Whether the value is allowed is for the tool's own check, not for this.
 * 4. What a tool does not need can be left out and filled in: an empty field of it means that it is not given.
 */
import type { Json, Terms } from '../../thread/events.ts';
import { FORMS } from './actions.ts';
import { penOf, type ArgumentShape, type RenderContext } from './context.ts';
import type { FormValues } from './form-values.ts';
import { SLACK } from './limits.ts';
import { visible } from '../../thread/text/visible.ts';
import { oneLine, type Show } from './text/show.ts';

type FieldKind = ArgumentShape['kind'];

/** One argument as a field; `initial` is what stands in it. */
export interface ArgumentField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly initial: string;
  /** True when its value is masked everywhere and therefore not put into the field. */
  readonly secret: boolean;
  /** What can be chosen, where only some values are taken; null for a field to write in. */
  readonly choices: readonly Json[] | null;
  /** What an empty field means; null where something has to stand in it. */
  readonly empty: 'kept' | 'left_out' | 'value' | null;
}

/** Block ids hold at most 255 characters. */
const NAME = 200;

function kindOf(value: Json, shape: ArgumentShape | undefined): FieldKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'yes_no';
  const isList = Array.isArray(value) && (value.length > 0 || shape?.kind === 'lines');
  const isLines = isList && value.every(item => typeof item === 'string' && item !== '' && !/[\r\n]/.test(item));
  return isLines ? 'lines' : 'json';
}

function written(value: Json, kind: FieldKind): string {
  if (typeof value === 'string') return value;
  return kind === 'lines' && Array.isArray(value) ? value.map(String).join('\n') : JSON.stringify(value);
}

const isMasked = (show: Show, name: string, value: Json): boolean =>
  typeof value === 'string'
    ? show.named(name, value) !== visible(value)
    : show.json(value, name) !== oneLine(visible(JSON.stringify(value)));

const takesEmpty = (kind: FieldKind): boolean => kind === 'text' || kind === 'lines';

function whenEmpty(kind: FieldKind, secret: boolean, shape: ArgumentShape | undefined): ArgumentField['empty'] {
  if (secret) return 'kept';
  if (shape?.required === false) return 'left_out';
  return takesEmpty(kind) && (shape?.mayBeEmpty ?? true) ? 'value' : null;
}

/** Of `choices` the one that stands in the field at first; null when it is none of them. */
const chosenAt = (choices: readonly Json[], value: Json | undefined): number | null => {
  const index = choices.findIndex(one => JSON.stringify(one) === JSON.stringify(value));
  return index < 0 ? null : index;
};

/** More are written in, as a select takes no more. */
const CHOICES = SLACK.options - 1;

/**
 * The field of an argument; undefined when no field can hold it. An argument that is not given has one where the schema says
 * what it would be.
 */
export function fieldFor(
  show: Show,
  name: string,
  value: Json | undefined,
  shape?: ArgumentShape,
): ArgumentField | undefined {
  if (name.length > NAME || (value === undefined && shape?.required !== false)) return undefined;
  const label = show.line(name);
  const secret = value !== undefined && isMasked(show, name, value);
  const choices = shape?.choices ?? null;
  const at = choices === null ? null : chosenAt(choices, value);
  if (choices !== null && choices.length <= CHOICES && !secret && (value === undefined || at !== null)) {
    const empty = shape?.required === false ? 'left_out' : null;
    return { name, label, kind: 'json', initial: at === null ? '' : String(at), secret, choices, empty };
  }
  const kind = value === undefined ? (shape?.kind ?? 'json') : kindOf(value, shape);
  const initial = value === undefined ? '' : written(value, kind);
  if (initial.length > SLACK.input) return undefined;
  const empty = whenEmpty(kind, secret, shape);
  return { name, label, kind, initial: secret ? '' : initial, secret, choices: null, empty };
}

/** What comes back where nothing is chosen from the values that an argument takes. */
export const LEFT_OUT = 'left_out';

type ReadValue =
  { readonly value: Json } | { readonly leftOut: true } | { readonly wrong: 'number' | 'yes_no' | 'json' };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const YES = new Set(['true', 'yes', '是']);
const NO = new Set(['false', 'no', '否']);

function readAs(kind: FieldKind, text: string): ReadValue {
  const bare = text.trim();
  switch (kind) {
    case 'text':
      return { value: text };
    case 'lines':
      return { value: bare === '' ? [] : text.split('\n').filter(line => line !== '') };
    case 'number':
      return NUMBER.test(bare) && Number.isFinite(Number(bare)) ? { value: Number(bare) } : { wrong: 'number' };
    case 'yes_no': {
      const word = bare.toLowerCase();
      return YES.has(word) ? { value: true } : NO.has(word) ? { value: false } : { wrong: 'yes_no' };
    }
    case 'json':
      try {
        return { value: JSON.parse(bare) as Json };
      } catch {
        return { wrong: 'json' };
      }
  }
}

/** Slack gives line ends back as `\n`. */
const asReturned = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

export type EditRead =
  | { readonly ok: true; readonly args: Json }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** One of the values that an argument takes; undefined when it is as it was. */
function readChoice(field: ArgumentField, choices: readonly Json[], chosen: string | undefined): ReadValue | undefined {
  if (chosen === undefined || chosen === field.initial) return undefined;
  if (chosen === LEFT_OUT) return field.initial === '' ? undefined : { leftOut: true };
  const value = choices[Number(chosen)];
  return value === undefined ? undefined : { value };
}

function readField(values: FormValues, field: ArgumentField | undefined): ReadValue | undefined {
  const given = field && values[`${FORMS.argument.block}${field.name}`]?.[FORMS.argument.action];
  if (!field || given === undefined) return undefined;
  if (field.choices !== null) return readChoice(field, field.choices, given.selected_option?.value);
  const text = given.value ?? '';
  if (text === asReturned(field.initial) || (field.secret && text === '')) return undefined;
  return text === '' && field.empty === 'left_out' ? { leftOut: true } : readAs(field.kind, text);
}

/**
 * The arguments of `tool` with what was filled in; or a sentence per block that cannot be read. Only what `terms.edit` names
 * is read; arguments whose field was not touched stay exactly as they are.
 */
export function readEdit(
  values: FormValues,
  { tool, args }: { readonly tool: string; readonly args: Json },
  terms: Pick<Terms, 'edit'>,
  context: RenderContext,
): EditRead {
  const pen = penOf(context);
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return { ok: true, args };
  const edited = new Map<string, Json>(Object.entries(args));
  const errors: Record<string, string> = {};
  for (const name of terms.edit) {
    const was = Object.hasOwn(args, name) ? args[name] : undefined;
    const read = readField(values, fieldFor(pen.show, name, was, context.argumentShape?.(tool, name)));
    if (read === undefined) continue;
    if ('wrong' in read) errors[`${FORMS.argument.block}${name}`] = pen.texts.form.fieldWrong[read.wrong];
    else if ('leftOut' in read) edited.delete(name);
    else edited.set(name, read.value);
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, args: Object.fromEntries(edited) };
}

/** `Must be a number from 1 to 50.`: what an argument has to be, where the schema of its tool says so; undefined elsewhere. */
export function fieldMust(tool: string, name: string, context: RenderContext): string | undefined {
  const { form } = penOf(context).texts;
  const shape = context.argumentShape?.(tool, name);
  if (shape?.kind !== 'number') return undefined;
  const { least, most } = shape.range;
  return least === null && most === null ? undefined : form.mustBeNumber(least, most);
}
