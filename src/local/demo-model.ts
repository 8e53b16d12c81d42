/** The demo model: OpenAI's wire format over HTTP in front of a few rules, so that the real client is used without an account. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { demoAnswer, type DemoAnswer } from './demo-answer.ts';
import type { DemoMessage } from './demo-message.ts';
import { HttpRefusal, readBody, type RouteHandler } from './http.ts';

/** The one model that this server has. */
export const DEMO_MODEL = 'demo';

/** A streamed text comes in pieces of two words, or at most so many, with a pause between two, so that one can see it grow. */
const PIECE_WORDS = 2;
const MAX_PIECES = 60;
const PAUSE_MS = 40;
/** Resolves when the next piece of a text may be sent. */
type Pause = () => Promise<unknown>;

const MAX_BODY_BYTES = 32 * 1024 * 1024;

const textSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .transform(parts => parts.map(part => part.text).join('')),
]);
const messageSchema = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: textSchema.nullish(),
    tool_call_id: z.string().nullish(),
    tool_calls: z
      .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
      .nullish(),
  })
  .transform(({ role, content, tool_call_id, tool_calls }): DemoMessage => ({
    role,
    content: content ?? '',
    toolCallId: tool_call_id ?? null,
    calls: (tool_calls ?? []).map(call => ({ id: call.id, name: call.function.name, args: call.function.arguments })),
  }));
const requestSchema = z.object({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});
type ChatRequest = z.infer<typeof requestSchema>;

/** A refusal in OpenAI's form. */
class ApiRefusal extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Refuses, as OpenAI does, a conversation in which a call has no result directly behind it. */
function checkPairs(messages: readonly DemoMessage[]): void {
  let open = new Set<string>();
  for (const { role, toolCallId, calls } of messages) {
    if (role === 'tool') {
      if (open.delete(toolCallId ?? '')) continue;
      throw new ApiRefusal(400, null, `A tool message answers no call directly before it: ${toolCallId}.`);
    }
    if (open.size > 0) break;
    open = new Set(calls.map(call => call.id));
  }
  if (open.size > 0)
    throw new ApiRefusal(400, null, `Calls without a result directly behind them: ${[...open].join(', ')}.`);
}

function parsed(body: Buffer): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiRefusal(400, null, 'The body is not JSON.');
  }
  const result = requestSchema.safeParse(value);
  if (!result.success) throw new ApiRefusal(400, null, z.prettifyError(result.error));
  if (result.data.model !== DEMO_MODEL)
    throw new ApiRefusal(
      404,
      'model_not_found',
      `There is no model "${result.data.model}" here, only "${DEMO_MODEL}".`,
    );
  checkPairs(result.data.messages);
  return result.data;
}

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Reply {
  readonly head: { readonly id: string; readonly created: number; readonly model: string };
  readonly text: string;
  readonly calls: readonly WireCall[];
  readonly finish: 'stop' | 'tool_calls';
  readonly usage: object;
}

function replyTo(request: ChatRequest, nowMs: number): Reply {
  const offered = new Set((request.tools ?? []).map(tool => tool.function.name));
  const answer: DemoAnswer = demoAnswer(request.messages, offered);
  const text = 'text' in answer ? answer.text : '';
  const turn = request.messages.length;
  const calls = ('calls' in answer ? answer.calls : []).map(({ tool, args }, index) => ({
    id: `call_${turn}_${index}`,
    type: 'function' as const,
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  // A token is taken to be four characters, as everywhere where nobody counts.
  const input = Math.ceil(JSON.stringify(request.messages).length / 4);
  const output = Math.ceil((text.length + JSON.stringify(calls).length) / 4);
  return {
    head: { id: `chatcmpl-demo-${turn}`, created: Math.floor(nowMs / 1000), model: DEMO_MODEL },
    text,
    calls,
    finish: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

function sendWhole({ head, text, calls, finish, usage }: Reply, response: ServerResponse): void {
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  sendJson(response, 200, {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
  });
}

/** A text in pieces of whole words. */
function pieces(text: string): string[] {
  const words = text.match(/\s*\S+\s*|\s+/g) ?? [];
  const size = Math.max(PIECE_WORDS, Math.ceil(words.length / MAX_PIECES));
  return Array.from({ length: Math.ceil(words.length / size) || 0 }, (_, at) =>
    words.slice(at * size, (at + 1) * size).join(''),
  );
}

async function sendStream(
  { head, text, calls, finish, usage }: Reply,
  withUsage: boolean,
  pause: Pause,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  const send = (rest: object): void => {
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...rest })}\n\n`);
  };
  const delta = (value: object, reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta: value, finish_reason: reason }] });
  delta({ role: 'assistant', content: calls.length > 0 ? null : '' });
  for (const [at, content] of pieces(text).entries()) {
    if (at > 0) await pause();
    if (response.destroyed) return;
    delta({ content });
  }
  calls.forEach(({ function: { name, arguments: args }, ...call }, index) => {
    delta({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] });
    for (const part of args.match(/[^]{1,24}/g) ?? [])
      delta({ tool_calls: [{ index, function: { arguments: part } }] });
  });
  delta({}, finish);
  if (withUsage) send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function sendRefusal(response: ServerResponse, status: number, code: string | null, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code } });
}

async function answer(
  path: string,
  { nowMs, pause }: Required<DemoOptions>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method} ${path}`;
  const model = { id: DEMO_MODEL, object: 'model', created: 0, owned_by: 'countersign' };
  if (route === 'GET /v1/models') return sendJson(response, 200, { object: 'list', data: [model] });
  if (route === `GET /v1/models/${DEMO_MODEL}`) return sendJson(response, 200, model);
  if (route !== 'POST /v1/chat/completions') throw new ApiRefusal(404, null, `There is no ${route} here.`);
  const asked = parsed(await readBody(request, MAX_BODY_BYTES));
  const reply = replyTo(asked, nowMs());
  if (asked.stream) return sendStream(reply, asked.stream_options?.include_usage === true, pause, response);
  return sendWhole(reply, response);
}

export interface DemoOptions {
  readonly nowMs?: () => number;
  /** Between two pieces of a streamed text; 40 ms. */
  readonly pause?: Pause;
}

/**
 * A handler for a mount in an HTTP server: takes every request below `/v1/` (POST `/v1/chat/completions`, streamed or not;
 * GET `/v1/models`) and leaves the others. Any key is welcome; what is wrong is answered with 4xx in OpenAI's form.
 */
export function demoModelHandler({
  nowMs = Date.now,
  pause = () => setTimeout(PAUSE_MS),
}: DemoOptions = {}): RouteHandler {
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!path.startsWith('/v1/')) return false;
    try {
      await answer(path, { nowMs, pause }, request, response);
    } catch (error) {
      if (error instanceof ApiRefusal) sendRefusal(response, error.status, error.code, error.message);
      else if (error instanceof HttpRefusal) sendRefusal(response, error.status, null, error.message);
      else if (response.headersSent || request.destroyed) response.destroy();
      else sendRefusal(response, 500, null, 'The demo model failed.');
    }
    return true;
  };
}

export interface DemoModel {
  /** Up to and with `/v1`. */
  readonly baseURL: string;
  close(): Promise<void>;
}

/** The demo model on a server of its own on 127.0.0.1; port 0 is any free one. Rejects when the port is taken. */
export async function startDemoModel({
  port,
  ...options
}: DemoOptions & { readonly port: number }): Promise<DemoModel> {
  const handler = demoModelHandler(options);
  const server = createServer((request, response) => {
    Promise.resolve(handler(request, response)).then(
      taken => (taken ? undefined : sendRefusal(response, 404, null, 'The demo model answers below /v1/.')),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
