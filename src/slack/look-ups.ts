/**
 * Owns the look-ups of people and groups, and how long an answer serves.
 *
 * 1. A failed look-up is undefined, and is asked again by the next who needs it. 2. What is kept is at most 60 s old; an
 * event about somebody makes the next look-up a fresh one.
 */
import { z } from 'zod';
import type { Standing } from '../thread/evidence.ts';
import type { TeamId } from '../thread/ids.ts';
import type { Clock } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';
import { keepLatest } from './latest.ts';

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
const withId = z.looseObject({ id: z.string() });
const userAnswer = z.looseObject({ user: userSchema });
const membersAnswer = z.looseObject({ users: z.array(z.string()) });
const listAnswer = z.looseObject({
  members: z.array(z.unknown()),
  response_metadata: z.optional(z.looseObject({ next_cursor: z.optional(z.string()) })),
});

export interface Person {
  readonly standing: Standing;
  readonly name: string;
  readonly team: TeamId;
}

/** The members of a group; undefined when Slack did not tell. `atMs` is when it was asked, on the wall clock. */
export interface Members {
  readonly atMs: number;
  readonly users: ReadonlySet<string> | undefined;
}

/** What Slack's flags make of a person; only an active human member of this team is a member. */
function standingOf(user: SlackUser, team: TeamId): Standing {
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

const FRESH_MS = 60_000;
/** People asked for one by one at the same time. */
const AT_ONCE = 8;
/** More than these are read as pages of everybody, which Slack's rates allow more of. */
const ONE_BY_ONE = 30;
const PAGE_SIZE = 500;
const PAGES = 40;
const KEPT = 20_000;

interface Kept<T> {
  readonly atMs: number;
  readonly result: Promise<T>;
}

export class LookUps {
  readonly #api: SlackApi;
  readonly #clock: Clock;
  readonly #team: TeamId;
  readonly #people = new Map<string, Kept<Person | undefined>>();
  /** What people were when an event told of them last. */
  readonly #told = new Map<string, Standing>();
  readonly #groups = new Map<string, Kept<Members>>();

  constructor(api: SlackApi, clock: Clock, team: TeamId) {
    this.#api = api;
    this.#clock = clock;
    this.#team = team;
  }

  /** A person as they are now. */
  now(user: string): Promise<Person | undefined> {
    const result = this.#ask(user);
    this.#keep(this.#people, user, result, person => person !== undefined);
    return result;
  }

  /** A person as they were within the last minute. */
  lately(user: string): Promise<Person | undefined> {
    return this.#known(this.#people, user) ?? this.now(user);
  }

  /** Many people, in the order asked for. */
  async all(users: readonly string[]): Promise<(Person | undefined)[]> {
    const unknown = users.filter(user => this.#known(this.#people, user) === undefined);
    if (unknown.length > ONE_BY_ONE) await this.#readEverybody();
    const people: (Person | undefined)[] = [];
    for (let from = 0; from < users.length; from += AT_ONCE)
      people.push(...(await Promise.all(users.slice(from, from + AT_ONCE).map(user => this.lately(user)))));
    return people;
  }

  /** The members of a group within the last minute. */
  members(group: string): Promise<Members> {
    const known = this.#known(this.#groups, group);
    if (known) return known;
    const result = this.#askMembers(group);
    this.#keep(this.#groups, group, result, members => members.users !== undefined);
    return result;
  }

  /** The next look-up of this group is a fresh one. */
  forget({ group }: { readonly group: string }): void {
    this.#groups.delete(group);
  }

  /**
   * Takes note of a person as an event describes them: the next look-up is a fresh one. What they were when they were told
   * of or looked up last, whenever that was, and are now; whoever never was counts as having been a member. Null for what is no
   * person.
   */
  async changed(of: unknown): Promise<{ user: string; was: Standing; is: Standing } | null> {
    const id = withId.safeParse(of).data?.id;
    if (id === undefined) return null;
    const before = this.#people.get(id)?.result;
    this.#people.delete(id);
    const user = userSchema.safeParse(of).data;
    const told = this.#told.get(id);
    const is = user ? this.#personOf(user).standing : 'unknown';
    keepLatest(this.#told, id, is, KEPT);
    const was = told ?? (await before?.catch(() => undefined))?.standing ?? 'member';
    return { user: id, was, is };
  }

  async #ask(user: string): Promise<Person | undefined> {
    const answer = await this.#api('users.info', { user });
    if (answer.is === 'refused' && answer.code === 'user_not_visible')
      return { standing: 'external', name: '', team: '' as TeamId };
    const read = answer.is === 'ok' ? userAnswer.safeParse(answer.data).data?.user : undefined;
    return read?.id === user ? this.#personOf(read) : undefined;
  }

  #personOf(user: SlackUser): Person {
    return {
      standing: standingOf(user, this.#team),
      name: nameOf(user),
      team: (user.team_id ?? this.#team) as TeamId,
    };
  }

  /** Fills the cache with pages of everybody; whoever is missing afterwards is asked for alone. */
  async #readEverybody(): Promise<void> {
    let cursor = '';
    for (let page = 0; page < PAGES; page += 1) {
      const answer = await this.#api('users.list', { limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) });
      const read = answer.is === 'ok' ? listAnswer.safeParse(answer.data).data : undefined;
      if (!read) return;
      for (const member of read.members) {
        const user = userSchema.safeParse(member).data;
        if (user) this.#keep(this.#people, user.id, Promise.resolve(this.#personOf(user)), () => true);
      }
      cursor = read.response_metadata?.next_cursor ?? '';
      if (cursor === '') return;
    }
  }

  async #askMembers(group: string): Promise<Members> {
    const atMs = this.#clock.nowMs();
    const answer = await this.#api('usergroups.users.list', { usergroup: group, include_disabled: false });
    const read = answer.is === 'ok' ? membersAnswer.safeParse(answer.data).data : undefined;
    return { atMs, users: read && new Set(read.users) };
  }

  #known<T>(cache: ReadonlyMap<string, Kept<T>>, name: string): Promise<T> | undefined {
    const known = cache.get(name);
    return known && this.#clock.monotonicMs() - known.atMs < FRESH_MS ? known.result : undefined;
  }

  #keep<T>(cache: Map<string, Kept<T>>, name: string, result: Promise<T>, isGood: (found: T) => boolean): void {
    const entry = { atMs: this.#clock.monotonicMs(), result };
    const drop = (): void => {
      if (cache.get(name) === entry) cache.delete(name);
    };
    keepLatest(cache, name, entry, KEPT);
    result.then(found => {
      if (!isGood(found)) drop();
    }, drop);
  }
}
