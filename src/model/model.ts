/** Owns the Model port over OpenAI's Chat Completions, for any server that speaks them. The one place that knows the client. */
import OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Outcome } from '../thread/outcome.ts';
import type { Clock, Model, ModelAnswer, ModelRequest } from '../worker/ports.ts';
import { failureOf, type Failure } from './failure.ts';
import { systemMessage } from './instructions.ts';
import { Assembly } from './reply.ts';
import { namesFromWire, wireName } from './tool-names.ts';
import { messagesFor } from './transcript.ts';
import { watch, type Watchdog } from './watchdog.ts';

export interface ModelOptions {
  /** Up to and with `/v1`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly clock: Clock;
  /** The agent's own instructions, behind the built-in rules; may be empty. */
  readonly instructions: string;
  /** What the model is told about a call's outcome. */
  readonly resultText: (outcome: Outcome) => string;
  /** How long the server may say nothing; 60 s. */
  readonly idleTimeoutMs?: number;
  /** How long one answer may take; 5 min. */
  readonly totalTimeoutMs?: number;
  /** Retries inside the client; 0, because the worker tries again by itself and says so in the thread. */
  readonly maxRetries?: number;
  /** False for servers that cannot stream; the answers are the same. */
  readonly streaming?: boolean;
}

/** The longest time a timer takes: the client's own time-out stands aside for the watchdog on the injected clock. */
const NEVER_MS = 2 ** 31 - 1;

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
  const { clock, apiKey, idleTimeoutMs = 60_000, totalTimeoutMs = 300_000, streaming = true } = options;
  // What the client would else take from the environment is named here; the environment is read in one place only.
  const client = new OpenAI({
    apiKey,
    baseURL: options.baseURL,
    maxRetries: options.maxRetries ?? 0,
    timeout: NEVER_MS,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
  });

  const receive = async (body: ChatCompletionCreateParamsNonStreaming, watchdog: Watchdog): Promise<Received> => {
    const assembly = new Assembly();
    const { signal } = watchdog;
    try {
      if (!streaming)
        return { assembly, trouble: troubleWith(assembly.add(await client.chat.completions.create(body, { signal }))) };
      const chunks = await client.chat.completions.create(
        { ...body, stream: true, stream_options: { include_usage: true } },
        { signal },
      );
      for await (const chunk of chunks) {
        watchdog.heard();
        const trouble = troubleWith(assembly.add(chunk));
        if (trouble) return { assembly, trouble };
      }
      return { assembly, trouble: null };
    } catch (error) {
      return { assembly, trouble: failureOf(error, apiKey) };
    }
  };

  return {
    async reply(request) {
      const body = bodyFor(options, request);
      // An answer that comes as a whole is silent until it is there.
      const limits = { idleTimeoutMs: streaming ? idleTimeoutMs : totalTimeoutMs, totalTimeoutMs };
      const watchdog = watch(clock, limits, request.signal);
      try {
        const { assembly, trouble } = await receive(body, watchdog);
        const stopped = watchdog.stopped();
        if (stopped === 'aborted') return { away: stopped };
        // Behind the end marker the reply is whole, whatever became of the connection.
        if (!assembly.ended && stopped) return { away: stopped };
        if (trouble && !(assembly.ended && 'away' in trouble)) return trouble;
        const answer = assembly.answer({ model: options.model, characters: JSON.stringify(body).length });
        return 'reply' in answer ? named(answer, request) : answer;
      } finally {
        await watchdog.end();
      }
    },
  };
}

interface Received {
  readonly assembly: Assembly;
  readonly trouble: Failure | null;
}

function troubleWith(added: ReturnType<Assembly['add']>): Failure | null {
  if (added === 'taken') return null;
  if (added === 'garbled') return { away: 'model_garbled' };
  return { refused: 'reply_too_long', detail: 'The reply is longer than 256 KB.' };
}

function bodyFor(options: ModelOptions, request: ModelRequest): ChatCompletionCreateParamsNonStreaming {
  const messages = messagesFor(systemMessage(options.instructions), request.conversation, options.resultText);
  const tools = request.tools.map(toolFor);
  return { model: options.model, messages, ...(tools.length > 0 ? { tools } : {}) };
}

function named({ reply }: Extract<ModelAnswer, { reply: unknown }>, request: ModelRequest): ModelAnswer {
  const toolOf = namesFromWire(request.tools);
  return { reply: { ...reply, calls: reply.calls.map(call => ({ ...call, tool: toolOf(call.tool) })) } };
}
