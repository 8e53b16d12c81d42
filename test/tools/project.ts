/** A project folder for one test, with the tools that work in it, and a world outside that they must not reach. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Inspection } from '../../src/thread/evidence.ts';
import type { Facts, Json } from '../../src/thread/events.ts';
import type { CallId, ExecutionId, UserId } from '../../src/thread/ids.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import type { Tool } from '../../src/tools/define.ts';
import type { ToolRegistry } from '../../src/tools/registry.ts';
import type { Language } from '../../src/tools/words.ts';
import type { Agent, Execution, ToolOutcome } from '../../src/worker/ports.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';

const dana = 'U0DANA001' as UserId;
/** The id of the call that is executed unless a test names another. */
export const call = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' as CallId;

type Ended = Extract<ToolOutcome, { result: string }>;

export interface Project {
  readonly root: string;
  readonly outside: string;
  readonly clock: HandClock;
  readonly tools: ToolRegistry;
  readonly inspect: (tool: string, args: Json, signal?: AbortSignal) => Promise<Inspection>;
  /** What a look binds; fails when the look fails. */
  readonly bind: (tool: string, args: Json) => Promise<Facts>;
  readonly execute: (tool: string, args: Json, more?: Partial<Execution>) => Promise<ToolOutcome>;
  /** Looks, then executes what was bound. */
  readonly run: (tool: string, args: Json, more?: Partial<Execution>) => Promise<ToolOutcome>;
  /** The same, for a tool that does not wait. */
  readonly end: (tool: string, args: Json, more?: Partial<Execution>) => Promise<Ended>;
}

export interface ProjectOptions {
  readonly files?: { readonly [path: string]: string | Uint8Array };
  readonly language?: Language;
  readonly tools?: readonly Tool[];
  readonly agents?: readonly Agent[];
}

/** Writes files under a folder, making folders as needed. */
export async function plant(folder: string, files: { readonly [path: string]: string | Uint8Array }): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export async function project({
  files = {},
  language = 'en',
  tools: more = [],
  agents,
}: ProjectOptions = {}): Promise<Project> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'countersign-tools-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [root, outside] = [join(base, 'project'), join(base, 'outside')];
  await mkdir(root);
  await plant(root, files);
  await plant(outside, { 'secret.txt': 'secret' });
  const clock = handClock();
  const tools = createTools({ projectRoot: root, language, clock, tools: more, ...(agents ? { agents } : {}) });
  const calm = new AbortController().signal;

  const inspect: Project['inspect'] = (tool, args, signal = calm) =>
    tools.inspect(tool, args, { requester: dana, signal });
  const bind: Project['bind'] = async (tool, args) => {
    const inspection = await inspect(tool, args);
    if (!inspection.ok) throw new Error(inspection.detail);
    return inspection.bind;
  };
  const execute: Project['execute'] = (tool, args, rest = {}) =>
    tools.execute({
      execution: `${call}.1` as ExecutionId,
      call,
      tool,
      args,
      bind: {},
      requester: dana,
      agent: 'default',
      signal: calm,
      told: {},
      steps: {},
      beginStep: async () => {},
      stepDone: async () => {},
      progress: () => {},
      endsByMs: clock.nowMs() + 120_000,
      ...rest,
    });
  const run: Project['run'] = async (tool, args, rest = {}) =>
    execute(tool, args, { bind: await bind(tool, args), ...rest });
  const end: Project['end'] = async (tool, args, rest) => {
    const outcome = await run(tool, args, rest);
    if (!('result' in outcome)) throw new Error(`${tool} waits.`);
    return outcome;
  };
  return { root, outside, clock, tools, inspect, bind, execute, run, end };
}
