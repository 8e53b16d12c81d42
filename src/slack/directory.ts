/**
 * Owns the `Directory` port: who somebody is in Slack now, and which scopes they are in.
 *
 * 1. What could not be learnt is a value and never allows. 2. A person who acts is looked up at that moment; the members of
 * groups may be up to 60 s old, and the evidence says how old. 3. Only flags that Slack gives count; names are for display.
 */
import type { ActorEvidence, Standing } from '../thread/evidence.ts';
import type { Scope } from '../thread/events.ts';
import type { TeamId, UserId } from '../thread/ids.ts';
import type { Clock, Directory, PeopleChange } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';
import { LookUps } from './look-ups.ts';

export interface DirectoryOptions {
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly team: TeamId;
  readonly admins: readonly Scope[];
}

export class SlackDirectory implements Directory {
  readonly #options: DirectoryOptions;
  readonly #lookUps: LookUps;
  readonly #listeners: ((change: PeopleChange) => void)[] = [];

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#lookUps = new LookUps(options.api, options.clock, options.team);
  }

  async actor(user: UserId, scopes: readonly Scope[]): Promise<ActorEvidence> {
    const { clock, team, admins } = this.#options;
    const nowMs = clock.nowMs();
    const [person, inside, asAdmin] = await Promise.all([
      this.#lookUps.now(user),
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
    const groups = await Promise.all(scopes.flatMap(scope => scope.groups).map(group => this.#lookUps.members(group)));
    for (const members of groups) {
      if (!members.users) return undefined;
      for (const user of members.users) users.add(user);
    }
    const sorted = [...users].sort();
    const people = await this.#lookUps.all(sorted);
    if (people.includes(undefined)) return undefined;
    return sorted.filter((_, index) => people[index]?.standing === 'member') as UserId[];
  }

  /** A person's name for display, at most a minute old; empty when Slack does not tell. */
  async name(user: UserId): Promise<string> {
    return (await this.#lookUps.lately(user))?.name ?? '';
  }

  /** What Slack says somebody is, at most a minute old. */
  async standing(user: UserId): Promise<Standing> {
    return (await this.#lookUps.lately(user))?.standing ?? 'unknown';
  }

  listen(listener: (change: PeopleChange) => void): void {
    this.#listeners.push(listener);
  }

  /** The members of a group changed: the next look-ups are fresh. */
  groupChanged(group: string): void {
    this.#lookUps.forget({ group });
    this.#tell({ group });
  }

  /** Somebody is told of, as Slack describes them now: most of what changes about people changes nothing of what they may do. */
  async userChanged(told: unknown): Promise<void> {
    const change = await this.#lookUps.changed(told);
    if (change !== null && change.was !== change.is) this.#tell({ user: change.user as UserId });
  }

  #tell(change: PeopleChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Whether somebody is in a scope, and how old the list of members is that says so. */
  async #isIn(user: UserId, scope: Scope): Promise<{ readonly is: boolean | 'unknown'; readonly atMs?: number }> {
    if (scope.users.includes(user)) return { is: true };
    const groups = await Promise.all(scope.groups.map(group => this.#lookUps.members(group)));
    const found = groups.find(members => members.users?.has(user));
    if (found) return { is: true, atMs: found.atMs };
    return { is: groups.some(members => members.users === undefined) ? 'unknown' : false };
  }
}
