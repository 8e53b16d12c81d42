/**
 * JSON as Slack's clients send it: plain values of unknown shape. Owns the types and the few readers with which the
 * rest of this room looks into such values without trusting them.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An undefined field is an absent field: it disappears when the object is stored or sent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Says whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says whether a value is a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The objects in a list; whatever else stands there, or a value that is no list, is left out. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** The field as a string, or undefined when it is absent or of another kind. */
export function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** The field as an object, or undefined when it is absent or of another kind. */
export function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** Parses JSON text; undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
