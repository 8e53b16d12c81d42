/** Owns the Model port over OpenAI's Chat Completions, for any server that speaks them. */
import OpenAI from 'openai';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Agent, Clock, Model, ModelAnswer, ModelRequest } from '../worker/ports.ts';
import { systemMessage } from './instructions.ts';
import { receiveStream, receiveWhole, type Body } from './receive.ts';
import type { Assembly } from './reply.ts';
import { namesFromWire, wireName } from './tool-names.ts';
import { toldOnce } from './told-once.ts';
import { messagesFor, type ResultWords } from './transcript.ts';
import { watch } from './watchdog.ts';

export interface ModelOptions extends ResultWords {
  /** Up to and with `/v1`. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** The model where an agent names none. */
  readonly model: string;
  readonly clock: Clock;
  /** An agent's own model and instructions; null and undefined: the one above, and only the built-in rules. */
  readonly agent: (name: string) => Pick<Agent, 'model' | 'instructions'> | undefined;
  /** How long the server may say nothing; 60 s. */
  readonly idleTimeoutMs?: number;
  /** How long one answer may take; 5 min. */
  readonly totalTimeoutMs?: number;
  /** False for servers that cannot stream; the answers are the same. One that says so itself is asked for whole answers from then on. */
  readonly streaming?: boolean;
}

/** The longest time a timer takes: the client's own time-out stands aside for the watchdog on the injected clock. */
const NEVER_MS = 2 ** 31 - 1;
/** Whoever reads along gets the text at most this often. */
const READ_ALONG_MS = 350;

const parametersSchema = z.record(z.string(), z.unknown());

const toolFor = (tool: ModelRequest['tools'][number]): ChatCompletionFunctionTool => ({
  type: 'function',
  function: {
    name: wireName(tool.name),
    description: tool.description,
    parameters: parametersSchema.parse(tool.parameters),
  },
});

/**
 * A model behind an OpenAI-compatible server.
 *
 * `reply` answers with a reply, `away` (worth another try: model_silent, model_too_slow, model_timeout, model_unreachable,
 * model_cut_off, model_garbled, model_empty, model_rate_limited, model_quota, model_error, and aborted when the request's
 * signal ended it) or `refused` (model_auth, model_not_found, model_bad_request, context_too_long, content_filter,
 * reply_too_long, reply_cut_off). It throws BrokenTranscript for a conversation in which calls and results do not pair,
 * a ZodError for tool parameters that are no JSON Schema object, and nothing else.
 */
export function createModel(options: ModelOptions): Model {
  const words = toldOnce(options);
  const { clock, apiKey, idleTimeoutMs = 60_000, totalTimeoutMs = 300_000, streaming = true } = options;
  const server = { client: clientFor(options), apiKey };
  /** Models that are asked for whole answers, because they or their server do not stream. */
  const unstreamed = new Set<string>();

  const ask = async (
    body: Body,
    request: ModelRequest,
    { streams, leftMs }: { readonly streams: boolean; readonly leftMs: number },
  ): Promise<ModelAnswer | 'does_not_stream'> => {
    // An answer that comes as a whole is silent until it is there.
    const limits = { idleTimeoutMs: streams ? idleTimeoutMs : leftMs, totalTimeoutMs: leftMs };
    const watchdog = watch(clock, limits, request.signal);
    try {
      const received = streams
        ? await receiveStream(server, body, watchdog, readAlong(clock, request.onText))
        : await receiveWhole(server, body, watchdog);
      const stopped = watchdog.stopped();
      if (stopped === 'aborted') return { away: stopped };
      if (received === 'does_not_stream') return received;
      const { assembly, trouble } = received;
      // Behind the end marker the reply is whole, whatever became of the connection.
      if (!assembly.ended && stopped) return { away: stopped };
      if (trouble && !(assembly.ended && 'away' in trouble)) return trouble;
      const answer = assembly.answer({ model: body.model, characters: () => JSON.stringify(body).length });
      return 'reply' in answer ? named(answer, request) : answer;
    } finally {
      await watchdog.end();
    }
  };

  return {
    async reply(request) {
      const body = bodyFor(options, words, request);
      const startedMs = clock.monotonicMs();
      const streams = streaming && !unstreamed.has(body.model);
      const answer = await ask(body, request, { streams, leftMs: totalTimeoutMs });
      if (answer !== 'does_not_stream') return answer;
      const leftMs = totalTimeoutMs - (clock.monotonicMs() - startedMs);
      const whole = await ask(body, request, { streams: false, leftMs });
      if (whole === 'does_not_stream') return { away: 'model_garbled' };
      // What is refused either way was refused for another reason.
      if ('reply' in whole) unstreamed.add(body.model);
      return whole;
    },
  };
}

/** What the client would else take from the environment is named here; the environment is read in one place only. */
const clientFor = ({ apiKey, baseURL }: ModelOptions): OpenAI =>
  new OpenAI({
    apiKey,
    baseURL,
    // The worker tries again by itself, and says so in the thread.
    maxRetries: 0,
    timeout: NEVER_MS,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
  });

/** Passes the growing text on where somebody reads along, now and then, and only when there is more of it. */
function readAlong(clock: Clock, onText: ModelRequest['onText']): (assembly: Assembly) => void {
  let toldMs = -Infinity;
  let told = '';
  return assembly => {
    if (!onText) return;
    const nowMs = clock.monotonicMs();
    if (nowMs - toldMs < READ_ALONG_MS) return;
    const { text } = assembly;
    if (text === told || text.trim() === '') return;
    toldMs = nowMs;
    told = text;
    onText(text);
  };
}

function bodyFor(options: ModelOptions, words: ResultWords, request: ModelRequest): Body {
  const { model, instructions } = options.agent(request.agent) ?? { model: null, instructions: null };
  const messages = messagesFor(systemMessage(instructions ?? ''), request.conversation, words);
  const tools = request.tools.map(toolFor);
  return { model: model ?? options.model, messages, ...(tools.length > 0 ? { tools } : {}) };
}

function named({ reply }: Extract<ModelAnswer, { reply: unknown }>, request: ModelRequest): ModelAnswer {
  const toolOf = namesFromWire(request.tools);
  return { reply: { ...reply, calls: reply.calls.map(call => ({ ...call, tool: toolOf(call.tool) })) } };
}
