/** HTTP for the workspace: who may call, reading bodies within limits, answering. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** A handler of somebody else's paths; true when it has taken the request. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

const MAX_BODY_BYTES = 2_000_000;

/** Ends a request with a status and a sentence for people. */
export class HttpRefusal extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Refuses requests that name another host or come from another site's page: only this machine's own pages and programs may call. */
export function refuseForeign(request: IncomingMessage, port: number): void {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map(name => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    throw new HttpRefusal(403, 'This server answers only to its own address on this machine.');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw new HttpRefusal(403, 'Pages of other sites may not call this server.');
  const site = request.headers['sec-fetch-site'];
  const isNavigation = request.headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET';
  if ((site === 'cross-site' || site === 'same-site') && !isNavigation)
    throw new HttpRefusal(403, 'Pages of other sites may not call this server.');
}

/** Reads a body of at most `mostBytes` (default 2 MB). */
export async function readBody(request: IncomingMessage, mostBytes = MAX_BODY_BYTES): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new HttpRefusal(413, `The request is larger than ${mostBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads a JSON object; refuses another content type with 415 and what is not a JSON object with 400. */
export async function readJsonObject(request: IncomingMessage): Promise<JsonObject> {
  if (mediaType(request) !== 'application/json') throw new HttpRefusal(415, 'Send application/json.');
  const value = parseJson((await readBody(request)).toString('utf8'));
  if (!isObject(value)) throw new HttpRefusal(400, 'The body must be a JSON object.');
  return value;
}

/** Reads the fields of a form, a multipart form or a JSON object, as Slack's clients send them. */
export async function readFields(request: IncomingMessage): Promise<JsonObject> {
  const body = await readBody(request);
  const type = mediaType(request);
  if (type === 'application/json') {
    const value = parseJson(body.toString('utf8'));
    return isObject(value) ? value : {};
  }
  if (type === 'multipart/form-data')
    return Object.fromEntries(
      (await readMultipart(request, body)).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    );
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

/** The bytes of an uploaded file: the part of a multipart form that is a file, or the whole body. */
export async function readUpload(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const body = await readBody(request, mostBytes + 10_000);
  if (mediaType(request) !== 'multipart/form-data') return body;
  for (const [, value] of await readMultipart(request, body)) {
    if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  }
  throw new HttpRefusal(400, 'The form holds no file.');
}

async function readMultipart(request: IncomingMessage, body: Buffer): Promise<[string, string | Blob][]> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  return [...form.entries()];
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(body));
}
