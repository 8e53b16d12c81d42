/** Socket Mode at `/socket`: lets the app in with the ticket that it was given, says hello, and hands envelopes and acknowledgements on. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { isObject, parseJson, textIn } from './json.ts';
import type { Workspace } from './workspace/workspace.ts';
import { APP } from './world.ts';

const TICKET_LIVES_MS = 30_000;
const MAX_MESSAGE_BYTES = 2_000_000;

export class AppSockets {
  readonly #workspace: Workspace;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  readonly #tickets = new Map<string, number>();
  readonly #open = new Set<WebSocket>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** A fresh address for one connection, good for 30 s. */
  issueAddress(host: string): string {
    const nowMs = this.#workspace.clock.nowMs();
    for (const [ticket, expiresAtMs] of this.#tickets) if (expiresAtMs < nowMs) this.#tickets.delete(ticket);
    const ticket = this.#workspace.ids.hex(32);
    this.#tickets.set(ticket, nowMs + TICKET_LIVES_MS);
    return `ws://${host}/socket?ticket=${ticket}&app_id=${APP.id}`;
  }

  /** Takes an upgrade request for `/socket`; refuses it without a good ticket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('ticket') ?? '';
    const expiresAtMs = this.#tickets.get(ticket) ?? 0;
    this.#tickets.delete(ticket);
    if (expiresAtMs < this.#workspace.clock.nowMs()) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, webSocket => this.#welcome(webSocket));
  }

  /** Asks every client to connect anew, as Slack does now and then, and cuts those connections. */
  disconnectAll(reason = 'refresh_requested'): void {
    for (const webSocket of this.#open) {
      webSocket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'embedded' } }));
      webSocket.close();
    }
  }

  /** Cuts all connections without a word; the workspace is not told, since it closes too. */
  close(): void {
    for (const webSocket of this.#open) webSocket.removeAllListeners('close').removeAllListeners('message').terminate();
    this.#server.close();
  }

  #welcome(webSocket: WebSocket): void {
    const { deliveries } = this.#workspace;
    const connection = { send: (text: string) => webSocket.send(text) };
    this.#open.add(webSocket);
    webSocket.on('message', (data: Buffer) => this.#hear(data.toString('utf8')));
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => {
      this.#open.delete(webSocket);
      deliveries.detach(connection);
    });
    webSocket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#open.size,
        debug_info: { host: 'embedded' },
        connection_info: { app_id: APP.id },
      }),
    );
    deliveries.attach(connection);
  }

  #hear(text: string): void {
    const said = parseJson(text);
    const envelopeId = isObject(said) ? textIn(said, 'envelope_id') : undefined;
    if (!isObject(said) || envelopeId === undefined) return;
    this.#workspace.deliveries.acknowledge(envelopeId, said['payload']);
  }
}
