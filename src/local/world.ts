/**
 * The cast of the embedded workspace: two organisations, nine people who can be played, two user groups, four channels
 * and one direct message with the app for each person. Only data; whoever wants another cast passes another `Seed`.
 */

export const TEAM = { id: 'T0ACME001', name: 'Acme', domain: 'acme' } as const;
export const PARTNER_TEAM = { id: 'T0PARTNER', name: 'Partner', domain: 'partner' } as const;
export const APP = { id: 'A0APP0001', userId: 'U0BOT0001', botId: 'B0BOT0001', name: 'Countersign' } as const;

/** The tokens that the embedded Web API takes; they open nothing but a server on this machine's loopback. */
export const EMBEDDED_BOT_TOKEN = 'xoxb-embedded';
export const EMBEDDED_APP_TOKEN = 'xapp-embedded';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly title: string;
  readonly teamId: string;
  readonly tz: string;
  readonly isBot: boolean;
  readonly deleted: boolean;
  readonly isRestricted: boolean;
  readonly isUltraRestricted: boolean;
  readonly isStranger: boolean;
}

export interface Group {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** Ids of people and of the app's own user. */
  readonly members: readonly string[];
  /** Set for a direct message: the person on the other side. */
  readonly imUser?: string;
  readonly isArchived?: boolean;
  readonly isExtShared?: boolean;
}

export interface Seed {
  readonly people: readonly Person[];
  readonly groups: readonly Group[];
  readonly channels: readonly Channel[];
}

function person(id: string, realName: string, title: string, flags: Partial<Person> = {}): Person {
  const name = (realName.split(' ')[0] ?? realName).toLowerCase();
  const ordinary = { isBot: false, deleted: false, isRestricted: false, isUltraRestricted: false, isStranger: false };
  return { id, name, realName, title, teamId: TEAM.id, tz: 'Europe/Berlin', ...ordinary, ...flags };
}

const people: readonly Person[] = [
  person('U0DANA001', 'Dana Ito', 'Requester'),
  person('U0MIA0001', 'Mia Chen', 'Approver'),
  person('U0LEO0001', 'Leo Park', 'Approver'),
  person('U0ANA0001', 'Ana Ruiz', 'Admin'),
  person('U0NOOR001', 'Noor Aziz', 'Expert'),
  person('U0OTTO001', 'Otto Berg', 'Outsider'),
  person('U0GUS0001', 'Gus Hale', 'Guest', { isRestricted: true }),
  person('U0PETRA01', 'Petra Wolf', 'Other company', { isStranger: true, teamId: PARTNER_TEAM.id }),
  person('U0DEE0001', 'Dee Moss', 'Deactivated', { deleted: true }),
];

const everyone = [...people.map(one => one.id), APP.userId];

function directMessage(one: Person): Channel {
  return {
    id: `D0${one.name.toUpperCase()}001`,
    name: one.name,
    isPrivate: true,
    imUser: one.id,
    members: [one.id, APP.userId],
  };
}

/** The workspace that `npm start` opens on a machine without Slack. */
export const acme: Seed = {
  people: [...people, person(APP.userId, APP.name, 'App', { isBot: true })],
  groups: [
    { id: 'S0SRE0001', handle: 'sre', name: 'SRE', users: ['U0DANA001', 'U0MIA0001', 'U0LEO0001'] },
    { id: 'S0LEADS01', handle: 'leads', name: 'Leads', users: ['U0LEO0001', 'U0ANA0001'] },
  ],
  channels: [
    { id: 'C0GENERAL', name: 'general', isPrivate: false, members: everyone },
    {
      id: 'C0OPS0001',
      name: 'ops',
      isPrivate: false,
      members: everyone.filter(id => !['U0GUS0001', 'U0PETRA01', 'U0DEE0001'].includes(id)),
    },
    // In Slack only its members would see a private channel; here everybody may look in, so that every refusal can be tried.
    { id: 'C0APPROV1', name: 'approvals', isPrivate: true, members: everyone },
    {
      id: 'C0OPSALRT',
      name: 'ops-alerts',
      isPrivate: true,
      members: ['U0MIA0001', 'U0LEO0001', 'U0ANA0001', APP.userId],
    },
    ...people.map(directMessage),
  ],
};
