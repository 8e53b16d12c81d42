/** What a tool of a test asks for from inside, and outcomes that stand for it. */
import type { Asking } from '../../src/thread/decide/command.ts';
import type { Option } from '../../src/thread/events.ts';
import type { Execution, ToolOutcome } from '../../src/worker/ports.ts';

type Of<O extends Asking['on']> = Extract<Asking, { on: O }>;

export const question = (prompt: string, more: Partial<Of<'question'>> = {}): Asking => ({
  on: 'question',
  kind: 'question',
  prompt,
  form: { type: 'text' },
  scopes: [],
  channel: null,
  expiresInMs: 3_600_000,
  ...more,
});

export const request = (summary: string, options: readonly Option[] = []): Asking => ({
  on: 'call',
  summary,
  impact: null,
  args: { what: summary },
  bind: { version: 41 },
  options,
});

export const run = (agent: string, task: string): Asking => ({ on: 'run', agent, task });

/** The tool waits under this name. */
export const waits = (name: string, asking: Asking): ToolOutcome => ({ how: 'suspended', name, asking });

export const done = (result: string): ToolOutcome => ({ how: 'succeeded', effect: 'done', result });

/** The answer that the tool was given under a name; undefined before there is one. */
export function answered({ told }: Execution, name: string): unknown {
  const what = told[name];
  return what?.is === 'answered' ? what.value : undefined;
}
