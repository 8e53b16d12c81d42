/** What of an unfinished answer can be read: safe at every moment, and only ever more of the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { penOf } from '../../../src/slack/views/context.ts';
import { growingAnswer } from '../../../src/slack/views/growing.ts';
import { context, ids, need, threadOf } from './fixtures.ts';

const thread = threadOf([]);
const pen = penOf(context);
const run = need(thread.runs[ids.run]);
const growing = (text: string) => growingAnswer(pen, thread, run, text);

/** What a stream shows after each of the pieces; what is not the start of the next is the end of it. */
function streamed(text: string, cuts: readonly number[]): string {
  let sent = '';
  for (const cut of [...cuts, text.length].toSorted((a, b) => a - b)) {
    const { text: shown } = growing(text.slice(0, cut));
    if (!shown.startsWith(sent)) break;
    sent = shown;
  }
  return sent;
}

const every = (text: string): number[] => Array.from(text, (_, index) => index);

describe('An answer that is written', () => {
  it('rings whoever asked, once, before its text', () => {
    expect(growing('All is well. ')).toEqual({ key: 'answer/r1', opening: '<@U0DANA001> ', text: 'All is well.' });
  });

  it('begins on a line of its own where its form needs one', () => {
    for (const text of ['# Replicas\n', '- one\n- two\n', '1. one\n', '```\ncode\n', '> said\n'])
      expect(growing(text).opening).toBe('<@U0DANA001>\n');
  });

  it('keeps the form of Markdown', () => {
    const text = '# Replicas\n\n- **six** now\n- `two` later\n\n> quoted\n\n';
    expect(growing(text).text).toBe(text.trim());
  });

  it('holds an unfinished word back, also where words are not parted', () => {
    expect(growing('Scaled to si').text).toBe('Scaled to');
    expect(growing('Scaled to six ').text).toBe('Scaled to six');
    expect(growing('已缩容到两个副').text).toBe('已缩容到两个副');
    expect(growing('已缩容到 bill').text).toBe('已缩容到');
  });

  it.each([
    ['a mention', 'Ask <@U0MIA0001> about it ', 'Ask &lt;@U0MIA0001&gt; about it'],
    ['a broadcast', 'Now <!channel> all ', 'Now &lt;!channel&gt; all'],
    ['a group', 'Now <!subteam^S0SRE0001> all ', 'Now &lt;!subteam^S0SRE0001&gt; all'],
    ['a written entity', 'Now &lt;!here&gt; all ', 'Now &amp;lt;!here&amp;gt; all'],
    ['a name that Slack may read', 'Hey @here all ', 'Hey @ here all'],
    ['a link', 'See [the page](https://evil.example/?q=1) now ', 'See [the page] ([…]) now'],
    ['a link by reference', 'See [a][b] now\n\n[b]: https://evil.example\n', 'See [a] [b] now\n\n[b] : […]'],
    ['an address', 'See https://evil.example/?q=1 now ', 'See […] now'],
    ['an address in brackets', 'See <https://evil.example|here> now ', 'See &lt;[…]|here&gt; now'],
    ['an address of a person', 'Write to mia@acme.example now ', 'Write to […] now'],
    ['an image', '![x](http://evil.example/p.png) and more ', '![x] ([…]) and more'],
    ['an address in code', 'Open `https://evil.example` now ', 'Open `[…]` now'],
  ])('makes nothing of %s live, wherever the text is cut [S-29]', (_, text, shown) => {
    expect(growing(text).text).toBe(shown);
    for (const live of every(text).map(cut => growing(text.slice(0, cut)).text)) expect(live).not.toMatch(/<|:\/\//);
    expect(streamed(text, every(text))).toBe(shown);
  });

  it('masks secrets before a character of them is shown, wherever the text is cut [S-29]', () => {
    const secrets = [
      'ghp_0123456789abcdefghijABCDEFGHIJ012345',
      'AKIAIOSFODNN7EXAMPLE',
      `${'xoxb'}-1234567890-abcdefghijkl`,
      'sk-0123456789abcdefghijklmnop',
    ];
    for (const secret of secrets)
      for (const text of [`The key ${secret} is old `, `密钥是${secret}，请更换。`, `token=${secret}\nnext `]) {
        const states = every(text).map(cut => growing(text.slice(0, cut)).text);
        for (const shown of [...states, growing(text).text]) expect(shown).not.toContain(secret.slice(0, 8));
        expect(streamed(text, every(text))).toContain('••••');
      }
  });

  it('holds back what more text could still make a longer secret', () => {
    expect(growing('password=ab密码很').text).toBe('password=');
    expect(growing('password=ab密码很 更多 ').text).toMatch(
      /^password=•••• \(5 characters, fingerprint [0-9a-f]{4}\) 更多$/,
    );
    const lines = 'MIIEpAIBAAKCAQEA7bq0\n'.repeat(3);
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${lines}-----END RSA PRIVATE KEY-----\nkept safe\n`;
    expect(streamed(`Here:\n${key}`, every(key))).not.toContain('MII');
  });

  it('shows nothing of a text that may be JSON as a whole', () => {
    expect(growing('{"password": "two words", "n": 1, ').text).toBe('');
  });

  it('shows what cannot be seen, once it is known how much of it there is', () => {
    expect(growing('a \u202eb c ').text).toBe('a \\u{202e}b c');
    expect(growing('a \u200b\u200b ').text).toBe('a');
  });

  it('is no longer than the answer will be', () => {
    expect(growing('word '.repeat(5_000)).text.length).toBeLessThanOrEqual(8_200);
  });

  it('only grows, with nothing live and no secret in it, for any text in any pieces [S-29]', () => {
    const bits = [
      '<!channel>', '<@U0MIA0001>', '<', '>', '&', '[', '](', ')', ']:', 'https://evil.example/a', 'www.evil.example',
      'mailto:mia@acme.example', '@here', '`', '```\n', '**', '\n', '\n\n\n\n', ' ', '    ', '已经完成', '。', '\u202e', '\u200b',
      'password=', 'hunter2hunter2', 'AKIAIOSFODNN7EXAMPLE', 'Bearer ', 'word ', 'a', '😀', '- ', '# ', '> ', '•', '{', '"',
    ]; // prettier-ignore
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...bits), { maxLength: 25 }).map(all => all.join('')),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (text, cuts) => {
          const shown = streamed(text, cuts);
          expect(shown).not.toMatch(/<|:\/\/|\bwww\.\w|\]\(|@here|mia@acme/);
          expect(shown).not.toMatch(/[\u202e\u200b]/);
          expect(growing(`${text}\n\nAll of it. `).text.startsWith(shown)).toBe(true);
          const masked = ['AKIAIOSFODNN7EXAMPLE', 'hunter2hunter2'].filter(one => !pen.show.text(text).includes(one));
          expect(masked.filter(secret => shown.includes(secret))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
