/** Owns what those tools of a simulated world do that wait from inside: they ask, let people choose, give a task, in steps. */
import type { Execution, ToolOutcome } from '../../src/worker/ports.ts';

/** What a tool does next: it acts and is done, acts in a step and goes on, or comes to a wait or an end. */
export type Move =
  | { readonly do: 'act' }
  | { readonly do: 'step'; readonly name: string }
  | { readonly do: 'end'; readonly outcome: ToolOutcome };

const MINUTE = 60_000;
const step = (name: string): Move => ({ do: 'step', name });
const end = (outcome: ToolOutcome): Move => ({ do: 'end', outcome });
const DONE = end({ how: 'succeeded', effect: 'done', result: 'done' });
const failed = (result: string): Move => end({ how: 'failed', effect: 'none', code: 'not_answered', result });
const waits = (name: string, asking: Extract<ToolOutcome, { how: 'suspended' }>['asking']): Move =>
  end({ how: 'suspended', name, asking });

type Frame = Pick<Execution, 'tool' | 'told' | 'steps'>;

/** What follows from what the tool was told, and from its steps that are done. */
export function nextMove(frame: Frame): Move {
  const { tool, told, steps } = frame;
  switch (tool) {
    case 'ask':
      // What it has done it asks about once more; then it is over, without doing it again.
      if (!('act' in steps)) return inCity(frame) ?? step('act');
      return told['more'] ? DONE : waits('more', CITY);
    case 'plan':
      if (!('first' in steps)) return step('first');
      if (!('second' in steps)) return inCity(frame) ?? step('second');
      if (!told['way']) return waits('way', WAY);
      if (told['way'].is !== 'approved' || 'third' in steps) return DONE;
      return step('third');
    case 'way': {
      const way = told['way'];
      if (!way) return waits('way', WAY);
      return way.is === 'approved' ? { do: 'act' } : failed('No way was chosen.');
    }
    case 'task': {
      const work = told['work'];
      if (!work) return waits('work', TASK);
      if (work.is !== 'done') return failed('It came to nothing.');
      return end({ how: 'succeeded', effect: 'none', result: work.text });
    }
    default:
      return { do: 'act' };
  }
}

/** Asks for a city; undefined once it knows one. */
function inCity({ told }: Frame): Move | undefined {
  const city = told['city'];
  if (!city) return waits('city', CITY);
  if (city.is !== 'answered') return failed('Nobody answered.');
  return city.value === 'Atlantis'
    ? end({ how: 'answer_refused', question: city.question, why: 'is no city' })
    : undefined;
}

const CITY = {
  on: 'question',
  kind: 'question',
  prompt: 'From which city?',
  form: { type: 'text' },
  scopes: [],
  channel: null,
  expiresInMs: 6 * MINUTE,
} as const;

/** The ways that people choose among. */
const WAYS = [
  { value: 'left', label: 'To the left' },
  { value: 'right', label: 'To the right' },
] as const;

const WAY = {
  on: 'call',
  summary: 'Go which way?',
  impact: null,
  args: { n: 9 },
  bind: {},
  options: WAYS,
} as const;

const TASK = { on: 'run', agent: 'helper', task: 'Find it out.' } as const;
