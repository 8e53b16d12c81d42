/** Owns which votes fall before their round is over: those of people who may no longer decide. */
import type { ActorEvidence } from '../evidence.ts';
import type { EventOf } from '../events.ts';
import { approvers, type Approval } from '../thread.ts';
import { entitlement } from './rights.ts';

/** The votes that fall, as people are now; `unknown` when somebody who voted could not be looked up. */
export function fallenVotes(
  approval: Approval,
  actors: readonly ActorEvidence[],
  nowMs: number,
): 'unknown' | readonly EventOf<'decision.voided'>[] {
  const fallen: EventOf<'decision.voided'>[] = [];
  for (const { by } of approvers(approval)) {
    const actor = actors.find(other => other.user === by);
    const code = actor === undefined ? 'lookup_failed' : entitlement(approval, actor, nowMs);
    if (code === 'lookup_failed') return 'unknown';
    if (code !== 'ok')
      fallen.push({ type: 'decision.voided', approval: approval.id, round: approval.round, by, code, body: {} });
  }
  return fallen;
}
