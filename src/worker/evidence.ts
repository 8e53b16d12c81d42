/**
 * Owns the gathering of evidence: the one room that asks tools, policy and directory what is so, just before deciding.
 *
 * 1. What could not be learnt is recorded as unknown; it never becomes a permission. 2. What a tool puts to people from
 * inside is judged as what it is: the tool's own request, with the words and facts that the tool gave.
 */
import type { Asking } from '../thread/decide/command.ts';
import type { ActorEvidence, CallEvidence, Inspection, Judged, ToolFacts } from '../thread/evidence.ts';
import type { Json, Scope, Terms } from '../thread/events.ts';
import { ruleDigest, scopesAt } from '../thread/digest.ts';
import type { TeamId, UserId } from '../thread/ids.ts';
import { approvers, type Approval, type Call, type Run, type Thread } from '../thread/thread.ts';
import { standingGrant } from './grants-in-use.ts';
import type { Ports } from './ports.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** What is asked for evidence. */
export interface Sources {
  readonly ports: Pick<Ports, 'tools' | 'policy' | 'directory' | 'views' | 'clock' | 'fresh' | 'team'>;
  readonly workspace: Pick<WorkspaceLog, 'recent'>;
}

/** A call as far as evidence about it needs it; one that is not in the log yet has no more. */
type Looked = Pick<Call, 'tool' | 'args' | 'raw'> &
  Partial<Pick<Call, 'id' | 'within' | 'options' | 'judgement' | 'state'>>;

/** What a tool asks for from inside. */
type FromInside = Pick<Extract<Asking, { on: 'call' }>, 'summary' | 'impact' | 'bind'>;

/** Servers of our own: what their tools give comes from this process, our people or our agents. */
const OWN_SERVERS: readonly string[] = ['builtin', 'people', 'agents'];

const NO_TOOL: Inspection = { ok: false, code: 'invalid_arguments', detail: '' };

/** Everything that judging, editing or claiming one call needs, as the world is now. */
export async function callEvidence(
  sources: Sources,
  thread: Thread,
  run: Run,
  call: Looked,
  signal: AbortSignal,
): Promise<CallEvidence> {
  if (call.within) return innerEvidence(sources, thread, run, call, asStored(call));
  const { tools } = sources.ports;
  // A name that the agent is not offered is no tool of its, however the model came by it.
  const tool = tools.facts(call.tool, run.agent);
  const requester = run.requesters[0];
  if (tool === undefined || call.raw !== null || requester === undefined)
    return nothingKnown(sources, tool ?? null, NO_TOOL);
  const inspection = await tools.inspect(call.tool, call.args, { requester, signal });
  return judged(sources, { thread, run, requester, tool, call, inspection, mustAsk: false });
}

/** The same for what `call`'s tool asks for from inside: no tool is asked, it has said what it wants; only people decide it. */
export async function innerEvidence(
  sources: Sources,
  thread: Thread,
  run: Run,
  call: Looked,
  { summary, impact, bind }: FromInside,
): Promise<CallEvidence> {
  const { tools, clock } = sources.ports;
  const tool = tools.facts(call.tool);
  const requester = run.requesters[0];
  const inspection: Inspection = { ok: true, args: call.args, summary, impact, bind, note: {}, atMs: clock.nowMs() };
  if (tool === undefined || requester === undefined) return nothingKnown(sources, tool ?? null, inspection);
  return judged(sources, { thread, run, requester, tool, call, inspection, mustAsk: true });
}

/** What a tool has asked for, as it stands in the log. */
const asStored = ({ tool, judgement }: Looked): FromInside => ({
  summary: judgement?.summary ?? tool,
  impact: judgement?.impact ?? null,
  bind: judgement?.bind ?? {},
});

const nothingKnown = ({ ports }: Sources, tool: ToolFacts | null, inspection: Inspection): CallEvidence => ({
  tool,
  inspection,
  judged: { verdict: 'deny', rule: '', why: '' },
  policy: ports.policy.loaded.digest,
  eligible: [],
  room: 'card',
  salt: ports.fresh(),
});

interface Judging {
  readonly thread: Thread;
  readonly run: Run;
  readonly requester: UserId;
  readonly tool: ToolFacts;
  readonly call: Looked;
  readonly inspection: Inspection;
  readonly mustAsk: boolean;
}

/** Policy's word, and where it asks: who could decide, how it can be shown, and whether a grant covers it. */
async function judged(sources: Sources, judging: Judging): Promise<CallEvidence> {
  const { ports } = sources;
  const { tool, inspection, call, run, requester, thread } = judging;
  const tainted = isTainted(ports, thread);
  const verdict = await verdictOn(sources, judging, tainted);
  const salt = ports.fresh();
  const base = { tool, inspection, judged: verdict, policy: ports.policy.loaded.digest, salt } as const;
  if (verdict.verdict !== 'ask') {
    const allowed: CallEvidence = { ...base, eligible: [], room: 'card' };
    // An edited call is put to people also where policy would let it through.
    return call.state?.is === 'waiting' ? { ...allowed, room: ports.views.room(call, allowed) } : allowed;
  }
  const evidence: CallEvidence = { ...base, ...(await eligibleFor(sources, run, verdict)), room: 'card' };
  const rule = ruleDigest({ id: verdict.rule, terms: verdict.terms });
  const deciders = evidence.eligible === 'unknown' ? [] : evidence.eligible;
  const grant =
    tainted || judging.mustAsk
      ? undefined
      : await standingGrant(sources, { thread, requester, deciders, tool, rule, call });
  return { ...evidence, room: ports.views.room(call, evidence), ...(grant ? { grant } : {}) };
}

async function verdictOn({ ports }: Sources, judging: Judging, tainted: boolean): Promise<Judged> {
  const { thread, requester, tool, call, inspection, mustAsk } = judging;
  const actor = await ports.directory.actor(requester, ports.policy.people);
  const known = actor.standing !== 'unknown' && actor.unknownScopes.length === 0;
  return ports.policy.judge({
    tool: {
      name: tool.name,
      server: tool.server,
      effect: tool.effect,
      risk: tool.risk,
      ...(mustAsk ? { mustAsk } : {}),
    },
    args: call.args,
    facts: inspection.ok ? { ...inspection.note, ...inspection.bind } : {},
    requester: { id: requester, groups: known ? actor.scopes : 'unknown' },
    channel: thread.key.channel,
    thread: { tainted },
  });
}

/** True once the result of a foreign server's tool has been shown to the model in this thread. */
const isTainted = ({ tools }: Pick<Ports, 'tools'>, thread: Thread): boolean =>
  thread.heard.some(tool => !OWN_SERVERS.includes(tools.facts(tool)?.server ?? 'unknown'));

/** Who could decide at some time, and how many of them could from the beginning. */
async function eligibleFor(
  { ports }: Sources,
  run: Run,
  { terms }: Extract<Judged, { verdict: 'ask' }>,
): Promise<Pick<CallEvidence, 'eligible' | 'eligibleAtFirst'>> {
  const deciders = async (steps: Terms['ladder']): Promise<readonly UserId[] | undefined> => {
    const people = await ports.directory.deciders(steps.flatMap(step => step.scopes));
    const mayAll = terms.selfApproval === 'with_reason';
    return mayAll ? people : people?.filter(person => !run.requesters.includes(person));
  };
  const [all, first] = await Promise.all([
    deciders(terms.ladder),
    terms.ladder.length > 1 ? deciders(terms.ladder.slice(0, 1)) : undefined,
  ]);
  if (all === undefined) return { eligible: 'unknown' };
  return { eligible: all, ...(first ? { eligibleAtFirst: first.length } : {}) };
}

/** Who voted for this approval, looked up again in the scopes that may decide it now. */
export function voterEvidence({ directory, clock }: Sources['ports'], approval: Approval): Promise<ActorEvidence[]> {
  const scopes = scopesAt(approval.terms, approval.requestedAtMs, clock.nowMs());
  return Promise.all(approvers(approval).map(vote => directory.actor(vote.by, scopes)));
}

/** A person as they are now, under the team that Slack delivered with their act. */
export async function actorEvidence(
  { directory, team }: Pick<Ports, 'directory' | 'team'>,
  actor: { readonly user: UserId; readonly team: TeamId },
  scopes: readonly Scope[],
): Promise<ActorEvidence> {
  const found = await directory.actor(actor.user, scopes);
  return actor.team === team ? found : { ...found, team: actor.team, standing: 'external' };
}

/** Every scope that a request's ladder ever reaches. */
export const scopesOf = (approval: Pick<Approval, 'terms'> | undefined): Scope[] =>
  approval?.terms.ladder.flatMap(step => step.scopes) ?? [];

/** Arguments of a call that is looked at, whatever they are; for callers that change them. */
export const withArgs = (call: Call, args: Json): Looked => ({ ...call, args });
