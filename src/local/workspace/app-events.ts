/** What the app hears: builds the bodies of Slack's Events API from what happened in the workspace. Pure. */
import type { JsonObject } from '../json.ts';
import { APP, TEAM } from '../world.ts';
import type { Channel } from '../world.ts';
import type { StoredMessage } from './messages.ts';

/** The field that Slack checks against nothing any more, and that clients still expect. */
const VERIFICATION = 'embedded';

/** Wraps an event as the Events API delivers it. */
export function eventCallback(event: JsonObject, id: string, nowMs: number): JsonObject {
  return {
    token: VERIFICATION,
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    api_app_id: APP.id,
    event,
    type: 'event_callback',
    event_id: `Ev${id.toUpperCase()}`,
    event_time: Math.floor(nowMs / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: TEAM.id, user_id: APP.userId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${id}`,
  };
}

function channelType(channel: Channel): 'im' | 'group' | 'channel' {
  if (channel.imUser !== undefined) return 'im';
  return channel.isPrivate ? 'group' : 'channel';
}

/** The events that a new message causes: the message itself and, where the app is mentioned, the mention. */
export function eventsOfNewMessage(channel: Channel, { message }: StoredMessage): JsonObject[] {
  const place = { channel: channel.id, event_ts: message.ts };
  const said = { ...message, ...place, channel_type: channelType(channel) };
  const mentions =
    channel.imUser === undefined && message.bot_id === undefined && message.text.includes(`<@${APP.userId}>`);
  return mentions ? [said, { ...message, ...place, type: 'app_mention' }] : [said];
}

/** The event that tells of a changed or deleted message; it is hidden, and no answer to it is expected. */
export function eventOfChange(
  channel: Channel,
  before: StoredMessage,
  after: StoredMessage | undefined,
  ts: string,
): JsonObject {
  const change = after
    ? { subtype: 'message_changed', message: after.message, previous_message: before.message }
    : { subtype: 'message_deleted', deleted_ts: before.message.ts, previous_message: before.message };
  return {
    type: 'message',
    ...change,
    hidden: true,
    channel: channel.id,
    ts,
    event_ts: ts,
    channel_type: channelType(channel),
  };
}
