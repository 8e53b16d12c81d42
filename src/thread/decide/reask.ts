/** Owns what becomes of a request when the world, its rule or its tool is not what was shown any more. */
import { changesBetween } from '../changes.ts';
import type { Approval } from '../thread.ts';
import { decided, nothing, type Decision } from './command.ts';
import { close } from './ending.ts';
import { digestsOf } from './digests.ts';
import { cannotBeAsked } from './judge.ts';
import { request, type Putting } from './request.ts';

/** Times that a request may be put to people again because something changed. */
const MAX_REASKS = 2;

/**
 * The request again as a new round on a new card, when binding facts, rule or definition differ from what was shown; it is
 * given up when it has changed too often, or nobody could decide it. Undefined when nothing differs; no events while it
 * could not be learnt who could decide.
 */
export function reask(approval: Approval, putting: Putting): Decision | undefined {
  const { thread, call, evidence, terms } = putting;
  const { inspection } = evidence;
  if (!inspection.ok) return undefined;
  const digests = digestsOf(thread, call, evidence);
  const changes = changesBetween(approval.bind, inspection.bind);
  if (digests.rule !== approval.ruleDigest)
    changes.push({ fact: 'rule', was: approval.rule ?? 'defaults', is: evidence.judged.rule ?? 'defaults' });
  if (digests.tool !== approval.tool)
    changes.push({ fact: 'tool definition', was: approval.tool.slice(0, 8), is: digests.tool.slice(0, 8) });
  if (changes.length === 0) return undefined;
  if (approval.reasks >= MAX_REASKS) return decided(close(approval, 'refused', 'changed_too_often'));
  if (evidence.eligible === 'unknown') return nothing;
  const nobody = cannotBeAsked(evidence, terms);
  if (nobody !== undefined) return decided(close(approval, 'refused', nobody));
  return decided(
    request(putting, {
      agentWords: approval.agentWords,
      earlier: approval,
      changes,
      why: 'changed',
      newCard: true,
    }),
  );
}
