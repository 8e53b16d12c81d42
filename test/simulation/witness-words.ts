/**
 * Owns what people have said by the events alone: whose votes stand on which round, and what they allowed for a while. It
 * keeps its own account, so that a fold that is wrong does not deceive it.
 *
 * 1. Every word on record was given by somebody who could, on what they had seen. 2. What is approved has as many votes of its
 * very round as it takes. 3. A grant is what a decision gave, is used no more often, and by nobody once it is revoked.
 */
import { scopesAt } from '../../src/thread/digest.ts';
import type { EventOf, GrantFacts, Terms, ThreadEvent, WorkspaceEvent } from '../../src/thread/events.ts';
import type { ApprovalId, UserId } from '../../src/thread/ids.ts';
import { at, type Approval, type Call, type Thread } from '../../src/thread/thread.ts';
import type { Cast } from './cast.ts';
import type { Counters } from './counters.ts';
import type { Clicked, Ledger } from './ledger.ts';

/** Clocks of processes differ by no more. */
const SKEW_MS = 1_000;
/** A look-up is no older when what follows from it is written. */
const LOOKED_UP_MS = 120_000;

interface Round {
  readonly round: number;
  readonly terms: Terms;
  readonly requesters: readonly UserId[];
  readonly requestedAtMs: number;
  readonly votes: Map<UserId, EventOf<'decision.recorded'>>;
}

interface Given {
  readonly facts: GrantFacts;
  readonly by: UserId;
  readonly approval: ApprovalId;
  readonly used: Set<string>;
  revoked: boolean;
}

export class Words {
  readonly #counters: Counters;
  readonly #ledger: Ledger;
  readonly #cast: Cast;
  readonly #rounds = new Map<ApprovalId, Round>();
  readonly #approved = new Set<ApprovalId>();
  readonly #grants = new Map<string, Given>();

  constructor(counters: Counters, ledger: Ledger, cast: Cast) {
    [this.#counters, this.#ledger, this.#cast] = [counters, ledger, cast];
  }

  /** Who has approved the round that stands, by the events. */
  approvers(approval: ApprovalId): readonly UserId[] {
    const votes = [...(this.#rounds.get(approval)?.votes.values() ?? [])];
    return votes.filter(({ verdict }) => verdict === 'approve').map(({ by }) => by);
  }

  /** An event of a thread that has just been folded into it; `atMs` is its writer's time. */
  folded(thread: Thread, event: ThreadEvent, atMs: number): void {
    switch (event.type) {
      case 'approval.requested': {
        const { round, terms, requesters, requestedAtMs } = event;
        this.#rounds.set(event.approval, { round, terms, requesters, requestedAtMs, votes: new Map() });
        return;
      }
      case 'round.opened': {
        const asked = this.#rounds.get(event.approval);
        if (asked) this.#rounds.set(event.approval, { ...asked, round: event.round, votes: new Map() });
        return;
      }
      case 'approval.edited': {
        const could = this.#could(event.approval, event.by, atMs - LOOKED_UP_MS, atMs);
        return this.#entitled(could, () => `${event.by} edits ${event.approval} without a right`);
      }
      case 'decision.recorded':
        return this.#recorded(thread, event, atMs);
      case 'decision.voided':
        this.#rounds.get(event.approval)?.votes.delete(event.by);
        return;
      case 'decision.refused':
        if (event.code === 'already_counted')
          this.#counters.holds(
            'single',
            this.approvers(event.approval).includes(event.by),
            () => `${event.by} is told that their word on ${event.approval} counts, and it does not`,
          );
        return;
      case 'approval.settled':
        return this.#settled(event);
      default:
        return undefined;
    }
  }

  /** An event of the workspace's log; `atMs` is its writer's time. */
  inWorkspace(event: WorkspaceEvent, atMs: number): void {
    if (event.type === 'grant.revoked') {
      const grant = this.#grants.get(event.grant);
      if (grant) grant.revoked = true;
    }
    if (event.type === 'grant.given') {
      const grant = this.#grants.get(event.grant);
      const isSame = grant?.by === event.by && grant.facts.uses === event.uses && grant.facts.untilMs === event.untilMs;
      this.#entitled(isSame, () => `${event.grant} is given otherwise than anybody decided`);
      if (grant)
        this.#entitled(this.#approved.has(grant.approval), () => `${event.grant} is given before its approval`);
    }
    if (event.type !== 'grant.used') return;
    const grant = this.#grants.get(event.grant);
    if (!grant) return this.#entitled(false, () => `${event.grant} is used, and nobody gave it`);
    this.#entitled(!grant.revoked, () => `${event.grant} is used after it was revoked`);
    this.#entitled(atMs < grant.facts.untilMs + SKEW_MS, () => `${event.grant} is used after its time`);
    grant.used.add(event.call);
    const { uses } = grant.facts;
    this.#entitled(grant.used.size <= uses, () => `${event.grant} is used ${grant.used.size} times of ${uses}`);
  }

  #recorded(thread: Thread, event: EventOf<'decision.recorded'>, atMs: number): void {
    const round = this.#rounds.get(event.approval);
    if (!round || event.round !== round.round) return;
    round.votes.set(event.by, event);
    const { grant, approval, by } = event;
    if (grant) this.#grants.set(grant.grant, { facts: grant, by, approval, used: new Set(), revoked: false });
    const scopes = scopesAt(round.terms, round.requestedAtMs, atMs + SKEW_MS).map(({ name }) => name);
    const could = this.#cast.couldDecide(event.by, scopes, event.lookedUpAtMs);
    this.#entitled(could, () => `${event.by} has no right to ${event.verdict} ${event.approval}`);
    if (event.verdict !== 'approve') return;
    const own = round.requesters.includes(event.by) && round.terms.selfApproval !== 'with_reason';
    this.#entitled(!own, () => `${event.by} approves their own request`);
    const click = this.#ledger.clicks.find(({ key }) => key === event.key);
    const request = at(thread.approvals, event.approval);
    const call = request && at(thread.calls, request.call);
    if (!click || !call) return;
    this.#counters.holds(
      'same',
      shows(click, call, request),
      () => `${event.by} saw ${click.seen} and is counted for ${JSON.stringify([call.args, request.bind])}`,
    );
  }

  #settled(event: EventOf<'approval.settled'>): void {
    if (event.how !== 'approved') return;
    this.#approved.add(event.approval);
    const round = this.#rounds.get(event.approval);
    if (!round) return;
    const agree = [...round.votes.values()].filter(
      ({ verdict, option }) => verdict === 'approve' && option === event.option,
    );
    this.#entitled(
      agree.length >= round.terms.quorum,
      () => `${event.approval} is approved by ${agree.length} of ${round.terms.quorum}`,
    );
  }

  /** Whether the person could decide about the request at some time between these. */
  #could(approval: ApprovalId, by: UserId, fromMs: number, untilMs: number): boolean {
    const round = this.#rounds.get(approval);
    if (!round) return false;
    const scopes = scopesAt(round.terms, round.requestedAtMs, untilMs + SKEW_MS).map(({ name }) => name);
    return this.#cast.couldDecideBetween(by, scopes, fromMs, untilMs + SKEW_MS);
  }

  #entitled(holds: boolean, message: () => string): void {
    this.#counters.holds('entitled', holds, message);
  }
}

/** Whether a card, or a form, shows what an approval binds: arguments, binding facts, and on the card its digest. */
export function shows({ seen, form }: Pick<Clicked, 'seen' | 'form'>, call: Call, { bind, digest }: Approval): boolean {
  const { n } = call.args as { readonly n: number };
  const revision = bind['revision'];
  return (
    new RegExp(String.raw`\bn\s+${n}\b`).test(seen) &&
    (revision === undefined || new RegExp(String.raw`revision\W+${JSON.stringify(revision)}\b`).test(seen)) &&
    (form || seen.includes(`${digest.slice(0, 4)}…${digest.slice(-2)}`))
  );
}
