/** Owns what every room asks of a JSON value's shape. */
import type { Json } from './terms.ts';

/** True for what has names: an object, no list, not null. */
export const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
