/** A process that executes one command in a project and does nothing else; a test ends it the hard way. Arguments: folder, words. */
import { setTimeout } from 'node:timers/promises';
import type { CallId, ExecutionId, UserId } from '../../src/thread/ids.ts';
import { createTools } from '../../src/tools/create-tools.ts';

const [, , projectRoot = '', ...argv] = process.argv;
const tools = createTools({
  projectRoot,
  language: 'en',
  clock: {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}).catch(() => {}),
  },
});
const signal = new AbortController().signal;
const requester = 'U0DANA001' as UserId;
const inspection = await tools.inspect('execute', { argv }, { requester, signal });
if (!inspection.ok) throw new Error(inspection.detail);
const outcome = await tools.execute({
  execution: 'A.1' as ExecutionId,
  call: 'A' as CallId,
  tool: 'execute',
  args: { argv },
  bind: inspection.bind,
  requester,
  agent: 'default',
  told: {},
  steps: {},
  beginStep: async () => {},
  stepDone: async () => {},
  progress: () => {},
  signal,
  endsByMs: Date.now() + 120_000,
});
process.stdout.write(JSON.stringify(outcome));
