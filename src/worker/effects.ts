/** Owns how each effect of `next` is performed: what is asked of the world, and which command records what came of it. */
import type { Command, Ended } from '../thread/decide/command.ts';
import { sha256 } from '../thread/digest.ts';
import type { ThreadEvent } from '../thread/events.ts';
import type { Effect } from '../thread/next.ts';
import { at, requestOf, type Claim } from '../thread/thread.ts';
import { agentFor } from './agents.ts';
import { askModel } from './ask-model.ts';
import { actorEvidence, callEvidence, voterEvidence, type Sources } from './evidence.ts';
import { pass, type Gate } from './gate.ts';
import { give } from './grants-in-use.ts';
import type { Session } from './session.ts';
import type { WorkerSettings } from './settings.ts';
import type { WholeResults } from './whole-results.ts';

export interface Performer {
  readonly gate: Gate;
  readonly settings: WorkerSettings;
  readonly results: WholeResults;
}

type Of<D extends Effect['do']> = Extract<Effect, { do: D }>;

/** Performs one effect; true when it changed something, false when it must be tried again later. */
export async function perform(
  performer: Performer,
  session: Session,
  effect: Effect,
  signal: AbortSignal,
): Promise<boolean> {
  const { gate } = performer;
  switch (effect.do) {
    case 'expire':
      return write(session, { type: 'expire', approval: effect.approval });
    case 'close_question':
      return write(session, { type: 'closeQuestion', question: effect.question });
    case 'remind':
      return write(session, { type: 'remind', approval: effect.approval, n: effect.n });
    case 'escalate':
      return write(session, { type: 'escalate', approval: effect.approval, step: effect.step });
    case 'exhaust':
      return write(session, { type: 'end', run: effect.run, how: 'exhausted', code: effect.code, detail: null });
    case 'start':
      return start(gate, session);
    case 'judge':
      return judge(gate, session, effect, signal);
    case 'recheck':
      return recheck(gate, session, effect, signal);
    case 'ask_model':
      return askModel(performer, session, effect, signal);
    case 'claim':
      return pass(gate, session, effect.call, signal);
    case 'give_grant':
      return give(gate, session, effect.grant);
    case 'check':
      return check(gate, session, effect, signal);
    case 'recover':
      return recover(gate, session, effect, signal);
  }
}

/** Commits; true when that changed something. */
const write = async (session: Session, command: Command): Promise<boolean> =>
  (await session.commit(command)).events.length > 0;

/** Starts the next run with what waits, if its authors can be looked up; true when one began. */
export async function start({ ports }: Pick<Sources, 'ports'>, session: Session): Promise<boolean> {
  // Where no agent is left, nobody is answered: whoever writes is told so.
  const { name: agent, requesters } = agentFor(ports.policy, session.thread) ?? { name: 'none', requesters: [] };
  const messages = [...session.thread.queue];
  const people = [...new Set(messages.flatMap(ts => at(session.thread.messages, ts)?.author ?? []))];
  const authors = await Promise.all(
    people.map(user => actorEvidence(ports, { user, team: ports.team }, requesters ?? [])),
  );
  // A run that ends at once is shown with the time at which that stands in the log.
  const defer = (events: readonly ThreadEvent[]): boolean => events.every(({ type }) => type !== 'run.ended');
  const decision = await session.commit({ type: 'start', agent, messages, authors, requesters }, { defer });
  return decision.events.length > 0;
}

async function judge(gate: Gate, session: Session, effect: Of<'judge'>, signal: AbortSignal): Promise<boolean> {
  const call = at(session.thread.calls, effect.call);
  const run = call && at(session.thread.runs, call.run);
  if (!call || !run) return false;
  const found = await callEvidence(gate, session.thread, run, call, signal);
  const { limits } = gate.ports.policy;
  return gate.requests.commit(session, run, [found], ([evidence = found]) =>
    write(session, { type: 'judge', call: call.id, evidence, limits }),
  );
}

/** A request that was put to people under another policy or definition is looked at again while it waits. */
async function recheck(gate: Gate, session: Session, effect: Of<'recheck'>, signal: AbortSignal): Promise<boolean> {
  const { thread } = session;
  const found = requestOf(thread, effect.approval);
  if (!found) return false;
  const { approval, call, run } = found;
  const evidence = await callEvidence(gate, thread, run, call, signal);
  const approvers = await voterEvidence(gate.ports, approval);
  return write(session, { type: 'recheck', approval: approval.id, evidence, approvers });
}

/** Asks the tool itself whether an execution in doubt happened. */
async function check({ ports }: Gate, session: Session, effect: Of<'check'>, signal: AbortSignal): Promise<boolean> {
  const call = at(session.thread.calls, effect.call);
  if (!call) return false;
  const found = await ports.tools.check(call.tool, call.id, signal);
  if (signal.aborted) return false;
  return write(session, { type: 'checked', call: call.id, execution: effect.execution, found });
}

/**
 * A read or idempotent call is given back; one that this boot claimed but never handed to a tool, too. Of any other the tool
 * itself is asked first: what ran has its outcome, everything else is in doubt.
 */
async function recover(gate: Gate, session: Session, effect: Of<'recover'>, signal: AbortSignal): Promise<boolean> {
  const call = at(session.thread.calls, effect.call);
  if (call?.state.is !== 'claimed') return false;
  const { claim } = call.state;
  const { tools, writer } = gate.ports;
  const neverStarted = claim.holder === writer && !gate.started.has(claim.execution);
  const tool = tools.facts(call.tool);
  const harmless = call.judgement?.effect === 'read' || tool?.idempotent === true;
  const asks = !neverStarted && !harmless && tool?.checks === true;
  // Before its time is over nothing but "it ran" can be believed.
  const ran = asks && (await tools.check(call.tool, call.id, signal)) === 'ran';
  if (ran)
    return write(session, { type: 'ended', call: call.id, execution: claim.execution, outcome: itRan(gate, claim) });
  const sign = gate.signs.of(claim.execution);
  return write(session, {
    type: 'recover',
    call: call.id,
    execution: claim.execution,
    again: neverStarted || harmless,
    ...(sign === undefined ? {} : { lastSign: sign }),
  });
}

/** The outcome of an execution of which nothing is known but that it ran. */
const itRan = ({ ports }: Gate, claim: Claim): Ended => ({
  how: 'succeeded',
  effect: 'done',
  code: 'checked',
  result: '',
  startedAtMs: claim.atMs,
  endedAtMs: ports.clock.nowMs(),
  digest: sha256(''),
  bytes: 0,
  blob: null,
});
