/**
 * Owns the edit of a request by somebody who may decide it: what the second view shows, and the one commit that follows its
 * submit.
 *
 * 1. Only arguments that the rule names may differ. 2. What is bound is what the second view showed: if the world, the rule
 * or the round is another by then, it is shown again. 3. The edited call is a new round on the same card with the time that
 * was left: earlier votes fall, the editor's counts where they may decide under its rule. 4. An edit never needs fewer people
 * than policy asks for the edited call; what policy would let through needs those who were asked before.
 */
import { canonical, digestOf } from '../digest.ts';
import type { CallEvidence, ToolFacts } from '../evidence.ts';
import type { EventOf, Json, Terms } from '../events.ts';
import type { Digest } from '../ids.ts';
import { isObject } from '../json.ts';
import type { Problem, Refusal } from '../refusal.ts';
import { requestOf, rootOf } from '../thread.ts';
import type { Approval, Call, Requested, Run, Thread } from '../thread.ts';
import { decided, refused, repeated, type Command, type Decision, type Edit } from './command.ts';
import { cardRefusal, frozenRefusal, refuse, settledAs, stateRefusal, vote } from './decision.ts';
import { digestsOf } from './digests.ts';
import { judgedAs, MAX_ARGUMENT_BYTES, openCallsOf } from './judge.ts';
import { request } from './request.ts';
import { entitlement } from './rights.ts';
import { sameKey } from './same-key.ts';
import { asStillAsked, cannotStillBeAsked, eligibleStill } from './still-asked.ts';

/** What an edit is judged by before anybody has seen its second view. */
export type Editing = Pick<Edit, 'approval' | 'round' | 'args' | 'actor' | 'card' | 'workspace' | 'evidence'>;

/** What the second view shows and binds; or why it cannot be put to people. */
export type Preview =
  | { readonly refusal: Refusal }
  | {
      readonly refusal: null;
      readonly args: Json;
      readonly counts: boolean;
      readonly approves: boolean;
      readonly shown: Digest;
    };

/** An edited call as it would be asked. */
interface Edited {
  readonly call: Call;
  readonly tool: ToolFacts;
  readonly evidence: CallEvidence;
  readonly terms: Terms;
  /** True when the editor's word counts as an approval of it. */
  readonly counts: boolean;
}

/** What would run if the arguments were these. Changes nothing. */
export function editPreview(thread: Thread, editing: Editing, nowMs: number): Preview {
  const actor = editing.actor.user;
  const found = requestOf(thread, editing.approval);
  if (!found) return { refusal: { code: 'not_found', actor } };
  const edited = editedCall(thread, found, editing, nowMs);
  if ('code' in edited) return { refusal: { ...edited, approval: found.approval.id, actor } };
  const { counts } = edited;
  const approves = counts && edited.terms.quorum === 1;
  return { refusal: null, args: editing.args, counts, approves, shown: editDigest(found.approval, edited) };
}

/** Changes the arguments of a request and puts the edited call to people, or refuses with a code. */
export function edit(thread: Thread, command: Extract<Command, { type: 'edit' }>, nowMs: number): Decision {
  const found = requestOf(thread, command.approval);
  if (!found) return refused({ code: 'not_found', actor: command.actor.user });
  const { approval } = found;
  const again = sameAgain(thread, found, command);
  if (again === 'repeated') return repeated;
  if (again) return refuse(thread, approval, command, again);
  const edited = editedCall(thread, found, command, nowMs);
  if ('code' in edited) return refuse(thread, approval, command, edited);
  if (editDigest(approval, edited) !== command.shown)
    return refuse(thread, approval, command, { code: 'changed_since' });
  return decided(...asEdited(thread, found, edited, command, nowMs));
}

const contentOf = (args: Json): Digest => digestOf({ verdict: 'edit', args });

/** The same submit again: known by its vote, or, where none was counted, by what stands there now. */
function sameAgain(thread: Thread, { approval, call }: Requested, command: Edit): 'repeated' | Problem | undefined {
  const actor = command.actor.user;
  const again = sameKey(thread, command, () => contentOf(command.args), approval.id);
  if (again) return again;
  const stands = approval.editedBy?.by === actor && approval.round === command.round + 1;
  return stands && canonical(call.args) === canonical(command.args) ? 'repeated' : undefined;
}

/** The edited call as it would be asked now, or why it cannot be. */
function editedCall(thread: Thread, found: Requested, editing: Editing, nowMs: number): Edited | Problem {
  const { approval, run } = found;
  const problem =
    stateRefusal(approval, editing.round, nowMs) ?? cardRefusal(editing) ?? mayNotEdit(approval, editing, nowMs);
  if (problem) return problem;
  const unfit = argumentsRefusal(found, editing.args);
  if (unfit) return unfit;
  const { tool, inspection, judged } = editing.evidence;
  if (tool === null) return { code: 'bad_edit', detail: 'incompatible' };
  if (!inspection.ok) return { code: 'bad_edit', detail: inspection.detail || inspection.code };
  if (judged.verdict === 'deny') return { code: 'denied', detail: judged.why };
  const evidence = asStillAsked(approval, editing.evidence);
  const { terms } = evidence.judged;
  const call: Call = { ...found.call, args: editing.args };
  const unaskable = askedBefore(thread, run, call, evidence) ?? nobodyToAsk(editing.evidence, terms);
  if (unaskable) return unaskable;
  const rights = entitlement({ ...approval, terms }, editing.actor, nowMs);
  // Who asked for it gives a reason with each approval of their own; an edit has none.
  const counts = rights === 'ok' && !approval.requesters.includes(editing.actor.user);
  return { call, tool, evidence, terms, counts };
}

function mayNotEdit(approval: Approval, { actor, workspace }: Editing, nowMs: number): Problem | undefined {
  const rights = entitlement(approval, actor, nowMs);
  return rights === 'ok' ? frozenRefusal({ workspace }) : { code: rights };
}

/** What a tool asks from inside is its own to say; of the model's calls, what the rule names may be edited. */
function argumentsRefusal({ approval, call }: Requested, args: Json): Problem | undefined {
  if (call.within !== null || !isObject(args) || !isObject(call.args)) return { code: 'not_editable' };
  const was = call.args;
  const text = (of: Record<string, Json>, name: string): string | undefined =>
    Object.hasOwn(of, name) ? canonical(of[name]) : undefined;
  const names = [...new Set([...Object.keys(was), ...Object.keys(args)])];
  const changed = names.filter(name => text(was, name) !== text(args, name));
  const kept = changed.find(name => !approval.terms.edit.includes(name));
  if (kept !== undefined) return { code: 'not_editable', detail: kept };
  if (changed.length === 0) return { code: 'unchanged' };
  return Buffer.byteLength(canonical(args)) > MAX_ARGUMENT_BYTES ? { code: 'bad_edit', detail: 'too_long' } : undefined;
}

/** Why the edited call is none that can be put to people here: it was rejected, or it waits or runs already. */
function askedBefore(thread: Thread, run: Run, call: Call, evidence: CallEvidence): Problem | undefined {
  const digest = digestsOf(thread, call, evidence).call;
  if (rootOf(thread, run).rejectedDigests.includes(digest)) return { code: 'bad_edit', detail: 'rejected_before' };
  const twice = openCallsOf(thread).some(other => other.id !== call.id && other.callDigest === digest);
  return twice ? { code: 'bad_edit', detail: 'duplicate' } : undefined;
}

/** Why the edited call could be shown to nobody, or decided by nobody. */
function nobodyToAsk(evidence: CallEvidence, terms: Terms): Problem | undefined {
  const nobody = cannotStillBeAsked(evidence, terms);
  if (nobody === undefined) return undefined;
  return nobody === 'quorum_impossible' || nobody === 'lookup_failed'
    ? { code: nobody }
    : { code: 'bad_edit', detail: nobody };
}

/** Everything that the second view shows; notes may change freely. */
function editDigest(approval: Approval, { call, evidence, terms, counts }: Edited): Digest {
  const { inspection, judged } = evidence;
  return digestOf({
    v: 1,
    approval: approval.id,
    round: approval.round,
    args: call.args,
    summary: inspection.ok ? inspection.summary : null,
    impact: inspection.ok ? inspection.impact : null,
    bind: inspection.ok ? inspection.bind : {},
    rule: judged.rule,
    terms,
    counts,
  });
}

type EditEvent = EventOf<
  'approval.edited' | 'call.judged' | 'approval.requested' | 'decision.recorded' | 'approval.settled'
>;

function asEdited(
  thread: Thread,
  { approval, run }: Requested,
  edited: Edited,
  command: Edit,
  nowMs: number,
): EditEvent[] {
  const { call, tool, evidence, terms, counts } = edited;
  const { actor, card, key } = command;
  const { requestedAtMs, expiresAtMs } = approval;
  const asked = request(
    { thread, run, call, tool, evidence, terms, nowMs },
    {
      agentWords: approval.agentWords,
      earlier: approval,
      why: 'edited',
      times: { requestedAtMs, expiresAtMs },
      ...eligibleStill(approval, command.evidence),
    },
  );
  const events: EditEvent[] = [
    {
      type: 'approval.edited',
      approval: approval.id,
      round: approval.round,
      by: actor.user,
      body: { args: call.args, name: actor.name },
    },
    judgedAs(thread, call, evidence, 'ask'),
    asked,
  ];
  if (!counts) return events;
  const shown = { id: approval.id, round: asked.round, digest: asked.digest, rule: asked.rule };
  const word = { verdict: 'approve', reason: null, then: null, key, origin: 'form', actor, card } as const;
  events.push({ ...vote(word, shown), content: contentOf(command.args) });
  if (terms.quorum === 1) events.push(settledAs(shown, 'approved', [actor.user]));
  return events;
}
