/** Owns one turn with the model: what it is shown, and the commit that records what came back. */
import { parseArguments } from '../thread/decide/reply.ts';
import { sha256 } from '../thread/digest.ts';
import type { Effect } from '../thread/next.ts';
import { at, type Call, type Run } from '../thread/thread.ts';
import { callEvidence } from './evidence.ts';
import type { Gate } from './gate.ts';
import type { ModelAnswer, ModelReply } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkerSettings } from './settings.ts';
import { transcript } from './transcript.ts';
import type { WholeResults } from './whole-results.ts';

interface Asking {
  readonly gate: Gate;
  readonly settings: Pick<WorkerSettings, 'modelPatienceMs'>;
  readonly results: WholeResults;
}

/** Asks for the run's next turn; false when it must be asked again later. */
export async function askModel(
  asking: Asking,
  session: Session,
  effect: Extract<Effect, { do: 'ask_model' }>,
  signal: AbortSignal,
): Promise<boolean> {
  const { ports } = asking.gate;
  const run = at(session.thread.runs, effect.run);
  if (!run) return false;
  const answer = await answerOf(asking, session, run, signal);
  if (signal.aborted) return true;
  if ('away' in answer) {
    ports.operators.report('model', 'model_away', answer.away);
    // Half a text would look like the whole for as long as the model is asked again.
    ports.views.writing(session.thread, run.id, null);
    const { modelPatienceMs: patienceMs } = asking.settings;
    await session.commit({ type: 'away', run: run.id, code: answer.away, patienceMs });
    return false;
  }
  if ('refused' in answer) {
    const { channel, ts } = session.key;
    ports.operators.report('model', answer.refused, answer.detail, { channel, ts });
    const { refused: code, detail } = answer;
    const { events } = await session.commit({ type: 'end', run: run.id, how: 'failed', code, detail });
    return events.length > 0;
  }
  ports.operators.resolved('model');
  return record(asking.gate, session, run, effect.turn, answer.reply, signal);
}

async function answerOf(
  { gate: { ports }, results }: Asking,
  session: Session,
  run: Run,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const conversation = await transcript(results, session.log, session.thread, run);
  return ports.model.reply({
    agent: run.agent,
    conversation,
    tools: ports.tools.offered(run.agent),
    signal,
    // What a nested run writes is a call's result, not the answer to anybody in the thread.
    ...(run.within === null ? { onText: text => ports.views.writing(session.thread, run.id, text) } : {}),
  });
}

async function record(
  gate: Gate,
  session: Session,
  run: Run,
  turn: number,
  reply: ModelReply,
  signal: AbortSignal,
): Promise<boolean> {
  const { writer: holder, policy } = gate.ports;
  const evidence = await Promise.all(
    reply.calls.map(call => callEvidence(gate, session.thread, run, asProposed(call), signal)),
  );
  const { limits } = policy;
  const instructions = policy.agent(run.agent)?.instructions ?? null;
  const decision = await gate.requests.commit(session, run, evidence, counted =>
    session.commit({
      type: 'reply',
      holder,
      ...reply,
      ...(instructions === null ? {} : { instructions: sha256(instructions) }),
      evidence: counted,
      run: run.id,
      turn,
      limits,
    }),
  );
  return decision.events.length > 0;
}

/** A call as it will stand in the log; `raw` is what the model wrote where that is not JSON. */
function asProposed({ tool, args }: ModelReply['calls'][number]): Pick<Call, 'tool' | 'args' | 'raw'> {
  const parsed = parseArguments(args);
  return parsed.ok ? { tool, args: parsed.value, raw: null } : { tool, args: null, raw: args };
}
