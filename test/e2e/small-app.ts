/** Owns a small app for the page's own tests: it takes what people do and answers as the test says, over the real wire. */
import { WebSocket } from 'ws';
import type { Json, JsonObject } from '../../src/local/json.ts';
import { isObject, objectIn, textIn } from '../../src/local/json.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';

export class SmallApp {
  readonly #url: string;
  readonly #socket: WebSocket;
  readonly #heard: JsonObject[] = [];
  readonly #waiting: ((payload: JsonObject) => void)[] = [];
  /** What the next forms are acknowledged with. */
  answer: Json = {};

  private constructor(url: string, socket: WebSocket) {
    this.#url = url;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString('utf8')) as JsonObject));
  }

  static async connect(url: string): Promise<SmallApp> {
    const address = textIn(await call(url, 'apps.connections.open', {}, EMBEDDED_APP_TOKEN), 'url') ?? '';
    return new SmallApp(url, new WebSocket(address));
  }

  /** Calls the Web API; throws what it refuses. */
  call(method: string, fields: JsonObject): Promise<JsonObject> {
    return call(this.#url, method, fields, EMBEDDED_BOT_TOKEN);
  }

  /** The next click, form, command, shortcut or event of this type (and subtype), whatever came before it. */
  async next(type: string, subtype?: string): Promise<JsonObject> {
    for (;;) {
      const payload = this.#heard.shift() ?? (await new Promise<JsonObject>(resolve => this.#waiting.push(resolve)));
      const event = objectIn(payload, 'event') ?? payload;
      const isAsked = event['type'] === type || (type === 'command' && event['command'] !== undefined);
      if (isAsked && (subtype === undefined || event['subtype'] === subtype)) return event;
    }
  }

  close(): void {
    this.#socket.close();
  }

  #hear(said: JsonObject): void {
    const { envelope_id: id, payload } = said;
    if (id === undefined || !isObject(payload)) return;
    const answer = payload['type'] === 'view_submission' ? this.answer : {};
    this.#socket.send(JSON.stringify({ envelope_id: id, payload: answer }));
    const waiting = this.#waiting.shift();
    if (waiting) waiting(payload);
    else this.#heard.push(payload);
  }
}

async function call(url: string, method: string, fields: JsonObject, token: string): Promise<JsonObject> {
  const body = new URLSearchParams();
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) body.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  const headers = { authorization: `Bearer ${token}` };
  const answer: unknown = await (await fetch(`${url}/api/${method}`, { method: 'POST', headers, body })).json();
  if (!isObject(answer) || answer['ok'] !== true) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer;
}
