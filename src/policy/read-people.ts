/** Owns the sections `people` and `roles`: who is meant by a name, and the word for them on cards. */
import type { Scope } from '../thread/events.ts';
import type { Roles } from './normal-form.ts';
import { PERSON, ROLES } from './schema.ts';
import type { Entry, Read, Source } from './source.ts';

export type People = ReadonlyMap<string, Scope>;

/** Words that mean something else where a name of people can stand. */
const RESERVED = ['nobody', 'everyone'];

/** A scope's word on cards: up to three letters in capitals (SRE), else capitalised (Leads). */
const labelOf = (name: string): string =>
  name.length <= 3 ? name.toUpperCase() : name.charAt(0).toUpperCase() + name.slice(1);

/** Reads `people`; a person with a mistake stays known by name, so that one mistake is not told twice. */
export function readPeople(source: Source, entry: Entry | undefined): People {
  const people = new Map<string, Scope>();
  if (!entry) {
    source.problem(0, 'people is missing: it says who may decide');
    return people;
  }
  for (const person of source.entries(entry.node, 'people', entry.at)) {
    const where = `people.${person.key}`;
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(person.key))
      source.problem(person.at, `${where}: a name has only letters, digits, _ and - (at most 40)`);
    if (RESERVED.includes(person.key)) source.problem(person.at, `${where}: this word has a meaning of its own`);
    const entries = source.entries(person.node, where, person.at);
    const read = source.section(entries, where, PERSON);
    if (entries.length > 0 && !entries.some(({ key }) => key === 'users' || key === 'group'))
      source.problem(person.at, `${where} needs users or group`);
    people.set(person.key, {
      name: person.key,
      label: read.label?.value ?? labelOf(person.key),
      users: [...new Set(read.users?.value ?? [])],
      groups: read.group ? [read.group.value] : [],
    });
  }
  return people;
}

/** Reads `roles`. */
export function readRoles(source: Source, entry: Entry | undefined, people: People): Roles {
  if (!entry) return { admins: [], auditors: [], freeze: 'everyone' };
  const read = source.section(source.entries(entry.node, 'roles', entry.at), 'roles', ROLES);
  const scopes = (role: 'admins' | 'auditors'): Scope[] => scopesNamed(source, read[role], `roles: ${role}`, people);
  const freeze = read.freeze;
  return {
    admins: scopes('admins'),
    auditors: scopes('auditors'),
    freeze:
      freeze === undefined || freeze.value === 'everyone'
        ? 'everyone'
        : scopesNamed(source, { ...freeze, value: freeze.value }, 'roles: freeze', people),
  };
}

/** The scopes of a list of names; a problem for each name that `people` does not have. */
export function scopesNamed(
  source: Source,
  names: Read<readonly string[]> | undefined,
  where: string,
  people: People,
): Scope[] {
  return (names?.value ?? []).flatMap(name => {
    const scope = people.get(name);
    if (!scope && names)
      source.problem(names.at, `${where} names "${name}"; people has ${[...people.keys()].join(', ')}`);
    return scope ?? [];
  });
}
