/** Owns what people and channels are called, and what may be said of a person beside their title. */
import type { Channel, Person, Workspace } from './wire.ts';

/** What else is known of a person, beside the title: guest, other company, deactivated, and user groups. */
export function personFlags(person: Person, workspace: Workspace): string[] {
  const flags: string[] = [];
  if (person.deleted) flags.push('Deactivated');
  if (person.is_restricted || person.is_ultra_restricted) flags.push('Guest');
  if (person.is_stranger || person.team_id !== workspace.team.id) flags.push('Other company');
  return flags;
}

/** The handles of the groups that a person is in. */
export function groupHandles(person: Person, workspace: Workspace): string[] {
  return workspace.groups.filter(group => group.users.includes(person.id)).map(group => `@${group.handle}`);
}

/** A person's or the app's name for a message's author. */
export function authorName(workspace: Workspace, user: string | undefined): string {
  if (user === undefined || user === workspace.app.user_id) return workspace.app.name;
  if (user === 'USLACKBOT') return 'Slackbot';
  return workspace.users.find(person => person.id === user)?.real_name ?? user;
}

/** What a person calls a channel: `#ops`, or the other one's name in a direct message. */
export function channelTitle(workspace: Workspace, channel: Channel, me: string): string {
  if (!channel.is_im) return `#${channel.name}`;
  const other = channel.members.find(member => member !== me) ?? workspace.app.user_id;
  return workspace.users.find(user => user.id === other)?.real_name ?? workspace.app.name;
}
