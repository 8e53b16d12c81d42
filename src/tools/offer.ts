/** Owns which tools an agent is offered, and may therefore run: its patterns, and what every agent has. */
import type { Agent } from '../worker/ports.ts';
import type { Tool } from './define.ts';

/** Whether a tool's whole name fits a pattern, in which `*` stands for any characters. */
function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** True when one of the agent's patterns names the tool. */
export const isListed = ({ tools }: Pick<Agent, 'tools'>, name: string): boolean =>
  tools?.some(pattern => fitsPattern(pattern, name)) ?? false;

/** True when the agent is offered the tool. */
export function isOffered({ offer, name }: Pick<Tool, 'offer' | 'name'>, agent: Agent): boolean {
  if (typeof offer === 'function') return offer(agent);
  return offer === 'always' || agent.tools === null || isListed(agent, name);
}
