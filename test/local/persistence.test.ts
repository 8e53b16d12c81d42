import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startWorkspace } from '../../src/local/server.ts';
import { api, human, openWorkspace, say } from './stage.ts';
import { saidIn, SocketClient } from './socket-client.ts';

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const card = {
  channel: 'C0APPROV1',
  text: 'card',
  blocks: [
    { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }] },
  ],
  metadata: { event_type: 'card', event_payload: { key: 'k' } },
};

test('a process killed with SIGKILL loses nothing that it had answered: messages, people, marks, private messages, what waits for the app', async () => {
  const dataDir = dataFolder();
  const script = fileURLToPath(new URL('endless-workspace.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const first = line.toString().trim();

  const ts = await say(first, 'U0DANA001', 'C0OPS0001', '@Countersign run echo hello');
  const posted = await api(first, 'chat.postMessage', card);
  await api(first, 'chat.postEphemeral', { channel: 'C0OPS0001', user: 'U0DANA001', text: 'only you' });
  await api(first, 'views.publish', { user_id: 'U0MIA0001', view: { type: 'home', blocks: [{ type: 'divider' }] } });
  await human(first, 'POST', 'person', { user: 'U0OTTO001', deleted: true });
  await human(first, 'POST', 'read', { user: 'U0LEO0001', channel: 'C0APPROV1', ts: posted['ts'] });
  const before = (await human(first, 'GET', 'state')).body;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(complaints).toBe('');

  const { url } = await openWorkspace({ dataDir });
  expect((await human(url, 'GET', 'state')).body).toEqual(before);
  expect((await human(url, 'GET', 'messages?channel=C0OPS0001')).body['messages']).toMatchObject([
    { ts, text: '<@U0BOT0001> run echo hello' },
  ]);
  const history = await api(url, 'conversations.history', { channel: 'C0APPROV1', include_all_metadata: 'true' });
  expect(history['messages']).toMatchObject([{ ts: posted['ts'], metadata: card.metadata }]);
  expect((await human(url, 'GET', 'ephemerals?user=U0DANA001')).body['messages']).toMatchObject([
    { text: 'only you', channel: 'C0OPS0001' },
  ]);
  expect((await human(url, 'GET', 'views?user=U0MIA0001')).body['home']).toMatchObject({ type: 'home' });
  const app = await SocketClient.connect(url);
  const types = [await app.next(), await app.next(), await app.next(), await app.next()];
  expect(types.map(saidIn)).toEqual(['<@U0BOT0001> run echo hello', '<@U0BOT0001> run echo hello', 'card', undefined]);
  expect((await say(url, 'U0DANA001', 'C0OPS0001', 'later')) > ts).toBe(true);
});

test('two processes cannot open the same folder', async () => {
  const dataDir = dataFolder();
  await openWorkspace({ dataDir });
  await expect(startWorkspace({ dataDir })).rejects.toThrow('already open in another process');
});

test('a folder written by another version is refused with a sentence', async () => {
  const dataDir = dataFolder();
  const { workspace, close } = await openWorkspace({ dataDir });
  workspace.storage.run('PRAGMA user_version = 99');
  await close();
  await expect(startWorkspace({ dataDir })).rejects.toThrow('written in format 99; this version reads format 1');
});
