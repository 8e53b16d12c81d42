/**
 * Owns the request that puts a call to people: the first one, and each further round of the same approval.
 *
 * 1. Its digest binds what is shown here and what will run. 2. A round counts up by one; a new card comes only where people
 * are asked again.
 */
import { approvalDigest } from '../digest.ts';
import type { CallEvidence, ToolFacts } from '../evidence.ts';
import type { EventOf, Facts, Terms } from '../events.ts';
import { approvalId } from '../ids.ts';
import { requestersOf, type Approval, type Call, type Change, type Run, type Thread } from '../thread.ts';
import { digestsOf } from './digests.ts';

/** A call that is put to people, as the world is now. */
export interface Putting {
  readonly thread: Thread;
  readonly run: Run;
  readonly call: Call;
  readonly tool: ToolFacts;
  readonly evidence: CallEvidence;
  readonly terms: Terms;
  readonly nowMs: number;
}

/** What is said with it, and what it follows. */
interface Following {
  readonly agentWords: string | null;
  /** The approval of which this is a further round; absent for the first request. */
  readonly earlier?: Approval;
  readonly changes?: readonly Change[];
  readonly why?: 'changed' | 'not_run' | 'edited';
  /** True when people are asked again: a new card rings them, the old one closes. Default false. */
  readonly newCard?: boolean;
  /** How many can decide, where that stays as it was; by default those of the evidence. */
  readonly eligible?: number;
  /** When it was put to people first and until when, where that stays as it is; by default from now on. */
  readonly times?: { readonly requestedAtMs: number; readonly expiresAtMs: number };
}

/** `approval.requested`: the first request, or the same approval again as a new round. */
export function request(putting: Putting, following: Following): EventOf<'approval.requested'> {
  const { thread, run, call, tool, evidence, terms, nowMs } = putting;
  const { earlier, why } = following;
  const { eligible, eligibleAtFirst, room, salt } = evidence;
  const digests = digestsOf(thread, call, evidence);
  const round = (earlier?.round ?? 0) + 1;
  const { requestedAtMs, expiresAtMs } = following.times ?? {
    requestedAtMs: nowMs,
    expiresAtMs: nowMs + terms.expiresInMs,
  };
  const requesters = requestersOf(thread, run);
  const { options } = call;
  const bind = boundFacts(evidence);
  const content = { callDigest: digests.call, requesters, bind, ruleDigest: digests.rule, expiresAtMs, round, salt };
  return {
    type: 'approval.requested',
    approval: earlier?.id ?? approvalId(thread.key, run.id, call.id),
    call: call.id,
    round,
    card: earlier ? earlier.card + (following.newCard ? 1 : 0) : 1,
    digest: approvalDigest({ ...content, options }),
    callDigest: digests.call,
    rule: evidence.judged.rule,
    ruleDigest: digests.rule,
    tool: digests.tool,
    terms,
    requesters,
    eligible: following.eligible ?? eligibleAtFirst ?? (eligible === 'unknown' ? 0 : eligible.length),
    requestedAtMs,
    expiresAtMs,
    risk: tool.risk,
    room: room === 'too_long' ? 'file' : room,
    ...(earlier ? { supersedes: earlier.round } : {}),
    ...(why ? { why } : {}),
    body: bodyOf(putting, following),
  };
}

const boundFacts = ({ inspection }: CallEvidence): Facts => (inspection.ok ? inspection.bind : {});

/** What people are shown. */
function bodyOf(
  { call, evidence, nowMs }: Putting,
  { agentWords, changes = [] }: Following,
): EventOf<'approval.requested'>['body'] {
  const { inspection, judged, salt } = evidence;
  return {
    summary: inspection.ok ? inspection.summary : call.tool,
    ...(inspection.ok && inspection.impact !== null ? { impact: inspection.impact } : {}),
    ...(judged.why !== null ? { why: judged.why } : {}),
    ...(agentWords ? { agentWords } : {}),
    salt,
    bind: boundFacts(evidence),
    note: inspection.ok ? inspection.note : {},
    noteAtMs: inspection.ok ? inspection.atMs : nowMs,
    ...(call.options.length > 0 ? { options: [...call.options] } : {}),
    ...(changes.length > 0 ? { changes: [...changes] } : {}),
  };
}
