import { request, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { startDynalite } from '../../src/local/dynalite.ts';
import { dynamoClient } from '../../src/store/requests.ts';
import { createTable } from '../../src/store/table.ts';
import { HandClock } from '../store/hand-clock.ts';

const clientOf = (endpoint: string) =>
  dynamoClient({ endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } });
const key = { pk: { S: 'a' }, sk: { S: 'b' } };

it('The embedded table keeps what it acknowledged over a restart on its folder', async () => {
  const path = await mkdtemp(join(tmpdir(), 'countersign-table-'));
  const first = await startDynalite({ path });
  const writing = clientOf(first.endpoint);
  await createTable(writing, 'kept', new HandClock());
  await writing.send(new PutItemCommand({ TableName: 'kept', Item: key }));
  writing.destroy();
  await first.close();

  const second = await startDynalite({ path });
  const reading = clientOf(second.endpoint);
  expect((await reading.send(new GetItemCommand({ TableName: 'kept', Key: key }))).Item).toEqual(key);
  expect(await createTable(reading, 'kept', new HandClock())).toBe('found');
  reading.destroy();
  await second.close();
  await rm(path, { recursive: true });
});

it('The embedded table listens on loopback only, and outlives a caller that breaks off in the middle of a request', async () => {
  const table = await startDynalite();
  expect(table.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await new Promise<void>(resolve => {
    const socket = connect(Number(new URL(table.endpoint).port), '127.0.0.1', () => {
      const head =
        'POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Length: 500\r\n\r\n{"half';
      socket.write(head, () => socket.resetAndDestroy());
    });
    socket.on('close', () => resolve());
    socket.on('error', () => undefined);
  });
  const client = clientOf(table.endpoint);
  expect(await createTable(client, 'alive', new HandClock())).toBe('created');
  client.destroy();
  await table.close();
});

it('The embedded table answers neither to a page of another site nor under another name', async () => {
  const table = await startDynalite();
  const { host, port } = new URL(table.endpoint);
  const ask = (headers: OutgoingHttpHeaders, method = 'POST') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, headers }, response => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(method === 'POST' ? '{}' : undefined);
    });
  const calls = { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' };
  expect(await ask({ ...calls, host, origin: 'http://evil.example' })).toBe(403);
  expect(await ask({ host, origin: 'http://evil.example', 'access-control-request-method': 'POST' }, 'OPTIONS')).toBe(
    403,
  );
  expect(await ask({ ...calls, host: `evil.example:${port}` })).toBe(403);
  await table.close();
});
