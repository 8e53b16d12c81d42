/**
 * Owns the model that everybody measured asks over HTTP, in OpenAI's wire format, streamed or whole: by the number of results
 * behind the last message of a person it looks up, then refunds, then answers.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ASKS_FIRST, tagOf, turnOf } from './script.ts';

const asked = z.looseObject({
  stream: z.optional(z.boolean()),
  messages: z.array(z.looseObject({ role: z.string(), content: z.optional(z.nullable(z.string())) })),
});

interface Reply {
  readonly text: string | null;
  readonly call: { readonly name: string; readonly args: string } | null;
}

function replyTo(messages: z.infer<typeof asked>['messages']): Reply {
  const last = messages.findLastIndex(message => message.role === 'user');
  const tag = tagOf(messages[last]?.content ?? '');
  if (!tag) throw new Error('The last message of a person has no number.');
  const turn = turnOf(tag.thread, tag.index);
  const asks = (messages[last]?.content ?? '').includes(ASKS_FIRST);
  const results = messages.slice(last).filter(message => message.role === 'tool').length;
  if (asks && results === 0)
    return { text: null, call: { name: 'ask_user', args: JSON.stringify({ question: turn.question, kind: 'text' }) } };
  if (asks) return { text: turn.answer, call: null };
  if (results === 0) return { text: null, call: { name: 'lookup', args: JSON.stringify({ order: turn.order }) } };
  if (results === 1) return { text: null, call: { name: 'refund', args: turn.refund } };
  return { text: turn.answer, call: null };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
let calls = 0;

function whole({ text, call }: Reply): object {
  const made = call && [
    { id: `call_${(calls += 1)}`, type: 'function', function: { name: call.name, arguments: call.args } },
  ];
  const message = { role: 'assistant', content: text, ...(made ? { tool_calls: made } : {}) };
  return {
    model: 'bench',
    choices: [{ index: 0, finish_reason: made ? 'tool_calls' : 'stop', message }],
    usage: USAGE,
  };
}

function* chunks({ text, call }: Reply): Generator<object> {
  const delta = (content: object, finish: string | null = null): object => ({
    model: 'bench',
    choices: [{ index: 0, delta: content, finish_reason: finish }],
  });
  if (call) {
    const id = `call_${(calls += 1)}`;
    yield delta({ tool_calls: [{ index: 0, id, type: 'function', function: { name: call.name, arguments: '' } }] });
    for (const part of call.args.match(/.{1,50}/g) ?? [])
      yield delta({ tool_calls: [{ index: 0, function: { arguments: part } }] });
  }
  for (const part of text?.match(/.{1,50}/g) ?? []) yield delta({ content: part });
  yield delta({}, call ? 'tool_calls' : 'stop');
  yield { model: 'bench', choices: [], usage: USAGE };
}

function send(reply: Reply, isStream: boolean, response: ServerResponse): void {
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole(reply)));
    return;
  }
  const parts = [...chunks(reply)].map(chunk => `data: ${JSON.stringify(chunk)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${parts.join('')}data: [DONE]\n\n`);
}

/** Starts the model on 127.0.0.1, any free port; gives the address up to and with `/v1`. */
export async function startModel(): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      try {
        const { messages, stream = false } = asked.parse(JSON.parse(Buffer.concat(parts).toString()));
        send(replyTo(messages), stream, response);
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
  });
  // A busy machine may leave a connection idle for longer than a server usually keeps it.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
