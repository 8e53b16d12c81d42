/**
 * Owns what holds for a request that policy would not make any more, because it would let the call through now: it is still
 * put to those who were asked, under the rule that they were shown.
 */
import type { CallEvidence } from '../evidence.ts';
import type { Terms } from '../events.ts';
import type { Approval } from '../thread.ts';
import { cannotBeAsked } from './judge.ts';

type Asked = CallEvidence & { readonly judged: Extract<CallEvidence['judged'], { verdict: 'ask' }> };

/** The evidence with the rule to ask under: policy's own where it asks, else the request's. */
export function asStillAsked({ rule, why, terms }: Approval, evidence: CallEvidence): Asked {
  const { judged } = evidence;
  return { ...evidence, judged: judged.verdict === 'ask' ? judged : { verdict: 'ask', rule, why, terms } };
}

/** How many could decide, where nobody looked because policy would not ask; nothing where somebody did. */
export const eligibleStill = ({ eligible }: Approval, { judged }: CallEvidence): { readonly eligible?: number } =>
  judged.verdict === 'ask' ? {} : { eligible };

/** Why the request could be shown to nobody, or decided by nobody, any more; who could decide before still can. */
export function cannotStillBeAsked(evidence: CallEvidence, terms: Terms): string | undefined {
  if (evidence.judged.verdict === 'ask') return cannotBeAsked(evidence, terms);
  return evidence.room === 'too_long' ? 'too_long' : undefined;
}
