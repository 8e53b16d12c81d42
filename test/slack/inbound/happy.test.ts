import { expect, test } from 'vitest';
import { open } from './stage.ts';
import { encodeButton, type ApprovalId, type ChannelId, type MessageTs } from '../../../src/thread/ids.ts';

const APPROVAL = 'ABCDEFGHIJKLMNOPQRSTUVWX23' as ApprovalId;
const value = encodeButton({
  channel: 'C0OPS0001' as ChannelId,
  ts: '1.000001' as MessageTs,
  approval: APPROVAL,
  round: 2,
});
const button = (action: string, text = action) => ({
  type: 'actions',
  elements: [{ type: 'button', action_id: action, value, text: { type: 'plain_text', text } }],
});

test('a mention reaches the inbox with its thread, its author and readable text', async () => {
  const { say, inbox } = await open();
  const ts = await say('U0DANA001', 'C0GENERAL', '@Countersign run echo "a & b" <now>');
  await inbox.until(() => inbox.received.length > 0);
  expect(inbox.received).toMatchObject([
    {
      thread: { team: 'T0ACME001', channel: 'C0GENERAL', ts },
      message: {
        author: 'U0DANA001',
        name: 'Dana Ito',
        text: '<@U0BOT0001> run echo "a & b" <now>',
        mention: true,
        direct: false,
      },
    },
  ]);
});

test('a click on Approve reaches the inbox with its round, its card and a key of its own', async () => {
  const { post, click, inbox } = await open();
  const ts = await post('C0APPROV1', [button('approve')], { key: 'card/x/1', environment: 'local', thread: 't' });
  await click('U0MIA0001', 'C0APPROV1', ts, 'approve');
  await inbox.until(() => inbox.acts.length > 0);
  const [method, act, decision] = inbox.acts[0] ?? [];
  expect(method).toBe('decide');
  expect(act).toMatchObject({
    thread: { team: 'T0ACME001', channel: 'C0OPS0001', ts: '1.000001' },
    actor: { user: 'U0MIA0001', team: 'T0ACME001' },
    place: { channel: 'C0APPROV1', ts },
  });
  expect(act?.key).toMatch(new RegExp(`^${APPROVAL}\\.2\\.U0MIA0001\\.\\d+\\.\\d+$`));
  expect(decision).toEqual({
    approval: APPROVAL,
    round: 2,
    verdict: 'approve',
    reason: null,
    then: null,
    origin: 'click',
  });
});
