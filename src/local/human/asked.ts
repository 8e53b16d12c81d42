/** Reads what a call of people's side names, and refuses in a sentence what does not exist or may not be. */
import { HttpRefusal } from '../http.ts';
import { isObject, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Channel, Person } from '../world.ts';
import type { Values } from './interactive.ts';

/** The text of this name. Throws a sentence for people where there is none. */
export function requiredText(body: JsonObject, key: string): string {
  const value = textIn(body, key);
  if (value === undefined || value === '') throw new HttpRefusal(400, `“${key}” is missing; it must be a text.`);
  return value;
}

/** The text of this name, if there is one. Throws a sentence for people where it is no text. */
export function optionalText(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new HttpRefusal(400, `“${key}” must be a text.`);
  return value;
}

/** The person who acts. */
export function personIn(workspace: Workspace, body: JsonObject): Person {
  const person = workspace.directory.person(requiredText(body, 'user'));
  if (!person || person.isBot) throw new HttpRefusal(404, 'There is no such person here.');
  return person;
}

/** A channel of which the person is a member. */
export function channelFor(workspace: Workspace, body: JsonObject, person: Person): Channel {
  const channel = workspace.directory.channel(requiredText(body, 'channel'));
  if (!channel) throw new HttpRefusal(404, 'There is no such channel here.');
  if (!channel.members.includes(person.id)) throw new HttpRefusal(403, `${person.realName} is not in this channel.`);
  return channel;
}

/** What was typed into a form: `{block_id: {action_id: string}}`. */
export function valuesIn(body: JsonObject): Values {
  const given = body['values'] ?? {};
  if (!isObject(given)) throw new HttpRefusal(400, '“values” must be an object of blocks.');
  return Object.fromEntries(Object.entries(given).map(([blockId, fields]) => [blockId, fieldsOf(fields)]));
}

function fieldsOf(fields: unknown): Record<string, string> {
  if (!isObject(fields)) throw new HttpRefusal(400, '“values” must hold an object for each block.');
  return Object.fromEntries(
    Object.entries(fields).map(([actionId, value]) => {
      if (typeof value !== 'string')
        throw new HttpRefusal(400, '“values” must hold texts; several options as a JSON list in a text.');
      return [actionId, value];
    }),
  );
}
