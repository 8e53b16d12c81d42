/**
 * Owns the embedded table: dynalite in this process, on loopback only, in a folder or in memory. One process per folder.
 *
 * dynalite answers pages of every site. The table is the truth about who approved what, so a page is refused before it is asked.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import { HttpRefusal, refuseForeign } from './http.ts';

export interface EmbeddedTable {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Ends after everything that was acknowledged is kept. */
  close(): Promise<void>;
}

/** Starts the embedded table on a free port; without `path` it is gone at the end of the process. */
export async function startDynalite(options: { path?: string } = {}): Promise<EmbeddedTable> {
  const server = dynalite({
    ...(options.path !== undefined && { path: options.path }),
    createTableMs: 0,
    deleteTableMs: 0,
  });
  const [handle] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    outlivesItsCaller(request);
    try {
      refuseForeign(request, request.socket.localPort ?? 0);
    } catch (error) {
      response.writeHead(error instanceof HttpRefusal ? error.status : 500).end();
      return;
    }
    handle?.(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The embedded table has no port.');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** dynalite throws what goes wrong with a request, which would end the process when a caller breaks off in the middle of one. */
function outlivesItsCaller(request: IncomingMessage): void {
  const on = request.on.bind(request);
  on('error', () => undefined);
  request.on = (event: string, listener: (...args: never[]) => void) =>
    event === 'error' ? request : on(event, listener as (...args: unknown[]) => void);
}
