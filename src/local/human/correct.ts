/** Editing and deleting what one wrote oneself. */
import { HttpRefusal } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { typedText } from '../text.ts';
import type { StoredMessage } from '../workspace/messages.ts';
import type { Channel } from '../world.ts';
import { APP } from '../world.ts';
import type { Scene } from './act.ts';
import { channelFor, personIn, requiredText } from './asked.ts';

/** `POST /human/edit {user, channel, ts, text}`: the app hears of it, and of a mention that the new text holds. */
export function edit({ workspace }: Scene, body: JsonObject): JsonObject {
  const { channel, stored } = ownMessage({ workspace, url: '' }, body);
  const { directory, conversation, timestamps } = workspace;
  const names = { people: directory.people(), groups: directory.groups(), channels: directory.channels() };
  const text = typedText(requiredText(body, 'text'), names);
  const edited = { user: stored.message.user, ts: timestamps.next() };
  const message = { ...stored.message, text, edited };
  conversation.change(channel, stored, { ...stored, message });
  if (channel.imUser === undefined && text.includes(`<@${APP.userId}>`)) {
    conversation.tell(channel, { ...message, type: 'app_mention', channel: channel.id, event_ts: edited.ts });
  }
  return { ok: true };
}

/** `POST /human/delete {user, channel, ts}`. */
export function remove(scene: Scene, body: JsonObject): JsonObject {
  const { channel, stored } = ownMessage(scene, body);
  scene.workspace.conversation.remove(channel, stored);
  return { ok: true };
}

function ownMessage({ workspace }: Scene, body: JsonObject): { channel: Channel; stored: StoredMessage } {
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const stored = workspace.messages.get(channel.id, requiredText(body, 'ts'));
  if (!stored) throw new HttpRefusal(404, 'There is no such message here (any more).');
  if (stored.message.user !== person.id) throw new HttpRefusal(403, 'Only its author can change this message.');
  return { channel, stored };
}
