/**
 * Owns what policy's verdict on a call becomes: allowed, refused, or put to people.
 *
 * 1. Nothing is put to people that cannot be shown in full, or that nobody could decide. 2. A call that a person rejected
 * in this run is refused without a card, whatever policy says of it by then; and after a rejection at most one further
 * request comes in that run, the runs nested in it among them. 3. One approval per call, for ever; the same call twice at
 * once is one card. 4. A grant lets run what policy would ask about, for its one person, and never what a tool puts to people
 * from inside.
 */
import { canonical } from '../digest.ts';
import type { CallEvidence } from '../evidence.ts';
import type { EventOf, Terms, ThreadEvent } from '../events.ts';
import type { CallId, Digest, GrantId } from '../ids.ts';
import { at, isSettled, liveCalls, rootOf, type Call, type Run, type Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision, type Limits } from './command.ts';
import { digestsOf } from './digests.ts';
import { request } from './request.ts';

/** Arguments larger than this (UTF-8 bytes of canonical JSON) are refused to the model. */
export const MAX_ARGUMENT_BYTES = 64 * 1024;

/** Why the arguments cannot even be put to policy; undefined when they can. */
function unusable(call: Call, { evidence, cut }: Judging): { code: string; detail: string | null } | undefined {
  if (cut) return { code: 'too_long', detail: null };
  if (evidence.tool === null) return { code: 'unknown_tool', detail: call.tool };
  if (call.raw !== null) return { code: 'invalid_arguments', detail: null };
  if (Buffer.byteLength(canonical(call.args)) > MAX_ARGUMENT_BYTES) return { code: 'too_long', detail: null };
  if (!evidence.inspection.ok) return { code: evidence.inspection.code, detail: evidence.inspection.detail };
  return undefined;
}

/** A call that waits for something, as far as rules about repeats need it. */
export interface OpenCall {
  readonly id: CallId;
  readonly callDigest: Digest;
  readonly is: Call['state']['is'];
}

/** The judged calls of the thread's live runs that are not settled. */
export const openCallsOf = (thread: Thread): OpenCall[] =>
  liveCalls(thread).flatMap(call =>
    call.judgement && !isSettled(call)
      ? [{ id: call.id, callDigest: call.judgement.callDigest, is: call.state.is }]
      : [],
  );

/** What judging needs beside the call. */
export interface Judging {
  readonly evidence: CallEvidence;
  readonly limits: Limits;
  readonly nowMs: number;
  readonly open: readonly OpenCall[];
  /** Requests of the same reply that were put to people before this call. */
  readonly requested: number;
  /** Its arguments were left out because the whole reply is too long. */
  readonly cut?: boolean;
  readonly agentWords: string | null;
}

/** Why a request under these terms would be put to nobody: it cannot be shown, or nobody could decide it. */
export function cannotBeAsked({ room, eligible }: CallEvidence, terms: Terms): string | undefined {
  if (room === 'too_long') return 'too_long';
  if (eligible === 'unknown') return 'lookup_failed';
  if (eligible.length === 0) return 'no_approvers';
  return eligible.length < terms.quorum ? 'quorum_impossible' : undefined;
}

/** Why nobody is asked about a call that policy would ask about; undefined when people are asked. */
function unaskable(root: Run, call: Call, digest: Digest, terms: Terms, judging: Judging): string | undefined {
  const { evidence, open, requested } = judging;
  if (root.rejected !== null && root.rejected.requestsSince + requested >= 1) return 'no_more_requests';
  if (open.some(other => other.id !== call.id && other.callDigest === digest)) return 'duplicate';
  return cannotBeAsked(evidence, terms) ?? tooMany(judging);
}

/** Requests that wait in this thread, and those of the same person in others. */
function tooMany({ evidence: { openElsewhere }, open, limits }: Judging): string | undefined {
  const here = open.filter(other => other.is === 'waiting').length;
  if (here >= limits.openRequests) return 'too_many_open';
  if (openElsewhere === undefined) return undefined;
  if (openElsewhere === 'unknown') return 'lookup_failed';
  return here + openElsewhere >= limits.personOpenRequests ? 'too_many_open' : undefined;
}

/** The same call, of which nobody knows whether it ran, is not run beside it: that would be a retry. */
const isInDoubt = (call: Call, digest: Digest, open: readonly OpenCall[]): boolean =>
  open.some(other => other.id !== call.id && other.is === 'in_doubt' && other.callDigest === digest);

/** `call.judged` under this evidence. */
export function judgedAs(
  thread: Thread,
  call: Call,
  evidence: CallEvidence,
  verdict: EventOf<'call.judged'>['verdict'],
  more: { readonly code?: string | null; readonly detail?: string | null; readonly grant?: GrantId } = {},
): EventOf<'call.judged'> {
  const { inspection, judged, tool } = evidence;
  const digests = digestsOf(thread, call, evidence);
  return {
    type: 'call.judged',
    call: call.id,
    verdict,
    ...(more.code ? { code: more.code } : {}),
    rule: judged.rule,
    ruleDigest: digests.rule,
    policy: evidence.policy,
    tool: digests.tool,
    effect: tool?.effect ?? 'write',
    callDigest: digests.call,
    ...(more.grant ? { grant: more.grant } : {}),
    body: {
      summary: inspection.ok ? inspection.summary : call.tool,
      ...(inspection.ok && inspection.impact !== null ? { impact: inspection.impact } : {}),
      ...(judged.why !== null ? { why: judged.why } : {}),
      bind: inspection.ok ? inspection.bind : {},
      note: inspection.ok ? inspection.note : {},
      ...(more.detail ? { detail: more.detail } : {}),
    },
  };
}

/**
 * The grant under which a call that policy would ask about may run. None for a run that several people asked for, or for a
 * request from inside a tool.
 */
function grantFor(root: Run, call: Call, { grant }: CallEvidence): GrantId | undefined {
  const personal = root.requesters.length === 1 && call.within === null && call.options.length === 0;
  return personal ? grant : undefined;
}

/** Decides what becomes of a proposed (or once allowed) call under this evidence. */
export function judge(thread: Thread, run: Run, call: Call, judging: Judging): ThreadEvent[] {
  const { evidence, nowMs, agentWords } = judging;
  const { judged, tool } = evidence;
  const root = rootOf(thread, run);
  const digest = digestsOf(thread, call, evidence).call;
  const refuse = (code: string | undefined, detail?: string | null): ThreadEvent[] => [
    judgedAs(thread, call, evidence, 'refuse', { code: code ?? null, detail: detail ?? null }),
  ];
  const problem = unusable(call, judging);
  if (problem || tool === null) return refuse(problem?.code, problem?.detail);
  if (judged.verdict === 'deny')
    return [judgedAs(thread, call, evidence, 'deny', { code: 'denied', detail: judged.why })];
  if (root.rejected?.readOnly && tool.effect === 'write') return refuse('read_only');
  if (tool.effect === 'write' && isInDoubt(call, digest, judging.open)) return refuse('in_doubt_before');
  if (root.rejectedDigests.includes(digest)) return refuse('rejected_before');
  if (judged.verdict === 'allow')
    // Nobody but people can say which of several ways it shall be.
    return call.options.length > 0 ? refuse('no_approvers') : [judgedAs(thread, call, evidence, 'allow')];
  const grant = grantFor(root, call, evidence);
  if (grant !== undefined) return [judgedAs(thread, call, evidence, 'allow', { grant })];
  const nobody = unaskable(root, call, digest, judged.terms, judging);
  if (nobody !== undefined) return refuse(nobody);
  return [
    judgedAs(thread, call, evidence, 'ask'),
    request({ thread, run, call, tool, evidence, terms: judged.terms, nowMs }, { agentWords }),
  ];
}

/** A call that stands proposed without a verdict: a repeated one. */
export function judgeProposed(thread: Thread, command: Extract<Command, { type: 'judge' }>, nowMs: number): Decision {
  const call = at(thread.calls, command.call);
  const run = call && at(thread.runs, call.run);
  if (!call || !run || run.end !== null || isSettled(call) || call.state.is !== 'proposed') return nothing;
  const { evidence, limits } = command;
  const open = openCallsOf(thread);
  return decided(...judge(thread, run, call, { evidence, limits, nowMs, open, requested: 0, agentWords: null }));
}
