/**
 * Changing the cast while it plays: deactivating somebody, filling a user group, letting somebody (or the app) into a
 * channel or out of it. For trying out what happens then; in Slack an administrator does this elsewhere.
 */
import { HttpRefusal } from '../http.ts';
import { isList } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Person } from '../world.ts';
import type { Scene } from './act.ts';
import { requiredText } from './asked.ts';

const FLAGS: Readonly<Record<string, 'deleted' | 'isRestricted' | 'isUltraRestricted' | 'isStranger'>> = {
  deleted: 'deleted',
  is_restricted: 'isRestricted',
  is_ultra_restricted: 'isUltraRestricted',
  is_stranger: 'isStranger',
};

/** `POST /human/person {user, deleted?, is_restricted?, is_ultra_restricted?, is_stranger?}`. */
export function arrangePerson({ workspace }: Scene, body: JsonObject): JsonObject {
  const user = requiredText(body, 'user');
  if (!workspace.directory.person(user)) throw new HttpRefusal(404, 'There is no such person here.');
  const change: { -readonly [key in keyof Person]?: Person[key] } = {};
  for (const [key, flag] of Object.entries(FLAGS)) {
    const value = body[key];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') throw new HttpRefusal(400, `“${key}” must be true or false.`);
    change[flag] = value;
  }
  workspace.changePerson(user, change);
  return { ok: true };
}

/** `POST /human/group {group, users}`. */
export function arrangeGroup({ workspace }: Scene, body: JsonObject): JsonObject {
  const group = requiredText(body, 'group');
  const users = body['users'];
  if (!workspace.directory.group(group)) throw new HttpRefusal(404, 'There is no such user group here.');
  if (!isList(users)) throw new HttpRefusal(400, '“users” must be a list of people’s ids.');
  const ids = users.filter(id => typeof id === 'string' && workspace.directory.person(id) !== undefined);
  if (ids.length < users.length) throw new HttpRefusal(404, 'One of them is not a person here.');
  workspace.changeGroup(group, ids.map(String));
  return { ok: true };
}

/** `POST /human/member {channel, user, member}`: `user` may be the app's own. */
export function arrangeMember({ workspace }: Scene, body: JsonObject): JsonObject {
  const channel = requiredText(body, 'channel');
  const user = requiredText(body, 'user');
  const { member } = body;
  if (!workspace.directory.channel(channel)) throw new HttpRefusal(404, 'There is no such channel here.');
  if (!workspace.directory.person(user)) throw new HttpRefusal(404, 'There is no such person here.');
  if (typeof member !== 'boolean') throw new HttpRefusal(400, '“member” must be true or false.');
  workspace.changeMembership(channel, user, member);
  return { ok: true };
}
