/** Owns what forms need to know of a tool's arguments, read from the JSON schema in its definition. */
import { z } from 'zod';
import type { ArgumentShape } from '../slack/views/context.ts';
import type { Json } from '../thread/events.ts';
import { schemaIn } from './policy-notes.ts';

const argumentSchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  enum: z.optional(z.array(z.json())),
  anyOf: z.optional(z.array(z.looseObject({}))),
  items: z.optional(z.json()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minLength: z.optional(z.number()),
  minItems: z.optional(z.number()),
});
const schema = z.looseObject({
  properties: z.optional(z.record(z.string(), z.json())),
  required: z.optional(z.array(z.string())),
});
type Argument = z.infer<typeof argumentSchema>;

const KINDS: Readonly<Record<string, ArgumentShape['kind']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes_no',
};

/** A text goes into one line of a list only where it cannot hold a line end, which no schema says; a list of texts it is. */
const isText = (items: Json | undefined): boolean => argumentSchema.safeParse(items).data?.type === 'string';

function kindOf({ type, items }: Argument): ArgumentShape['kind'] {
  if (typeof type !== 'string') return 'json';
  return KINDS[type] ?? (type === 'array' && isText(items) ? 'lines' : 'json');
}

function choicesOf(argument: Argument): readonly Json[] | null {
  if (argument.enum !== undefined) return argument.enum;
  if (argument.type === 'boolean') return [true, false];
  const constants = argument.anyOf?.map(each => each['const']);
  const known = z.array(z.union([z.string(), z.number(), z.boolean()])).safeParse(constants).data;
  return known === undefined || known.length === 0 ? null : known;
}

/** Every whole number is at most as large as a safe one: that is no limit which anybody has set. */
const limit = (value: number | undefined): number | null =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;

/** The arguments of a tool by their names, in the order of its schema; empty where the definition has no schema. */
export function argumentShapes(definition: Json | undefined): ReadonlyMap<string, ArgumentShape> {
  const { properties = {}, required = [] } = schema.safeParse(schemaIn(definition)).data ?? {};
  return new Map(
    Object.entries(properties).map(([name, value]) => {
      const argument = argumentSchema.safeParse(value).data ?? {};
      const shape: ArgumentShape = {
        kind: kindOf(argument),
        choices: choicesOf(argument),
        required: required.includes(name),
        range: { least: limit(argument.minimum), most: limit(argument.maximum) },
        mayBeEmpty: (argument.minLength ?? 0) === 0 && (argument.minItems ?? 0) === 0 && argument.enum === undefined,
      };
      return [name, shape];
    }),
  );
}
