import { expect, test } from 'vitest';
import { APPROVALS, OPS, ROOT, card, content, stage, status } from './stage.ts';

test('a card is posted once with its key, and only edited when it should read differently', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?')];
  const { posted } = await scene.bring();
  expect(posted).toMatchObject([{ key: 'card.1', state: 'posted', channel: APPROVALS }]);
  const [posting] = scene.slack.called('chat.postMessage');
  expect(posting).toMatchObject({
    metadata: {
      event_type: 'countersign',
      event_payload: { key: 'card.1', environment: 'production', thread: `thread#T0ACME001#${OPS}#${ROOT}` },
    },
  });
  expect((await scene.bring()).posted).toEqual([]);
  scene.messages = [card('card.1', 'Approved', { live: false })];
  expect((await scene.bring()).posted).toMatchObject([{ key: 'card.1', state: 'updated' }]);
  expect(scene.slack.called('chat.postMessage')).toHaveLength(1);
  expect(scene.slack.messages.at(-1)).toMatchObject({ text: 'Approved', edits: 1 });
});

test('nothing that is written is unfurled, parsed or turned into a mention [T-A3b]', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'one'), status('waits')];
  await scene.bring();
  scene.messages = [card('card.1', 'two'), status('runs')];
  await scene.bring();
  const writes = [...scene.slack.called('chat.postMessage'), ...scene.slack.called('chat.update')];
  expect(writes).toHaveLength(4);
  for (const write of writes)
    expect(write).toMatchObject({ unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false });
});

test('cards go before the thread, and the thread links to the card that was just posted', async () => {
  const scene = stage();
  const line = 'waits · <countersign:link:card.1|card>';
  scene.messages = [status(line), card('card.1', 'Approve?')];
  await scene.bring();
  const texts = scene.slack.called('chat.postMessage').map(call => call['text']);
  const ts = scene.thread.posts['card.1']?.ts?.replace('.', '');
  expect(texts).toEqual(['Approve?', `waits · <https://acme.example/archives/${APPROVALS}/p${ts}|card>`]);
});

test('a link to a card that is not there yet is left out, and put in once the card stands', async () => {
  const scene = stage();
  const line = 'waits · <countersign:link:card.1|card>';
  scene.slack.plan('chat.postMessage', { kind: 'throttled', retryAfterMs: 5_000 });
  scene.messages = [status(line), card('card.1', 'Approve?')];
  const first = await scene.bring();
  expect(first.posted.map(one => one.key)).toEqual(['status.r1']);
  expect(scene.slack.messages.at(-1)?.text).toBe('waits · card');
  await scene.clock.advance(10_000);
  const second = await scene.bring();
  expect(second.posted.map(one => [one.key, one.state])).toEqual([
    ['card.1', 'posted'],
    ['status.r1', 'updated'],
  ]);
  expect(scene.slack.messages.find(one => one.channel === OPS && one.edits > 0)?.text).toContain(
    'https://acme.example',
  );
});

test('the first posting may ring where the lasting text does not, and causes no edit', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?', { first: content('<!subteam^S0SRE0001> Approve?', true) })];
  await scene.bring();
  expect(scene.slack.messages.at(-1)).toMatchObject({ text: '<!subteam^S0SRE0001> Approve?', edits: 0 });
  expect(scene.views.behind(scene.thread, { version: 1, frozen: null })).toBe(false);
});

test('what is kept as evidence is what was shown', async () => {
  const scene = stage();
  scene.messages = [card('card.1', 'Approve?'), status('waits')];
  const { posted } = await scene.bring();
  expect(JSON.parse(posted[0]?.body?.shown ?? '')).toEqual(content('Approve?', true));
  expect(posted[1]?.body).toEqual({});
});

test('a thread whose record does not fit together is told so once, whoever says it [T-A23]', async () => {
  const scene = stage();
  await scene.views.damaged(scene.thread.key, new AbortController().signal);
  await scene.other().damaged(scene.thread.key, new AbortController().signal);
  const told = scene.slack.messages.filter(message => message.text === 'The record does not fit together.');
  expect(told).toMatchObject([{ thread_ts: ROOT }]);
});
