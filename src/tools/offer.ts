/** Owns which tools an agent is offered, and may therefore run: its patterns, and what every agent has. */
import { fitsPattern } from '../thread/text/pattern.ts';
import type { Agent } from '../worker/ports.ts';
import type { Tool } from './define.ts';

/** True when one of the agent's patterns names the tool. */
export const isListed = ({ tools }: Pick<Agent, 'tools'>, name: string): boolean =>
  tools?.some(pattern => fitsPattern(pattern, name)) ?? false;

/** True when the agent is offered the tool. */
export function isOffered({ offer, name }: Pick<Tool, 'offer' | 'name'>, agent: Agent): boolean {
  if (typeof offer === 'function') return offer(agent);
  return offer === 'always' || agent.tools === null || isListed(agent, name);
}
