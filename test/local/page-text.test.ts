import { describe, expect, test } from 'vitest';
import { readHash, readPermalink, writeHash, writePermalink } from '../../src/local/page/text/address.ts';
import { arrange, firstUnread, topLevel } from '../../src/local/page/text/arrange.ts';
import { clockTime, dayLabel, formatDate } from '../../src/local/page/text/dates.ts';
import { emojiText, withEmoji } from '../../src/local/page/text/emoji.ts';
import { completeDraft, type Mentionable, readCommand } from '../../src/local/page/text/drafts.ts';
import { parseMrkdwn } from '../../src/local/page/text/mrkdwn.ts';
import { rings } from '../../src/local/page/text/ring.ts';
import { typedAgain } from '../../src/local/page/text/again.ts';
import { compare, unchanged, type Part } from '../../src/local/page/text/changed.ts';
import { markdownAsMrkdwn } from '../../src/local/page/text/markdown.ts';
import { exactDay, exactTime, spanOf } from '../../src/local/page/text/spans.ts';

const section = (...elements: unknown[]): unknown => ({ type: 'rich_text_section', elements });
const text = (written: string, style?: object): unknown => ({
  type: 'text',
  text: written,
  ...(style ? { style } : {}),
});

describe('the page reads mrkdwn', () => {
  test('bold, italic, struck and code stand apart from the text around them', () => {
    expect(parseMrkdwn('a *b* _c_ ~d~ `e`')).toEqual([
      section(
        text('a '),
        text('b', { bold: true }),
        text(' '),
        text('c', { italic: true }),
        text(' '),
        text('d', { strike: true }),
        text(' '),
        text('e', { code: true }),
      ),
    ]);
  });

  test('marks can lie inside each other', () => {
    expect(parseMrkdwn('*b _i_*')).toEqual([
      section(text('b ', { bold: true }), text('i', { bold: true, italic: true })),
    ]);
  });

  test.each([
    '2 * 3 * 4',
    'a_b_c',
    'snake_case and *',
    '**',
    '* a*',
    '~~',
    '``',
    'a < b',
    '<b>bold</b>',
    ':no_such_emoji:',
    '10:30:15',
  ])('characters that form no markup stay as written: %s', written => {
    const [part] = parseMrkdwn(written);
    expect(part).toEqual(section(text(written)));
  });

  test('entities are read back once, so that an escaped mention stays text', () => {
    expect(parseMrkdwn('a &lt;@U1&gt; &amp;amp;')).toEqual([section(text('a <@U1> &amp;'))]);
  });

  test('mentions, channels, groups, broadcasts, links and dates become elements', () => {
    const written =
      '<@U1><#C1|ops><!subteam^S1|@sre><!here><https://a.example/?x=1&amp;y=2|A &amp; B><mailto:a@b.example|a@b.example>';
    expect(parseMrkdwn(`${written}<!date^1700000000^{time} UTC^https://c.example|22:13>`)).toEqual([
      section(
        { type: 'user', user_id: 'U1' },
        { type: 'channel', channel_id: 'C1', label: 'ops' },
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'broadcast', range: 'here' },
        { type: 'link', url: 'https://a.example/?x=1&y=2', text: 'A & B' },
        { type: 'link', url: 'mailto:a@b.example', text: 'a@b.example' },
        { type: 'date', timestamp: 1_700_000_000, format: '{time} UTC', url: 'https://c.example', fallback: '22:13' },
      ),
    ]);
  });

  test('an address that is neither web nor mail is never a link', () => {
    expect(parseMrkdwn('<javascript:alert(1)|click>')).toEqual([section(text('<javascript:alert(1)|click>'))]);
  });

  test('a bare web address is a link, without the full stop after it', () => {
    expect(parseMrkdwn('see https://a.example/b?c=d.')).toEqual([
      section(text('see '), { type: 'link', url: 'https://a.example/b?c=d' }, text('.')),
    ]);
  });

  test('nothing inside code is markup', () => {
    expect(parseMrkdwn('`*a* &lt;b&gt;`\n```\n_x_\n  y\n```\nz')).toEqual([
      section(text('*a* <b>', { code: true })),
      { type: 'rich_text_preformatted', elements: [text('_x_\n  y')] },
      section(text('z')),
    ]);
  });

  test('lines that begin with > are one quote, and >>> quotes the rest', () => {
    expect(parseMrkdwn('&gt; a\n&gt; b\nc\n&gt;&gt;&gt;d\ne')).toEqual([
      { type: 'rich_text_quote', elements: [text('a\nb')] },
      section(text('c')),
      { type: 'rich_text_quote', elements: [text('d\ne')] },
    ]);
  });

  test('emoji are characters, by name or by code points', () => {
    expect(parseMrkdwn('ok :eyes:')).toEqual([section(text('ok '), { type: 'emoji', name: 'eyes' })]);
    expect([
      emojiText('eyes'),
      emojiText('own', '1f468-200d-1f4bb'),
      emojiText('own'),
      emojiText('own', 'ffffff'),
    ]).toEqual(['👀', '👨‍💻', ':own:', ':own:']);
    expect(withEmoji('done :tada: :nothing_such:')).toBe('done 🎉 :nothing_such:');
  });
});

describe('the page writes moments in the reader’s zone', () => {
  const nowMs = Date.parse('2026-11-30T23:30:00Z');
  const berlin = { nowMs, timeZone: 'Europe/Berlin' };
  const seconds = (iso: string): number => Date.parse(iso) / 1000;

  test.each([
    ['{time}', '2026-11-30T13:05:09Z', '14:05'],
    ['{time_secs}', '2026-11-30T13:05:09Z', '14:05:09'],
    ['{date_num} {date_slash}', '2026-01-02T12:00:00Z', '2026-01-02 2026/01/02'],
    ['{date}', '2026-11-21T12:00:00Z', 'November 21st, 2026'],
    ['{date_short}', '2026-11-22T12:00:00Z', 'Nov 22, 2026'],
    ['{date_long}', '2026-11-12T12:00:00Z', 'Thursday, November 12th, 2026'],
    ['{date_short_pretty} {time}', '2026-11-30T22:59:00Z', 'yesterday 23:59'],
    ['{date_pretty}', '2026-11-30T23:00:00Z', 'today'],
    ['{date_long_pretty}', '2026-12-02T00:00:00Z', 'tomorrow'],
    ['{date_pretty}', '2026-11-23T12:00:00Z', 'November 23rd, 2026'],
    ['{ago}', '2026-11-30T23:28:00Z', '2 minutes ago'],
    ['until {time} {nothing}', '2026-11-30T13:05:00Z', 'until 14:05 {nothing}'],
  ])('%s of %s is %s', (format, iso, written) => {
    expect(formatDate(seconds(iso), format, berlin)).toBe(written);
  });

  test('one moment is another clock time and day in another zone', () => {
    const tokyo = { nowMs, timeZone: 'Asia/Tokyo' };
    expect(clockTime(nowMs, tokyo)).toBe('08:30');
    expect(formatDate(seconds('2026-11-30T13:00:00Z'), '{date_short_pretty}', tokyo)).toBe('yesterday');
  });

  test('a day is today, yesterday, a weekday, or has its year', () => {
    const days = ['2026-12-01T12:00:00Z', '2026-11-30T12:00:00Z', '2026-11-03T12:00:00Z', '2025-11-03T12:00:00Z'];
    expect(days.map(iso => dayLabel(Date.parse(iso), berlin))).toEqual([
      'Today',
      'Yesterday',
      'Tuesday, November 3rd',
      'Monday, November 3rd, 2025',
    ]);
  });

  test('the night of a clock change is still one day', () => {
    const reader = { nowMs: Date.parse('2026-10-25T22:30:00Z'), timeZone: 'Europe/Berlin' };
    expect(dayLabel(Date.parse('2026-10-24T22:30:00Z'), reader)).toBe('Today');
    expect(dayLabel(Date.parse('2026-10-24T21:30:00Z'), reader)).toBe('Yesterday');
  });
});

const known: Mentionable = {
  commands: [{ command: '/countersign', description: 'What waits', usage_hint: '[help]' }],
  users: [
    { id: 'U0BOT0001', name: 'countersign', real_name: 'Countersign', deleted: false },
    { id: 'U0DANA001', name: 'dana', real_name: 'Dana Ito', deleted: false },
    { id: 'U0DEE0001', name: 'dee', real_name: 'Dee Moss', deleted: true },
  ],
  groups: [{ id: 'S0SRE0001', handle: 'sre', name: 'SRE' }],
  channels: [
    { id: 'C0OPS0001', name: 'ops', is_im: false },
    { id: 'C0OPSALRT', name: 'ops-alerts', is_im: false },
    { id: 'D0DANA001', name: 'dana', is_im: true },
  ],
};

describe('the page tells a command from a message', () => {
  test('a slash command is split into its name and the rest', () => {
    expect(readCommand('/countersign  freeze bad deploy ')).toEqual({
      command: '/countersign',
      text: 'freeze bad deploy',
    });
    expect(readCommand('/countersign')).toEqual({ command: '/countersign', text: '' });
    expect(readCommand('/etc/passwd is a file')).toBeUndefined();
    expect(readCommand('see /countersign')).toBeUndefined();
  });
});

describe('the page completes what is typed', () => {
  const labels = (draft: string): string[] | undefined =>
    completeDraft(draft, draft.length, known)?.choices.map(choice => choice.label);

  test('an @ offers people who can be reached and groups, by any word of their name', () => {
    expect(labels('hi @')).toEqual(['Countersign', 'Dana Ito', '@sre']);
    expect(labels('hi @it')).toEqual(['Dana Ito']);
    expect(labels('hi @nobody')).toBeUndefined();
  });

  test('a # offers channels, and a / at the start the command', () => {
    expect(labels('#op')).toEqual(['#ops', '#ops-alerts']);
    expect(labels('/cou')).toEqual(['/countersign']);
    expect(labels('a /cou')).toBeUndefined();
    expect(labels('mail a@b')).toBeUndefined();
  });

  test('a finished mention offers nothing more, so that Enter sends', () => {
    expect(labels('@Countersign')).toBeUndefined();
    expect(labels('/countersign help')).toBeUndefined();
  });

  test('the choice says which characters it replaces', () => {
    expect(completeDraft('hi @da you', 6, known)).toMatchObject({
      from: 3,
      to: 6,
      choices: [{ insert: '@Dana Ito ' }],
    });
  });
});

describe('the page’s addresses', () => {
  test.each([
    { view: 'channel', channel: 'C0APPROV1', ts: '1700000.000100', user: 'U0MIA0001', thread: '1600000.000100' },
    { view: 'channel', channel: 'C0OPS0001', user: 'U0DANA001' },
    { view: 'home', user: 'U0ANA0001' },
    { view: 'list', user: 'U0ANA0001' },
  ] as const)('a place survives its hash: $view', place => {
    expect(readHash(writeHash(place))).toEqual(place);
  });

  test('an inspected thread has an address of its own, and nothing is inspected without a thread', () => {
    const place = { view: 'channel', channel: 'C1', thread: '1.2', inspect: true, user: 'U1' } as const;
    expect(readHash(writeHash(place))).toEqual(place);
    expect(readHash('#/C1?inspect=')).toEqual({ view: 'channel', channel: 'C1' });
  });

  test('a broken hash is a place that can be shown', () => {
    expect([readHash(''), readHash('#/'), readHash('#/C1/nonsense?x'), readHash('#/%E0%A4%A')]).toMatchObject([
      { view: 'list' },
      { view: 'list' },
      { view: 'channel', channel: 'C1' },
      { view: 'channel' },
    ]);
  });

  test('a permalink of this workspace opens inside the page, any other address does not', () => {
    const origin = 'http://127.0.0.1:3000';
    const link = writePermalink(origin, 'C0APPROV1', '1700000000.000100', '1600000000.000100');
    expect(link).toBe(`${origin}/archives/C0APPROV1/p1700000000000100?thread_ts=1600000000.000100&cid=C0APPROV1`);
    expect(readPermalink(link, origin)).toEqual({
      view: 'channel',
      channel: 'C0APPROV1',
      ts: '1700000000.000100',
      thread: '1600000000.000100',
    });
    expect(readPermalink('https://elsewhere.example/archives/C1/p1700000000000100', origin)).toBeUndefined();
    expect(readPermalink(`${origin}/human/state`, origin)).toBeUndefined();
  });
});

describe('the page arranges messages', () => {
  const reader = { nowMs: Date.parse('2026-11-30T15:00:00Z'), timeZone: 'UTC' };
  const at = (iso: string, user: string, more: object = {}): { ts: string; user: string } => {
    return { ts: `${Date.parse(iso) / 1000}.000100`, user, ...more };
  };
  const shape = (messages: { ts: string; user: string }[], unreadFrom?: string): string[] =>
    arrange(messages, unreadFrom, reader).map(row => {
      return row.kind === 'message' ? (row.grouped ? 'grouped' : 'named') : row.kind;
    });

  test('messages of one author within five minutes stand under one name, and each day begins anew', () => {
    const messages = [
      at('2026-11-29T23:59:00Z', 'A'),
      at('2026-11-30T00:01:00Z', 'A'),
      at('2026-11-30T00:02:00Z', 'A'),
    ];
    expect(shape([...messages, at('2026-11-30T00:08:00Z', 'A'), at('2026-11-30T00:08:01Z', 'B')])).toEqual([
      'day',
      'named',
      'day',
      'named',
      'grouped',
      'named',
      'named',
    ]);
  });

  test('a card always stands under its own name', () => {
    const card = { blocks: [{ type: 'header' }, { type: 'actions' }] };
    expect(
      shape([at('2026-11-30T10:00:00Z', 'A'), at('2026-11-30T10:00:10Z', 'A', card), at('2026-11-30T10:00:20Z', 'A')]),
    ).toEqual(['day', 'named', 'named', 'named']);
  });

  test('the unread mark stands before the first message of others that was unread, and stays there', () => {
    const messages = [
      at('2026-11-30T10:00:00Z', 'A'),
      at('2026-11-30T10:00:10Z', 'A'),
      at('2026-11-30T10:00:20Z', 'me'),
    ];
    const from = firstUnread(messages, 1, 'me');
    expect(shape(messages, from)).toEqual(['day', 'named', 'unread', 'named', 'named']);
    const later = [...messages, at('2026-11-30T10:00:30Z', 'A')];
    expect(shape(later, from)).toEqual(['day', 'named', 'unread', 'named', 'named', 'named']);
    expect(firstUnread(messages, 0, 'me')).toBeUndefined();
  });

  test('replies stay out of the channel unless they were sent to it too', () => {
    const messages = [
      { ts: '3.0', thread_ts: '1.0' },
      { ts: '4.0', thread_ts: '1.0', subtype: 'thread_broadcast' },
      { ts: '1.0', thread_ts: '1.0' },
      { ts: '2.0' },
    ];
    expect(topLevel(messages).map(message => message.ts)).toEqual(['1.0', '2.0', '4.0']);
  });
});

describe('the page rings', () => {
  test('for direct messages, mentions of a person or their group, and answers in their thread', () => {
    expect(rings({ user: 'B', text: 'hi' }, 'me', [], true)).toBe(true);
    expect(rings({ user: 'B', text: 'hi <@me>' }, 'me', [], false)).toBe(true);
    expect(rings({ user: 'B', text: 'card', blocks: [{ text: { text: '<!subteam^S1>' } }] }, 'me', ['S1'], false)).toBe(
      true,
    );
    expect(rings({ user: 'B', text: 'done', parent_user_id: 'me' }, 'me', [], false)).toBe(true);
  });

  test('for nothing else, and never for one’s own words', () => {
    expect(rings({ user: 'B', text: 'hi <@other> <!subteam^S2>' }, 'me', ['S1'], false)).toBe(false);
    expect(rings({ user: 'me', text: '<@me> <!here>' }, 'me', [], true)).toBe(false);
  });
});

describe('the inspector marks what a commit changed', () => {
  /** Paths with their state, those of inner parts behind those around them. */
  const states = (part: Part, path = ''): string[] =>
    (part.parts ?? []).flatMap(one => [`${path}${one.key}: ${one.state}`, ...states(one, `${path}${one.key}.`)]);

  test('new, gone, other and same parts are told apart, as deep as they go', () => {
    const before = { run: { turn: 1, by: 'Dana' }, queue: ['a'], lease: { holder: 'x' }, old: 1 };
    const after = { run: { turn: 2, by: 'Dana' }, queue: ['a', 'b'], lease: null, more: { a: 0 } };
    expect(states(compare('thread', before, after))).toEqual([
      'run: changed',
      'run.turn: changed',
      'run.by: same',
      'queue: changed',
      'queue.0: same',
      'queue.1: added',
      'lease: changed',
      'more: added',
      'more.a: added',
      'old: removed',
    ]);
  });

  test('the order of names is no change, and 0, false, null and the empty list are values of their own', () => {
    expect(compare('x', { a: 1, b: [] }, { b: [], a: 1 }).state).toBe('same');
    const pairs = [0, false, null, '', [], {}] as const;
    for (const one of pairs)
      for (const other of pairs) expect(compare('x', one, other).state).toBe(one === other ? 'same' : 'changed');
    expect(unchanged('x', { a: [1, { b: 2 }] }).parts?.[0]?.state).toBe('same');
  });

  test('what a value was stands beside what it is', () => {
    expect(compare('lease', { holder: 'x' }, null)).toMatchObject({
      value: null,
      was: { holder: 'x' },
      parts: undefined,
    });
    expect(compare('turn', 1, 2)).toMatchObject({ value: 2, was: 1 });
    expect(compare('gone', 7, undefined)).toMatchObject({ state: 'removed', value: 7 });
  });
});

test('times are UTC to the millisecond, and spans have the unit that fits', () => {
  const ms = Date.parse('2026-11-30T14:05:07.123Z');
  expect([exactTime(ms), exactDay(ms)]).toEqual(['14:05:07.123', '2026-11-30']);
  expect([0, 340, 2_500, 240_000, 7_200_000, 3 * 86_400_000].map(spanOf)).toEqual([
    '0 ms',
    '340 ms',
    '2.5 s',
    '4 min',
    '2 h',
    '3 d',
  ]);
});

test('a message that is changed is offered as it was typed', () => {
  const workspace = {
    users: [{ id: 'U0DANA001', real_name: 'Dana Ito' }],
    groups: [{ id: 'S0SRE0001', handle: 'sre' }],
  };
  const stored =
    '<@U0DANA001> and <!subteam^S0SRE0001>, <!here>: see <#C0OPS0001|ops>, <https://x.dev/?a=1&amp;b=2> &lt;b&gt; <@U0NOBODY1>';
  expect(typedAgain(stored, workspace)).toBe(
    '@Dana Ito and @sre, @here: see #ops, https://x.dev/?a=1&b=2 <b> <@U0NOBODY1>',
  );
  expect(typedAgain('<https://x.dev|a label>', workspace)).toBe('<https://x.dev|a label>');
});

test('Markdown of a stream reads like a message: headings, bold, links and lists; code is left alone', () => {
  expect(
    markdownAsMrkdwn('# Done\n- **two** files\n- [log](https://x.dev/a) ~~old~~ `**x**`\n```\n# a\n- b\n```'),
  ).toBe('*Done*\n• *two* files\n• <https://x.dev/a|log> ~old~ `**x**`\n```\n# a\n- b\n```');
  expect(markdownAsMrkdwn('2 * 3 * 4, a_b_c')).toBe('2 * 3 * 4, a_b_c');
});
