import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define.ts';
import { project } from './project.ts';

test('a tool has no way to ask people from inside, so its catch-all can swallow no request; it is called when everything is decided [F-C13]', async () => {
  const given: object[] = [];
  const swallowing = defineTool({
    name: 'tool',
    description: 'A tool that catches everything.',
    parameters: z.object({}),
    effect: 'write',
    risk: 'low',
    summary: () => 'Do it',
    inspect: async (_, context) => {
      given.push(context);
      return { bind: {}, note: {} };
    },
    execute: async (_, context) => {
      given.push(context);
      try {
        context.signal.throwIfAborted();
        return 'done';
      } catch {
        return 'swallowed';
      }
    },
  });
  const { run } = await project({ tools: [swallowing] });
  expect(await run('tool', {})).toMatchObject({ how: 'succeeded', result: 'done' });
  expect(given.map(context => Object.keys(context).toSorted())).toEqual([
    ['requester', 'signal'],
    ['bound', 'key', 'progress', 'requester', 'signal', 'timeLeftMs'],
  ]);
});
