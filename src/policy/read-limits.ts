/** Owns the section `limits`, and what holds without it. */
import type { Limits } from '../thread/decide/command.ts';
import { LIMITS, PERSON_LIMITS, PERSON_LIMITS_LATER, RUN_LIMITS, THREAD_LIMITS } from './schema.ts';
import type { Entry, Source } from './source.ts';

const DEFAULTS: Limits = { steps: 40, tokens: 400_000, wallMs: 30 * 60_000, openRequests: 8, personOpenRequests: 5 };

/** Reads `limits`: of a run its steps, tokens and time without waiting, of a thread and a person their open requests. */
export function readLimits(source: Source, entry: Entry | undefined): Limits {
  const entries = entry ? source.entries(entry.node, 'limits', entry.at) : [];
  source.section(entries, 'limits', LIMITS);
  const inside = (name: string): Entry[] => {
    const found = entries.find(({ key }) => key === name);
    return found ? source.entries(found.node, `limits.${name}`, found.at) : [];
  };
  const run = source.section(inside('run'), 'limits.run', RUN_LIMITS);
  const thread = source.section(inside('thread'), 'limits.thread', THREAD_LIMITS);
  const person = source.section(inside('person'), 'limits.person', PERSON_LIMITS, PERSON_LIMITS_LATER);
  return {
    steps: run.steps?.value ?? DEFAULTS.steps,
    tokens: run.tokens?.value ?? DEFAULTS.tokens,
    wallMs: run.wall?.value ?? DEFAULTS.wallMs,
    openRequests: thread.open_requests?.value ?? DEFAULTS.openRequests,
    personOpenRequests: person.open_requests?.value ?? DEFAULTS.personOpenRequests,
  };
}
