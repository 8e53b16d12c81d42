/**
 * Owns what becomes of a tool that waits from inside: the question, request or nested run that it waits for, and its steps.
 *
 * 1. What it waits for is named by its author and derived from the call: the same name again is the same question. 2. The
 * frame is gone when this is in the log; nothing runs under that execution any more. 3. A step begins, and is over, in the
 * log; a step that is over never runs again. 4. Runs are nested no deeper than `MAX_DEPTH`.
 */
import type { ThreadEvent } from '../events.ts';
import { innerCallId, questionId, type ExecutionId } from '../ids.ts';
import {
  at,
  depthOf,
  isOver,
  nextRunId,
  proposedCall,
  rootOf,
  type Call,
  type CallState,
  type Question,
  type Run,
  type Thread,
  type Wait,
} from '../thread.ts';
import { decided, nothing, type Asking, type Command, type Decision } from './command.ts';
import { endSuspended } from './ending.ts';
import { judge, openCallsOf } from './judge.ts';

/** Agents that call agents: this many runs inside one another. */
const MAX_DEPTH = 4;

type Suspend = Extract<Command, { type: 'suspend' }>;
type Claimed = Extract<CallState, { is: 'claimed' }>;

interface Frame {
  readonly call: Call;
  readonly run: Run;
  readonly state: Claimed;
}

/** The call and run of an execution that is under way; undefined when it is over or somebody else's. */
function frameOf(thread: Thread, id: Call['id'], execution: ExecutionId): Frame | undefined {
  const call = at(thread.calls, id);
  const run = call && at(thread.runs, call.run);
  if (!call || !run || call.state.is !== 'claimed' || call.state.claim.execution !== execution) return undefined;
  return { call, run, state: call.state };
}

/** Why a call that has come to a wait ends there: nobody would ever go on with it. */
const endsThere = (thread: Thread, { call, run, state }: Frame): 'cancelled' | 'stopped' | 'read_only' | undefined => {
  if (run.end !== null) return 'cancelled';
  if (rootOf(thread, run).rejected?.readOnly && call.judgement?.effect === 'write') return 'read_only';
  return call.stopped?.execution === state.claim.execution ? 'stopped' : undefined;
};

/** Records what a tool waits for; in a run that is over, or once it was stopped, the call ends instead. */
export function suspend(thread: Thread, command: Suspend, nowMs: number): Decision {
  const frame = frameOf(thread, command.call, command.execution);
  if (!frame) return nothing;
  const { call, run, state } = frame;
  const ends = (code: string): Decision => decided(endSuspended(call, { ...state, ...NO_WAIT }, code, nowMs));
  const over = endsThere(thread, frame);
  if (over) return ends(over);
  const known = at(call.waits, command.name);
  // It was told what came of it, and asks again: nothing would ever end that.
  if (known && isOver(thread, known)) return ends('asked_again');
  if (known) return decided(suspended(call, command, known));
  const { asking } = command;
  switch (asking.on) {
    case 'question':
      return decided(
        ...ask(thread, frame, command.name, asking, nowMs),
        suspended(call, command, questionOf(thread, command)),
      );
    case 'call':
      return command.evidence === null ? nothing : approveInside(thread, frame, command, asking, nowMs);
    case 'run':
      if (depthOf(thread, run) + 1 > MAX_DEPTH) return ends('too_deep');
      return nest(thread, frame, command, asking);
  }
}

const NO_WAIT = { is: 'suspended', name: '', wait: { on: 'question', id: '' as Question['id'] }, sinceMs: 0 } as const;

const questionOf = (thread: Thread, { call, name }: Suspend): Wait => ({
  on: 'question',
  id: questionId(thread.key, call, name),
});

const suspended = (call: Call, { execution, name }: Pick<Suspend, 'execution' | 'name'>, wait: Wait): ThreadEvent => ({
  type: 'call.suspended',
  call: call.id,
  execution,
  question: wait.id,
  on: wait.on,
  name,
  body: {},
});

function ask(
  thread: Thread,
  { call, run }: Frame,
  name: string,
  asking: Extract<Asking, { on: 'question' }>,
  nowMs: number,
): ThreadEvent[] {
  const { kind, prompt, form, scopes, channel, expiresInMs } = asking;
  return [
    {
      type: 'question.asked',
      question: questionId(thread.key, call.id, name),
      run: run.id,
      call: call.id,
      kind,
      to: scopes.length > 0 ? [] : [...rootOf(thread, run).requesters],
      expiresAtMs: nowMs + expiresInMs,
      ...(scopes.length > 0 ? { scopes: [...scopes] } : {}),
      ...(channel === null ? {} : { channel }),
      body: { prompt, schema: form },
    },
  ];
}

/** A request of the tool's own, judged like a call of the model's; it never runs anything, its tool goes on. */
function approveInside(
  thread: Thread,
  { call, run }: Frame,
  command: Suspend,
  asking: Extract<Asking, { on: 'call' }>,
  nowMs: number,
): Decision {
  const { evidence, limits, name } = command;
  if (evidence === null) return nothing;
  const id = innerCallId(thread.key, call.id, name);
  const { args, options } = asking;
  const within = { call: call.id, name };
  const inner = proposedCall({ id, run: run.id, turn: run.turn, tool: call.tool, args, raw: null, within, options });
  const open = openCallsOf(thread).filter(other => other.id !== call.id);
  const judging = { evidence, limits, nowMs, open, requested: 0, agentWords: null };
  return decided(
    {
      type: 'call.proposed',
      call: id,
      run: run.id,
      within: call.id,
      name,
      tool: call.tool,
      body: { args, ...(options.length > 0 ? { options: [...options] } : {}) },
    },
    ...judge(thread, run, inner, judging),
    suspended(call, command, { on: 'call', id }),
  );
}

function nest(
  thread: Thread,
  { call, run }: Frame,
  command: Suspend,
  asking: Extract<Asking, { on: 'run' }>,
): Decision {
  const id = nextRunId(thread);
  return decided(
    {
      type: 'run.started',
      run: id,
      agent: asking.agent,
      requesters: [...rootOf(thread, run).requesters],
      messages: [],
      within: { call: call.id, name: command.name },
      body: { task: asking.task },
    },
    suspended(call, command, { on: 'run', id }),
  );
}

/** The tool's own check did not take an answer: the question is open again, and says why; not where the call ends. */
export function answerRefused(
  thread: Thread,
  command: Extract<Command, { type: 'answerRefused' }>,
  nowMs: number,
): Decision {
  const frame = frameOf(thread, command.call, command.execution);
  const question = at(thread.questions, command.question);
  if (!frame || question?.state.is !== 'answered') return nothing;
  const over = endsThere(thread, frame);
  if (over) return decided(endSuspended(frame.call, { ...frame.state, ...NO_WAIT }, over, nowMs));
  const name = Object.entries(frame.call.waits).find(([, wait]) => wait.id === question.id)?.[0];
  if (name === undefined) return nothing;
  const { by, value } = question.state;
  return decided(
    {
      type: 'question.refused',
      question: question.id,
      by,
      code: 'not_taken',
      key: `${question.id}.${question.asked}.${command.execution}`,
      body: { given: typeof value === 'string' ? value : JSON.stringify(value), why: command.why },
    },
    suspended(frame.call, { execution: command.execution, name }, { on: 'question', id: question.id }),
  );
}

/** A step is about to begin; nothing when it has been done, or the execution is over. */
export function beginStep(thread: Thread, command: Extract<Command, { type: 'beginStep' }>): Decision {
  const frame = frameOf(thread, command.call, command.execution);
  const { call, execution, step } = command;
  if (!frame || at(frame.call.steps, step) !== undefined) return nothing;
  return decided({ type: 'step.claimed', call, execution, step, body: {} });
}

/** What a step came to. True results are recorded also when the execution is in doubt by now: they happened. */
export function stepDone(thread: Thread, command: Extract<Command, { type: 'stepDone' }>): Decision {
  const { call: id, execution, step, value } = command;
  const call = at(thread.calls, id);
  if (!call?.stepsBegun.includes(step) || Object.hasOwn(call.steps, step)) return nothing;
  return decided({ type: 'step.done', call: id, execution, step, body: { value } });
}
