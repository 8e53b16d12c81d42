/** A bare Socket Mode client for tests that must see envelopes, and decide themselves when to acknowledge. */
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Json, JsonObject } from '../../src/local/json.ts';
import { isObject, parseJson, textIn } from '../../src/local/json.ts';
import { api } from './stage.ts';

export class SocketClient {
  readonly #socket: WebSocket;
  readonly #waiting: ((said: JsonObject) => void)[] = [];
  readonly #heard: JsonObject[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const said = parseJson(data.toString('utf8'));
      if (!isObject(said)) return;
      const next = this.#waiting.shift();
      if (next) next(said);
      else this.#heard.push(said);
    });
  }

  /** Connects and takes the hello; closed when the test ends. */
  static async connect(url: string): Promise<SocketClient> {
    const { url: address } = await api(url, 'apps.connections.open');
    const socket = new WebSocket(typeof address === 'string' ? address : '');
    const client = new SocketClient(socket);
    onTestFinished(() => socket.terminate());
    await client.next();
    return client;
  }

  /** The next envelope (or other word) of the server. */
  next(): Promise<JsonObject> {
    const said = this.#heard.shift();
    if (said) return Promise.resolve(said);
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    this.#waiting.push(resolve);
    return promise;
  }

  /** What has arrived and nobody has taken. */
  get unread(): number {
    return this.#heard.length;
  }

  acknowledge(envelope: JsonObject, payload: Json = {}): void {
    this.#socket.send(JSON.stringify({ envelope_id: textIn(envelope, 'envelope_id'), payload }));
  }

  /** Cuts the connection and waits until it is gone. */
  async leave(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.once('close', () => resolve());
    this.#socket.terminate();
    await promise;
  }
}

/** The text of the message in an envelope. */
export function saidIn(envelope: JsonObject): unknown {
  const payload = envelope['payload'];
  const event = isObject(payload) ? payload['event'] : undefined;
  return isObject(event) ? event['text'] : undefined;
}
