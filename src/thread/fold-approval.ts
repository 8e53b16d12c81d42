/**
 * Owns how the events of an approval change it and its call.
 *
 * 1. Votes belong to a round and fall with it; a person's latest vote counts. 2. A terminal state (rejected, expired,
 * withdrawn, refused) is left by nothing. 3. A re-ask closes the earlier card and keeps what stood on it.
 */
import type { EventOf } from './events.ts';
import type { Standing } from './commit.ts';
import { at, isIdle, type Approval, type ApprovalState, type Call, type Thread, type Vote } from './thread.ts';

type ApprovalEvent = EventOf<
  | 'approval.requested'
  | 'approval.edited'
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
      thread.refusals[`${event.approval}.${event.round}.${event.by}.${event.code}`] = true;
      return;
    case 'reminder.sent':
      approval.remindersSent = Math.max(approval.remindersSent, event.n);
      return;
    case 'escalated':
      return;
    case 'approval.edited':
      if (call) {
        approval.editedBy = { by: event.by, was: call.args };
        call.args = event.body?.args ?? null;
      }
      return;
    case 'round.opened':
      if (event.round <= approval.round || !isOpen(approval)) return;
      Object.assign(approval, { round: event.round, digest: event.digest, salt: event.body?.salt ?? '', votes: [] });
      if (event.message !== undefined) approval.meanwhile.push(event.message);
      return;
    case 'decision.recorded':
      return record(thread, approval, event, commit);
    case 'decision.voided':
      if (event.round !== approval.round || !isOpen(approval) || !call || !isIdle(call)) return;
      approval.votes = approval.votes.filter(vote => vote.by !== event.by);
      approval.state = { is: 'open' };
      call.state = { is: 'waiting' };
      return;
    case 'approval.settled':
      return settle(thread, approval, call, event, commit);
  }
}

const isOpen = (approval: Approval): boolean => approval.state.is === 'open' || approval.state.is === 'approved';

function requested(thread: Thread, event: EventOf<'approval.requested'>, commit: Standing): void {
  const call = at(thread.calls, event.call);
  if (!call || !isIdle(call)) return;
  const earlier = at(thread.approvals, event.approval);
  if (earlier && (event.round <= earlier.round || !isOpen(earlier))) return;
  const closed =
    earlier && event.card > earlier.card
      ? [
          {
            card: earlier.card,
            summary: earlier.summary,
            atMs: commit.atMs,
            changes: event.body?.changes ?? [],
            votes: earlier.votes,
            code: event.why ?? 'changed',
          },
        ]
      : [];
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
    closedCards: [...(earlier?.closedCards ?? []), ...closed],
    reasks: (earlier?.reasks ?? 0) + (earlier && event.why === 'changed' ? 1 : 0),
    meanwhile: earlier?.meanwhile ?? [],
    editedBy: earlier?.editedBy ?? null,
    remindersSent: 0,
  };
  call.approval = event.approval;
  call.state = { is: 'waiting' };
  const run = at(thread.runs, call.run);
  if (run?.rejected && !earlier) run.rejected = { ...run.rejected, requestsSince: run.rejected.requestsSince + 1 };
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
  };
  approval.votes = [...approval.votes.filter(other => other.by !== event.by), vote];
}

function settledState(approval: Approval, event: EventOf<'approval.settled'>, atMs: number): ApprovalState {
  const by = event.by?.[0] ?? null;
  switch (event.how) {
    case 'approved':
      return { is: 'approved', atMs };
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
  if (event.how === 'approved') {
    call.state = { is: 'approved' };
    return;
  }
  call.state = { is: 'closed' };
  const run = at(thread.runs, call.run);
  if (run && approval.state.is === 'rejected') {
    const { then } = approval.state;
    run.rejected = {
      then,
      readOnly: then === 'read_only' || (run.rejected?.readOnly ?? false),
      requestsSince: run.rejected?.requestsSince ?? 0,
    };
    run.rejectedDigests.push(approval.callDigest);
  }
}
