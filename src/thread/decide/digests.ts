/** Owns the digests that stand for a call now: of itself, of the rule that judged it, of its tool's definition. */
import { callDigest, NO_DEFINITION, ruleDigest } from '../digest.ts';
import type { CallEvidence } from '../evidence.ts';
import type { Digest } from '../ids.ts';
import type { Call, Thread } from '../thread.ts';

/** What `call.judged`, `approval.requested` and `call.claimed` say under this evidence. */
export function digestsOf(
  thread: Thread,
  call: Call,
  evidence: CallEvidence,
): { readonly call: Digest; readonly rule: Digest; readonly tool: Digest } {
  const tool = evidence.tool?.digest ?? NO_DEFINITION;
  return {
    tool,
    call: callDigest({
      thread: thread.key,
      server: evidence.tool?.server ?? 'none',
      tool: call.tool,
      definition: tool,
      args: call.args,
      ...(call.within === null ? {} : { asking: { name: call.within.name, options: call.options } }),
    }),
    rule: ruleDigest({
      id: evidence.judged.rule,
      terms: evidence.judged.verdict === 'ask' ? evidence.judged.terms : null,
    }),
  };
}
