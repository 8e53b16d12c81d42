import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { canonical } from '../../src/thread/digest.ts';
import type { Json } from '../../src/thread/events.ts';
import { defineTool, type Tool } from '../../src/tools/define.ts';
import { words } from '../../src/tools/words.ts';

const scale = {
  name: 'scale',
  description: 'Scales a deployment.',
  parameters: z.object({
    deployment: z.string().min(1).max(20),
    replicas: z.int().min(1).max(50),
    labels: z.array(z.object({ key: z.string(), value: z.string().optional() })).optional(),
    note: z.string().nullable().optional(),
  }),
  effect: 'write',
  risk: 'high',
  summary: ({ deployment, replicas }: { deployment: string; replicas: number }) => `Scale ${deployment} to ${replicas}`,
  execute: async () => 'scaled',
} as const;

const fit = (tool: Tool, args: Json) => tool.fit(args, 'en', words.en);

test('the model gets a strict schema: all is required, what may be left out may be null, nothing else is taken', () => {
  expect(defineTool(scale).parameters).toEqual({
    type: 'object',
    properties: {
      deployment: { type: 'string' },
      replicas: { type: 'integer', minimum: 1, maximum: 50 },
      labels: {
        anyOf: [
          {
            type: 'array',
            items: {
              type: 'object',
              properties: { key: { type: 'string' }, value: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
              required: ['key', 'value'],
              additionalProperties: false,
            },
          },
          { type: 'null' },
        ],
      },
      note: { type: ['string', 'null'] },
    },
    required: ['deployment', 'replicas', 'labels', 'note'],
    additionalProperties: false,
  });
});

test('a null stands for what may be left out, at any depth, unless null is a value of its own there', () => {
  const args = { deployment: 'web', replicas: 2, labels: [{ key: 'a', value: null }], note: null };
  expect(fit(defineTool(scale), args)).toMatchObject({
    ok: true,
    call: { args: { deployment: 'web', replicas: 2, labels: [{ key: 'a' }], note: null } },
  });
  expect(fit(defineTool(scale), { deployment: 'web', replicas: 2, labels: null })).toMatchObject({ ok: true });
  expect(fit(defineTool(scale), { deployment: null, replicas: 2 })).toMatchObject({ ok: false });
});

test.each<[string, Json, string]>([
  ['a wrong type', { deployment: 7, replicas: 2 }, 'deployment: Invalid input: expected string, received number.'],
  ['a wrong place', { deployment: 'web', replicas: 2, labels: [{ key: 1 }] }, 'labels[0].key: '],
  ['many problems', { deployment: '', replicas: 0, labels: 1, note: 2 }, '; and 1 more problem.'],
  ['no object', ['web'], 'Invalid input: expected object'],
  ['an unknown key', { deployment: 'web', replicas: 2, force: true }, 'does not take as it stands: force.'],
  ['an unknown key deeper', { deployment: 'web', replicas: 2, labels: [{ key: 'a', x: 1 }] }, 'stands: labels[0].x.'],
  ['__proto__ as a key', JSON.parse('{"deployment":"web","replicas":2,"__proto__":{"a":1}}'), 'stands: __proto__.'],
  ['half a surrogate pair', { deployment: 'web\ud800', replicas: 2 }, 'not valid Unicode, at deployment.'],
])('arguments with %s do not fit, and a sentence says where [T-A23, F-C6]', (_, args, says) => {
  const fitting = fit(defineTool(scale), args);
  expect(fitting).toMatchObject({ ok: false });
  expect(fitting.ok ? '' : fitting.detail).toContain(says);
  expect(fitting.ok ? '' : fitting.detail).toMatch(/^The arguments .*\.$/s);
});

test('arguments are never changed: a schema that trims, converts or fills in makes the call invalid, not different [T-A1b]', () => {
  const withParameters = (parameters: z.ZodObject<{ text: z.ZodType }>) =>
    defineTool({ ...scale, parameters, summary: () => 'x' });
  const trims = withParameters(z.object({ text: z.string().trim() }));
  expect(fit(trims, { text: 'a' })).toMatchObject({ ok: true });
  expect(fit(trims, { text: ' a' })).toMatchObject({ ok: false, detail: expect.stringContaining('text') });
  const converts = withParameters(z.object({ text: z.coerce.number() }));
  expect(fit(converts, { text: '1' })).toMatchObject({ ok: false });
  const fills = withParameters(z.object({ text: z.string().default('a') }));
  expect(fit(fills, {})).toMatchObject({ ok: false });
});

test('whatever fits reaches the tool as it was given [T-A1b]', () => {
  const tool = defineTool({ ...scale, parameters: z.object({ any: z.json(), text: z.string() }), summary: () => 'x' });
  let fitted = 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }), (any, text) => {
      const args = JSON.parse(JSON.stringify({ any, text })) as Json;
      const fitting = fit(tool, args);
      // What does not fit is text that is no Unicode, or a key that no object can be given.
      if (!fitting.ok) return /not valid Unicode|as it stands: any[.[].*__proto__/.test(fitting.detail);
      fitted += 1;
      return canonical(fitting.call.args) === canonical(args);
    }),
  );
  expect(fitted).toBeGreaterThan(20);
});

test('a definition has one digest, which changes with name, schema, effect and risk and with nothing else [T-A7b]', () => {
  const { digest } = defineTool(scale);
  const same = [
    { ...scale, description: 'Other words.' },
    { ...scale, timeoutMs: 5 },
    { ...scale, summary: () => 'Other words' },
  ];
  for (const definition of same) expect(defineTool(definition).digest).toBe(digest);
  const others = [
    defineTool({ ...scale, name: 'scale2' }),
    defineTool({ ...scale, effect: 'read' }),
    defineTool({ ...scale, risk: 'low' }),
    defineTool({ ...scale, parameters: scale.parameters.extend({ replicas: z.int().min(1).max(51) }) }),
    defineTool({ ...scale, parameters: scale.parameters.extend({ deployment: z.string().min(1).max(21) }) }),
  ];
  expect(new Set([digest, ...others.map(tool => tool.digest)]).size).toBe(6);
});

test('what cannot be a tool is refused when it is defined', () => {
  expect(() => defineTool({ ...scale, name: 'k8s.scale' })).toThrow(
    'A tool\'s name is letters, digits, _ and -, at most 64, not "k8s.scale".',
  );
  const parameters = z.object({ when: z.date() });
  expect(() => defineTool({ ...scale, parameters, summary: () => 'x' })).toThrow('Date');
});
