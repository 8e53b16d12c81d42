/**
 * Owns the fields of an edit: what stands in each at first, and how what comes back is read.
 *
 * 1. What comes back as it was put in is no change: the argument keeps its exact value. 2. The kind of an argument stays: a
 * number is read as a number, a list as a list. 3. Whether the value is allowed is for the tool's own check, not for this.
 */
import type { Json, Terms } from '../../thread/events.ts';
import { FORMS } from './actions.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import type { FormValues } from './form-values.ts';
import { SLACK } from './limits.ts';
import { visible } from '../../thread/text/visible.ts';
import { oneLine, type Show } from './text/show.ts';

type FieldKind = 'text' | 'number' | 'yes_no' | 'lines' | 'json';

/** One argument as a field; `initial` is what stands in it. */
export interface ArgumentField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly initial: string;
  /** True when its value is masked everywhere and therefore not put into the field. */
  readonly secret: boolean;
}

/** Block ids hold at most 255 characters. */
const NAME = 200;

function kindOf(value: Json): FieldKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'yes_no';
  const isLines =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(item => typeof item === 'string' && item !== '' && !/[\r\n]/.test(item));
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

/** The field of an argument; undefined when no field can hold it. */
export function fieldFor(show: Show, name: string, value: Json): ArgumentField | undefined {
  const kind = kindOf(value);
  const initial = written(value, kind);
  if (name.length > NAME || initial.length > SLACK.input) return undefined;
  const secret = isMasked(show, name, value);
  return { name, label: show.line(name), kind, initial: secret ? '' : initial, secret };
}

type ReadValue = { readonly value: Json } | { readonly wrong: 'number' | 'yes_no' | 'json' };

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

function readField(pen: Pen, values: FormValues, name: string, value: Json): ReadValue | undefined {
  const field = fieldFor(pen.show, name, value);
  const given = values[`${FORMS.argument.block}${name}`]?.[FORMS.argument.action];
  if (!field || given === undefined) return undefined;
  const text = given.value ?? '';
  if (text === asReturned(field.initial) || (field.secret && text === '')) return undefined;
  return readAs(field.kind, text);
}

/**
 * The arguments with what was filled in; or a sentence per block that cannot be read. Only what `terms.edit` names is read;
 * arguments whose field was not touched stay exactly as they are.
 */
export function readEdit(values: FormValues, args: Json, terms: Pick<Terms, 'edit'>, context: RenderContext): EditRead {
  const pen = penOf(context);
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return { ok: true, args };
  const edited: Record<string, Json> = { ...args };
  const errors: Record<string, string> = {};
  for (const name of terms.edit) {
    if (!Object.hasOwn(args, name)) continue;
    const read = readField(pen, values, name, args[name] ?? null);
    if (read === undefined) continue;
    if ('wrong' in read) errors[`${FORMS.argument.block}${name}`] = pen.texts.form.fieldWrong[read.wrong];
    else edited[name] = read.value;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, args: edited };
}
