import { describe, expect, it, onTestFinished } from 'vitest';
import { healthHandler, type HealthParts } from '../../src/compose/health.ts';
import { serveHandlers } from '../../src/compose/serve.ts';

async function health(parts: Partial<{ started: boolean; socketDownMs: number | null; troubles: string[] }>) {
  const { started = true, socketDownMs = null, troubles = [] } = parts;
  const asked: HealthParts = {
    hasStarted: () => started,
    socketDownMs: () => socketDownMs,
    troubles: () => new Map(troubles.map(cause => [cause, 'code'])),
  };
  const serving = await serveHandlers(0, [healthHandler(asked)]);
  onTestFinished(() => serving.close());
  const answer = await fetch(`${serving.url}/health`);
  return { url: serving.url, status: answer.status, body: await answer.json() };
}

describe('GET /health', () => {
  it('is 200 while everything works', async () => {
    expect(await health({})).toMatchObject({
      status: 200,
      body: { status: 'ok', slack: 'connected', table: 'ok', policy: 'loaded', model: 'ok' },
    });
  });

  it('is 503 with the reason when the socket has been down for more than 30 s, not before', async () => {
    expect(await health({ socketDownMs: 30_000 })).toMatchObject({ status: 200, body: { slack: 'down' } });
    expect(await health({ socketDownMs: 30_001 })).toMatchObject({
      status: 503,
      body: { status: 'unavailable', slack: 'down', reason: 'slack: the socket is down' },
    });
  });

  it('is 503 with the reason when the last call of the table failed', async () => {
    expect(await health({ troubles: ['table'] })).toMatchObject({
      status: 503,
      body: { table: 'unavailable', reason: 'table: the last call failed' },
    });
  });

  it('is 503 until everything is up', async () => {
    expect(await health({ started: false })).toMatchObject({ status: 503, body: { reason: 'it is still starting' } });
  });

  it('is 200 while the model is away, and says so', async () => {
    expect(await health({ troubles: ['model'] })).toMatchObject({ status: 200, body: { model: 'away' } });
  });

  it('names every reason', async () => {
    expect(await health({ socketDownMs: 60_000, troubles: ['table', 'model'] })).toMatchObject({
      status: 503,
      body: { reason: 'slack: the socket is down; table: the last call failed', model: 'away' },
    });
  });

  it('answers nothing else, and no other method', async () => {
    const { url } = await health({});
    expect((await fetch(`${url}/health`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${url}/healthz`)).status).toBe(404);
    expect((await fetch(`${url}/health?verbose=1`)).status).toBe(200);
    const head = await fetch(`${url}/health`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
