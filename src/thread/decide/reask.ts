/** Owns what becomes of a request when the world, its rule or its tool is not what was shown any more. */
import { changesBetween } from '../changes.ts';
import type { Facts, Terms } from '../events.ts';
import type { Approval, Change } from '../thread.ts';
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
  if (digests.rule !== approval.ruleDigest) changes.push(ruleChange(approval, evidence.judged.rule, terms));
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

/** The rule then and now; of one that kept its name, what it asks for otherwise. */
function ruleChange({ rule, terms: before }: Approval, now: string | null, after: Terms): Change {
  const [was, is] = [rule ?? 'defaults', now ?? 'defaults'];
  const parts = was === is ? changesBetween(partsOf(before), partsOf(after)) : [];
  // Who belongs to a word of the policy is not told here: a list of ids says nothing to those who read it.
  if (parts.length === 0) return { fact: 'rule', was, is };
  return {
    fact: 'rule',
    was: Object.fromEntries(parts.map(part => [part.fact, part.was])),
    is: Object.fromEntries(parts.map(part => [part.fact, part.is])),
  };
}

/** The terms of a rule with people by the words that policy has for them. */
const partsOf = ({ ladder, notify, grants, ...others }: Terms): Facts => ({
  ...others,
  approvers: ladder.map(({ scopes }) => scopes.map(({ label }) => label)),
  escalateAfterMs: ladder.slice(1).map(({ afterMs }) => afterMs),
  notify: notify?.label ?? null,
  grants: grants ?? null,
});
