import { describe, expect, it } from 'vitest';
import { messageLines } from '../../src/compose/demo/message-lines.ts';

const names: Readonly<Record<string, string>> = { U0DANA001: 'Dana Ito', S0SRE0001: 'sre', C0APPROV1: 'approvals' };
const lines = (blocks: readonly object[], width = 72): string[] =>
  messageLines({ blocks }, id => names[id] ?? id, width);
const section = (text: string): object => ({ type: 'section', text: { type: 'mrkdwn', text } });
const rich = (...elements: readonly object[]): object => ({ type: 'rich_text', elements });

describe('a message in the terminal', () => {
  it('shows every kind of block of a card, in order', () => {
    const date = { type: 'date', timestamp: Date.UTC(2026, 10, 30, 16, 5) / 1000, format: '{time}' };
    expect(
      lines([
        { type: 'header', text: { type: 'plain_text', text: '⏳ Run echo hello' } },
        section('*Waiting* · needs 1 of SRE'),
        rich({ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'argv  ["echo"]\ncwd   .' }] }),
        rich({
          type: 'rich_text_list',
          elements: [
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'healthy 6 at ' }, date] },
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'owner ' },
                { type: 'user', user_id: 'U0DANA001' },
              ],
            },
          ],
        }),
        rich({
          type: 'rich_text_quote',
          elements: [
            { type: 'channel', channel_id: 'C0APPROV1' },
            { type: 'text', text: ' ' },
            { type: 'usergroup', usergroup_id: 'S0SRE0001' },
            { type: 'text', text: ' ' },
            { type: 'link', url: 'https://acme.example', text: 'open thread' },
            { type: 'emoji', name: 'eyes' },
          ],
        }),
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { text: 'Approve' } },
            { type: 'button', text: { text: 'Reject' } },
          ],
        },
        { type: 'divider' },
        {
          type: 'context',
          elements: [
            { type: 'mrkdwn', text: 'Rule _x_' },
            { type: 'plain_text', text: 'A-7F3K' },
          ],
        },
      ]),
    ).toEqual([
      '⏳ Run echo hello',
      'Waiting · needs 1 of SRE',
      '  argv  ["echo"]',
      '  cwd   .',
      '· healthy 6 at 16:05Z',
      '· owner @Dana Ito',
      '▏ #approvals @sre open thread:eyes:',
      '[Approve] [Reject]',
      '─'.repeat(40),
      'Rule _x_',
      'A-7F3K',
    ]);
  });

  it('reads mrkdwn as people do: mentions, links, dates in UTC, and each entity once', () => {
    const at = Date.UTC(2026, 10, 30, 16, 5) / 1000;
    expect(
      lines(
        [
          section(
            `<@U0DANA001> <!subteam^S0SRE0001> <#C0APPROV1|old> <https://a.example/x|card> <https://b.example> ` +
              `<!date^${at}^{time}|x> <!date^${at}^{date_short_pretty} {time}|x>`,
          ),
          section('&lt;!channel&gt; a &amp; b &amp;lt;'),
        ],
        200,
      ),
    ).toEqual(['@Dana Ito @sre #approvals card https://b.example 16:05Z 2026-11-30 16:05Z', '<!channel> a & b &lt;']);
  });

  it('shows the text where there are no blocks, and ids where no name is known', () => {
    expect(messageLines({ text: 'for <@U0NOBODY1>' }, id => id, 40)).toEqual(['for @U0NOBODY1']);
    expect(messageLines({}, id => id, 40)).toEqual(['']);
  });

  it('wraps at words, and long words where it must', () => {
    expect(lines([section('one two three four five')], 10)).toEqual(['one two', 'three four', 'five']);
    expect(lines([section('abcdefghijklmnopqrstuvwxyz')], 10)).toEqual(['abcdefghij', 'klmnopqrst', 'uvwxyz']);
  });

  it('takes blocks that are odd as they come', () => {
    expect(lines([{ type: 'image' }, { type: 'header' }, { type: 'rich_text' }, { type: 'actions' }])).toEqual([
      '',
      '',
    ]);
  });
});
