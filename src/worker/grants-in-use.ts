/**
 * Owns the use of standing permissions: whether one covers a call, that each use is counted before the call is claimed, and
 * that what a decision gave reaches the workspace's log.
 *
 * 1. A use stands in the workspace's log before the claim, once per call, and only while the grant holds. 2. Between the claim
 * and the start the grant is looked at once more: a revocation stops what has not started.
 */
import type { ToolFacts, WorkspaceEvidence } from '../thread/evidence.ts';
import { coveringGrant, grantGiven, grantStands } from '../thread/grants.ts';
import type { Grant } from '../thread/grant.ts';
import type { CallId, Digest, GrantId, UserId } from '../thread/ids.ts';
import { at, type Call, type Thread } from '../thread/thread.ts';
import type { Clock } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

interface Using<W = WorkspaceLog> {
  readonly ports: { readonly clock: Pick<Clock, 'nowMs'> };
  readonly workspace: W;
}

interface Covered {
  readonly thread: Thread;
  readonly requester: UserId;
  /** Who may decide the call now. */
  readonly deciders: readonly UserId[];
  readonly tool: ToolFacts;
  readonly rule: Digest;
  readonly call: Pick<Call, 'args'> & Partial<Pick<Call, 'id'>>;
}

/** The grant that lets this call run without a card now; undefined when there is none, or when nobody knows. */
export async function standingGrant(
  { ports, workspace }: Using<Pick<WorkspaceLog, 'recent'>>,
  { thread, requester, deciders, tool, rule, call }: Covered,
): Promise<GrantId | undefined> {
  const { grants = {} } = await workspace.recent();
  const grant = coveringGrant(grants, {
    tool: tool.name,
    toolDigest: tool.digest,
    ruleDigest: rule,
    args: call.args,
    requester,
    deciders,
    channel: thread.key.channel,
    threadKey: thread.key,
    nowMs: ports.clock.nowMs(),
    ...(call.id ? { call: call.id } : {}),
  });
  return grant?.grant as GrantId | undefined;
}

/** True while nobody has revoked it and its time is not over. */
const isInForce = (grant: Grant | undefined, nowMs: number): grant is Grant =>
  grant !== undefined && grant.revoked === null && nowMs < grant.untilMs;

/** True while the grant may still be relied on by a call whose use of it is on record. */
export const holds = ({ grants = {} }: WorkspaceEvidence, grant: GrantId, nowMs: number): boolean =>
  isInForce(at(grants, grant), nowMs);

/** Puts the use of a grant by a call on record, once; false when it may not be used any more. Throws LogUnavailable. */
export async function useGrant({ ports, workspace }: Using, id: GrantId, call: CallId): Promise<boolean> {
  await workspace.write(({ grants }) => {
    const grant = at(grants, id);
    if (!grant || grant.used.includes(call) || !grantStands(grant, ports.clock.nowMs())) return [];
    return [{ type: 'grant.used', grant: id, call, body: {} }];
  });
  const grant = at(workspace.workspace.grants, id);
  return isInForce(grant, ports.clock.nowMs()) && grant.used.includes(call);
}

/** Brings what a decision gave into the workspace's log, and says in the thread whether it got there. Throws LogUnavailable. */
export async function give({ ports, workspace }: Using, session: Session, id: GrantId): Promise<boolean> {
  const pending = session.thread.grants.find(each => each.grant === id);
  if (!pending) return false;
  let given = false;
  await workspace.write(({ grants }) => {
    const isThere = at(grants, id) !== undefined;
    given = isThere || ports.clock.nowMs() < pending.untilMs;
    return isThere || !given ? [] : [grantGiven(pending)];
  });
  const decision = await session.commit({ type: 'grantSettled', grant: id, given });
  return decision.events.length > 0;
}
