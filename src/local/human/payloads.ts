/** The bodies that Slack sends for what people do: clicks, forms, commands, shortcuts. */
import { isList, isObject } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { unescape } from '../text.ts';
import type { SlackView } from '../workspace/forms.ts';
import { APP, TEAM } from '../world.ts';
import type { Channel, Person } from '../world.ts';

/** The fields of every interaction. The team is the one where the app is installed; the person's own stands beside their name. */
export function interactionFrame(type: string, person: Person): JsonObject {
  return {
    type,
    team: { id: TEAM.id, domain: TEAM.domain },
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: APP.id,
    token: 'embedded',
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** The channel of an interaction; a direct message has no name of its own. */
export function channelOfInteraction(channel: Channel): JsonObject {
  return { id: channel.id, name: channel.imUser === undefined ? channel.name : 'directmessage' };
}

/** A view with what was typed into it. */
export function viewWithState(view: SlackView, state: JsonObject): JsonObject {
  return { ...view, state };
}

/** A slash command as Slack sends it: flat, all text. */
export function commandPayload(
  person: Person,
  channel: Channel,
  command: string,
  text: string,
  tickets: { trigger_id: string; response_url: string },
): JsonObject {
  return {
    token: 'embedded',
    team_id: TEAM.id,
    team_domain: TEAM.domain,
    channel_id: channel.id,
    channel_name: channel.imUser === undefined ? channel.name : 'directmessage',
    user_id: person.id,
    user_name: person.name,
    command,
    text,
    api_app_id: APP.id,
    is_enterprise_install: 'false',
    ...tickets,
  };
}

/** A message or view with its plain texts as they read: Slack stores them escaped, its clients show them unescaped, and so does people's side. */
export function readable(value: JsonObject): JsonObject {
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readableInside(inner)]));
  return value['type'] === 'plain_text' && typeof value['text'] === 'string'
    ? { ...copy, text: unescape(value['text']) }
    : copy;
}

function readableInside(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map(one => readableInside(one) ?? null);
  return isObject(value) ? readable(value) : value;
}
