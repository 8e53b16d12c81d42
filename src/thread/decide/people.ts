/**
 * Owns the counting of those who may decide a request that waits, while people come and go: whether they are still enough.
 *
 * 1. It changes nothing but what is said: the request stays open, and when people come back it lacks nothing any more. 2. Who
 * comes in with a later step of the ladder counts from its time on. 3. What could not be learnt is not counted.
 */
import type { Lack } from '../approval.ts';
import type { UserId } from '../ids.ts';
import { requestOf, type Approval, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';

/** Records how many may decide and what is missing, where that is other than on record. */
export function countPeople(
  thread: Thread,
  { approval: id, steps }: Extract<Command, { type: 'countPeople' }>,
  nowMs: number,
): Decision {
  const found = requestOf(thread, id);
  if (found?.approval.state.is !== 'open' || found.run.end !== null || nowMs >= found.approval.expiresAtMs)
    return nothing;
  const { approval, call } = found;
  const { judgement } = call;
  if (judgement === null || steps.length !== approval.terms.ladder.length) return nothing;
  const eligible = steps[0]?.length ?? 0;
  const lack = lackOf(approval, steps, nowMs);
  const before = approval.lack ?? null;
  const same = lack?.code === before?.code && lack?.fromMs === before?.fromMs;
  if (same && eligible === approval.eligible) return nothing;
  return decided({
    type: 'approval.rechecked',
    approval: approval.id,
    round: approval.round,
    policy: judgement.policy,
    tool: judgement.tool,
    people: {
      eligible,
      ...(lack === null ? {} : { lacks: lack.code }),
      ...(lack === null || lack.fromMs === null ? {} : { fromMs: lack.fromMs }),
    },
    body: {},
  });
}

/** What keeps the request from being decided as people are now; null when enough may decide it. `steps`: who may, by step. */
function lackOf(
  { terms, requestedAtMs, expiresAtMs }: Approval,
  steps: readonly (readonly UserId[])[],
  nowMs: number,
): Lack | null {
  const startsAtMs = (step: number): number => requestedAtMs + (terms.ladder[step]?.afterMs ?? 0);
  const among = (untilMs: number): number =>
    new Set(steps.flatMap((people, step) => (startsAtMs(step) <= untilMs ? people : []))).size;
  const now = among(nowMs);
  if (now >= terms.quorum) return null;
  const later = terms.ladder
    .map((_, step) => startsAtMs(step))
    .filter(atMs => atMs > nowMs && atMs < expiresAtMs)
    .toSorted((a, b) => a - b)
    .find(atMs => among(atMs) >= terms.quorum);
  return { code: now === 0 ? 'no_approvers' : 'quorum_impossible', fromMs: later ?? null };
}
