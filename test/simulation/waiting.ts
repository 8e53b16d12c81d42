/** Owns what those tools of a simulated world do that wait from inside: one asks, one lets people choose, one gives a task. */
import type { Execution, ToolOutcome } from '../../src/worker/ports.ts';

/** A step that acts, and what comes of the call once it is done. */
export const STEP = 'act';

const failed = (result: string): ToolOutcome => ({ how: 'failed', effect: 'none', code: 'not_answered', result });
const MINUTE = 60_000;

/** What the tool does before it acts: wait, refuse an answer, or end; undefined when it goes on to act. */
export function beforeActing({ tool, told, steps }: Execution): ToolOutcome | undefined {
  switch (tool) {
    case 'ask': {
      // What it has done it asks about once more; then it is over, without doing it again.
      if (STEP in steps && !told['more']) return { how: 'suspended', name: 'more', asking: CITY };
      const city = told['city'];
      if (!city) return { how: 'suspended', name: 'city', asking: CITY };
      if (city.is !== 'answered') return failed('Nobody answered.');
      return city.value === 'Atlantis'
        ? { how: 'answer_refused', question: city.question, why: 'is no city' }
        : undefined;
    }
    case 'way': {
      const way = told['way'];
      if (!way) return { how: 'suspended', name: 'way', asking: WAY };
      return way.is === 'approved' ? undefined : failed('No way was chosen.');
    }
    case 'task': {
      const work = told['work'];
      if (!work) return { how: 'suspended', name: 'work', asking: TASK };
      return work.is === 'done'
        ? { how: 'succeeded', effect: 'none', result: work.text }
        : failed('It came to nothing.');
    }
    default:
      return undefined;
  }
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
