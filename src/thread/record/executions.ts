/** Owns what a record takes from the log about executions: the look before each, what came of it, doubts. Pure. */
import type { EventOf } from '../events.ts';
import type { ExecutionId } from '../ids.ts';
import type { Call, Sign } from '../thread.ts';
import { claimedAs } from './attempts.ts';
import type { Checked, Doubt, Ran } from './doc.ts';
import { ofType, type Told } from './told.ts';

/** Each claim stands for a look at everything; its facts are those that had been shown, and were found equal. */
export function checkedOf(told: readonly Told[]): Checked[] {
  let facts: Checked['facts'] = {};
  const checked: Checked[] = [];
  for (const { event, atMs } of ofType(told, 'call.judged', 'approval.requested', 'call.claimed')) {
    if (event.type === 'call.claimed')
      checked.push({ atMs, execution: event.execution, facts, workspace: event.workspace });
    else facts = event.body?.bind ?? facts;
  }
  return checked;
}

/** Every attempt, with what came of it. */
export function ranOf(call: Call, told: readonly Told[]): Ran[] {
  const ran = new Map<ExecutionId, Ran>();
  const over = new Set<ExecutionId>();
  const change = (execution: ExecutionId, more: Partial<Ran>): void => {
    const known = ran.get(execution);
    if (known) ran.set(execution, { ...known, ...more });
  };
  for (const { event, atMs } of told)
    switch (event.type) {
      case 'call.claimed':
        ran.set(event.execution, claimedAs(call, { ...event, atMs }, 'open'));
        break;
      case 'call.suspended':
        change(event.execution, { how: 'suspended' });
        break;
      case 'call.notStarted':
        over.add(event.execution);
        change(event.execution, { how: 'not_started', code: event.why });
        break;
      case 'call.reconciled':
        over.add(event.execution);
        break;
      case 'call.ended':
        change(event.execution, { ...endedAs(event), late: event.how !== 'in_doubt' && over.has(event.execution) });
        if (event.how !== 'in_doubt') over.add(event.execution);
        break;
      default:
    }
  return [...ran.values()];
}

const endedAs = ({ how, code, effect, startedAtMs, endedAtMs, result, body }: EventOf<'call.ended'>): Partial<Ran> => ({
  how,
  code: code ?? null,
  effect,
  startedAtMs,
  endedAtMs,
  result: result ? { digest: result.digest, bytes: result.bytes, blob: result.blob ?? null } : null,
  text: body?.result ?? null,
});

/** Every doubt, what the tool itself said of it, and how people settled it. */
export function doubtsOf(told: readonly Told[]): Doubt[] {
  const signs = new Map<ExecutionId, Sign>();
  for (const { event } of ofType(told, 'call.signed'))
    if (event.body) signs.set(event.execution, { line: event.body.line, atMs: event.atMs });
  return told.flatMap(({ event, atMs }): Doubt[] => {
    switch (event.type) {
      case 'call.ended':
        return event.how === 'in_doubt'
          ? [
              {
                is: 'in_doubt',
                execution: event.execution,
                atMs,
                lastSign: signs.get(event.execution) ?? untimed(event),
              },
            ]
          : [];
      case 'call.checked':
        return [{ is: 'checked', execution: event.execution, atMs, found: event.found }];
      case 'call.reconciled': {
        const by = { id: event.by, name: event.body?.name ?? '' };
        return [{ is: 'said', execution: event.execution, atMs, as: event.as, by }];
      }
      default:
        return [];
    }
  });
}

/** A sign that only the end tells of has no time. */
const untimed = ({ body }: EventOf<'call.ended'>): Sign | null =>
  body?.lastSign === undefined ? null : { line: body.lastSign, atMs: null };
