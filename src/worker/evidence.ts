/**
 * Owns the gathering of evidence: the one room that asks tools, policy and directory what is so, just before deciding.
 *
 * 1. What could not be learnt is recorded as unknown; it never becomes a permission.
 */
import type { ActorEvidence, CallEvidence, Inspection, Judged, ToolFacts } from '../thread/evidence.ts';
import type { Json, Scope } from '../thread/events.ts';
import { scopesAt } from '../thread/digest.ts';
import type { TeamId, UserId } from '../thread/ids.ts';
import { approvers, type Approval, type Call, type Run, type Thread } from '../thread/thread.ts';
import type { Ports } from './ports.ts';

type Sources = Pick<Ports, 'tools' | 'policy' | 'directory' | 'views' | 'clock' | 'fresh' | 'team'>;

const NO_TOOL: Inspection = { ok: false, code: 'invalid_arguments', detail: '' };

/** Everything that judging or claiming one call needs, as the world is now. */
export async function callEvidence(
  sources: Sources,
  thread: Thread,
  run: Run,
  call: Pick<Call, 'tool' | 'args' | 'raw'>,
  signal: AbortSignal,
): Promise<CallEvidence> {
  const { tools, policy, views, fresh } = sources;
  const tool = tools.facts(call.tool) ?? null;
  const requester = run.requesters[0];
  const salt = fresh();
  const base = { tool, policy: policy.loaded.digest, eligible: [], room: 'card', salt } as const;
  if (tool === null || call.raw !== null || requester === undefined)
    return { ...base, inspection: NO_TOOL, judged: { verdict: 'deny', rule: '', why: '' } };
  const inspection = await tools.inspect(call.tool, call.args, { requester, signal });
  const judged = await judgedBy(sources, thread, requester, tool, call.args, inspection);
  const evidence: CallEvidence = { ...base, inspection, judged };
  if (judged.verdict !== 'ask') return evidence;
  const eligible = await eligibleFor(sources, run, judged);
  return { ...evidence, eligible, room: views.room(call, evidence) };
}

async function judgedBy(
  sources: Sources,
  thread: Thread,
  requester: UserId,
  tool: ToolFacts,
  args: Json,
  inspection: Inspection,
): Promise<Judged> {
  const actor = await sources.directory.actor(requester, sources.policy.people);
  const known = actor.standing !== 'unknown' && actor.unknownScopes.length === 0;
  return sources.policy.judge({
    tool: { name: tool.name, server: tool.server, effect: tool.effect, risk: tool.risk },
    args,
    facts: inspection.ok ? { ...inspection.note, ...inspection.bind } : {},
    requester: { id: requester, groups: known ? actor.scopes : 'unknown' },
    channel: thread.key.channel,
    thread: { tainted: isTainted(sources, thread) },
  });
}

/** True once the result of a foreign server's tool has been shown to the model in this thread. */
const isTainted = (sources: Sources, thread: Thread): boolean =>
  Object.values(thread.calls).some(
    call => call.state.is === 'ended' && sources.tools.facts(call.tool)?.server !== 'builtin',
  );

async function eligibleFor(
  sources: Sources,
  run: Run,
  judged: Extract<Judged, { verdict: 'ask' }>,
): Promise<readonly UserId[] | 'unknown'> {
  const scopes = judged.terms.ladder.flatMap(step => step.scopes);
  const people = await sources.directory.deciders(scopes);
  if (people === undefined) return 'unknown';
  return judged.terms.selfApproval === 'with_reason'
    ? people
    : people.filter(person => !run.requesters.includes(person));
}

/** Who voted for this approval, looked up again in the scopes that may decide it now. */
export function voterEvidence(sources: Sources, approval: Approval): Promise<ActorEvidence[]> {
  const scopes = scopesAt(approval.terms, approval.requestedAtMs, sources.clock.nowMs());
  return Promise.all(approvers(approval).map(vote => sources.directory.actor(vote.by, scopes)));
}

/** A person as they are now, under the team that Slack delivered with their act. */
export async function actorEvidence(
  sources: Sources,
  actor: { readonly user: UserId; readonly team: TeamId },
  scopes: readonly Scope[],
): Promise<ActorEvidence> {
  const found = await sources.directory.actor(actor.user, scopes);
  return actor.team === sources.team ? found : { ...found, team: actor.team, standing: 'external' };
}
