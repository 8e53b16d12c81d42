import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CannotStart } from '../../src/compose/cannot-start.ts';
import { onPort, serveHandlers, serveWorkspace } from '../../src/compose/serve.ts';
import { folder } from './stage.ts';

const busy = (): Error => Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });

async function taken(): Promise<number> {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Listens on everything but these ports. */
const machine = (occupied: readonly number[]) => {
  const tried: number[] = [];
  const listen = (port: number): Promise<number> => {
    tried.push(port);
    return occupied.includes(port) ? Promise.reject(busy()) : Promise.resolve(port);
  };
  return { tried, listen };
};

describe('the port', () => {
  it('is 3000 where none is wanted', async () => {
    expect(await onPort(null, machine([]).listen)).toBe(3000);
  });

  it('is any free one where none is wanted and 3000 is busy', async () => {
    const { tried, listen } = machine([3000]);
    expect(await onPort(null, listen)).toBe(0);
    expect(tried).toEqual([3000, 0]);
  });

  it('is the one that is wanted, and no other when that is busy', async () => {
    expect(await onPort(8080, machine([]).listen)).toBe(8080);
    const { tried, listen } = machine([8080]);
    const refused = onPort(8080, listen);
    await expect(refused).rejects.toThrow(CannotStart);
    await expect(refused).rejects.toThrow(
      'Port 8080 is in use by another program. Set PORT to a free one, or leave it out.',
    );
    expect(tried).toEqual([8080]);
  });

  it('is not tried again for any other fault', async () => {
    const fault = Object.assign(new Error('not permitted'), { code: 'EACCES' });
    await expect(onPort(null, () => Promise.reject(fault))).rejects.toBe(fault);
  });

  it.each([
    ['health alone', (port: number) => serveHandlers(port, [])],
    ['the workspace', (port: number) => serveWorkspace(port, folder(), [], () => {})],
  ])('is refused to %s when another program has it', async (_, serve) => {
    await expect(serve(await taken())).rejects.toThrow(CannotStart);
  });
});

describe('a server of handlers alone', () => {
  it('asks them in order, and says 404 itself', async () => {
    const serving = await serveHandlers(0, [
      (request, response) => {
        if (request.url !== '/one') return false;
        response.end('one');
        return true;
      },
    ]);
    onTestFinished(() => serving.close());
    expect(serving.workspace).toBeNull();
    expect(await (await fetch(`${serving.url}/one`)).text()).toBe('one');
    const other = await fetch(`${serving.url}/other`);
    expect([other.status, await other.json()]).toEqual([404, { error: 'There is nothing at this address.' }]);
  });

  it('is gone once it is closed, whoever is still connected', async () => {
    const serving = await serveHandlers(0, [(_, response) => response.write('never ends')]);
    const open = await fetch(serving.url);
    await serving.close();
    await expect(open.text()).rejects.toThrow('terminated');
    await expect(fetch(serving.url)).rejects.toThrow('fetch failed');
  });
});
