/** Every surface of the page, played by a small app: what a person sees, uses and sends. No Countersign runs here. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ThreadLog } from '../../src/local/inspect/inspect.ts';
import type { JsonObject } from '../../src/local/json.ts';
import { objectIn, textIn } from '../../src/local/json.ts';
import { startWorkspace, type RunningWorkspace } from '../../src/local/server.ts';
import { seal, type Head } from '../../src/thread/commit.ts';
import type { ThreadEvent } from '../../src/thread/events.ts';
import { threadLog, type RunId, type ThreadKey, type UserId, type WriterId } from '../../src/thread/ids.ts';
import { EVERYTHING } from '../local/everything.ts';
import { noBrowser, openBrowser } from './chromium.ts';
import { SmallApp } from './small-app.ts';
import { GENERAL, gone, sees, Visitor } from './visitor.ts';

const DIRECT = 'D0DANA001';
const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const options = (...values: string[]) => values.map(value => ({ text: plain(value), value }));
const input = (id: string, element: JsonObject, more: JsonObject = {}) =>
  ({ type: 'input', block_id: id, label: plain(id), element: { action_id: 'v', ...element }, ...more }) as const;

if (noBrowser !== undefined) console.log(`Skipped: the page's own tests. ${noBrowser}`);

describe.skipIf(noBrowser !== undefined)('the page with a small app', () => {
  let running: RunningWorkspace;
  let browser: Browser;
  let app: SmallApp;
  let dana: Visitor;
  const logs = new Map<string, ThreadLog>();

  beforeAll(async () => {
    running = await startWorkspace({
      installation: EVERYTHING,
      inspect: key => Promise.resolve(logs.get(key.ts) ?? { commits: [], wakes: [] }),
      log: () => {},
    });
    [browser, app] = await Promise.all([openBrowser(), SmallApp.connect(running.url)]);
    dana = await Visitor.open(browser, running.url, 'Dana', GENERAL);
  });
  afterAll(async () => {
    app.close();
    await browser.close();
    await running.close();
  });

  it('fills a form of every kind of field, is told what is wrong under each, and finds its words again behind a second view', async () => {
    const button = { type: 'button', action_id: 'edit', text: plain('Edit') };
    await app.call('chat.postMessage', {
      channel: GENERAL,
      text: 'card',
      blocks: [{ type: 'actions', elements: [button] }],
    });
    await dana.page.locator('[data-action-id=edit]').click();
    const { trigger_id } = await app.next('block_actions');
    const blocks = [
      input('reason', { type: 'plain_text_input', multiline: true }, { optional: true }),
      input('replicas', { type: 'number_input', is_decimal_allowed: false, max_value: '9', initial_value: '6' }),
      input('namespace', { type: 'static_select', options: options('production', 'staging') }),
      input('regions', { type: 'multi_static_select', options: options('eu-1', 'us-1') }),
      input('then', { type: 'radio_buttons', options: options('stop', 'replan'), initial_option: options('stop')[0] }),
      input('also', { type: 'checkboxes', options: options('tell') }, { optional: true }),
    ];
    const view = { type: 'modal', title: plain('Edit this request'), submit: plain('Show'), blocks };
    await app.call('views.open', { trigger_id, view });
    const { form } = dana;
    await form.getByLabel('replicas').fill('99');
    await form.getByRole('button', { name: 'Show' }).click();
    await sees(form.getByText('Please enter a number up to 9.'));
    await sees(form.getByText('Please complete this required field.').first());

    await form.getByLabel('replicas').fill('0');
    await form.getByLabel('namespace').selectOption('staging');
    await form.getByLabel('us-1').check();
    await form.getByLabel('replan').check();
    app.answer = {
      response_action: 'push',
      view: { type: 'modal', title: plain('What would run'), submit: plain('Approve edited'), blocks: [] },
    };
    await form.getByRole('button', { name: 'Show' }).click();
    await sees(dana.page.getByRole('heading', { name: 'What would run' }));
    const submitted = await app.next('view_submission');
    expect(objectIn(objectIn(objectIn(submitted, 'view'), 'state'), 'values')).toMatchObject({
      reason: { v: { value: null } },
      replicas: { v: { value: '0' } },
      namespace: { v: { selected_option: { value: 'staging' } } },
      regions: { v: { selected_options: [{ value: 'us-1' }] } },
      then: { v: { selected_option: { value: 'replan' } } },
      also: { v: { selected_options: [] } },
    });
    await form.getByRole('button', { name: 'Back' }).click();
    await sees(dana.page.getByRole('heading', { name: 'Edit this request' }));
    expect(await form.getByLabel('replicas').inputValue()).toBe('0');

    app.answer = { response_action: 'errors', errors: { replicas: 'The cluster has only one node.' } };
    await form.getByRole('button', { name: 'Show' }).click();
    await sees(form.getByText('The cluster has only one node.'));
    app.answer = { response_action: 'clear' };
    await form.getByRole('button', { name: 'Show' }).click();
    await gone(form);
  });

  it('uses shortcuts of a message, and changes and deletes what one wrote oneself, with the keyboard', async () => {
    await dana.write('@Countersign helo');
    const message = dana.page.locator('section.channel article.message', { hasText: 'helo' });
    const menu = message.getByRole('button', { name: 'More for this message' });
    await message.hover();
    await menu.click();
    await dana.page.getByRole('menuitem', { name: 'Show record' }).press('Enter');
    expect(await app.next('message_action')).toMatchObject({
      callback_id: 'show_record',
      message: { text: '<@U0BOT0001> helo' },
    });

    await menu.press('Enter');
    await dana.page.getByRole('menuitem', { name: 'Edit message' }).press('Enter');
    const box = dana.page.getByRole('textbox', { name: 'Edit message' });
    expect(await box.inputValue()).toBe('@Countersign helo');
    await box.fill('@Countersign hello');
    await box.press('Enter');
    const changed = dana.page.locator('section.channel article.message', { hasText: 'hello (edited)' });
    await sees(changed);
    expect(await app.next('message', 'message_changed')).toMatchObject({ message: { text: '<@U0BOT0001> hello' } });

    await changed.hover();
    await changed.getByRole('button', { name: 'More for this message' }).click();
    await dana.page.getByRole('menuitem', { name: /Delete message/ }).click();
    await dana.question.getByRole('button', { name: 'Delete' }).click();
    await gone(changed);
    expect(await app.next('message', 'message_deleted')).toMatchObject({ previous_message: { user: DANA } });
  });

  it('gives a command from the composer and reads its private answer', async () => {
    const box = dana.page.locator('textarea[data-composer=channel]');
    await box.pressSequentially('/cou');
    await sees(dana.page.getByRole('option', { name: /countersign/ }));
    await box.press('Enter');
    await box.pressSequentially('help');
    await box.press('Enter');
    const given = await app.next('command');
    expect(given).toMatchObject({ command: '/countersign', text: 'help' });
    await fetch(textIn(given, 'response_url') ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"Mention me, or write to me directly."}',
    });
    await sees(dana.privately('Mention me, or write to me directly.'));
  });

  it('reads a stream while it grows, stops it, opens a file, and writes what is suggested', async () => {
    await dana.goTo(DIRECT);
    await dana.page.getByRole('button', { name: 'Look around' }).click();
    await sees(dana.thread);
    const root = /thread=([\d.]+)/.exec(dana.page.url())?.[1] ?? '';
    const place = { channel: DIRECT, thread_ts: root };
    const { ts } = await app.call('chat.startStream', { ...place, markdown_text: 'It is **so' });
    await sees(dana.thread.getByText('It is **so'));
    const step = { type: 'task_update', id: '1', title: 'Read notes/today.txt', status: 'complete' };
    await app.call('chat.appendStream', { channel: DIRECT, ts, chunks: [step], markdown_text: ' far**' });
    await sees(dana.thread.locator('strong', { hasText: 'so far' }));
    await sees(dana.thread.getByText('Read notes/today.txt'));
    await dana.thread.getByRole('button', { name: 'Stop' }).click();
    expect(await app.next('agent_session_stopped')).toMatchObject({ ...place, streaming_message_ts: [ts] });
    await gone(dana.thread.locator('[data-status-thread]'));
    await app.call('agents.sessions.setStatus', { channel_id: DIRECT, thread_ts: root, status: 'suspended' });
    await sees(dana.thread.getByText('Countersign waits for a person'));

    const { upload_url: address, file_id } = await app.call('files.getUploadURLExternal', {
      filename: 'a.json',
      length: '9',
    });
    await fetch(typeof address === 'string' ? address : '', { method: 'POST', body: '{"n": [0]}' });
    const files = [{ id: file_id, title: 'Arguments' }];
    await app.call('files.completeUploadExternal', { files, channel_id: DIRECT, thread_ts: root });
    await dana.thread.getByRole('button', { name: /Arguments/ }).click();
    await sees(dana.page.locator('dialog[data-dialog=file]').getByText('{"n": [0]}'));
    await dana.page.keyboard.press('Escape');
    await gone(dana.page.locator('dialog[data-dialog=file]'));
  });

  it('shows each person their own Home, and a click in it opens a form', async () => {
    const blocks = [
      {
        type: 'section',
        text: plain('1 waits'),
        accessory: { type: 'button', action_id: 'review', text: plain('Review') },
      },
    ];
    await app.call('views.publish', { user_id: 'U0DANA001', view: { type: 'home', blocks } });
    await dana.page.getByRole('tab', { name: 'Home' }).click();
    await dana.page.getByRole('button', { name: 'Review' }).click();
    const { trigger_id } = await app.next('block_actions');
    await app.call('views.open', {
      trigger_id,
      view: { type: 'modal', title: plain('Review to approve'), blocks: [] },
    });
    await sees(dana.form.getByRole('heading', { name: 'Review to approve' }));
    await dana.page.keyboard.press('Escape');
    await gone(dana.form);
    await dana.become('Mia Chen');
    await sees(dana.page.getByText('has put nothing here yet'));
    await dana.become('Dana Ito');
    await sees(dana.page.getByText('1 waits'));
    expect(await dana.form.count()).toBe(0);
    await dana.goTo(GENERAL);
  });

  it('inspects a thread commit by commit, follows new ones, and marks what each changed', async () => {
    await dana.write('inspect me');
    const message = dana.page.locator('section.channel article.message', { hasText: 'inspect me' });
    const ts = (await message.getAttribute('data-message-ts')) ?? '';
    const grow = growingLog(ts, log => logs.set(ts, log));
    grow([received(ts, 'inspect me')]);
    await message.hover();
    await message.getByRole('button', { name: 'Reply in thread' }).click();
    await dana.thread.getByRole('button', { name: 'Inspect' }).click();
    const pane = dana.page.locator('.inspector');
    await sees(pane.getByText('Unmasked: this page is for you, on this machine'));
    await sees(pane.locator('[data-commit="1"]', { hasText: 'Dana Ito wrote: “inspect me”' }));

    grow([
      { type: 'run.started', run: 'r1' as RunId, agent: 'ops', requesters: [DANA], messages: [], body: {} },
      { type: 'lease.taken', holder: 'node/1' as WriterId, lengthMs: 60_000, body: {} },
    ]);
    running.workspace.feed.signal({ kind: 'log', channel: GENERAL, ts });
    const second = pane.locator('[data-commit="2"]');
    await sees(second.and(pane.locator('[aria-selected=true]')));
    await sees(pane.locator('.tree-line[data-state=changed]', { hasText: 'current' }));
    await second.press('ArrowUp');
    await sees(pane.getByRole('heading', { name: 'Commit #1' }));
    await sees(pane.getByRole('button', { name: 'Follow the newest' }));
    await dana.page.reload();
    await sees(pane.getByRole('heading', { name: 'Commit #2' }));
    expect(await pane.locator('.commit').count()).toBe(2);
    await pane.getByRole('button', { name: 'Close the inspector' }).click();
    await gone(pane);
  });
});

const DANA = 'U0DANA001' as UserId;

function received(ts: string, text: string): ThreadEvent {
  const { team, channel, ts: root } = keyOf(ts);
  const body = { text, name: 'Dana Ito', files: [] };
  return { type: 'message.received', ts: root, channel, author: DANA, team, mention: false, direct: false, body };
}

const keyOf = (ts: string): ThreadKey => ({ team: 'T0ACME001', channel: GENERAL, ts }) as ThreadKey;

/** A log to which commits are added by hand. */
function growingLog(ts: string, grown: (log: ThreadLog) => void): (events: readonly ThreadEvent[]) => void {
  let log: ThreadLog = { commits: [], wakes: [] };
  let after: Head = { number: 0, hash: '' };
  return events => {
    const number = after.number + 1;
    const draft = { after, events, atMs: Date.UTC(2026, 10, 30, 14, 0, number), writer: 'node/1' as WriterId };
    const commit = seal(threadLog(keyOf(ts)), { ...draft, nonce: `n${number}`, salt: `s${number}` });
    after = commit;
    log = { ...log, commits: [...log.commits, commit] };
    grown(log);
  };
}
