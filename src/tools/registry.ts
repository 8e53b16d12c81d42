/**
 * Owns the set of tools. Implements the `Tools` port for the tools of this process.
 *
 * 1. Only `executeCall` reaches a tool's `execute`, and it is given a claimed call only. 2. A failure of a tool that changes
 * something has effect `possible`, unless the tool itself says `none`. 3. What was true is reported: a tool that finishes
 * although it was asked to stop has succeeded. 4. An agent runs only what it is offered, whatever name its model writes.
 */
import type { ToolFacts } from '../thread/evidence.ts';
import type { Agent, Clock, ModelRequest, Tools } from '../worker/ports.ts';
import { limited } from './deadline.ts';
import type { Tool } from './define.ts';
import { executeCall } from './execute-call.ts';
import { INSPECT_MS, inspectCall } from './inspect-call.ts';
import { isOffered } from './offer.ts';
import { words, type Language } from './words.ts';

/** The port, and what the tools can say beyond it. */
export interface ToolRegistry extends Tools {
  /** Names of the write tools whose effect cannot be made conditional on what was approved: accepted gaps. */
  gaps(): readonly string[];
}

/** The agent of a name as policy has it now; undefined when it is gone. */
export type FindAgent = (name: string) => Agent | undefined;

/**
 * Makes the registry; throws a TypeError when two tools have one name. Without `agents` every agent has every tool that is
 * not for some only; with it, an agent that is gone has none.
 */
export function createRegistry(
  tools: readonly Tool[],
  language: Language,
  clock: Clock,
  agents?: FindAgent,
): ToolRegistry {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const twice = tools.find(tool => byName.get(tool.name) !== tool);
  if (twice) throw new TypeError(`There are two tools named ${twice.name}.`);
  const setting = { language, say: words[language], clock };
  const isFor = (tool: Tool, agentName: string): boolean => {
    if (!agents) return typeof tool.offer !== 'function';
    const agent = agents(agentName);
    return agent !== undefined && isOffered(tool, agent);
  };
  return {
    offered: agent => tools.filter(tool => isFor(tool, agent)).map(forModel),
    facts: (name, agent) => {
      const tool = byName.get(name);
      return tool && (agent === undefined || isFor(tool, agent)) ? factsOf(tool) : undefined;
    },
    definitions: () =>
      tools.map(({ name, server, digest, definition }) => ({ tool: name, server, digest, definition })),
    inspect: (name, args, context) => inspectCall(byName.get(name), { name, args, ...context }, setting),
    execute: async execution => {
      const { tool: name, agent } = execution;
      const tool = byName.get(name);
      if (tool && !isFor(tool, agent))
        return { how: 'failed', effect: 'none', code: 'not_offered', result: setting.say.notOffered(name, agent) };
      return executeCall(tool, execution, setting);
    },
    check: async (name, key, signal) => {
      const check = byName.get(name)?.check;
      if (!check) return 'unknown';
      const checked = await limited(inner => check(key, inner), { clock, signal, timeMs: INSPECT_MS, graceMs: 0 });
      return checked.is === 'returned' ? checked.value : 'unknown';
    },
    gaps: () => tools.filter(tool => tool.effect === 'write' && !tool.conditional).map(tool => tool.name),
  };
}

const forModel = ({ name, description, parameters }: Tool): ModelRequest['tools'][number] => ({
  name,
  description,
  parameters,
});

const factsOf = ({ name, server, digest, effect, risk, idempotent, timeoutMs, check }: Tool): ToolFacts => ({
  name,
  server,
  digest,
  effect,
  risk,
  idempotent,
  timeoutMs,
  checks: check !== null,
});
