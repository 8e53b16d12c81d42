/**
 * The embedded workspace's one HTTP server: `/` the page, `/human/*` people's side, `/api/*` Slack's Web API, `/socket`
 * Socket Mode, `/archives/*` links to messages, `/upload/*` and `/files/*`, `/response/*`. Whatever else the process serves
 * (the demo model, health, card previews) is handed in as handlers. Loopback only; see `http.ts` for who may call.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleResponseUrl } from './api/response-url.ts';
import { WebApi } from './api/web-api.ts';
import type { CallRecord } from './api/web-api.ts';
import { Faults } from './faults.ts';
import { answerJson, HttpRefusal, readUpload, refuseForeign } from './http.ts';
import type { RouteHandler } from './http.ts';
import { HumanSide } from './human/human.ts';
import type { Inspect } from './inspect/inspect.ts';
import { limits } from './limits.ts';
import { pageFile } from './page/serve.ts';
import type { Limiter } from './rates.ts';
import { AppSockets } from './socket.ts';
import { Workspace } from './workspace/workspace.ts';
import type { WorkspaceOptions } from './workspace/workspace.ts';

export interface ServerOptions extends WorkspaceOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** `127.0.0.1` (default) or `::1`; anything else is refused. */
  readonly host?: string;
  /** Handlers of other paths, asked in order before this server says 404. */
  readonly handlers?: readonly RouteHandler[];
  readonly faults?: Faults;
  /** Slack's rate limits (`slackRates()`); default: none. */
  readonly limiter?: Limiter;
  /** Hears every finished call of the Web API. */
  readonly onCall?: (record: CallRecord) => void;
  /** Reads a thread's log for the inspector; absent where another process has the log. */
  readonly inspect?: Inspect;
  /** One line for the operator; default: standard error. */
  readonly log?: (line: string) => void;
}

export interface RunningWorkspace {
  /** E.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  readonly workspace: Workspace;
  readonly faults: Faults;
  /** Asks the app to connect anew, as Slack does now and then. */
  readonly disconnectApp: () => void;
  readonly close: () => Promise<void>;
}

/** Opens the workspace and serves it. Rejects with the system's error if the port is taken (`EADDRINUSE`), with a sentence if the folder is in use. */
export async function startWorkspace(options: ServerOptions = {}): Promise<RunningWorkspace> {
  const host = options.host ?? '127.0.0.1';
  if (host !== '127.0.0.1' && host !== '::1')
    throw new Error(`The embedded workspace listens on this machine only, not on ${host}.`);
  const workspace = new Workspace(options);
  const serving = new Serving(workspace, options);
  try {
    return await serving.listen(options.port ?? 0, host);
  } catch (error) {
    workspace.close();
    throw error;
  }
}

class Serving {
  readonly #workspace: Workspace;
  readonly #faults: Faults;
  readonly #handlers: readonly RouteHandler[];
  readonly #log: (line: string) => void;
  readonly #sockets: AppSockets;
  readonly #api: WebApi;
  readonly #human: HumanSide;
  readonly #server: Server;
  #url = '';
  #port = 0;

  constructor(workspace: Workspace, options: ServerOptions) {
    this.#workspace = workspace;
    this.#faults = options.faults ?? new Faults();
    this.#handlers = options.handlers ?? [];
    this.#log = options.log ?? (line => console.error(line));
    this.#sockets = new AppSockets(workspace);
    const openSocket = (): string => this.#sockets.issueAddress(new URL(this.#url).host);
    this.#api = new WebApi({
      workspace,
      faults: this.#faults,
      url: () => this.#url,
      openSocket,
      log: this.#log,
      limiter: options.limiter,
      onCall: options.onCall,
    });
    this.#human = new HumanSide(workspace, () => this.#url, options.inspect);
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head: Buffer) => {
      try {
        refuseForeign(request, this.#port);
        if (!(request.url ?? '').startsWith('/socket')) throw new HttpRefusal(404, 'There is no such socket.');
        this.#sockets.upgrade(request, socket, head);
      } catch {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      }
    });
  }

  async listen(port: number, host: string): Promise<RunningWorkspace> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#url = `http://${host === '::1' ? '[::1]' : host}:${this.#port}`;
    return {
      url: this.#url,
      port: this.#port,
      workspace: this.#workspace,
      faults: this.#faults,
      disconnectApp: () => this.#sockets.disconnectAll(),
      close: () => this.#close(),
    };
  }

  async #close(): Promise<void> {
    this.#human.close();
    this.#sockets.close();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
    this.#workspace.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      refuseForeign(request, this.#port);
      await this.#route(new URL(request.url ?? '/', this.#url), request, response);
    } catch (error) {
      if (!(error instanceof HttpRefusal))
        this.#log(`The embedded workspace failed at ${request.method ?? ''} ${request.url ?? ''}: ${String(error)}`);
      if (response.headersSent || response.destroyed) return void response.destroy();
      const status = error instanceof HttpRefusal ? error.status : 500;
      const sentence =
        error instanceof HttpRefusal ? error.message : 'The embedded workspace failed at this. Nothing was changed.';
      answerJson(response, status, { error: sentence });
    }
  }

  async #route(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, room = '', ...rest] = url.pathname.split('/');
    const name = rest.join('/');
    if (room === 'api') return this.#api.handle(name, request, response);
    if (room === 'human') return this.#human.handle(name, url.searchParams, request, response);
    if (room === 'response')
      return handleResponseUrl(
        name,
        { workspace: this.#workspace, faults: this.#faults, url: this.#url },
        request,
        response,
      );
    if (room === 'upload' && request.method === 'POST') return this.#receiveFile(name, request, response);
    if (room === 'files' && request.method === 'GET') return this.#sendFile(rest[0] ?? '', response);
    if (room === 'archives' && request.method === 'GET') return redirectToMessage(rest, url.searchParams, response);
    for (const handler of this.#handlers) if (await handler(request, response)) return undefined;
    return sendPage(url.pathname, request, response);
  }

  async #receiveFile(ticket: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await readUpload(request, limits.file.bytes);
    if (!this.#workspace.files.receive(ticket, content))
      throw new HttpRefusal(404, 'This upload address is not known (any more).');
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`OK - ${content.length}`);
  }

  /** Files come from the app and may hold anything: they are handed out as text to keep, never as a page. */
  #sendFile(id: string, response: ServerResponse): void {
    const file = this.#workspace.files.get(id);
    if (!file?.complete) throw new HttpRefusal(404, 'There is no such file.');
    const name = encodeURIComponent(file.name);
    response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    });
    response.end(Buffer.from(file.contentBase64 ?? '', 'base64'));
  }
}

/** `/archives/<channel>/p<ts>` opens the page at that message, in its thread if it is a reply. */
function redirectToMessage(
  [channel = '', mark = '']: readonly string[],
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const digits = /^p(\d{7,16})$/.exec(mark)?.[1];
  if (!/^[A-Z0-9]+$/.test(channel) || (mark !== '' && digits === undefined))
    throw new HttpRefusal(404, 'There is no such message.');
  const ts = digits === undefined ? '' : `/${digits.slice(0, -6)}.${digits.slice(-6)}`;
  const thread = query.get('thread_ts') ?? '';
  const inThread = /^\d+\.\d+$/.test(thread) ? `?thread=${thread}` : '';
  response.writeHead(302, { location: `/#/${channel}${ts}${inThread}` }).end();
}

function sendPage(pathname: string, request: IncomingMessage, response: ServerResponse): void {
  const file = request.method === 'GET' || request.method === 'HEAD' ? pageFile(pathname) : undefined;
  if (!file) throw new HttpRefusal(404, 'There is nothing at this address.');
  response.writeHead(200, {
    'content-type': file.contentType,
    'cache-control': 'no-cache',
    'content-security-policy':
      "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}
