/** Owns which model is asked: the one that is configured, or the embedded demo. */
import type { Environment } from '../config/environment.ts';
import { DEMO_MODEL } from '../local/demo-model.ts';
import { createModel } from '../model/model.ts';
import { resultText } from '../slack/views/result.ts';
import { showWith } from '../slack/views/text/show.ts';
import { en } from '../slack/views/texts/en.ts';
import type { Agent, Clock, Model } from '../worker/ports.ts';
import type { Side } from './start-lines.ts';

const OPENAI = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-5.2';

/** Opens the model; `demoUrl` is where this process serves the demo. */
export const openModel = (
  { model }: Environment,
  given: {
    readonly demoUrl: string;
    readonly clock: Clock;
    readonly secretsKey: string | Uint8Array;
    /** Whom the policy names. */
    readonly agents: readonly Pick<Agent, 'name' | 'model' | 'instructions'>[];
    readonly totalTimeoutMs?: number;
  },
): Model =>
  createModel({
    baseURL: model === null ? given.demoUrl : (model.baseUrl ?? OPENAI),
    apiKey: model?.apiKey ?? 'embedded',
    model: model === null ? DEMO_MODEL : (model.model ?? DEFAULT_MODEL),
    clock: given.clock,
    agent: name => {
      const agent = given.agents.find(each => each.name === name);
      // The demo is the only model of its server.
      return agent && model === null ? { ...agent, model: null } : agent;
    },
    resultText: outcome => resultText(outcome, { secretsKey: given.secretsKey }),
    argumentsText: args => showWith(given.secretsKey, en.mask).json(args),
    ...(given.totalTimeoutMs === undefined ? {} : { totalTimeoutMs: given.totalTimeoutMs }),
  });

/** Every model that an agent is answered by, the environment's first. */
export function modelNames({ model }: Pick<Environment, 'model'>, agents: readonly Pick<Agent, 'model'>[]): string[] {
  if (model === null) return [DEMO_MODEL];
  const own = model.model ?? DEFAULT_MODEL;
  const named = agents.map(agent => agent.model ?? own);
  return [...new Set([...named.filter(name => name === own), ...named])];
}

/** What the start-up lines say of it. */
export function modelSide(environment: Pick<Environment, 'model'>, agents: readonly Pick<Agent, 'model'>[]): Side {
  const { model } = environment;
  if (model === null)
    return { embedded: true, what: 'demo model: rules, not an LLM', hint: 'set OPENAI_API_KEY for a real one' };
  const { host } = new URL(model.baseUrl ?? OPENAI);
  return {
    embedded: false,
    what: `${modelNames(environment, agents).join(', ')} at ${host} (chat completions)`,
    hint: '',
  };
}
