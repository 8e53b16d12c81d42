/**
 * Owns the report over a stretch of time: what was asked and what came of it, rule by rule, and what people did. It is counted
 * from the logs alone. Pure.
 *
 * 1. An event counts by the time of its commit, `sinceMs` included, `untilMs` not. 2. A request counts once for each thing that
 * came of it, however often that happened to it.
 */
import type { Commit } from '../thread/commit.ts';
import type { Event, EventOf } from '../thread/events.ts';
import type { ApprovalId, LogKey, UserId } from '../thread/ids.ts';
import type { Named } from '../thread/record.ts';

/** What can come of a request. */
const ENDS = ['approved', 'rejected', 'expired', 'withdrawn', 'not_run', 'in_doubt'] as const;
type End = (typeof ENDS)[number];

export interface RuleCount extends Readonly<Record<End, number>> {
  /** Null: no rule matched, the defaults asked. */
  readonly rule: string | null;
  readonly asked: number;
  /** How long people waited for the first end of a request; null where nothing ended. */
  readonly medianMs: number | null;
  readonly longestMs: number | null;
}

interface Freeze {
  readonly by: Named;
  readonly why: string;
  readonly setAtMs: number;
  readonly clearedAtMs: number | null;
  readonly clearedBy: Named | null;
}

export interface Report {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly rules: readonly RuleCount[];
  /** Acts that were not counted, by code, most first. */
  readonly refused: readonly { readonly code: string; readonly count: number }[];
  readonly grants: { readonly given: number; readonly used: number; readonly revoked: number };
  /** Who decided how often, most first. */
  readonly deciders: readonly { readonly by: Named; readonly approved: number; readonly rejected: number }[];
  /** Freezes that held at some time in it. */
  readonly freezes: readonly Freeze[];
}

interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Counts what stands in these logs (each whole, from its first commit). */
export function reportOf(
  logs: Iterable<{ readonly key: LogKey; readonly commits: readonly Commit[] }>,
  period: Period,
): Report {
  const count = new Count(period);
  for (const { commits } of logs) {
    const calls = new Map<string, ApprovalId>();
    for (const { events, atMs } of commits) for (const event of events) count.see(event, atMs, calls);
    count.endOfLog();
  }
  return count.report();
}

interface Request {
  readonly askedAtMs: number;
  rule: string | null;
  endedAtMs: number | null;
  readonly ends: Set<End>;
}

class Count {
  readonly #period: Period;
  readonly #requests = new Map<ApprovalId, Request>();
  readonly #refused = new Map<string, number>();
  readonly #grants = { given: 0, used: 0, revoked: 0 };
  readonly #deciders = new Map<UserId, { by: Named; approved: number; rejected: number }>();
  readonly #freezes: Freeze[] = [];
  #frozen: Freeze | null = null;

  constructor(period: Period) {
    this.#period = period;
  }

  see(event: Event, atMs: number, calls: Map<string, ApprovalId>): void {
    const inside = this.#isIn(atMs);
    switch (event.type) {
      case 'approval.requested':
        calls.set(event.call, event.approval);
        return this.#asked(event, atMs);
      case 'approval.settled':
        return this.#ended(event.approval, event.how === 'refused' ? 'not_run' : event.how, atMs);
      case 'call.ended': {
        const approval = calls.get(event.call);
        if (event.how === 'in_doubt' && approval !== undefined) this.#ended(approval, 'in_doubt', atMs);
        return;
      }
      case 'decision.recorded':
        return inside ? this.#decided(event) : undefined;
      case 'decision.refused':
        if (inside) this.#refused.set(event.code, (this.#refused.get(event.code) ?? 0) + 1);
        return;
      case 'grant.given':
      case 'grant.used':
      case 'grant.revoked':
        if (inside)
          this.#grants[event.type === 'grant.given' ? 'given' : event.type === 'grant.used' ? 'used' : 'revoked'] += 1;
        return;
      case 'freeze.set':
        this.#frozen ??= {
          by: { id: event.by, name: event.body?.name ?? '' },
          why: event.body?.why ?? '',
          setAtMs: atMs,
          clearedAtMs: null,
          clearedBy: null,
        };
        return;
      case 'freeze.cleared':
        return this.#thawed({ id: event.by, name: event.body?.name ?? '' }, atMs);
      default:
        return;
    }
  }

  /** A freeze that nobody has lifted belongs to the log that ends here. */
  endOfLog(): void {
    if (this.#frozen && this.#frozen.setAtMs < this.#period.untilMs) this.#freezes.push(this.#frozen);
    this.#frozen = null;
  }

  report(): Report {
    const rules = Map.groupBy(this.#requests.values(), request => request.rule);
    return {
      ...this.#period,
      rules: [...rules]
        .map(([rule, requests]) => this.#rule(rule, requests))
        .filter(row => row.asked + ENDS.reduce((sum, end) => sum + row[end], 0) > 0)
        .sort((a, b) => b.asked - a.asked || ((a.rule ?? '') < (b.rule ?? '') ? -1 : 1)),
      refused: [...this.#refused]
        .map(([code, count]) => ({ code, count }))
        .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
      grants: this.#grants,
      deciders: [...this.#deciders.values()].sort(
        (a, b) => b.approved + b.rejected - a.approved - a.rejected || (a.by.id < b.by.id ? -1 : 1),
      ),
      freezes: this.#freezes.toSorted((a, b) => a.setAtMs - b.setAtMs),
    };
  }

  #isIn(atMs: number): boolean {
    return this.#period.sinceMs <= atMs && atMs < this.#period.untilMs;
  }

  #asked({ approval, rule }: EventOf<'approval.requested'>, atMs: number): void {
    const known = this.#requests.get(approval);
    if (known) known.rule = rule;
    else this.#requests.set(approval, { askedAtMs: atMs, rule, endedAtMs: null, ends: new Set() });
  }

  #ended(approval: ApprovalId, end: End, atMs: number): void {
    const request = this.#requests.get(approval);
    if (!request) return;
    if (end !== 'in_doubt') request.endedAtMs ??= atMs;
    if (this.#isIn(atMs)) request.ends.add(end);
  }

  #decided({ by, verdict, body }: EventOf<'decision.recorded'>): void {
    const known = this.#deciders.get(by) ?? { by: { id: by, name: '' }, approved: 0, rejected: 0 };
    const named = { id: by, name: body?.name ?? known.by.name };
    const more = verdict === 'approve' ? { approved: known.approved + 1 } : { rejected: known.rejected + 1 };
    this.#deciders.set(by, { ...known, by: named, ...more });
  }

  #thawed(by: Named, atMs: number): void {
    if (!this.#frozen) return;
    const { setAtMs } = this.#frozen;
    if (setAtMs < this.#period.untilMs && atMs >= this.#period.sinceMs)
      this.#freezes.push({ ...this.#frozen, clearedAtMs: atMs, clearedBy: by });
    this.#frozen = null;
  }

  #rule(rule: string | null, requests: readonly Request[]): RuleCount {
    const waits = requests
      .flatMap(({ askedAtMs, endedAtMs }) =>
        endedAtMs !== null && this.#isIn(endedAtMs) ? [endedAtMs - askedAtMs] : [],
      )
      .sort((a, b) => a - b);
    const of = (end: End): number => requests.filter(request => request.ends.has(end)).length;
    return {
      rule,
      asked: requests.filter(request => this.#isIn(request.askedAtMs)).length,
      approved: of('approved'),
      rejected: of('rejected'),
      expired: of('expired'),
      withdrawn: of('withdrawn'),
      not_run: of('not_run'),
      in_doubt: of('in_doubt'),
      medianMs: medianOf(waits),
      longestMs: waits.at(-1) ?? null,
    };
  }
}

/** Of sorted numbers; the mean of the two in the middle where they are even. */
function medianOf(sorted: readonly number[]): number | null {
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
