/**
 * Owns the two JSON schemas of a tool's parameters: the full one, which stands in the definition, and the strict one,
 * which the model gets.
 *
 * Strict schemas refuse optional properties. So every property is required for the model, an optional one may be null,
 * and a null where a property may be left out counts as left out (`withoutNulls`).
 */
import { z } from 'zod';
import type { Json } from '../thread/events.ts';
import { isObject } from '../thread/json.ts';

type JsonObject = { [key: string]: Json };

/** Words that strict schemas do not know; they bind all the same, because the arguments are parsed with zod. */
const NOT_IN_STRICT = new Set(['minLength', 'maxLength', 'default']);

/** The JSON schema (draft 2020-12) of parameters; throws where JSON Schema has no word for them (transforms, dates). */
export function jsonSchema(parameters: z.ZodType): Json {
  const schema = z.json().parse(z.toJSONSchema(parameters));
  if (isObject(schema)) delete schema['$schema'];
  return schema;
}

function takesNull(schema: Json): boolean {
  if (!isObject(schema)) return schema === true;
  if (Array.isArray(schema['type'])) return schema['type'].includes('null');
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].some(takesNull);
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null);
  return schema['type'] === 'null' || schema['const'] === null || Object.keys(schema).length === 0;
}

const requiredOf = (schema: JsonObject): readonly Json[] =>
  Array.isArray(schema['required']) ? schema['required'] : [];

/** The strict form of a schema: everything required, what was optional may be null, nothing else is taken. */
export function strict(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([word]) => !NOT_IN_STRICT.has(word));
  const properties = schema['properties'];
  if (!isObject(properties)) return Object.fromEntries(kept.map(([word, value]) => [word, strictWord(word, value)]));
  const required = requiredOf(schema);
  const orNull = ([key, value]: [string, Json]): [string, Json] =>
    required.includes(key) || takesNull(value)
      ? [key, strict(value)]
      : [key, { anyOf: [strict(value), { type: 'null' }] }];
  return {
    ...Object.fromEntries(kept.map(([word, value]) => [word, strictWord(word, value)])),
    properties: Object.fromEntries(Object.entries(properties).map(orNull)),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function strictWord(word: string, value: Json): Json {
  if (word === 'items' || word === 'prefixItems' || word === 'anyOf') return strict(value);
  if (word === '$defs' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, strict(schema)]));
  return value;
}

/** Arguments in which every null that stands for "left out" is left out. */
export function withoutNulls(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map(item => withoutNulls(schema['items'], item));
  const properties = schema['properties'];
  if (!isObject(value) || !isObject(properties)) return value;
  const required = requiredOf(schema);
  const leftOut = (key: string, item: Json): boolean => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return item === null && property !== undefined && !required.includes(key) && !takesNull(property);
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !leftOut(key, item))
      .map(([key, item]) => [key, withoutNulls(Object.hasOwn(properties, key) ? properties[key] : undefined, item)]),
  );
}
