/** What people see: the workspace, messages, private messages, open forms. Only reads. */
import { slackUser } from '../api/people.ts';
import { HttpRefusal } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { SlackMessage, StoredMessage } from '../workspace/messages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { APP, TEAM } from '../world.ts';
import type { Channel } from '../world.ts';
import { readable } from './payloads.ts';

/** `GET /human/state`. */
export function seeState(workspace: Workspace): JsonObject {
  const { directory, deliveries, feed, installation, statuses } = workspace;
  return {
    team: { id: TEAM.id, name: TEAM.name },
    app: {
      user_id: APP.userId,
      bot_id: APP.botId,
      name: APP.name,
      connected: deliveries.connected,
      home_tab: installation.homeTab,
      commands: installation.commands.map(({ command, description, usageHint }) => ({
        command,
        description,
        usage_hint: usageHint,
      })),
      shortcuts: installation.shortcuts.map(({ name, callbackId, description }) => ({
        name,
        callback_id: callbackId,
        description,
      })),
      prompts: installation.prompts.map(({ title, message }) => ({ title, message })),
    },
    users: directory.people().map(one => ({ ...slackUser(one), title: one.title, is_stranger: one.isStranger })),
    groups: directory.groups().map(({ id, handle, name, users }) => ({ id, handle, name, users })),
    channels: directory.channels().map(channel => seeChannel(workspace, channel)),
    status: statuses.lines().map(line => ({ channel: line.channel, thread_ts: line.threadTs, text: line.text })),
    sessions: statuses
      .sessions()
      .map(one => ({ channel: one.channel, thread_ts: one.threadTs, state: one.state, title: one.title })),
    prompts: statuses
      .prompts()
      .map(one => ({ channel: one.channel, thread_ts: one.threadTs, title: one.title, prompts: one.prompts })),
    cursor: feed.cursor,
  };
}

function seeChannel(workspace: Workspace, channel: Channel): JsonObject {
  const unread: Record<string, number> = {};
  for (const user of channel.members) {
    if (user !== APP.userId)
      unread[user] = workspace.messages.countUnread(channel.id, user, workspace.readMarks.get(user, channel.id));
  }
  const { id, name, isPrivate, members, imUser } = channel;
  const isIm = imUser !== undefined;
  return {
    id,
    name,
    is_im: isIm,
    is_private: isPrivate && !isIm,
    members,
    unread,
    user: imUser,
    last_ts: workspace.messages.lastTs(id),
  };
}

/** `GET /human/messages?channel=&thread_ts=`: a channel's own messages (the newest five hundred) or a thread with its root, oldest first. */
export function seeMessages(workspace: Workspace, query: URLSearchParams): JsonObject {
  const channel = workspace.directory.channel(query.get('channel') ?? '');
  if (!channel) throw new HttpRefusal(404, 'There is no such channel here.');
  const threadTs = query.get('thread_ts') ?? '';
  const stored =
    threadTs === ''
      ? workspace.messages.top(channel.id, {}, limits.page.shown).reverse()
      : workspace.messages.thread(channel.id, threadTs, {}, -1);
  return { messages: stored.map(one => readable(asSeen(workspace, one))) };
}

/** A stream that nobody ended in time no longer grows, and is not shown as if it did. */
function asSeen(workspace: Workspace, stored: StoredMessage): SlackMessage {
  const died =
    stored.stream?.state === 'in_progress' && !workspace.messages.isStreaming(stored, workspace.clock.nowMs());
  return died ? { ...stored.message, streaming_state: 'completed' } : stored.message;
}

/** `GET /human/ephemerals?user=`: the private messages of a person, oldest first, each with its channel. */
export function seeEphemerals(workspace: Workspace, query: URLSearchParams): JsonObject {
  return { messages: workspace.ephemerals.of(personId(workspace, query)).map(message => readable(message)) };
}

/** `GET /human/views?user=`: the person's open forms, the one on top last, and their Home. */
export function seeViews(workspace: Workspace, query: URLSearchParams): JsonObject {
  const user = personId(workspace, query);
  const home = workspace.forms.home(user);
  return {
    views: workspace.forms.stack(user).map(view => readable(view)),
    home: home ? readable(home) : null,
  };
}

function personId(workspace: Workspace, query: URLSearchParams): string {
  const person = workspace.directory.person(query.get('user') ?? '');
  if (!person) throw new HttpRefusal(404, 'There is no such person here.');
  return person.id;
}
