/**
 * Owns the set of tools. Implements the `Tools` port for the tools of this process.
 *
 * 1. Only `executeCall` reaches a tool's `execute`, and it is given a claimed call only. 2. A failure of a tool that changes
 * something has effect `possible`, unless the tool itself says `none`. 3. What was true is reported: a tool that finishes
 * although it was asked to stop has succeeded.
 */
import type { ToolFacts } from '../thread/evidence.ts';
import type { CallId } from '../thread/ids.ts';
import type { Clock, Tools } from '../worker/ports.ts';
import { limited } from './deadline.ts';
import { SERVER, type Checked, type Tool } from './define.ts';
import { executeCall } from './execute-call.ts';
import { INSPECT_MS, inspectCall } from './inspect-call.ts';
import { words, type Language } from './words.ts';

/** The port, and what the tools can say beyond it. */
export interface ToolRegistry extends Tools {
  /** After a crash: whether the call happened. `unknown` when the tool cannot tell, is gone, fails or takes too long. */
  check(tool: string, key: CallId, signal: AbortSignal): Promise<Checked>;
  /** Names of the write tools whose effect cannot be made conditional on what was approved: accepted gaps. */
  gaps(): readonly string[];
}

/** Makes the registry; throws a TypeError when two tools have one name. */
export function createRegistry(tools: readonly Tool[], language: Language, clock: Clock): ToolRegistry {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const twice = tools.find(tool => byName.get(tool.name) !== tool);
  if (twice) throw new TypeError(`There are two tools named ${twice.name}.`);
  const setting = { language, say: words[language], clock };
  return {
    offered: () => tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    facts: name => factsOf(byName.get(name)),
    definitions: () =>
      tools.map(({ name, digest, definition }) => ({ tool: name, server: SERVER, digest, definition })),
    inspect: (name, args, context) => inspectCall(byName.get(name), { name, args, ...context }, setting),
    execute: execution => executeCall(byName.get(execution.tool), execution, setting),
    check: async (name, key, signal) => {
      const check = byName.get(name)?.check;
      if (!check) return 'unknown';
      const checked = await limited(inner => check(key, inner), { clock, signal, timeMs: INSPECT_MS, graceMs: 0 });
      return checked.is === 'returned' ? checked.value : 'unknown';
    },
    gaps: () => tools.filter(tool => tool.effect === 'write' && !tool.conditional).map(tool => tool.name),
  };
}

function factsOf(tool: Tool | undefined): ToolFacts | undefined {
  if (!tool) return undefined;
  const { name, digest, effect, risk, idempotent, timeoutMs } = tool;
  return { name, server: SERVER, digest, effect, risk, idempotent, timeoutMs };
}
