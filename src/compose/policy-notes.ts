/** Owns what is said of a policy beside the tools that are here: the line at the start, and what somebody might not expect. */
import { missingArguments } from '../policy/missing-arguments.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { idlePatterns, policyLine } from '../policy/static-verdict.ts';
import type { Json } from '../thread/events.ts';
import type { Tools } from '../worker/ports.ts';

interface PolicyWords {
  /** `countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask` */
  readonly line: string;
  /** What somebody might not expect, a sentence each. */
  readonly notes: readonly string[];
}

/** Compares a policy file with the tools. */
export function policyWords(file: PolicyFile, tools: Pick<Tools, 'facts' | 'definitions'>): PolicyWords {
  const definitions = tools.definitions();
  const named = definitions.map(({ tool: name, server }) => ({ name, server }));
  const withSchemas = definitions.flatMap(({ tool, definition }) => {
    const facts = tools.facts(tool);
    return facts ? [{ tool: facts, schema: schemaIn(definition) }] : [];
  });
  return {
    line: policyLine(file, named),
    notes: [...file.notes, ...idlePatterns(file, named), ...missingArguments(file, withSchemas)],
  };
}

/** The JSON schema of a tool's arguments in its definition; `{}` where there is none. */
export function schemaIn(definition: Json | undefined): Json {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) return {};
  return definition['schema'] ?? {};
}
