import { describe, expect, test } from 'vitest';
import { missingArguments, type ToolWithSchema } from '../../src/policy/missing-arguments.ts';
import type { Json } from '../../src/thread/events.ts';
import { fileWith, loaded } from './policies.ts';

const tool = (name: string, properties: Record<string, Json>): ToolWithSchema => ({
  tool: { name, server: 'builtin', effect: 'write', risk: 'medium' },
  schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});
const scale = tool('k8s.scale', { namespace: { type: 'string' }, replicas: { type: 'integer' } });
const get = tool('k8s.get', { kind: { type: 'string' } });

const found = (rule: string, tools: readonly ToolWithSchema[] = [scale, get]): string[] =>
  missingArguments(loaded(fileWith([rule])), tools);

describe('conditions and the arguments that tools have', () => {
  test('a rule that cannot be checked for a tool is named, with what is missing', () => {
    expect(found(`{ id: staging, allow: ["k8s.*"], when: 'args.namespace == "staging"' }`)).toEqual([
      'Rule staging cannot be checked for k8s.get (no "namespace"): it will not match.',
    ]);
  });

  test('one that denies would deny every call', () => {
    expect(found(`{ id: never, deny: [k8s.scale], when: 'args["namspace"] == "prod"', why: No. }`)).toEqual([
      'Rule never cannot be checked for k8s.scale (no "namspace"): it denies every call of it.',
    ]);
  });

  test.each([
    ['the tool has the argument', `args.replicas < 3`],
    ['the condition asks whether it is there', `has(args.namespace) && args.namespace == "x"`],
    ['the condition is about another tool', `tool.name == "other" && args.zone == "x"`],
    ['it is a fact that is missing', `args.replicas < facts.zone`],
    ['the whole of the arguments is read', `text(args).contains("drop")`],
    ['it fails for another reason', `args.namespace + 1 > 2`],
  ])('nothing is said where %s', (_, condition) => {
    expect(found(`{ id: a, ask: ["k8s.scale"], when: '${condition}' }`)).toEqual([]);
  });

  test('arguments of every kind are tried with a value that fits', () => {
    const all = tool('all', {
      text: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      yes: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      choice: { enum: ['a', 'b'] },
      only: { const: 7 },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      nothing: { type: 'null' },
      types: { type: ['string', 'null'] },
      deep: { type: 'object', properties: { inner: { type: 'string' } } },
    });
    const reads = [
      'args.text == ""',
      'args.count + 1 == 1',
      'args.ratio < 1.0',
      'args.yes',
      'args.list[0] == ""',
      'args.choice == "a"',
      'args.only == 7',
      'args.either == ""',
      'args.nothing == null',
      'args.types == ""',
      'args.deep.inner == ""',
    ];
    for (const read of reads)
      expect(found(`{ id: a, allow: [all], when: '${read} && args.missing == 1' }`, [all]), read).toEqual(
        read === 'args.yes' ? [] : ['Rule a cannot be checked for all (no "missing"): it will not match.'],
      );
  });

  test('a schema that says nothing has no arguments', () => {
    const odd = { tool: scale.tool, schema: true };
    expect(found(`{ id: a, allow: [k8s.scale], when: 'args.x == 1' }`, [odd])).toEqual([
      'Rule a cannot be checked for k8s.scale (no "x"): it will not match.',
    ]);
  });
});

describe('arguments to edit, and those that a grant is bound to', () => {
  test('are told where none of the tools of the rule has them', () => {
    expect(found('{ id: scaling, ask: [k8s.scale], edit: [replica, namespace] }')).toEqual([
      'Rule scaling: edit names "replica", which is no argument of k8s.scale.',
    ]);
    expect(found('{ id: scaling, ask: ["k8s.*"], grants: { max: 1h, uses: 5, where: [namespace, zone] } }')).toEqual([
      'Rule scaling: grants.where names "zone", which is no argument of k8s.scale, k8s.get.',
    ]);
  });

  test('are not told of tools that are not here', () => {
    expect(found('{ id: mail, ask: [send_email], edit: [body] }')).toEqual([]);
  });
});
