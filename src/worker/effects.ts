/** Owns how each effect of `next` is performed: what is asked of the world, and which command records what came of it. */
import type { Decision } from '../thread/decide/command.ts';
import { parseArguments } from '../thread/decide/reply.ts';
import type { Effect } from '../thread/next.ts';
import { at, type Call } from '../thread/thread.ts';
import { actorEvidence, callEvidence } from './evidence.ts';
import { pass, type Gate } from './gate.ts';
import type { ModelAnswer, ModelReply } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkerSettings } from './settings.ts';
import { transcript } from './transcript.ts';

export interface Performer {
  readonly gate: Gate;
  readonly settings: WorkerSettings;
}

/** Performs one effect; true when it changed something, false when it must be tried again later. */
export async function perform(
  performer: Performer,
  session: Session,
  effect: Effect,
  signal: AbortSignal,
): Promise<boolean> {
  const { gate } = performer;
  const { ports } = gate;
  switch (effect.do) {
    case 'expire':
      return changed(await session.commit({ type: 'expire', approval: effect.approval }));
    case 'start':
      return start(performer, session);
    case 'judge': {
      const call = at(session.thread.calls, effect.call);
      const run = call && at(session.thread.runs, call.run);
      if (!call || !run) return false;
      const evidence = await callEvidence(ports, session.thread, run, call, signal);
      return changed(await session.commit({ type: 'judge', call: call.id, evidence, limits: ports.policy.limits }));
    }
    case 'ask_model':
      return askModel(performer, session, effect, signal);
    case 'exhaust':
      return changed(
        await session.commit({ type: 'end', run: effect.run, how: 'exhausted', code: effect.code, detail: null }),
      );
    case 'claim':
      return pass(gate, session, effect.call, signal);
    case 'recover':
      return recover(gate, session, effect);
  }
}

const changed = (decision: Decision): boolean => decision.events.length > 0;

async function start({ gate: { ports }, settings: { agent } }: Performer, session: Session): Promise<boolean> {
  const messages = [...session.thread.queue];
  const people = [...new Set(messages.flatMap(ts => at(session.thread.messages, ts)?.author ?? []))];
  const authors = await Promise.all(people.map(user => actorEvidence(ports, { user, team: ports.team }, [])));
  const decision = await session.commit({ type: 'start', agent, messages, authors }, { defer: true });
  // A run that ended at once is shown with the time at which that stands in the log.
  if (decision.events.some(event => event.type === 'run.ended')) await session.flush();
  return changed(decision);
}

async function askModel(
  { gate, settings }: Performer,
  session: Session,
  effect: Extract<Effect, { do: 'ask_model' }>,
  signal: AbortSignal,
): Promise<boolean> {
  const { ports } = gate;
  const run = at(session.thread.runs, effect.run);
  if (!run) return false;
  const conversation = await transcript(ports.log, session.log, session.thread);
  const answer: ModelAnswer = await ports.model.reply({
    agent: run.agent,
    conversation,
    tools: ports.tools.offered(run.agent),
    signal,
  });
  if (signal.aborted) return true;
  if ('away' in answer) {
    ports.operators.report('model', 'model_away', answer.away);
    const { modelPatienceMs: patienceMs } = settings;
    await session.commit({ type: 'away', run: run.id, code: answer.away, patienceMs });
    return false;
  }
  if ('refused' in answer) {
    ports.operators.report('model', answer.refused, answer.detail);
    return changed(
      await session.commit({ type: 'end', run: run.id, how: 'failed', code: answer.refused, detail: answer.detail }),
    );
  }
  ports.operators.resolved('model');
  const { calls } = answer.reply;
  const evidence = await Promise.all(
    calls.map(call => callEvidence(ports, session.thread, run, asProposed(call), signal)),
  );
  const reply = { ...answer.reply, evidence, run: run.id, turn: effect.turn };
  const { limits } = ports.policy;
  return changed(await session.commit({ type: 'reply', holder: ports.writer, ...reply, limits }));
}

/** A call as it will stand in the log; `raw` is what the model wrote where that is not JSON. */
function asProposed({ tool, args }: ModelReply['calls'][number]): Pick<Call, 'tool' | 'args' | 'raw'> {
  const parsed = parseArguments(args);
  return parsed.ok ? { tool, args: parsed.value, raw: null } : { tool, args: null, raw: args };
}

/** A read or idempotent call is given back; one that this boot claimed but never handed to a tool, too. */
async function recover(gate: Gate, session: Session, effect: Extract<Effect, { do: 'recover' }>): Promise<boolean> {
  const call = at(session.thread.calls, effect.call);
  if (call?.state.is !== 'claimed') return false;
  const { claim } = call.state;
  const neverStarted = claim.holder === gate.ports.writer && !gate.started.has(claim.execution);
  const harmless = call.judgement?.effect === 'read' || gate.ports.tools.facts(call.tool)?.idempotent === true;
  return changed(
    await session.commit({
      type: 'recover',
      call: call.id,
      execution: claim.execution,
      again: neverStarted || harmless,
    }),
  );
}
