/** Link tokens on their way to Slack. */
import { expect, test } from 'vitest';
import { hashOf, Links } from '../../src/slack/links.ts';
import { linkTo, type Content } from '../../src/slack/message.ts';
import { linkToMessage } from '../../src/slack/views/links.ts';
import type { ChannelId, MessageTs } from '../../src/thread/ids.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { APPROVALS, OPS, ROOT } from './stage.ts';

const card = { channel: APPROVALS, ts: '1796047200.000500' as MessageTs };
const where = (key: string) => (key === 'card/x/1' ? card : undefined);
const nowhere = () => undefined;

function town() {
  const slack = new FakeSlack();
  slack.add({ ...card, text: 'card' });
  slack.add({ channel: OPS, ts: ROOT, text: 'root' });
  return { slack, links: new Links(slack.api, 'https://acme.example/') };
}

const content: Content = {
  text: `see <${linkTo('card/x/1')}|card>`,
  blocks: [
    { type: 'section', text: { type: 'mrkdwn', text: `*Waiting* · <${linkTo('card/x/1')}|card>` } },
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_section', elements: [{ type: 'link', url: linkToMessage(OPS, ROOT), text: 'open thread' }] },
      ],
    },
  ],
};

test('tokens become permalinks in mrkdwn, in the push line and in rich text', async () => {
  const { links } = town();
  const resolved = await links.resolve(content, where);
  expect(resolved.text).toBe('see <https://acme.example/archives/C0APPROV1/p1796047200000500|card>');
  expect(JSON.stringify(resolved.blocks)).toContain('"https://acme.example/archives/C0OPS0001/p1796047200000001"');
  expect(JSON.stringify(resolved)).not.toContain('countersign:link');
});

test('a permalink is asked for once', async () => {
  const { links, slack } = town();
  await links.resolve(content, where);
  await links.resolve(content, where);
  expect(slack.called('chat.getPermalink')).toHaveLength(2);
});

test('a link that leads nowhere yet becomes its label, and changes the hash when it does', async () => {
  const { links } = town();
  const resolved = await links.resolve(content, nowhere);
  expect(resolved.text).toBe('see card');
  expect(hashOf(content, nowhere)).not.toBe(hashOf(content, where));
});

test('the address itself is not in the hash, so that a new address edits nothing', () => {
  const moved = () => ({ channel: 'C0OTHER01' as ChannelId, ts: '2.000002' as MessageTs });
  expect(hashOf(content, where)).toBe(hashOf(content, moved));
});

test("a token in somebody's words is text and stays text [S-27]", async () => {
  const { links } = town();
  const words = `<${linkTo('card/x/1')}|Approve>`;
  const quoted: Content = {
    text: 'hello',
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: words } },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: words }] }],
      },
    ],
  };
  expect(await links.resolve(quoted, where)).toEqual(quoted);
  expect(hashOf(quoted, where)).toBe(hashOf(quoted, nowhere));
});

test('where Slack gives no permalink, the address is made from the team', async () => {
  const { links, slack } = town();
  slack.plan('chat.getPermalink', { kind: 'lost' }, 2);
  expect((await links.resolve(content, where)).text).toBe(
    'see <https://acme.example/archives/C0APPROV1/p1796047200000500|card>',
  );
});
