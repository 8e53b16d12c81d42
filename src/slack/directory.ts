/**
 * Owns the `Directory` port: who somebody is in Slack now, and which scopes they are in.
 *
 * 1. What could not be learnt is a value and never allows. 2. A person who acts is looked up at that moment; the members of
 * groups may be up to 60 s old, and an event about them makes them fresh. 3. Only flags that Slack gives count; names are for
 * display.
 */
import { z } from 'zod';
import type { ActorEvidence, Standing } from '../thread/evidence.ts';
import type { Scope } from '../thread/events.ts';
import type { TeamId, UserId } from '../thread/ids.ts';
import type { Clock, Directory } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';

const flag = z.optional(z.nullable(z.boolean()));
const text = z.optional(z.nullable(z.string()));
const userSchema = z.looseObject({
  id: z.string(),
  team_id: text,
  name: text,
  real_name: text,
  deleted: flag,
  is_bot: flag,
  is_app_user: flag,
  is_workflow_bot: flag,
  is_connector_bot: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  is_stranger: flag,
  is_invited_user: flag,
  is_email_confirmed: flag,
  profile: z.optional(z.looseObject({ display_name: text, real_name: text })),
});
type SlackUser = z.infer<typeof userSchema>;
const userAnswer = z.looseObject({ user: userSchema });
const membersAnswer = z.looseObject({ users: z.array(z.string()) });

const FRESH_MS = 60_000;
/** Look-ups at the same time when the people of a scope are counted. */
const AT_ONCE = 8;

/** The members of a group; undefined when Slack did not tell. `atMs` is when it was asked, on the wall clock. */
interface Members {
  readonly atMs: number;
  readonly users: ReadonlySet<string> | undefined;
}

interface Person {
  readonly standing: Standing;
  readonly name: string;
  readonly team: TeamId;
}

export interface DirectoryOptions {
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly team: TeamId;
  readonly admins: readonly Scope[];
}

/** What Slack's flags make of a person; only an active human member of this team is a member. */
export function standingOf(user: SlackUser, team: TeamId): Standing {
  if (user.deleted) return 'deactivated';
  const isBot = user.is_bot || user.is_app_user || user.is_workflow_bot || user.is_connector_bot;
  if (isBot || user.id === 'USLACKBOT') return 'bot';
  if (user.is_stranger || (user.team_id ?? team) !== team) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  // Who has not accepted an invitation or confirmed an address is no full member yet.
  return user.is_invited_user || user.is_email_confirmed === false ? 'guest' : 'member';
}

const nameOf = (user: SlackUser): string =>
  (user.profile?.real_name || user.real_name || user.profile?.display_name || user.name || '').toWellFormed();

export class SlackDirectory implements Directory {
  readonly #options: DirectoryOptions;
  readonly #people = new Map<string, { readonly atMs: number; readonly person: Promise<Person | undefined> }>();
  readonly #groups = new Map<string, { readonly atMs: number; readonly members: Promise<Members> }>();

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  async actor(user: UserId, scopes: readonly Scope[]): Promise<ActorEvidence> {
    const { clock, team, admins } = this.#options;
    const nowMs = clock.nowMs();
    const [person, inside, asAdmin] = await Promise.all([
      this.#look(user),
      Promise.all(scopes.map(async scope => ({ scope, ...(await this.#isIn(user, scope)) }))),
      Promise.all(admins.map(scope => this.#isIn(user, scope))),
    ]);
    const admin = asAdmin.map(({ is }) => is);
    return {
      user,
      team: person?.team ?? team,
      name: person?.name ?? '',
      standing: person?.standing ?? 'unknown',
      scopes: inside.filter(({ is }) => is === true).map(({ scope }) => scope.name),
      unknownScopes: inside.filter(({ is }) => is === 'unknown').map(({ scope }) => scope.name),
      admin: admin.includes(true) ? true : admin.includes('unknown') ? 'unknown' : false,
      // The oldest look-up that the answer rests on.
      lookedUpAtMs: Math.min(nowMs, ...inside.map(({ atMs }) => atMs ?? nowMs)),
    };
  }

  async deciders(scopes: readonly Scope[]): Promise<readonly UserId[] | undefined> {
    const users = new Set<string>(scopes.flatMap(scope => scope.users));
    const groups = await Promise.all(scopes.flatMap(scope => scope.groups).map(group => this.#members(group)));
    for (const members of groups) {
      if (!members.users) return undefined;
      for (const user of members.users) users.add(user);
    }
    const deciders: UserId[] = [];
    const waiting = [...users].sort();
    while (waiting.length > 0) {
      const next = waiting.splice(0, AT_ONCE);
      const people = await Promise.all(next.map(user => this.#person(user)));
      if (people.includes(undefined)) return undefined;
      for (const [index, user] of next.entries())
        if (people[index]?.standing === 'member') deciders.push(user as UserId);
    }
    return deciders;
  }

  /** A person's name for display, at most a minute old; empty when Slack does not tell. */
  async name(user: UserId): Promise<string> {
    return (await this.#person(user))?.name ?? '';
  }

  /** Something changed about a person or a group: the next look-ups are fresh. */
  forget(what: { readonly user?: string; readonly group?: string }): void {
    if (what.user !== undefined) this.#people.delete(what.user);
    if (what.group !== undefined) this.#groups.delete(what.group);
  }

  /** Whether somebody is in a scope, and how old the list of members is that says so. */
  async #isIn(user: UserId, scope: Scope): Promise<{ readonly is: boolean | 'unknown'; readonly atMs?: number }> {
    if (scope.users.includes(user)) return { is: true };
    const groups = await Promise.all(scope.groups.map(group => this.#members(group)));
    const found = groups.find(members => members.users?.has(user));
    if (found) return { is: true, atMs: found.atMs };
    return { is: groups.some(members => members.users === undefined) ? 'unknown' : false };
  }

  /** A fresh look-up; what it finds serves the cache. */
  #look(user: string): Promise<Person | undefined> {
    const person = this.#ask(user);
    this.#keep(this.#people, user, { atMs: this.#options.clock.monotonicMs(), person }, person);
    return person;
  }

  #person(user: string): Promise<Person | undefined> {
    const known = this.#people.get(user);
    return known && this.#isFresh(known.atMs) ? known.person : this.#look(user);
  }

  async #ask(user: string): Promise<Person | undefined> {
    const { api, team } = this.#options;
    const answer = await api('users.info', { user });
    if (answer.is === 'refused' && answer.code === 'user_not_visible')
      return { standing: 'external', name: '', team: '' as TeamId };
    const read = answer.is === 'ok' ? userAnswer.safeParse(answer.data).data?.user : undefined;
    if (read?.id !== user) return undefined;
    return { standing: standingOf(read, team), name: nameOf(read), team: (read.team_id ?? team) as TeamId };
  }

  #members(group: string): Promise<Members> {
    const known = this.#groups.get(group);
    if (known && this.#isFresh(known.atMs)) return known.members;
    const members = this.#askMembers(group);
    const result = members.then(({ users }) => users);
    this.#keep(this.#groups, group, { atMs: this.#options.clock.monotonicMs(), members }, result);
    return members;
  }

  async #askMembers(group: string): Promise<Members> {
    const { api, clock } = this.#options;
    const atMs = clock.nowMs();
    const answer = await api('usergroups.users.list', { usergroup: group, include_disabled: false });
    const read = answer.is === 'ok' ? membersAnswer.safeParse(answer.data).data : undefined;
    return { atMs, users: read && new Set(read.users) };
  }

  /** Keeps a look-up while it runs and for 60 s; a failed one is asked again by the next who needs it. */
  #keep<T extends { readonly atMs: number }>(
    cache: Map<string, T>,
    name: string,
    entry: T,
    result: Promise<unknown>,
  ): void {
    cache.delete(name);
    cache.set(name, entry);
    const [oldest] = cache.keys();
    if (cache.size > KEPT && oldest !== undefined) cache.delete(oldest);
    result.then(
      found => {
        if (found === undefined && cache.get(name) === entry) cache.delete(name);
      },
      () => {},
    );
  }

  #isFresh(atMs: number): boolean {
    return this.#options.clock.monotonicMs() - atMs < FRESH_MS;
  }
}

const KEPT = 5_000;
