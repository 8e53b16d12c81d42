/** Owns `GET /health`: 200 while the process can do its work, 503 with the reason while it cannot. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What health is made of; each part is asked when somebody looks. */
export interface HealthParts {
  /** False until everything is up. */
  readonly hasStarted: () => boolean;
  /** How long the socket to Slack has been down; null while it is up. */
  readonly socketDownMs: () => number | null;
  /** Causes that are open, with their codes. */
  readonly troubles: () => ReadonlyMap<string, string>;
}

interface Health {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, string>>;
}

/** A socket that is down longer than this is a failure; Slack asks for a new one now and then. */
const SOCKET_DOWN_MS = 30_000;

/** The present state; a model that does not answer is no failure of this process. */
function healthOf(parts: HealthParts): Health {
  const downMs = parts.socketDownMs();
  const troubles = parts.troubles();
  const reasons = [
    ...(parts.hasStarted() ? [] : ['it is still starting']),
    ...(downMs !== null && downMs > SOCKET_DOWN_MS ? ['slack: the socket is down'] : []),
    ...(troubles.has('table') ? ['table: the last call failed'] : []),
  ];
  const body = {
    status: reasons.length === 0 ? 'ok' : 'unavailable',
    slack: downMs === null ? 'connected' : 'down',
    table: troubles.has('table') ? 'unavailable' : 'ok',
    // A policy that is not right does not come this far.
    policy: 'loaded',
    model: troubles.has('model') ? 'away' : 'ok',
    ...(reasons.length > 0 ? { reason: reasons.join('; ') } : {}),
  };
  return { status: reasons.length === 0 ? 200 : 503, body };
}

/** Answers `/health`; false for every other path. */
export const healthHandler =
  (parts: HealthParts) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!['GET', 'HEAD'].includes(request.method ?? '')) return false;
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/health') return false;
    const { status, body } = healthOf(parts);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
    return true;
  };
