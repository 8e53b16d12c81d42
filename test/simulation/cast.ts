/** Owns the people of a simulated world, and what is true about them at each time. */
import type { Scope } from '../../src/thread/events.ts';
import type { ActorEvidence, Standing } from '../../src/thread/evidence.ts';
import type { TeamId, UserId } from '../../src/thread/ids.ts';

export const TEAM = 'T0ACME001' as TeamId;
export const PARTNER = 'T0PARTNER' as TeamId;

export const DANA = 'U0DANA001' as UserId;
export const MIA = 'U0MIA0001' as UserId;
export const LEO = 'U0LEO0001' as UserId;
export const ANA = 'U0ANA0001' as UserId;
export const OTTO = 'U0OTTO001' as UserId;
export const GUS = 'U0GUS0001' as UserId;
const PETRA = 'U0PETRA01' as UserId;
const DEE = 'U0DEE0001' as UserId;

/** Everybody who looks at Slack now and then; some more often than others. */
export const VISITORS = [DANA, DANA, MIA, MIA, MIA, MIA, LEO, LEO, LEO, ANA, ANA, OTTO, GUS, PETRA, DEE] as const;

export const SRE: Scope = { name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] };
export const LEADS: Scope = { name: 'leads', label: 'Leads', users: [], groups: ['S0LEADS01'] };

interface Truth {
  readonly sinceMs: number;
  readonly standing: Standing;
  readonly groups: readonly string[];
}

/** Who is who, and when that changed. */
export class Cast {
  readonly #history = new Map<UserId, Truth[]>();

  constructor() {
    const member = (user: UserId, ...groups: string[]): void => this.#set(user, 'member', groups);
    member(DANA, 'sre');
    member(MIA, 'sre');
    member(LEO, 'sre', 'leads');
    member(ANA, 'leads');
    member(OTTO);
    this.#set(GUS, 'guest', []);
    this.#set(PETRA, 'external', []);
    this.#set(DEE, 'deactivated', ['sre']);
  }

  /** True if the person had rights in one of these scopes at that time, as a member in good standing. */
  couldDecide(user: UserId, scopes: readonly string[], atMs: number): boolean {
    const truth = this.#at(user, atMs);
    return truth.standing === 'member' && truth.groups.some(group => scopes.includes(group));
  }

  /** True if the person had such rights at some time from `fromMs` to `untilMs`. */
  couldDecideBetween(user: UserId, scopes: readonly string[], fromMs: number, untilMs: number): boolean {
    const changes = (this.#history.get(user) ?? []).map(({ sinceMs }) => sinceMs);
    const within = changes.filter(sinceMs => sinceMs > fromMs && sinceMs <= untilMs);
    return [fromMs, ...within].some(atMs => this.couldDecide(user, scopes, atMs));
  }

  isAdmin(user: UserId, atMs: number): boolean {
    return this.couldDecide(user, ['leads'], atMs);
  }

  /** What a look-up says now. */
  evidence(user: UserId, scopes: readonly Scope[], nowMs: number): ActorEvidence {
    const { standing, groups } = this.#at(user, nowMs);
    return {
      user,
      team: standing === 'external' ? PARTNER : TEAM,
      name: user.slice(2, 5),
      standing,
      scopes: scopes.map(scope => scope.name).filter(name => groups.includes(name)),
      unknownScopes: [],
      admin: groups.includes('leads'),
      lookedUpAtMs: nowMs,
    };
  }

  /** Everybody who could decide in these scopes now. */
  deciders(scopes: readonly Scope[], nowMs: number): UserId[] {
    const names = scopes.map(scope => scope.name);
    return [...this.#history.keys()].filter(user => this.couldDecide(user, names, nowMs));
  }

  /** Somebody leaves a group, or comes back. */
  toggleGroup(user: UserId, group: string, nowMs: number): void {
    const { standing, groups } = this.#at(user, nowMs);
    this.#set(user, standing, groups.includes(group) ? groups.filter(g => g !== group) : [...groups, group], nowMs);
  }

  /** Somebody leaves a group for good. */
  leave(user: UserId, group: string, nowMs: number): void {
    if (this.#at(user, nowMs).groups.includes(group)) this.toggleGroup(user, group, nowMs);
  }

  /** An account is closed, or opened again. */
  toggleAccount(user: UserId, nowMs: number): void {
    const { standing, groups } = this.#at(user, nowMs);
    this.#set(user, standing === 'member' ? 'deactivated' : 'member', groups, nowMs);
  }

  /** Everybody has their rights again. */
  restore(nowMs: number): void {
    const first = new Cast();
    for (const user of this.#history.keys()) {
      const { standing, groups } = first.#at(user, 0);
      this.#set(user, standing, groups, nowMs);
    }
  }

  #set(user: UserId, standing: Standing, groups: readonly string[], sinceMs = Number.NEGATIVE_INFINITY): void {
    this.#history.set(user, [...(this.#history.get(user) ?? []), { sinceMs, standing, groups }]);
  }

  #at(user: UserId, atMs: number): Truth {
    const known = this.#history.get(user)?.findLast(truth => truth.sinceMs <= atMs);
    return known ?? { sinceMs: 0, standing: 'unknown', groups: [] };
  }
}
