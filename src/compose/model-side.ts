/** Owns which model is asked: the one that is configured, or the embedded demo. */
import type { Environment } from '../config/environment.ts';
import { DEMO_MODEL } from '../local/demo-model.ts';
import { createModel } from '../model/model.ts';
import { resultText } from '../slack/views/result.ts';
import type { Clock, Model } from '../worker/ports.ts';
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
    readonly totalTimeoutMs?: number;
  },
): Model =>
  createModel({
    baseURL: model === null ? given.demoUrl : (model.baseUrl ?? OPENAI),
    apiKey: model?.apiKey ?? 'embedded',
    model: model === null ? DEMO_MODEL : (model.model ?? DEFAULT_MODEL),
    clock: given.clock,
    instructions: '',
    resultText: outcome => resultText(outcome, { secretsKey: given.secretsKey }),
    ...(given.totalTimeoutMs === undefined ? {} : { totalTimeoutMs: given.totalTimeoutMs }),
  });

/** What the start-up lines say of it. */
export function modelSide({ model }: Environment): Side {
  if (model === null)
    return { embedded: true, what: 'demo model: rules, not an LLM', hint: 'set OPENAI_API_KEY for a real one' };
  const { host } = new URL(model.baseUrl ?? OPENAI);
  return { embedded: false, what: `${model.model ?? DEFAULT_MODEL} at ${host} (chat completions)`, hint: '' };
}
