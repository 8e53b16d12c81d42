/** Every event and interaction of the coverage list comes to the app, and nothing comes that is not on it. */
import { expect, test } from 'vitest';
import { EVENT_COVERAGE } from '../../src/local/coverage.ts';
import type { JsonObject } from '../../src/local/json.ts';
import { isObject, textIn } from '../../src/local/json.ts';
import { api, human, openWorkspace, say } from './stage.ts';
import { SocketClient } from './socket-client.ts';

const DANA = 'U0DANA001';
const OPS = 'C0OPS0001';
const plain = (text: string) => ({ type: 'plain_text', text }) as const;

/** The name under which the list has what came. */
function kindOf(envelope: JsonObject): string {
  const payload = isObject(envelope['payload']) ? envelope['payload'] : {};
  const event = isObject(payload['event']) ? payload['event'] : payload;
  return envelope['type'] === 'slash_commands' ? 'slash_commands' : (textIn(event, 'type') ?? '');
}

test('the list of events is what people can cause, no more and no less', async () => {
  const { url } = await openWorkspace();
  const app = await SocketClient.connect(url);
  const kinds = new Set<string>();
  /** Hears what came until something of this kind has come, and acknowledges all of it. */
  const until = async (kind: string): Promise<JsonObject> => {
    for (;;) {
      const envelope = await app.next();
      kinds.add(kindOf(envelope));
      app.acknowledge(envelope);
      if (kindOf(envelope) === kind) return isObject(envelope['payload']) ? envelope['payload'] : {};
    }
  };
  const act = (name: string, body: JsonObject) => human(url, 'POST', name, { user: DANA, ...body });

  const ts = await say(url, DANA, OPS, '@Countersign hello');
  await until('app_mention');
  await act('home', {});
  await until('app_home_opened');
  await act('stop', { channel: OPS, thread_ts: ts });
  await until('agent_session_stopped');
  await act('person', { user: 'U0OTTO001', deleted: true });
  await until('user_change');
  await act('group', { group: 'S0SRE0001', users: [DANA] });
  await until('subteam_members_changed');
  await act('member', { channel: OPS, user: 'U0OTTO001', member: false });
  await until('member_left_channel');
  await act('member', { channel: OPS, user: 'U0OTTO001', member: true });
  await until('member_joined_channel');
  await act('shortcut', { channel: OPS, ts, callback_id: 'show_record' });
  await until('message_action');
  const given = act('command', { channel: OPS, command: '/countersign', text: '' });
  await until('slash_commands');
  await given;

  const elements = [{ type: 'button', action_id: 'go', text: plain('Go') }];
  const card = await api(url, 'chat.postMessage', { channel: OPS, text: 'x', blocks: [{ type: 'actions', elements }] });
  await act('click', { channel: OPS, ts: textIn(card, 'ts'), action_id: 'go' });
  const click = await until('block_actions');
  const view = { type: 'modal', title: plain('Form'), submit: plain('Send'), notify_on_close: true, blocks: [] };
  const opened = await api(url, 'views.open', { trigger_id: click['trigger_id'], view });
  const viewId = isObject(opened['view']) ? textIn(opened['view'], 'id') : undefined;
  const answered = act('submit', { view_id: viewId });
  const envelope = await app.next();
  kinds.add(kindOf(envelope));
  app.acknowledge(envelope, { response_action: 'update', view });
  await answered;
  await act('close', { view_id: viewId });
  await until('view_closed');

  const listed = Object.keys(EVENT_COVERAGE).filter(name => name !== 'response_url');
  expect([...kinds].sort()).toEqual(listed.sort());
});
