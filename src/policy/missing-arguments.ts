/**
 * Owns the check that rules speak only of arguments that their tools have. A condition that asks for another one cannot be
 * evaluated: its rule never matches, or, if it denies, always. An argument to edit or to bind a grant to that is not there
 * offers nothing. Nobody would see that before the first call.
 */
import type { Json } from '../thread/events.ts';
import type { ChannelId, UserId } from '../thread/ids.ts';
import type { PolicyQuestion } from '../worker/ports.ts';
import type { PolicyFile, Rule } from './normal-form.ts';
import { fitsPattern } from '../thread/text/pattern.ts';
import { isObject } from '../thread/json.ts';

/** A tool and the JSON schema of its arguments. */
export interface ToolWithSchema {
  readonly tool: PolicyQuestion['tool'];
  readonly schema: Json;
}

type JsonObject = { readonly [key: string]: Json };

/** One sentence for each rule and tool that do not fit; each condition is tried with arguments that fit the tool's schema. */
export const missingArguments = (file: PolicyFile, tools: readonly ToolWithSchema[]): string[] =>
  file.rules.flatMap(rule => {
    const meant = tools.filter(({ tool }) => rule.tools.some(pattern => fitsPattern(pattern, tool.name)));
    const unfit = meant.flatMap(each => {
      const missing = missingFor(rule, each);
      if (missing === undefined) return [];
      const then = rule.verdict === 'deny' ? 'it denies every call of it' : 'it will not match';
      return [`Rule ${rule.id} cannot be checked for ${each.tool.name} (no "${missing}"): ${then}.`];
    });
    return [...unfit, ...idleNames(rule, meant)];
  });

/** Arguments that a rule names and none of its tools has. */
function idleNames(rule: Rule, meant: readonly ToolWithSchema[]): string[] {
  if (rule.verdict !== 'ask' || meant.length === 0) return [];
  const known = new Set(meant.flatMap(({ schema }) => Object.keys(propertiesOf(schema))));
  const names = meant.map(({ tool }) => tool.name).join(', ');
  const { edit, grants } = rule.terms;
  return [
    ...edit.map(name => ({ key: 'edit', name })),
    ...(grants?.where ?? []).map(name => ({ key: 'grants.where', name })),
  ]
    .filter(({ name }) => !known.has(name))
    .map(({ key, name }) => `Rule ${rule.id}: ${key} names "${name}", which is no argument of ${names}.`);
}

function propertiesOf(schema: Json): JsonObject {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

/** The argument that the condition asks for and the tool does not have. */
function missingFor({ condition }: Rule, { tool, schema }: ToolWithSchema): string | undefined {
  if (!condition) return undefined;
  const answer = condition.answer({
    tool,
    args: fitting(schema),
    facts: {},
    requester: { id: 'U0000TRY' as UserId, groups: [] },
    channel: 'C0000TRY' as ChannelId,
    thread: { tainted: false },
  });
  const key = 'failed' in answer ? /^field not found: (\w+)$/.exec(answer.failed)?.[1] : undefined;
  if (key === undefined || Object.hasOwn(propertiesOf(schema), key)) return undefined;
  // The same word may be missing in the facts, which nobody knows before a call.
  return new RegExp(`\\bargs\\s*(?:\\.\\s*${key}\\b|\\[\\s*["']${key}["'])`).test(condition.source) ? key : undefined;
}

/** Nested schemas that are followed. */
const DEPTH = 8;

/** A value that a schema lets through, as far as conditions can tell. */
function fitting(schema: Json | undefined, depth = 0): Json {
  if (!isObject(schema) || depth > DEPTH) return {};
  const { enum: options, const: only, anyOf, properties, items } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(options)) return options[0] ?? null;
  if (Array.isArray(anyOf)) return fitting(anyOf[0], depth + 1);
  switch (Array.isArray(schema['type']) ? schema['type'][0] : schema['type']) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return [fitting(items, depth + 1)];
    default:
      return Object.fromEntries(
        Object.entries(isObject(properties) ? properties : {}).map(([key, value]) => [key, fitting(value, depth + 1)]),
      );
  }
}
