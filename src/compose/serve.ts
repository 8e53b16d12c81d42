/** Owns the port that people and monitors reach: the embedded workspace, or with a real Slack only `/health`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inspect } from '../local/inspect/inspect.ts';
import { startWorkspace, type RunningWorkspace } from '../local/server.ts';
import { CannotStart } from './cannot-start.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface Serving {
  readonly url: string;
  readonly workspace: RunningWorkspace | null;
  close(): Promise<void>;
}

const USUAL_PORT = 3000;

/** Listens on that port, or on 3000 or any free one where `port` is null. Throws CannotStart when the one that was named is busy. */
export async function onPort<T>(port: number | null, listen: (port: number) => Promise<T>): Promise<T> {
  try {
    return await listen(port ?? USUAL_PORT);
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!busy) throw error;
    if (port === null) return listen(0);
    throw new CannotStart([`Port ${port} is in use by another program. Set PORT to a free one, or leave it out.`], {
      cause: error,
    });
  }
}

/** The embedded workspace with everything else that this process serves. Throws as `onPort` does. */
export async function serveWorkspace(
  port: number | null,
  dataDir: string,
  handlers: readonly Handler[],
  log: (line: string) => void,
  inspect?: Inspect,
): Promise<Serving> {
  const options = { dataDir, handlers, log, ...(inspect ? { inspect } : {}) };
  const workspace = await onPort(port, free => startWorkspace({ port: free, ...options }));
  return { url: workspace.url, workspace, close: () => workspace.close() };
}

/** Only these handlers, on loopback. Throws as `onPort` does. */
export async function serveHandlers(port: number | null, handlers: readonly Handler[]): Promise<Serving> {
  const server = createServer((request, response) => {
    answer(handlers, request, response).catch(() => response.destroy());
  });
  const listening = await onPort(
    port,
    wanted =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen(wanted, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
      }),
  );
  return {
    url: `http://127.0.0.1:${listening}`,
    workspace: null,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(handlers: readonly Handler[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const handler of handlers) if (await handler(request, response)) return;
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"There is nothing at this address."}');
}
