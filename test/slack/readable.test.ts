/** From Slack's written form to what a person meant to write. */
import { expect, test } from 'vitest';
import { mentions, readable, readsLikeDecision } from '../../src/slack/inbound/readable.ts';

test.each([
  ['run echo "a &amp; b" &gt; out', 'run echo "a & b" > out'],
  ['<@U0BOT0001> list', '<@U0BOT0001> list'],
  ['<@U0BOT0001|countersign> list', '<@U0BOT0001> list'],
  ['read <http://notes.md|notes.md>', 'read notes.md'],
  ['fetch <https://example.com/a?b=1&amp;c=2>', 'fetch https://example.com/a?b=1&c=2'],
  ['see <https://example.com|the docs>', 'see the docs (https://example.com)'],
  ['mail <mailto:dana@acme.dev|dana@acme.dev>', 'mail dana@acme.dev'],
  ['in <#C0OPS0001|ops> tell <!subteam^S0SRE0001|@sre> and <!here>', 'in #ops tell @sre and @here'],
  ['<!date^1796047200^{time}|14:00>', '14:00'],
  ['&amp;lt; stays as it was typed', '&lt; stays as it was typed'],
  ['', ''],
])('%j reads %j', (written, read) => {
  expect(readable(written)).toBe(read);
});

test('a mention counts by id, never by a name that somebody typed', () => {
  expect(mentions('<@U0BOT0001> hi', 'U0BOT0001')).toBe(true);
  expect(mentions('hi <@U0BOT0001|countersign>', 'U0BOT0001')).toBe(true);
  expect(mentions('@Countersign hi', 'U0BOT0001')).toBe(false);
  expect(mentions('<@U0BOT00012> hi', 'U0BOT0001')).toBe(false);
});

test.each([
  'ok',
  'OK!',
  'yes',
  ' Approve. ',
  '<@U0BOT0001> approve',
  ':+1:',
  '👍',
  'LGTM',
  '同意',
  '好的。',
  'no',
  'reject',
])('%j reads like a decision [S-92]', text => {
  expect(readsLikeDecision(text)).toBe(true);
});

test.each(['ok but use staging', 'why?', 'approve it after lunch', '', 'yesterday', 'please look at the numbers'])(
  '%j does not read like a decision [S-92]',
  text => {
    expect(readsLikeDecision(text)).toBe(false);
  },
);
