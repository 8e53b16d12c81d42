/** `GET /human/events`: what changed, as server-sent events that a page can take up again where it left off. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NumberedChange } from '../workspace/feed.ts';
import type { Workspace } from '../workspace/workspace.ts';

const KEEP_ALIVE_MS = 20_000;

/** Streams changes after the cursor (`Last-Event-ID`, else `?cursor=`, else from now on). Returns a function that ends the stream. */
export function streamEvents(
  workspace: Workspace,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): () => void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'keep-alive',
  });
  const write = ({ cursor, change }: NumberedChange): void =>
    void response.write(`id: ${cursor}\ndata: ${JSON.stringify(change)}\n\n`);
  const cursor = cursorOf(request, query);
  const missed = cursor === undefined ? [] : workspace.feed.since(cursor);
  response.write(missed ? ': here\n\n' : 'event: gap\ndata: {}\n\n');
  missed?.forEach(write);
  const stopListening = workspace.feed.listen(write);
  const stopSignals = workspace.feed.listenToSignals(change => {
    response.write(`data: ${JSON.stringify(change)}\n\n`);
  });
  let stopTimer = (): void => {};
  const keepAlive = (): void => {
    response.write(': still here\n\n');
    stopTimer = workspace.clock.after(KEEP_ALIVE_MS, keepAlive);
  };
  stopTimer = workspace.clock.after(KEEP_ALIVE_MS, keepAlive);
  response.on('close', () => {
    stopListening();
    stopSignals();
    stopTimer();
  });
  return () => response.end();
}

function cursorOf(request: IncomingMessage, query: URLSearchParams): number | undefined {
  const header = request.headers['last-event-id'];
  const given = (typeof header === 'string' ? header : undefined) ?? query.get('cursor') ?? undefined;
  return given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
