/**
 * Owns what does not fit together in a record, and how it is found: every digest that can be recomputed is, and every claim
 * is held against the votes before it. Pure.
 *
 * 1. Nothing is found where something is only missing: erased texts make one finding of their own.
 */
import { approvalDigest, callDigest, sha256, type ApprovalContent } from '../digest.ts';
import type { EventOf, Json } from '../events.ts';
import { attemptOf, type Digest, type ThreadKey, type UserId } from '../ids.ts';
import type { Approval, Call } from '../thread.ts';
import type { Finding, Named } from './doc.ts';
import type { RecordSources } from './sources.ts';
import type { Told } from './told.ts';

/** What the fold alone can show not to fit together. */
export function foldFindings(call: Call, approval: Approval | undefined): Finding[] {
  const findings: Finding[] = [];
  if (approval && approval.salt === '') findings.push({ code: 'erased' });
  else if (approval && approvalDigest(contentOf(approval, approval)) !== approval.digest)
    findings.push({ code: 'shown_digest', round: approval.round });
  if (call.contradiction) findings.push({ code: 'contradiction', attempt: attemptOf(call.contradiction.execution) });
  return findings;
}

type Texts = Pick<ApprovalContent, 'bind' | 'salt' | 'options'>;
type Bound = Omit<ApprovalContent, keyof Texts>;

const contentOf = (bound: Bound, { bind, salt, options }: Texts): ApprovalContent => ({
  callDigest: bound.callDigest,
  requesters: bound.requesters,
  bind,
  ruleDigest: bound.ruleDigest,
  expiresAtMs: bound.expiresAtMs,
  round: bound.round,
  salt,
  ...(options ? { options } : {}),
});

/** A round as it was put to people. */
interface Round {
  readonly digest: Digest;
  readonly request: EventOf<'approval.requested'>;
  readonly approved: Map<UserId, EventOf<'decision.recorded'>>;
  settled: boolean;
}

/** What is checked against what. */
export interface Audited {
  readonly key: ThreadKey;
  readonly call: Call;
  readonly told: readonly Told[];
  /** The arguments that the call was first proposed with; undefined once erased. */
  readonly firstArgs: Json | undefined;
  readonly named: (user: UserId, name?: string) => Named;
  readonly sources: RecordSources;
}

/** Everything that does not fit together, in the order of the log. */
export function findingsOf(audited: Audited): Finding[] {
  const audit = new Audit(audited);
  for (const { event } of audited.told) audit.see(event);
  const { contradiction } = audited.call;
  if (contradiction) audit.findings.push({ code: 'contradiction', attempt: attemptOf(contradiction.execution) });
  if (audited.told.some(({ event }) => event.body === null)) audit.findings.push({ code: 'erased' });
  return audit.findings;
}

class Audit {
  readonly findings: Finding[] = [];
  readonly #audited: Audited;
  readonly #rounds = new Map<number, Round>();
  #args: Json | undefined;
  #asks = false;

  constructor(audited: Audited) {
    this.#audited = audited;
    this.#args = audited.firstArgs;
  }

  see(event: Told['event']): void {
    switch (event.type) {
      case 'approval.edited':
        this.#args = event.body?.args;
        return;
      case 'call.judged':
        this.#asks = event.verdict === 'ask';
        return this.#call(event);
      case 'approval.requested':
        this.#call(event);
        return this.#requested(event);
      case 'round.opened':
        return this.#opened(event);
      case 'decision.recorded':
        return this.#decided(event);
      case 'decision.voided':
        this.#rounds.get(event.round)?.approved.delete(event.by);
        return;
      case 'approval.settled': {
        const round = this.#rounds.get(event.round);
        if (round) round.settled = event.how === 'approved';
        return;
      }
      case 'call.claimed':
        return this.#claimed(event);
      case 'call.ended':
        return this.#ended(event);
      default:
        return;
    }
  }

  /** Of a tool whose server nobody knows any more, the digest cannot be recomputed. */
  #call({ tool: definition, callDigest: digest }: EventOf<'call.judged' | 'approval.requested'>): void {
    const { key, call, sources } = this.#audited;
    const server = sources.serverOf?.(definition) ?? null;
    if (server === null || this.#args === undefined || call.within !== null) return;
    const now = callDigest({ thread: key, server, tool: call.tool, definition, args: this.#args });
    if (now !== digest && !this.findings.some(({ code }) => code === 'call_digest'))
      this.findings.push({ code: 'call_digest' });
  }

  #requested(event: EventOf<'approval.requested'>): void {
    this.#rounds.set(event.round, { digest: event.digest, request: event, approved: new Map(), settled: false });
    if (event.body) this.#shown(event, event.digest, event.body);
  }

  #opened(event: EventOf<'round.opened'>): void {
    const before = this.#rounds.get(event.supersedes);
    if (!before) return;
    const request = { ...before.request, round: event.round };
    this.#rounds.set(event.round, { digest: event.digest, request, approved: new Map(), settled: false });
    if (event.body && request.body) this.#shown(request, event.digest, { ...request.body, salt: event.body.salt });
  }

  #shown(bound: Bound, digest: Digest, texts: Texts): void {
    if (approvalDigest(contentOf(bound, texts)) !== digest)
      this.findings.push({ code: 'shown_digest', round: bound.round });
  }

  #decided(event: EventOf<'decision.recorded'>): void {
    const round = this.#rounds.get(event.round);
    if (!round) return;
    const by = this.#audited.named(event.by, event.body?.name);
    if (event.digest !== round.digest) this.findings.push({ code: 'decided_digest', round: event.round, by });
    if (event.verdict === 'reject') return void round.approved.delete(event.by);
    round.approved.set(event.by, event);
    const { requesters, terms } = round.request;
    const reasoned = event.body === null || event.body.reason !== undefined;
    if (requesters.includes(event.by) && !(terms.selfApproval === 'with_reason' && reasoned))
      this.findings.push({ code: 'requester_decided', round: event.round, by });
  }

  #claimed({ attempt, approval, round: number, digest }: EventOf<'call.claimed'>): void {
    if (approval === undefined) {
      if (this.#asks) this.findings.push({ code: 'claimed_without_approval', attempt });
      return;
    }
    const round = this.#rounds.get(number ?? 0);
    if (!round || !round.settled || round.approved.size < round.request.terms.quorum)
      this.findings.push({ code: 'claimed_without_approval', attempt });
    else if (digest !== round.digest) this.findings.push({ code: 'claimed_digest', attempt });
  }

  #ended({ execution, result, body }: EventOf<'call.ended'>): void {
    const text = body?.result;
    if (!result || text === undefined || Buffer.byteLength(text) !== result.bytes) return;
    if (sha256(text) !== result.digest) this.findings.push({ code: 'result_digest', attempt: attemptOf(execution) });
  }
}
