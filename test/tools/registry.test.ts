import { expect, test } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../src/thread/digest.ts';
import type { CallId, UserId } from '../../src/thread/ids.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts';
import { ToolError } from '../../src/tools/error.ts';
import { handClock } from '../support/hand-clock.ts';
import { project } from './project.ts';

const parameters = z.object({ text: z.string() });
type Definition = ToolDefinition<(typeof parameters)['shape']>;

/** A tool named `tool`, which succeeds unless it is told otherwise. */
const tool = (more: Partial<Definition> = {}) =>
  defineTool({
    name: 'tool',
    description: 'A tool.',
    parameters,
    effect: 'write',
    risk: 'low',
    summary: ({ text }) => `Do ${text}`,
    execute: async ({ text }) => `did ${text}`,
    ...more,
  });
const withTool = (more: Partial<Definition> = {}) => project({ tools: [tool(more)] });
const args = { text: 'it' };
const never = () => new Promise<never>(() => {});

test('seven tools are offered, with facts and whole definitions whose digest can be recomputed', async () => {
  const { tools } = await project();
  const names = ['execute', 'list_files', 'read_file', 'write_file', 'delete_file', 'ask_user', 'ask_approvers'];
  expect(tools.offered('any').map(offer => offer.name)).toEqual(names);
  expect(names.map(name => tools.facts(name))).toMatchObject([
    { effect: 'write', risk: 'medium', idempotent: false, timeoutMs: 125_000 },
    { effect: 'read', risk: 'low', idempotent: true },
    { effect: 'read', risk: 'low', idempotent: true },
    { effect: 'write', risk: 'medium', idempotent: false },
    { effect: 'write', risk: 'high', idempotent: false },
    { effect: 'read', risk: 'low', server: 'people' },
    { effect: 'read', risk: 'low', server: 'people' },
  ]);
  for (const { tool: name, server, digest, definition } of tools.definitions()) {
    expect(tools.facts(name)).toMatchObject({ name, server, digest });
    expect(definition).toMatchObject({ name, server });
    expect(digestOf(definition)).toBe(digest);
  }
});

test('a tool that can say whether a call happened is known as such, and asked', async () => {
  const { tools } = await withTool({ check: key => Promise.resolve(key === 'K' ? 'ran' : 'not_run') });
  expect(tools.facts('tool')?.checks).toBe(true);
  expect(tools.facts('execute')?.checks).toBe(false);
  expect(await tools.check('tool', 'K' as CallId, new AbortController().signal)).toBe('ran');
  expect(await tools.check('execute', 'K' as CallId, new AbortController().signal)).toBe('unknown');
});

test('write tools whose effect depends on nothing that was approved stand in a list of accepted gaps [T-A9b]', async () => {
  const { tools } = await withTool();
  expect(tools.gaps()).toEqual(['execute', 'tool']);
});

test('two tools with one name are refused at start', async () => {
  const { root } = await project();
  const options = { projectRoot: root, language: 'en', clock: handClock() } as const;
  expect(() => createTools({ ...options, tools: [tool({ name: 'execute' })] })).toThrow(
    'There are two tools named execute.',
  );
  expect(() => createTools({ ...options, projectRoot: `${root}/gone` })).toThrow(
    /^The project folder .*gone is not there\.$/,
  );
});

test("a look gives summary, impact, facts and their time in code's own words", async () => {
  const { inspect, clock } = await withTool({
    inspect: async () => ({ bind: { version: 7 }, note: { version: 'older', healthy: true } }),
    summary: ({ text }, facts) => `Do ${text} to version ${JSON.stringify(facts['version'])}`,
    impact: (_, facts) => (facts['healthy'] === true ? 'It is in use.' : null),
  });
  expect(await inspect('tool', args)).toEqual({
    ok: true,
    args,
    summary: 'Do it to version 7',
    impact: 'It is in use.',
    bind: { version: 7 },
    note: { version: 'older', healthy: true },
    atMs: clock.nowMs(),
  });
});

test('a look at a tool that is gone, or with arguments that do not fit, fails in a sentence [F-E6]', async () => {
  const { inspect } = await withTool();
  expect(await inspect('gone', args)).toEqual({
    ok: false,
    code: 'inspect_failed',
    detail: 'There is no tool gone.',
  });
  expect(await inspect('tool', { text: 1 })).toMatchObject({ ok: false, code: 'invalid_arguments' });
});

test.each<[string, Partial<Definition>, object]>([
  [
    'throws',
    { inspect: () => Promise.reject(new Error('no route to host')) },
    { code: 'inspect_failed', detail: 'The world could not be checked for this call: no route to host' },
  ],
  [
    'says why',
    { inspect: () => Promise.reject(new ToolError('There is no such ticket.')) },
    { code: 'inspect_failed', detail: 'There is no such ticket.' },
  ],
  [
    'finds what JSON cannot hold',
    { inspect: async () => ({ bind: { n: Number.NaN }, note: {} }) },
    { code: 'inspect_failed' },
  ],
  ['has no summary', { summary: () => ' ' }, { detail: 'The tool did not say in words what it would do.' }],
  [
    'breaks over its summary',
    {
      summary: () => {
        throw new Error('oops');
      },
    },
    { code: 'inspect_failed', detail: 'The world could not be checked for this call: oops' },
  ],
])('a look that %s fails and allows nothing [F-H8]', async (_, definition, expected) => {
  const { inspect } = await withTool(definition);
  expect(await inspect('tool', args)).toMatchObject({ ok: false, ...expected });
});

test('a look that does not end is given up after 10 s, or when nobody waits for it any more', async () => {
  const { inspect, clock } = await withTool({ inspect: never });
  const late = inspect('tool', args);
  await clock.advance(10_000);
  expect(await late).toMatchObject({ ok: false, detail: 'Checking the world for this call took longer than 10 s.' });
  const stop = new AbortController();
  const stopped = inspect('tool', args, stop.signal);
  stop.abort();
  expect(await stopped).toMatchObject({ ok: false, detail: 'Checking the world for this call was stopped.' });
  expect(clock.sleeping()).toBe(0);
});

test("a tool is given the key of the call, the requester and what was bound, and nobody else's identity [F-D11]", async () => {
  const seen: unknown[] = [];
  const { execute } = await withTool({
    execute: async (given, { key, requester, bound, timeLeftMs }) => {
      seen.push({ given, key, requester, bound, timeLeftMs });
      return 'done';
    },
  });
  expect(
    await execute('tool', args, { bind: { version: 7 }, call: 'KEY' as CallId, requester: 'U1' as UserId }),
  ).toEqual({
    how: 'succeeded',
    effect: 'done',
    result: 'done',
  });
  expect(seen).toEqual([{ given: args, key: 'KEY', requester: 'U1', bound: { version: 7 }, timeLeftMs: 30_000 }]);
});

test('a read tool that succeeds has no effect', async () => {
  const { execute } = await withTool({ effect: 'read' });
  expect(await execute('tool', args)).toEqual({ how: 'succeeded', effect: 'none', result: 'did it' });
});

test.each<[string, Partial<Definition>, object]>([
  [
    'a write tool that throws',
    { execute: () => Promise.reject(new Error('broken pipe')) },
    { effect: 'possible', code: 'tool_error', result: 'tool ended with an error: broken pipe' },
  ],
  [
    'a write tool that throws no error',
    { execute: () => Promise.reject('x' as never) },
    { effect: 'possible', result: 'tool ended with an error: x' },
  ],
  [
    'a write tool that throws at once',
    {
      execute: () => {
        throw new Error('now');
      },
    },
    { effect: 'possible', code: 'tool_error' },
  ],
  [
    'a write tool that says so',
    { execute: () => Promise.reject(new ToolError('Refused.', { effect: 'none', code: 'refused' })) },
    { effect: 'none', code: 'refused', result: 'Refused.' },
  ],
  [
    'a tool with a strange code',
    { execute: () => Promise.reject(new ToolError('Refused.', { code: 'Not A Code' })) },
    { effect: 'possible', code: 'tool_error' },
  ],
  [
    'a read tool that throws',
    { effect: 'read', execute: () => Promise.reject(new Error('x')) },
    { effect: 'none', code: 'tool_error' },
  ],
  [
    'a read tool that overstates',
    { effect: 'read', execute: () => Promise.reject(new ToolError('x', { effect: 'possible' })) },
    { effect: 'none' },
  ],
])('%s has failed, and its effect is what is certain', async (_, definition, expected) => {
  const { execute } = await withTool(definition);
  expect(await execute('tool', args)).toMatchObject({ how: 'failed', ...expected });
});

test('what cannot begin has no effect: tool gone, arguments that do not fit, already stopped, time over [F-B15]', async () => {
  let began = 0;
  const { execute, clock } = await withTool({
    execute: async () => {
      began += 1;
      return '';
    },
  });
  expect(await execute('gone', args)).toMatchObject({ how: 'failed', effect: 'none', code: 'no_such_tool' });
  expect(await execute('tool', {})).toMatchObject({ how: 'failed', effect: 'none', code: 'invalid_arguments' });
  expect(await execute('tool', args, { signal: AbortSignal.abort() })).toMatchObject({
    effect: 'none',
    code: 'aborted',
    result: 'tool was stopped before it began.',
  });
  expect(await execute('tool', args, { endsByMs: clock.nowMs() })).toMatchObject({ effect: 'none', code: 'timed_out' });
  expect(began).toBe(0);
});

test('a tool that does not stop is asked to at its limit, and given up 5 s later with its last sign', async () => {
  const asked: boolean[] = [];
  const { execute, clock } = await withTool({
    timeoutMs: 8_000,
    execute: (_, { signal, progress }) => {
      progress('first half done');
      signal.addEventListener('abort', () => asked.push(true));
      return never();
    },
  });
  const running = execute('tool', args);
  await clock.advance(7_999);
  expect(asked).toEqual([]);
  await clock.advance(1);
  expect(asked).toEqual([true]);
  await clock.advance(5_000);
  expect(await running).toEqual({
    how: 'failed',
    effect: 'possible',
    code: 'timed_out',
    result: 'tool was stopped after 8 s, its limit.\nLast sign: first half done',
  });
  expect(clock.sleeping()).toBe(0);
});

test("the end of the claim counts where it is nearer than the tool's own limit", async () => {
  const { execute, clock } = await withTool({ execute: never });
  const running = execute('tool', args, { endsByMs: clock.nowMs() + 3_000 });
  await clock.advance(8_000);
  expect(await running).toMatchObject({ code: 'timed_out', result: 'tool was stopped after 3 s, its limit.' });
});

test('a tool that stops when asked has failed with a possible effect, or with none where it says so [F-B15]', async () => {
  const stop = new AbortController();
  const obeying: Partial<Definition> = {
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  };
  const { execute } = await withTool(obeying);
  const running = execute('tool', args, { signal: stop.signal });
  stop.abort();
  expect(await running).toEqual({ how: 'failed', effect: 'possible', code: 'aborted', result: 'tool was stopped.' });

  const again = new AbortController();
  const sure = await withTool({
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new ToolError('Not sent.', { effect: 'none', code: 'unsent' }))),
      ),
  });
  const unsent = sure.execute('tool', args, { signal: again.signal });
  again.abort();
  expect(await unsent).toEqual({ how: 'failed', effect: 'none', code: 'aborted', result: 'Not sent.' });
});

test('a tool that finishes although it was asked to stop has succeeded: it is not called cancelled [F-B15, F-I10]', async () => {
  const stop = new AbortController();
  const { execute } = await withTool({
    execute: (_, { signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve('finished'))),
  });
  const running = execute('tool', args, { signal: stop.signal });
  stop.abort();
  expect(await running).toEqual({ how: 'succeeded', effect: 'done', result: 'finished' });
});

test('after a crash a tool can say whether a call happened; without a clear answer it is unknown [F-B7]', async () => {
  const signal = new AbortController().signal;
  const key = 'KEY' as CallId;
  const { tools } = await withTool({ check: async given => (given === key ? 'ran' : 'not_run') });
  expect(await tools.check('tool', key, signal)).toBe('ran');
  expect(await tools.check('execute', key, signal)).toBe('unknown');
  expect(await tools.check('gone', key, signal)).toBe('unknown');
  const failing = await withTool({ check: () => Promise.reject(new Error('x')) });
  expect(await failing.tools.check('tool', key, signal)).toBe('unknown');
  const hanging = await withTool({ check: never });
  const checked = hanging.tools.check('tool', key, signal);
  await hanging.clock.advance(10_000);
  expect(await checked).toBe('unknown');
});
