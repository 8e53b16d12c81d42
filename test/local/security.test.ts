import { request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startWorkspace } from '../../src/local/server.ts';
import { api, human, openWorkspace } from './stage.ts';

/** A request with headers that fetch would not let through. */
function ask(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    text: string;
    headers: NodeJS.Dict<string | string[]>;
  }>();
  const sent = request(url, { method: options.method ?? 'GET', headers: options.headers ?? {} }, response => {
    let text = '';
    response.on('data', (piece: Buffer) => (text += piece.toString()));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
  });
  sent.on('error', reject);
  sent.end(options.body);
  return promise;
}

test('a request that names another host is refused everywhere, so that no foreign name can be pointed at this server', async () => {
  const { url, port } = await openWorkspace();
  for (const path of ['/', '/human/state', '/api/auth.test', '/archives/C0OPS0001/p1700000000000100']) {
    expect((await ask(url + path, { headers: { host: `evil.example:${port}` } })).status, path).toBe(403);
    expect((await ask(url + path, { headers: { host: '127.0.0.1' } })).status, path).toBe(403);
  }
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    expect((await ask(`${url}/human/state`, { headers: { host: `${name}:${port}` } })).status, name).toBe(200);
  }
});

test('a page of another site may not call, whether it says so by Origin or by fetch metadata', async () => {
  const { url } = await openWorkspace();
  const body = JSON.stringify({ user: 'U0DANA001', channel: 'C0OPS0001', text: 'x' });
  const say = (headers: OutgoingHttpHeaders) =>
    ask(`${url}/human/say`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
    const answer = await say({ origin });
    expect([answer.status, answer.text], origin).toEqual([
      403,
      '{"error":"Pages of other sites may not call this server."}',
    ]);
  }
  expect((await say({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask(`${url}/human/state`, { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
  expect(
    (await ask(`${url}/`, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } })).status,
  ).toBe(200);
  expect((await say({ origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('the page may not be framed', async () => {
  const { url } = await openWorkspace();
  const { headers } = await ask(`${url}/`);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('people’s calls want JSON, of a bearable size', async () => {
  const { url } = await openWorkspace();
  const send = (type: string, body: string) =>
    ask(`${url}/human/say`, { method: 'POST', headers: { 'content-type': type }, body });
  expect((await send('text/plain', '{}')).status).toBe(415);
  expect((await send('application/x-www-form-urlencoded', 'user=U0DANA001')).status).toBe(415);
  expect((await send('application/json', 'no')).status).toBe(400);
  expect((await send('application/json', '[]')).status).toBe(400);
  expect((await send('application/json', JSON.stringify({ text: 'x'.repeat(2_000_001) }))).status).toBe(413);
  expect(await human(url, 'POST', 'nothing', {})).toEqual({
    status: 404,
    body: { error: 'There is no POST /human/nothing.' },
  });
});

test('a socket opens only with a fresh ticket, once, and not for a page of another site', async () => {
  const { url } = await openWorkspace();
  const outcome = (address: string, headers: Record<string, string> = {}): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = new WebSocket(address, { headers });
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('error', error => resolve(error.message));
    return promise;
  };
  const { url: address } = await api(url, 'apps.connections.open');
  const good = typeof address === 'string' ? address : '';
  expect(await outcome(good, { origin: 'https://evil.example' })).toBe('Unexpected server response: 403');
  expect(await outcome(good)).toBe('open');
  expect(await outcome(good)).toBe('Unexpected server response: 401');
  expect(await outcome(good.replace(/ticket=\w+/, 'ticket=guess'))).toBe('Unexpected server response: 401');
});

test('it does not listen for the network', async () => {
  await expect(startWorkspace({ host: '0.0.0.0' })).rejects.toThrow('listens on this machine only');
});

test('handlers that are handed in get the paths that are not the workspace’s own, after the same checks', async () => {
  const seen: string[] = [];
  const { url } = await openWorkspace({
    handlers: [
      (incoming, response) => {
        seen.push(incoming.url ?? '');
        if (incoming.url !== '/health') return false;
        response.end('well');
        return true;
      },
    ],
  });
  expect((await ask(`${url}/health`)).text).toBe('well');
  expect((await ask(`${url}/v1/nothing`)).status).toBe(404);
  await ask(`${url}/health`, { headers: { host: 'evil.example' } });
  await human(url, 'GET', 'state');
  expect(seen).toEqual(['/health', '/v1/nothing']);
});

test('a link to a message opens the page there, a reply in its thread', async () => {
  const { url } = await openWorkspace();
  const at = async (path: string) => (await ask(url + path)).headers['location'];
  expect(await at('/archives/C0OPS0001/p1796040000000100')).toBe('/#/C0OPS0001/1796040000.000100');
  expect(await at('/archives/C0OPS0001/p1796040000000200?thread_ts=1796040000.000100&cid=C0OPS0001')).toBe(
    '/#/C0OPS0001/1796040000.000200?thread=1796040000.000100',
  );
  expect((await ask(`${url}/archives/C0OPS0001/elsewhere`)).status).toBe(404);
});
