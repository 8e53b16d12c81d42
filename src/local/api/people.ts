/** `auth.*`, `apps.*`, `users.*`, `usergroups.*`, `bots.*`: who is who. */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { APP, PARTNER_TEAM, TEAM } from '../world.ts';
import type { Group, Person } from '../world.ts';
import type { Call, Method } from './call.ts';
import { page, Refusal } from './call.ts';

export const people: Readonly<Record<string, Method>> = {
  'auth.test': authTest,
  'users.info': usersInfo,
  'users.list': usersList,
  'usergroups.list': usergroupsList,
  'usergroups.users.list': usergroupsUsersList,
  'bots.info': botsInfo,
  'team.info': teamInfo,
};

function authTest(call: Call): JsonObject {
  const team = { team: TEAM.name, team_id: TEAM.id };
  return {
    url: `${call.url}/`,
    ...team,
    user: 'countersign',
    user_id: APP.userId,
    bot_id: APP.botId,
    is_enterprise_install: false,
  };
}

function usersInfo(call: Call): JsonObject {
  const person = call.workspace.directory.person(call.required('user'));
  if (!person) throw new Refusal('user_not_found');
  return { user: slackUser(person) };
}

function usersList(call: Call): JsonObject {
  const { items, next } = page(
    call.workspace.directory.people(),
    call.text('cursor'),
    call.number('limit', limits.page.most),
  );
  return { members: items.map(slackUser), response_metadata: { next_cursor: next } };
}

function usergroupsList(call: Call): JsonObject {
  const groups = call.workspace.directory.groups();
  return { usergroups: groups.map(group => slackGroup(group, call.flag('include_users'))) };
}

function usergroupsUsersList(call: Call): JsonObject {
  const group = call.workspace.directory.group(call.required('usergroup'));
  if (!group) throw new Refusal('no_such_subteam');
  const isHere = (id: string): boolean => call.workspace.directory.person(id)?.deleted === false;
  return { users: call.flag('include_disabled') ? group.users : group.users.filter(isHere) };
}

function botsInfo(call: Call): JsonObject {
  if ((call.text('bot') ?? APP.botId) !== APP.botId) throw new Refusal('bot_not_found');
  return { bot: { id: APP.botId, deleted: false, name: APP.name, app_id: APP.id, user_id: APP.userId } };
}

function teamInfo(call: Call): JsonObject {
  const team = [TEAM, PARTNER_TEAM].find(one => one.id === (call.text('team') ?? TEAM.id));
  if (!team) throw new Refusal('team_not_found');
  return { team: { id: team.id, name: team.name, domain: team.domain } };
}

/** A person as `users.info` returns them. */
export function slackUser(person: Person): JsonObject {
  const profile = {
    real_name: person.realName,
    display_name: person.realName,
    title: person.title,
    team: person.teamId,
  };
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: person.deleted,
    real_name: person.realName,
    tz: person.tz,
    tz_offset: 3_600,
    profile: person.isBot ? { ...profile, bot_id: APP.botId, api_app_id: APP.id } : profile,
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.isRestricted,
    is_ultra_restricted: person.isUltraRestricted,
    is_bot: person.isBot,
    is_app_user: false,
    is_stranger: person.isStranger ? true : undefined,
    is_email_confirmed: person.isBot ? undefined : true,
    updated: 0,
  };
}

function slackGroup(group: Group, withUsers: boolean): JsonObject {
  return {
    id: group.id,
    team_id: TEAM.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    handle: group.handle,
    description: '',
    is_external: false,
    date_delete: 0,
    user_count: group.users.length,
    users: withUsers ? group.users : undefined,
  };
}
