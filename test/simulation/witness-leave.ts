/**
 * Owns the checks of a call that is handed to its tool: that it is what was asked, shown and approved, and that whoever had to
 * allow it did, could, and had not taken it back as far as its process knew.
 */
import { callDigest, canonical, scopesAt } from '../../src/thread/digest.ts';
import type { Facts } from '../../src/thread/events.ts';
import type { UserId, WriterId } from '../../src/thread/ids.ts';
import { approvers, at, type Approval, type Call, type Thread } from '../../src/thread/thread.ts';
import type { Workspace } from '../../src/thread/workspace.ts';
import type { Execution } from '../../src/worker/ports.ts';
import type { Cast } from './cast.ts';
import type { Counters } from './counters.ts';
import type { Ledger } from './ledger.ts';
import { definitionOf, judgedBy, type Rules } from './rules.ts';
import { shows, type Words } from './witness-words.ts';

/** What the witness knows of the process that starts a tool. */
export interface Starter {
  readonly writer: WriterId;
  readonly rules: Rules;
  readonly nowMs: number;
  /** The last load of the workspace log that took effect for this process: how many loads before, and whether it was frozen. */
  readonly workspaceRead: { readonly landings: number; readonly frozen: boolean } | undefined;
  /** What this process found when it looked at the world, and when (epoch ms). */
  readonly inspected: readonly { readonly tool: string; readonly bind: Facts; readonly atMs: number }[];
  /** When this process last looked each person up (epoch ms). */
  readonly lookups: ReadonlyMap<UserId, readonly number[]>;
}

/** What the logs have shown so far. */
interface Known {
  readonly words: Words;
  readonly workspace: Workspace;
  /** After how many landings each permission was revoked. */
  readonly revokedAt: ReadonlyMap<string, number>;
}

export class Leave {
  readonly #counters: Counters;
  readonly #ledger: Ledger;
  readonly #cast: Cast;
  readonly #known: Known;

  constructor(counters: Counters, ledger: Ledger, cast: Cast, known: Known) {
    [this.#counters, this.#ledger, this.#cast, this.#known] = [counters, ledger, cast, known];
  }

  /** A call with a claim of its process is handed to its tool. */
  check(thread: Thread, call: Call, execution: Execution, starter: Starter): void {
    this.#sameAsClaimed(thread, call, execution, starter);
    const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
    const resumes = (call.state.is === 'claimed' || call.state.is === 'in_doubt') && call.state.claim.resumes !== null;
    // What waited from inside was under way: its time, rule and people were looked at when it first began.
    if (resumes) this.#counters.saw('started again after a wait');
    else if (approval) this.#entitled(approval, execution, starter);
    else if (call.judgement?.grant) this.#granted(call, starter);
    else
      this.#counters.holds(
        'entitled',
        call.judgement?.verdict === 'allow' && starter.rules.rules[call.tool]?.verdict === 'allow',
        () => `${execution.execution} starts without anybody's leave`,
      );
  }

  #sameAsClaimed(thread: Thread, call: Call, execution: Execution, starter: Starter): void {
    const { holds } = this.#bound();
    const definition = definitionOf(call.tool, starter.rules.tools[call.tool] ?? 0);
    const runs = callDigest({
      thread: thread.key,
      server: 'builtin',
      tool: execution.tool,
      definition,
      args: execution.args,
    });
    const approval = call.approval === null ? undefined : at(thread.approvals, call.approval);
    const asked = approval?.callDigest ?? call.judgement?.callDigest;
    holds('same', runs === asked, () => `${execution.execution} runs something else than what was asked`);
    if (!approval || (call.state.is === 'claimed' && call.state.claim.resumes !== null)) return;
    holds(
      'same',
      canonical(execution.bind) === canonical(approval.bind),
      () => `${execution.execution} binds other facts`,
    );
    const approvedAtMs = approval.state.is === 'approved' ? approval.state.atMs : 0;
    const looked = starter.inspected.filter(look => look.tool === call.tool && look.atMs >= approvedAtMs - 1_000);
    holds(
      'same',
      looked.some(({ bind }) => canonical(bind) === canonical(approval.bind)),
      () => `${execution.execution} starts although the world is not as it was approved: ${canonical(approval.bind)}`,
    );
    const rule = judgedBy(starter.rules, call.tool);
    holds(
      'same',
      rule.verdict === 'allow' || (rule.verdict === 'ask' && canonical(rule.terms) === canonical(approval.terms)),
      () => `${execution.execution} starts under another rule than it was approved under`,
    );
    for (const by of this.#known.words.approvers(approval.id)) {
      const click = this.#click(thread, approval, by);
      if (!click) continue;
      holds(
        'same',
        shows(click, call, approval),
        () => `${by} saw ${click.seen} and approved ${canonical([call.args, approval.bind, approval.digest])}`,
      );
    }
  }

  /** A standing permission that covers this very call, is on record as used for it, and was given by somebody who could. */
  #granted(call: Call, { nowMs, workspaceRead }: Starter): void {
    const { holds, saw } = this.#bound();
    const grant = at(this.#known.workspace.grants, call.judgement?.grant ?? '');
    saw('started under a grant');
    holds('entitled', grant !== undefined, () => `${call.id} starts under a grant that nobody gave`);
    if (!grant) return;
    holds('entitled', grant.used.includes(call.id), () => `${call.id} starts without its use of the grant on record`);
    holds('entitled', grant.used.length <= grant.uses, () => `${grant.used.length} uses of at most ${grant.uses}`);
    holds('entitled', nowMs < grant.untilMs, () => `${call.id} starts after its grant was over`);
    const revokedAt = this.#known.revokedAt.get(grant.grant) ?? Number.POSITIVE_INFINITY;
    const isKnown = workspaceRead !== undefined && workspaceRead.landings >= revokedAt;
    holds('entitled', !isKnown, () => `${call.id} starts although its process has read that its grant was revoked`);
    const { n } = call.args as { readonly n: number };
    holds('entitled', grant.pattern['n'] === n, () => `${call.id} is no call that its grant covers`);
  }

  /** The click that was counted: of several that somebody made on the same round, the one whose key is on record. */
  #click(thread: Thread, approval: Approval, by: UserId): Ledger['clicks'][number] | undefined {
    return this.#ledger.clicks.findLast(
      act =>
        act.by === by &&
        act.approval === approval.id &&
        act.round === approval.round &&
        act.verdict === 'approve' &&
        at(thread.decisions, act.key) !== undefined,
    );
  }

  #entitled(approval: Approval, execution: Execution, starter: Starter): void {
    const { holds } = this.#bound();
    const votes = approvers(approval);
    const { terms, expiresAtMs } = approval;
    const people = new Set(this.#known.words.approvers(approval.id));
    holds(
      'entitled',
      approval.state.is === 'approved' && people.size >= terms.quorum,
      () => `${execution.execution} starts with ${people.size} of ${terms.quorum}`,
    );
    holds('entitled', starter.nowMs < expiresAtMs, () => `${execution.execution} starts after the request expired`);
    holds('entitled', !votes.some(vote => vote.verdict !== 'approve'), () => 'a rejected call starts');
    for (const vote of votes) {
      const asker = approval.requesters.includes(vote.by);
      holds(
        'entitled',
        !asker || (terms.selfApproval === 'with_reason' && vote.reason !== null),
        () => `${vote.by} approved their own request`,
      );
      const scopes = scopesAt(terms, approval.requestedAtMs, starter.nowMs).map(scope => scope.name);
      const looked = (starter.lookups.get(vote.by) ?? []).filter(atMs => atMs >= vote.atMs - 1_000);
      holds(
        'entitled',
        looked.some(atMs => this.#cast.couldDecide(vote.by, scopes, atMs)),
        () => `${vote.by} had no right when ${execution.execution} was claimed`,
      );
    }
  }

  #bound(): Pick<Counters, 'holds' | 'saw'> {
    const counters = this.#counters;
    return { holds: counters.holds.bind(counters), saw: counters.saw.bind(counters) };
  }
}
