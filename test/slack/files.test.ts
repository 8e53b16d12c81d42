import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';
import { slackApi } from '../../src/slack/clients.ts';
import { postFile, readTitle, titleOf, uploadByHttp } from '../../src/slack/files.ts';
import { identify } from '../../src/slack/identity.ts';
import { vendorLogger } from '../../src/slack/notes.ts';
import { findOurs } from '../../src/slack/ours.ts';
import { openWorkspace } from '../local/stage.ts';
import { APPROVALS, card, content, stage, type Stage } from './stage.ts';
import type { Message } from '../../src/slack/message.ts';
import type { MessageTs } from '../../src/thread/ids.ts';

const KEY = 'file/ABCD/0123456789abcdef';
const file = (text = 'everything\nthat would run'): Message => ({
  key: KEY,
  rank: 'card',
  place: { under: 'card.1' },
  content: content('Everything that would run, in full.'),
  file: { name: 'A-7F3K.txt', text },
  evidence: false,
});

const withFile = (): Stage => {
  const scene = stage();
  scene.messages = [card('card.1', 'Review to approve?'), file()];
  return scene;
};
const filesIn = (scene: Stage) => scene.slack.messages.filter(message => message.files !== undefined);

/** Brings everything in line, however often something has to be waited for. */
async function settle(scene: Stage): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const { retryAtMs } = await scene.bring();
    if (retryAtMs === null) return;
    await scene.clock.advance(Math.max(1, retryAtMs - scene.clock.nowMs()));
  }
}

test('what no card and no form holds stands in full as a file under the card, once [S-22, F-H3]', async () => {
  const scene = withFile();
  await settle(scene);
  const root = scene.slack.messages.find(message => message.text === 'Review to approve?');
  expect(filesIn(scene)).toMatchObject([
    { channel: APPROVALS, thread_ts: root?.ts, files: [{ content: 'everything\nthat would run' }] },
  ]);
  expect(scene.thread.posts[KEY]).toMatchObject({ state: 'found', ts: filesIn(scene)[0]?.ts });
  await settle(scene);
  expect(filesIn(scene)).toHaveLength(1);
});

test('a file whose last step got no answer is found by its title and not shown twice [S-81]', async () => {
  const scene = withFile();
  scene.slack.plan('files.completeUploadExternal', { kind: 'applied_then_lost' });
  await settle(scene);
  expect(filesIn(scene)).toHaveLength(1);
  expect(scene.thread.posts[KEY]?.state).toBe('found');
});

test('another process that takes over finds the file and does not show it again', async () => {
  const scene = withFile();
  await settle(scene);
  delete scene.thread.posts[KEY];
  const other = scene.other();
  const { posted } = await other.reconcile(scene.thread, { version: 1, frozen: null }, new AbortController().signal);
  expect(posted).toMatchObject([{ key: KEY, state: 'found' }]);
  expect(filesIn(scene)).toHaveLength(1);
});

test('an upload that fails is on record as failed, so that nobody can approve, and is tried again', async () => {
  const scene = withFile();
  scene.slack.plan('upload', { kind: 'lost' });
  const { retryAtMs } = await scene.bring();
  expect(scene.thread.posts[KEY]).toMatchObject({ state: 'failed', code: 'upload_failed', ts: null });
  expect(retryAtMs).not.toBeNull();
  await scene.clock.advance(61_000);
  await settle(scene);
  expect(scene.thread.posts[KEY]?.state).toBe('found');
});

test('a title of ours reads back; others are none', () => {
  const title = { name: 'A-7F3K.txt', environment: 'eu · production', key: KEY };
  expect(readTitle(titleOf(title))).toEqual(title);
  for (const other of ['report.pdf', 'a · b', 'a · b · c', '']) expect(readTitle(other)).toBeUndefined();
});

test('bytes are sent as they are, and a server that refuses them or is not there is told apart from success', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(request.url === '/no' ? 500 : 200).end();
    });
  });
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const { signal } = new AbortController();
  const bytes = new Uint8Array(Buffer.from('größe\n'));
  expect(await uploadByHttp(`http://127.0.0.1:${port}/yes`, bytes, signal)).toBe(true);
  expect(await uploadByHttp(`http://127.0.0.1:${port}/no`, bytes, signal)).toBe(false);
  expect(received[0]).toBe('größe\n');
  await new Promise(resolve => server.close(resolve));
  expect(await uploadByHttp(`http://127.0.0.1:${port}/yes`, bytes, signal)).toBe(false);
});

test('by the real client a file of 300 KB goes under a message of the workspace, and is found there', async () => {
  const { url } = await openWorkspace();
  const logger = vendorLogger({ info: () => {}, warn: () => {} });
  const api = slackApi({ token: EMBEDDED_BOT_TOKEN, apiUrl: `${url}/api/`, logger });
  const { self } = await identify(api);
  const card = await api('chat.postMessage', { channel: APPROVALS, text: 'Review to approve?' });
  const threadTs = (card.is === 'ok' ? (card.data as { ts: string }).ts : '') as MessageTs;
  const title = { name: 'A-7F3K.txt', environment: 'production', key: KEY };
  const given = { title, text: 'größer\n'.repeat(40_000), comment: 'In full.', channel: APPROVALS, threadTs };
  expect(await postFile(api, uploadByHttp, given, new AbortController().signal)).toMatchObject({ is: 'ok' });
  const found = await findOurs(api, { channel: APPROVALS, threadTs }, 0, self);
  expect(found).toMatchObject({ marks: [{ key: KEY, environment: 'production', thread: null }] });
});
