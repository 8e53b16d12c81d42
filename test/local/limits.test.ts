import { beforeEach, describe, expect, test } from 'vitest';
import { acceptBlocks } from '../../src/local/blocks/blocks.ts';
import type { JsonObject } from '../../src/local/json.ts';
import { limits } from '../../src/local/limits.ts';
import { api, human, openWorkspace } from './stage.ts';

let url = '';

beforeEach(async () => {
  ({ url } = await openWorkspace());
});

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } }) as const;
const button = (change: JsonObject = {}) =>
  ({ type: 'button', action_id: 'go', text: plain('Go'), ...change }) as const;
const option = (value: string) => ({ text: plain(value), value }) as const;

async function post(fields: JsonObject): Promise<JsonObject> {
  return api(url, 'chat.postMessage', { channel: 'C0OPS0001', ...fields });
}

async function errorsOf(...blocks: JsonObject[]): Promise<unknown> {
  const answer = await post({ text: 'x', blocks });
  const { messages } = (answer['response_metadata'] ?? {}) as { messages?: string[] };
  return answer['ok'] === true ? 'ok' : (messages ?? answer['error']);
}

describe('blocks', () => {
  test('without ids get ids of their own, though the same comes out twice or stands on another block', () => {
    const drawn = ['aa', 'aa', 'given', 'go', 'bb'];
    const given: JsonObject = { type: 'divider', block_id: 'given' };
    const row: JsonObject = { type: 'actions', block_id: 'row', elements: [button()] };
    const accepted = acceptBlocks(
      [{ type: 'divider' }, { type: 'divider' }, given, row],
      'message',
      () => drawn.shift() ?? 'none left',
    );
    expect(accepted.ok && accepted.blocks.map(block => block['block_id'])).toEqual(['aa', 'bb', 'given', 'row']);
  });

  const tooLong: [string, JsonObject, string][] = [
    ['a header of 151 characters', { type: 'header', text: plain('x'.repeat(151)) }, '/blocks/0/text/text'],
    ['a section of 3,001', section('x'.repeat(3_001)), '/blocks/0/text/text'],
    ['eleven fields', { type: 'section', fields: Array.from({ length: 11 }, () => plain('x')) }, '/blocks/0/fields'],
    ['a field of 2,001', { type: 'section', fields: [plain('x'.repeat(2_001))] }, '/blocks/0/fields/0/text'],
    [
      'eleven context elements',
      { type: 'context', elements: Array.from({ length: 11 }, () => plain('x')) },
      '/blocks/0/elements',
    ],
    [
      '26 buttons',
      { type: 'actions', elements: Array.from({ length: 26 }, (_, n) => button({ action_id: `a${n}` })) },
      '/blocks/0/elements',
    ],
    [
      'a button label of 76',
      { type: 'actions', elements: [button({ text: plain('x'.repeat(76)) })] },
      '/blocks/0/elements/0/text/text',
    ],
    [
      'a button value of 2,001',
      { type: 'actions', elements: [button({ value: 'x'.repeat(2_001) })] },
      '/blocks/0/elements/0/value',
    ],
    [
      'an action id of 256',
      { type: 'actions', elements: [button({ action_id: 'x'.repeat(256) })] },
      '/blocks/0/elements/0/action_id',
    ],
    ['a block id of 256', { ...section('x'), block_id: 'x'.repeat(256) }, '/blocks/0/block_id'],
    [
      'six overflow options',
      {
        type: 'actions',
        elements: [{ type: 'overflow', action_id: 'more', options: ['1', '2', '3', '4', '5', '6'].map(option) }],
      },
      '/blocks/0/elements/0/options',
    ],
    [
      '101 select options',
      {
        type: 'actions',
        elements: [
          { type: 'static_select', action_id: 's', options: Array.from({ length: 101 }, (_, n) => option(`o${n}`)) },
        ],
      },
      '/blocks/0/elements/0/options',
    ],
    [
      'a confirmation text of 301',
      {
        type: 'actions',
        elements: [
          button({
            confirm: {
              title: plain('Sure?'),
              text: plain('x'.repeat(301)),
              confirm: plain('Yes'),
              deny: plain('Back'),
            },
          }),
        ],
      },
      '/blocks/0/elements/0/confirm/text/text',
    ],
    ['a markdown block of 12,001', { type: 'markdown', text: 'x'.repeat(12_001) }, '/blocks/0/text'],
  ];

  test.each(tooLong)('%s is refused as invalid_blocks with a pointer to the place', async (_name, block, pointer) => {
    const answer = await post({ text: 'x', blocks: [block] });
    expect(answer).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(JSON.stringify(answer)).toContain(`[json-pointer:${pointer}]`);
  });

  test('lengths count after escaping: 38 characters of & are a header of 190 [S-17]', async () => {
    expect(await errorsOf({ type: 'header', text: plain('&'.repeat(30)) })).toBe('ok');
    expect(await errorsOf({ type: 'header', text: plain('&'.repeat(38)) })).toEqual([
      '[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ]);
  });

  test('what Slack returns is escaped, so sending it back makes it longer [S-17]', async () => {
    const first = await post({ text: 'x', blocks: [{ type: 'header', text: plain('a & b') }] });
    const { message } = first as { message: { blocks: JsonObject[] } };
    expect(message.blocks[0]).toMatchObject({ text: { text: 'a &amp; b', emoji: true } });
    const again = await post({ text: 'x', blocks: message.blocks });
    expect(again).toMatchObject({ message: { blocks: [{ text: { text: 'a &amp;amp; b' } }] } });
  });

  test('51 blocks, an unknown type, a repeated block id and an empty text are refused', async () => {
    expect(await errorsOf(...Array.from({ length: 51 }, () => ({ type: 'divider' })))).toEqual([
      '[ERROR] no more than 50 items allowed [json-pointer:/blocks]',
    ]);
    expect(await errorsOf({ type: 'carousel' })).toEqual([
      '[ERROR] unsupported type: carousel [json-pointer:/blocks/0/type]',
    ]);
    const twice = { ...section('x'), block_id: 'same' };
    expect(await errorsOf(twice, twice)).toEqual(['[ERROR] block_id already exists [json-pointer:/blocks/1/block_id]']);
    expect(await errorsOf(section(''))).toEqual([
      '[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ]);
  });

  test('fields may not be controls, and inputs may not stand among buttons', async () => {
    const input = { type: 'plain_text_input', action_id: 'words' };
    expect(await errorsOf({ type: 'actions', elements: [input] })).toEqual([
      '[ERROR] unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
    ]);
    expect(await errorsOf({ type: 'input', label: plain('Words'), element: button() })).toEqual([
      '[ERROR] unsupported type: button [json-pointer:/blocks/0/element/type]',
    ]);
  });

  test('a preset choice must be one of the options', async () => {
    const select = { type: 'static_select', action_id: 's', options: [option('a'), option('b')] };
    expect(await errorsOf({ type: 'actions', elements: [{ ...select, initial_option: option('b') }] })).toBe('ok');
    expect(await errorsOf({ type: 'actions', elements: [{ ...select, initial_option: option('c') }] })).toEqual([
      '[ERROR] initial_option must be one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
    ]);
  });

  test('rich text takes lists, quotes and code, and nothing but text and links in code', async () => {
    const words = (...elements: JsonObject[]) => ({ type: 'rich_text_section', elements }) as const;
    const text = { type: 'text', text: 'namespace  production' } as const;
    const date = { type: 'date', timestamp: 1_796_040_000, format: '{time}', fallback: '14:00' } as const;
    const good = [
      words(text, date),
      { type: 'rich_text_list', style: 'bullet', elements: [words(text)] },
      { type: 'rich_text_preformatted', elements: [text] },
      { type: 'rich_text_quote', elements: [text] },
    ];
    expect(await errorsOf({ type: 'rich_text', elements: good })).toBe('ok');
    expect(
      await errorsOf({ type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [date] }] }),
    ).toEqual(['[ERROR] unsupported type: date [json-pointer:/blocks/0/elements/0/elements/0/type]']);
    expect(await errorsOf({ type: 'rich_text', elements: [words({ type: 'text', text: '' })] })).toEqual([
      '[ERROR] must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]',
    ]);
  });
});

describe('messages', () => {
  test('all block text together is limited, and so is the text: 40,000 for a new message, 4,000 for an update', async () => {
    const many = Array.from({ length: 4 }, () => section('x'.repeat(2_900)));
    expect(await post({ text: 'x', blocks: many })).toMatchObject({ error: 'msg_blocks_too_long' });
    expect(await post({ text: 'x'.repeat(limits.message.text + 1) })).toMatchObject({ error: 'msg_too_long' });
    const { ts } = await post({ text: 'x'.repeat(4_001) });
    const update = (text: string) => api(url, 'chat.update', { channel: 'C0OPS0001', ts, text });
    expect(await update('&'.repeat(801))).toMatchObject({ error: 'msg_too_long' });
    expect(await update('&'.repeat(800))).toMatchObject({ ok: true });
  });

  test('nothing to say, bad metadata, unknown places and foreign messages have their codes', async () => {
    expect(await post({})).toMatchObject({ error: 'no_text' });
    expect(await post({ text: 'x', metadata: '{' })).toMatchObject({ error: 'invalid_metadata_format' });
    expect(await post({ text: 'x', metadata: { event_type: 'card' } })).toMatchObject({
      error: 'invalid_metadata_schema',
    });
    const large = { event_type: 'card', event_payload: { key: 'x'.repeat(20_000) } };
    expect(await post({ text: 'x', metadata: large })).toMatchObject({ error: 'metadata_too_large' });
    expect(await post({ text: 'x', blocks: 'no list' })).toMatchObject({ error: 'invalid_blocks_format' });
    expect(await post({ text: 'x', channel: 'C0NOWHERE' })).toMatchObject({ error: 'channel_not_found' });
    expect(await post({ text: 'x', thread_ts: '1700000000.000100' })).toMatchObject({ error: 'thread_not_found' });
    const { body } = await human(url, 'POST', 'say', { user: 'U0DANA001', channel: 'C0OPS0001', text: 'mine' });
    const place = { channel: 'C0OPS0001', ts: body['ts'] };
    expect(await api(url, 'chat.update', { ...place, text: 'x' })).toMatchObject({ error: 'cant_update_message' });
    expect(await api(url, 'chat.delete', place)).toMatchObject({ error: 'cant_delete_message' });
    expect(await api(url, 'chat.update', { ...place, ts: '1.2', text: 'x' })).toMatchObject({
      error: 'message_not_found',
    });
  });

  test('where the app does not sit it may not post: a public channel says so, a private one is not there', async () => {
    for (const channel of ['C0OPS0001', 'C0APPROV1'])
      await human(url, 'POST', 'member', { channel, user: 'U0BOT0001', member: false });
    expect(await post({ text: 'x' })).toMatchObject({ error: 'not_in_channel' });
    expect(await post({ text: 'x', channel: 'C0APPROV1' })).toMatchObject({ error: 'channel_not_found' });
  });

  test('an update with text alone takes the blocks away; without metadata it keeps the metadata', async () => {
    const metadata = { event_type: 'card', event_payload: { key: 'k' } };
    const { ts } = await post({ text: 'x', blocks: [section('x')], metadata });
    await api(url, 'chat.update', { channel: 'C0OPS0001', ts, text: 'done' });
    const { messages } = await api(url, 'conversations.history', {
      channel: 'C0OPS0001',
      include_all_metadata: 'true',
    });
    expect(messages).toMatchObject([{ ts, text: 'done', blocks: [], metadata }]);
  });

  test('a message of rich text alone cannot become another kind', async () => {
    const rich = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
    };
    const { ts } = await post({ text: 'x', blocks: [rich] });
    expect(
      await api(url, 'chat.update', { channel: 'C0OPS0001', ts, text: 'x', blocks: [section('x')] }),
    ).toMatchObject({ error: 'block_mismatch' });
  });

  test('calls without a token, with a wrong one, or with the wrong kind are refused', async () => {
    const call = async (headers: Record<string, string>) =>
      (await fetch(`${url}/api/auth.test`, { method: 'POST', headers })).json();
    expect(await call({})).toEqual({ ok: false, error: 'not_authed' });
    expect(await call({ authorization: 'Bearer xoxb-other' })).toEqual({ ok: false, error: 'invalid_auth' });
    expect(await call({ authorization: 'Bearer xapp-embedded' })).toEqual({
      ok: false,
      error: 'not_allowed_token_type',
    });
  });
});
