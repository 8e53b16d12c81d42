/**
 * An OpenAI-compatible server that says only what a test has prepared. Each request takes the next prepared answer; one that
 * finds none is answered 500 and makes `close` fail, as does an answer that nobody asked for. Held answers are driven by
 * hand, by promises; nothing here waits for time.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { id: string; type: string; function: { name: string; arguments: string } }[];
}
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { type: string; function: { name: string; description: string; parameters: object } }[];
  readonly stream?: boolean;
  readonly stream_options?: { include_usage?: boolean };
}
interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly { readonly tool?: string; readonly args: string }[];
  readonly finish?: string;
  /** Null: the server counts nothing. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
}

/** One request whose answer the test gives piece by piece. */
export interface Held {
  readonly request: ChatRequest;
  /** Sends status 200 and the headers of a stream; `chunk` does it by itself. */
  open(): void;
  /** Sends one chunk of a stream. */
  chunk(value: object): void;
  /** Sends bytes of a stream as they are. */
  raw(text: string): void;
  /** Ends the stream, with `[DONE]`. */
  done(): void;
  /** Ends the response without a word. */
  end(): void;
  /** Breaks the connection. */
  cut(): void;
  /** Answers with a status and a body. */
  status(status: number, body: unknown): void;
  /** Resolves when the connection of this request is over. */
  readonly closed: Promise<void>;
}

export interface ScriptedModel {
  /** Up to and with `/v1`. */
  readonly baseURL: string;
  readonly requests: readonly ChatRequest[];
  /** The next unanswered request gets this, streamed or whole as it asks. */
  reply(reply: ScriptedReply): void;
  /** The next unanswered request gets this status and body. */
  status(status: number, body: unknown): void;
  /** The next unanswered request is held. */
  hold(): Promise<Held>;
  /** Throws when something was asked that was not prepared, or prepared and not asked. */
  close(): Promise<void>;
}

type Answer = (request: ChatRequest, response: ServerResponse) => void;

export const textChunk = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
export const callChunk = (index: number, part: { id?: string; name?: string; arguments?: string }) => {
  const { id, ...fn } = part;
  return { choices: [{ index: 0, delta: { tool_calls: [{ index, ...(id ? { id } : {}), function: fn }] } }] };
};
export const finishChunk = (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });

const USAGE = { input: 11, output: 7 };

function usageOf({ usage = USAGE }: ScriptedReply) {
  return usage && { prompt_tokens: usage.input, completion_tokens: usage.output };
}

function wireCalls({ calls = [] }: ScriptedReply) {
  return calls.map(({ tool, args }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { ...(tool === undefined ? {} : { name: tool }), arguments: args },
  }));
}

function chunksOf(reply: ScriptedReply): object[] {
  const text = reply.text ?? '';
  const length = Math.max(3, Math.ceil(text.length / 100));
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
  const calls = wireCalls(reply).flatMap(({ index, id, function: { arguments: args, ...named } }) => [
    callChunk(index, { id, ...named, arguments: '' }),
    ...(args.match(/[^]{1,4}/g) ?? []).map(part => callChunk(index, { arguments: part })),
  ]);
  const usage = usageOf(reply);
  const finish = reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  return [...pieces.map(textChunk), ...calls, finishChunk(finish), ...(usage ? [{ choices: [], usage }] : [])];
}

function sendReply(reply: ScriptedReply, request: ChatRequest, response: ServerResponse): void {
  if (request.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(reply)) response.write(`data: ${JSON.stringify({ model: 'scripted', ...chunk })}\n\n`);
    response.end('data: [DONE]\n\n');
    return;
  }
  const calls = wireCalls(reply);
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choice = { index: 0, message, finish_reason: reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') };
  sendJson(response, 200, { model: 'scripted', choices: [choice], usage: usageOf(reply) });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' }).end(text);
}

function held(request: ChatRequest, response: ServerResponse): Held {
  const open = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  };
  const raw = (text: string): void => {
    open();
    response.write(text);
  };
  return {
    request,
    open,
    raw,
    chunk: value => raw(`data: ${JSON.stringify({ model: 'scripted', ...value })}\n\n`),
    done: () => {
      raw('data: [DONE]\n\n');
      response.end();
    },
    end: () => {
      open();
      response.end();
    },
    cut: () => response.destroy(),
    status: (status, body) => sendJson(response, status, body),
    closed: new Promise(resolve => response.once('close', resolve)),
  };
}

async function readBody(request: IncomingMessage): Promise<ChatRequest> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as ChatRequest;
}

/** Starts a scripted model on 127.0.0.1, any free port. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const answers: Answer[] = [];
  const requests: ChatRequest[] = [];
  const faults: string[] = [];

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    requests.push(body);
    const answer = request.url === '/v1/chat/completions' ? answers.shift() : undefined;
    if (answer) return answer(body, response);
    faults.push(`${request.method} ${request.url}, last message ${JSON.stringify(body.messages.at(-1))}`);
    sendJson(response, 500, { error: { message: 'The script has no answer for this request.' } });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      faults.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    reply: reply => void answers.push((request, response) => sendReply(reply, request, response)),
    status: (status, body) => void answers.push((_request, response) => sendJson(response, status, body)),
    hold: () => new Promise(resolve => answers.push((request, response) => resolve(held(request, response)))),
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      if (faults.length > 0) throw new Error(`Asked without a prepared answer: ${faults.join('; ')}`);
      if (answers.length > 0) throw new Error(`${answers.length} prepared answers were never asked for.`);
    },
  };
}
