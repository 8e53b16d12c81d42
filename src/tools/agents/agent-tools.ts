/**
 * Owns agents as tools of other agents: `ask_<agent>` gives a task and has the answer as its result; `hand_off_to_<agent>`
 * gives a draft away, past an expert where the policy names one. Both are calls like any other: judged, claimed, recorded.
 *
 * 1. The definition of a hand-off covers its reviews: other reviewers are another definition. 2. A draft that was returned
 * goes nowhere. 3. An agent is offered no way to itself, and none round a review. How deep agents may call agents, the core
 * decides.
 */
import { z } from 'zod';
import type { Agent, HandOff } from '../../worker/ports.ts';
import { defineTool, type ExecuteContext, type Tool } from '../define.ts';
import { refusal } from '../error.ts';
import { isListed } from '../offer.ts';
import { firstWords, quoted } from '../quoted.ts';
import type { Words } from '../words.ts';

/** Where tools come from that are agents. */
const AGENTS = 'agents';

/** Longest task or draft. */
const TEXT_LENGTH = 30_000;

/** `ask_<agent>` for every agent, and `hand_off_to_<agent>` for every agent that another hands work to; none for a single agent. */
export function agentTools(agents: readonly Agent[], say: Words): Tool[] {
  if (agents.length < 2) return [];
  const targets = new Set(agents.flatMap(agent => agent.handOffs.map(({ to }) => to)));
  return [...agents.map(({ name }) => askAgent(name, say)), ...[...targets].map(to => handOffTo(to, agents, say))];
}

function askAgent(agent: string, say: Words): Tool {
  const name = `ask_${agent}`;
  return defineTool({
    name,
    server: AGENTS,
    offer: asking => asking.name !== agent && isListed(asking, name) && !isReviewed(asking, agent),
    description: `Gives the agent ${agent} a task and waits for its answer. It knows nothing of this conversation: say all that it needs.`,
    parameters: z.object({ task: z.string().min(1).max(TEXT_LENGTH).describe('The whole task, in words.') }),
    effect: 'read',
    risk: 'low',
    summary: ({ task }) => say.askAgent(agent, quoted(task)),
    execute: ({ task }, { run }) => run('run', { agent, task }),
  });
}

/** True when what the one gives the other has to pass an expert first: there is no way round it by asking. */
const isReviewed = ({ handOffs }: Agent, agent: string): boolean =>
  handOffs.some(({ to, review }) => to === agent && review.length > 0);

function handOffTo(to: string, agents: readonly Agent[], say: Words): Tool {
  const handOffOf = (agent: string): HandOff | undefined =>
    agents.find(({ name }) => name === agent)?.handOffs.find(handOff => handOff.to === to);
  const reviews = agents.flatMap(({ name, handOffs }) =>
    handOffs.filter(handOff => handOff.to === to).map(handOff => ({ from: name, ...reviewIn(handOff) })),
  );
  return defineTool({
    name: `hand_off_to_${to}`,
    server: AGENTS,
    offer: ({ name }) => name !== to && handOffOf(name) !== undefined,
    description: `Hands your finished draft over to the agent ${to}, which goes on with it, and waits for what it makes of it. An expert may look at the draft first, change it, or return it to you with what to change.`,
    parameters: z.object({
      draft: z.string().min(1).max(TEXT_LENGTH).describe('The whole draft. The other agent knows nothing else.'),
    }),
    effect: 'read',
    risk: 'low',
    covers: { reviews },
    summary: ({ draft }) => say.handOff(to, quoted(draft)),
    execute: async ({ draft }, context) => {
      const handOff = handOffOf(context.agent);
      if (!handOff || context.agent === to) throw refusal('no_hand_off', say.noHandOff(context.agent, to));
      return handOver(handOff, draft, context, say);
    },
  });
}

/** What of a hand-off is approved with it. */
const reviewIn = ({ review, channel, expiresInMs }: HandOff) => ({
  review: review.map(({ name, users, groups }) => ({ name, users: [...users], groups: [...groups] })),
  channel,
  expiresInMs,
});

async function handOver(handOff: HandOff, draft: string, context: ExecuteContext, say: Words): Promise<string> {
  const { to: agent, review: reviewers, channel, expiresInMs } = handOff;
  if (reviewers.length === 0) return context.run('run', { agent, task: draft });
  const title = firstWords(firstLine(draft));
  const said = await context.review('review', { title, draft, reviewers, channel, expiresInMs });
  if (said.action === 'return') return say.draftReturned(said.name, said.why);
  const task = said.action === 'edit' ? said.text : draft;
  const answer = await context.run('run', { agent, task });
  return `${said.action === 'edit' ? say.draftEdited(said.name) : say.draftAccepted(said.name)}\n${answer}`;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
