/**
 * Owns how the events of an approval change it and its call.
 *
 * 1. Votes belong to a round and fall with it; a person's latest vote counts. 2. A terminal state (rejected, expired,
 * withdrawn, refused) is left by nothing. 3. A re-ask closes the earlier card and keeps what stood on it. 4. What a person
 * allows for a while is theirs to give once the request is approved, and no longer when their vote has fallen.
 */
import type { EventOf } from './events.ts';
import type { Standing } from './commit.ts';
import { standingEdit } from './edited.ts';
import { closeQuestion } from './fold-question.ts';
import type { ApprovalId, GrantId } from './ids.ts';
import {
  approvers,
  at,
  isIdle,
  rootOf,
  type Approval,
  type ApprovalState,
  type Call,
  type Run,
  type Thread,
  type Vote,
} from './thread.ts';

type ApprovalEvent = EventOf<
  | 'approval.requested'
  | 'approval.edited'
  | 'approval.rechecked'
  | 'round.opened'
  | 'decision.recorded'
  | 'decision.voided'
  | 'decision.refused'
  | 'approval.settled'
  | 'reminder.sent'
  | 'escalated'
>;

/** Folds an event about one approval, in place. */
export function foldApprovalEvent(thread: Thread, event: ApprovalEvent, commit: Standing): void {
  if (event.type === 'approval.requested') return requested(thread, event, commit);
  const approval = at(thread.approvals, event.approval);
  if (!approval) return;
  const call = at(thread.calls, approval.call);
  switch (event.type) {
    case 'decision.refused':
      thread.refusals[refusalKey(event.approval, event.round, event.by, event.code, event.verdict)] = true;
      return;
    case 'reminder.sent':
      if (approval.reminders.some(sent => sent.n === event.n)) return;
      approval.reminders.push({ n: event.n, round: event.round, atMs: commit.atMs });
      return;
    case 'escalated':
      if (approval.escalations.some(each => each.step === event.step)) return;
      approval.escalations.push({ step: event.step, round: event.round, atMs: commit.atMs });
      return;
    case 'approval.edited':
      return edited(approval, call, event);
    case 'approval.rechecked':
      if (call?.judgement) call.judgement = { ...call.judgement, policy: event.policy, tool: event.tool };
      return counted(approval, event);
    case 'round.opened':
      return openRound(thread, approval, event);
    case 'decision.recorded':
      return record(thread, approval, event, commit);
    case 'decision.voided':
      if (event.round !== approval.round || !isOpen(approval) || !call || !isIdle(call)) return;
      approval.votes = approval.votes.filter(vote => vote.by !== event.by);
      thread.grants = thread.grants.filter(grant => grant.approval !== approval.id || grant.by !== event.by);
      approval.state = { is: 'open' };
      call.state = { is: 'waiting' };
      return;
    case 'approval.settled':
      return settle(thread, approval, call, event, commit);
  }
}

/** How many may decide, as people are now, and what that lacks. */
function counted(approval: Approval, { people }: EventOf<'approval.rechecked'>): void {
  if (people === undefined) return;
  approval.eligible = people.eligible;
  delete approval.lack;
  if (people.lacks !== undefined) approval.lack = { code: people.lacks, fromMs: people.fromMs ?? null };
}

const isOpen = (approval: Approval): boolean => approval.state.is === 'open' || approval.state.is === 'approved';

/**
 * Under what a refusal is on record, so that it stands there once. A reject that came too late is a word of its own, also of
 * somebody whose approval had come too late.
 */
export const refusalKey = (
  approval: ApprovalId,
  round: number,
  by: string,
  code: string,
  verdict: 'approve' | 'reject' | undefined,
): string => `${approval}.${round}.${by}.${code}${code === 'expired' && verdict === 'reject' ? '.reject' : ''}`;

/** Votes and what was allowed with them fall together. */
function dropGrants(thread: Thread, approval: Approval): void {
  thread.grants = thread.grants.filter(grant => grant.approval !== approval.id);
}

function openRound(thread: Thread, approval: Approval, event: EventOf<'round.opened'>): void {
  if (event.round <= approval.round || !isOpen(approval)) return;
  Object.assign(approval, { round: event.round, digest: event.digest, salt: event.body?.salt ?? '', votes: [] });
  dropGrants(thread, approval);
  if (event.message !== undefined && !approval.meanwhile.includes(event.message))
    approval.meanwhile.push(event.message);
}

/** `was` stays what the agent had asked for, however often it is edited; who took everything back changed nothing. */
function edited(approval: Approval, call: Call | undefined, event: EventOf<'approval.edited'>): void {
  if (!call || !isIdle(call) || !isOpen(approval)) return;
  const was = approval.editedBy === null ? call.args : approval.editedBy.was;
  const last = standingEdit(approval, call);
  const before = (last === null ? [] : [...(last.before ?? []), { by: last.by, name: last.name }]).filter(
    each => each.by !== event.by,
  );
  approval.editedBy = {
    by: event.by,
    name: event.body?.name ?? '',
    was,
    ...(before.length === 0 ? {} : { before }),
  };
  call.args = event.body?.args ?? null;
}

/** The cards that are closed once this request stands; a new card closes the one before it, as it stood. */
function closedCards(earlier: Approval, event: EventOf<'approval.requested'>, atMs: number): Approval['closedCards'] {
  if (event.card <= earlier.card) return earlier.closedCards;
  const { card, summary, votes } = earlier;
  const changes = event.body?.changes ?? [];
  return [...earlier.closedCards, { card, summary, atMs, changes, votes, code: event.why ?? 'changed' }];
}

function requested(thread: Thread, event: EventOf<'approval.requested'>, commit: Standing): void {
  const call = at(thread.calls, event.call);
  if (!call || !isIdle(call)) return;
  const earlier = at(thread.approvals, event.approval);
  if (earlier && (event.round <= earlier.round || !isOpen(earlier))) return;
  // The same request on the same card: who was called already is not called again.
  const sameAsk =
    earlier !== undefined &&
    event.card === earlier.card &&
    event.requestedAtMs === earlier.requestedAtMs &&
    event.ruleDigest === earlier.ruleDigest;
  if (earlier) dropGrants(thread, earlier);
  thread.approvals[event.approval] = {
    id: event.approval,
    call: event.call,
    run: call.run,
    round: event.round,
    card: event.card,
    cardRound: earlier && event.card === earlier.card ? earlier.cardRound : event.round,
    digest: event.digest,
    callDigest: event.callDigest,
    rule: event.rule,
    ruleDigest: event.ruleDigest,
    tool: event.tool,
    terms: event.terms,
    requesters: [...event.requesters],
    eligible: event.eligible,
    requestedAtMs: event.requestedAtMs,
    expiresAtMs: event.expiresAtMs,
    risk: event.risk,
    room: event.room,
    summary: event.body?.summary ?? call.tool,
    impact: event.body?.impact ?? null,
    why: event.body?.why ?? null,
    agentWords: event.body?.agentWords ?? null,
    salt: event.body?.salt ?? '',
    bind: event.body?.bind ?? {},
    note: event.body?.note ?? {},
    noteAtMs: event.body?.noteAtMs ?? event.requestedAtMs,
    changes: event.body?.changes ?? [],
    votes: [],
    state: { is: 'open' },
    closedCards: earlier ? closedCards(earlier, event, commit.atMs) : [],
    reasks: (earlier?.reasks ?? 0) + (earlier && event.why === 'changed' ? 1 : 0),
    meanwhile: earlier?.meanwhile ?? [],
    editedBy: earlier?.editedBy ?? null,
    options: event.body?.options ?? call.options,
    reminders: sameAsk ? earlier.reminders : [],
    escalations: sameAsk ? earlier.escalations : [],
    inquiries: earlier?.inquiries ?? [],
  };
  call.approval = event.approval;
  call.state = { is: 'waiting' };
  const run = at(thread.runs, call.run);
  const root = run && rootOf(thread, run);
  if (root?.rejected && !earlier) root.rejected = { ...root.rejected, requestsSince: root.rejected.requestsSince + 1 };
}

function record(thread: Thread, approval: Approval, event: EventOf<'decision.recorded'>, commit: Standing): void {
  thread.decisions[event.key] = { by: event.by, content: event.content, of: approval.id };
  if (event.round !== approval.round || approval.state.is !== 'open') return;
  const vote: Vote = {
    by: event.by,
    name: event.body?.name ?? '',
    verdict: event.verdict,
    reason: event.body?.reason ?? null,
    atMs: commit.atMs,
    scopes: event.scopes,
    option: event.option ?? null,
    ...(event.grant && event.body?.grant ? { grant: { ...event.grant, ...event.body.grant } } : {}),
  };
  approval.votes = [...approval.votes.filter(other => other.by !== event.by), vote];
}

function settledState(approval: Approval, event: EventOf<'approval.settled'>, atMs: number): ApprovalState {
  const by = event.by?.[0] ?? null;
  switch (event.how) {
    case 'approved':
      return { is: 'approved', option: event.option ?? null, atMs };
    case 'rejected': {
      const vote = approval.votes.find(other => other.verdict === 'reject');
      const decider = vote?.by ?? by;
      if (decider === null) return { is: 'refused', code: 'rejected', detail: null, atMs };
      return {
        is: 'rejected',
        by: decider,
        name: vote?.name ?? '',
        reason: vote?.reason ?? null,
        then: event.then ?? approval.terms.onReject,
        atMs,
      };
    }
    case 'expired':
      return { is: 'expired', atMs };
    case 'withdrawn':
      return { is: 'withdrawn', by, instead: event.code === 'instead', atMs };
    case 'refused':
      return { is: 'refused', code: event.code ?? 'refused', detail: event.body?.detail ?? null, atMs };
  }
}

function settle(
  thread: Thread,
  approval: Approval,
  call: Call | undefined,
  event: EventOf<'approval.settled'>,
  commit: Standing,
): void {
  if (event.round !== approval.round || !isOpen(approval) || !call || !isIdle(call)) return;
  approval.state = settledState(approval, event, commit.atMs);
  closeInquiries(thread, approval, commit.atMs);
  if (event.how === 'approved') {
    call.state = { is: 'approved' };
    allow(thread, approval);
    return;
  }
  call.state = { is: 'closed' };
  const run = at(thread.runs, call.run);
  if (run && approval.state.is === 'rejected') recordRejection(rootOf(thread, run), approval);
}

/** What approvers had asked about it helps nobody any more. */
function closeInquiries(thread: Thread, approval: Approval, atMs: number): void {
  for (const id of approval.inquiries) {
    const question = at(thread.questions, id);
    if (question?.state.is === 'open') closeQuestion(thread, question, { is: 'withdrawn', atMs });
  }
}

/** What a rejection asks for holds for the whole run and for those nested in it. */
function recordRejection(root: Run, approval: Approval): void {
  if (approval.state.is !== 'rejected') return;
  const { then } = approval.state;
  root.rejected = {
    then,
    readOnly: then === 'read_only' || (root.rejected?.readOnly ?? false),
    requestsSince: root.rejected?.requestsSince ?? 0,
  };
  root.rejectedDigests.push(approval.callDigest);
}

/** What the approvers allow for a while waits for the workspace's log. */
function allow(thread: Thread, approval: Approval): void {
  for (const { grant, by, name } of approvers(approval)) {
    if (!grant || thread.grants.some(pending => pending.grant === grant.grant)) continue;
    thread.grants.push({ ...grant, grant: grant.grant as GrantId, by, name, approval: approval.id });
  }
}
