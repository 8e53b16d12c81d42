/** Owns the bugs that are planted in questions, edits, grants, nested runs, reminders and what else waits for people. */
import { mutant, type Mutant } from './mutant.ts';

export const OF_WAITS: readonly Mutant[] = [
  mutant(
    'votes of earlier rounds count for the edited call',
    ['entitled', 'same', 'single'],
    'src/thread/fold-approval.ts',
    '    votes: [],\n',
    '    votes: earlier?.votes ?? [],\n',
  ),
  mutant(
    'an edit counts whatever its second view had shown',
    ['same'],
    'src/thread/decide/edit.ts',
    '  if (editDigest(approval, edited) !== command.shown)\n',
    '  if (editDigest(approval, edited).length > 64)\n',
  ),
  {
    name: 'whoever sees a card may edit it',
    breaks: ['entitled'],
    edits: [
      {
        file: 'src/thread/decide/edit.ts',
        text: "return rights === 'ok' ? frozenRefusal({ workspace }) : { code: rights };",
        instead: "return rights === 'lookup_failed' ? { code: rights } : frozenRefusal({ workspace });",
      },
      {
        file: 'src/thread/decide/edit.ts',
        text: "const counts = rights === 'ok' && !approval.requesters.includes(editing.actor.user);",
        instead: 'const counts = rights.length > 0 && !approval.requesters.includes(editing.actor.user);',
      },
    ],
  },
  mutant(
    'anybody answers a question',
    ['entitled'],
    'src/thread/decide/rights.ts',
    "  return inside ? 'ok' : 'not_asked';",
    "  return 'ok';",
  ),
  {
    name: 'a tool is not told which of its steps are done',
    breaks: ['once'],
    edits: [
      { file: 'src/worker/execution.ts', text: '    steps: { ...call.steps },', instead: '    steps: {},' },
      {
        file: 'src/thread/decide/suspend.ts',
        text: '  if (!frame || at(frame.call.steps, step) !== undefined) return nothing;',
        instead: '  if (!frame) return nothing;',
      },
    ],
  },
  {
    name: 'a tool goes on before what it waits for is over',
    breaks: ['single', 'settles', 'late', 'once', 'paired'],
    edits: [
      {
        file: 'src/thread/decide/claim.ts',
        text: '  if (!isOver(thread, state.wait) || command.workspace.frozen !== null) return nothing;',
        instead: '  if (command.workspace.frozen !== null) return nothing;',
      },
      {
        file: 'src/thread/next.ts',
        text: 'return over || situation.frozen || !isOver(thread, state.wait) ? [] : [claim];',
        instead: 'return over || situation.frozen ? [] : [claim];',
      },
    ],
  },
  mutant(
    'a nested run outlives the run that it works for',
    ['settles', 'single', 'paired'],
    'src/thread/decide/run.ts',
    '    ...inner.flatMap(other => stopRun(thread, other, stop, nowMs, but)),\n',
    '',
  ),
  mutant(
    'a grant covers calls with other arguments',
    ['entitled'],
    'src/thread/grants.ts',
    'return value !== undefined && canonical(value) === canonical(pattern[name]);',
    'return value !== undefined;',
  ),
  {
    name: 'a grant is used more often than it says',
    breaks: ['entitled'],
    edits: [
      {
        file: 'src/thread/grants.ts',
        text: '  Math.max(0, grant.uses - grant.used.length);',
        instead: '  Math.max(1, grant.uses - grant.used.length);',
      },
    ],
  },
  mutant(
    'a revoked grant still covers what has not started',
    ['entitled'],
    'src/worker/gate.ts',
    '!holds(workspace, grant, gate.ports.clock.nowMs())',
    '!holds({ ...workspace, grants: {} }, grant, Number.NaN) && gate.isStopping()',
  ),
  {
    name: 'a reminder is sent at every look',
    breaks: ['single', 'budget', 'settles'],
    edits: [
      {
        file: 'src/thread/decide/remind.ts',
        text: '  if (!Number.isInteger(n) || n <= sent || n > due) return nothing;',
        instead: '  if (!Number.isInteger(n) || n < sent || n > due) return nothing;',
      },
      { file: 'src/thread/next.ts', text: '  return n > sent ? [{ do', instead: '  return n > 0 && n >= sent ? [{ do' },
    ],
  },
  {
    name: 'a tool’s word that it did not run counts while it may still run',
    breaks: ['once', 'doubt', 'single'],
    edits: [
      {
        file: 'src/thread/decide/settle.ts',
        text: "  if (command.found === 'unknown' || nowMs < claim.endsByMs) return decided(found);",
        instead: "  if (command.found === 'unknown') return decided(found);",
      },
      {
        file: 'src/thread/next.ts',
        text: '  if (asked || nowMs < endsByMs || !checks(call.tool)) return [];',
        instead: '  if (asked || !checks(call.tool)) return [];',
      },
    ],
  },
  mutant(
    'an answer to a question also begins a run',
    ['inputs', 'single', 'settles'],
    'src/thread/fold-question.ts',
    '  thread.queue = thread.queue.filter(other => other !== ts);\n',
    '',
  ),
];
