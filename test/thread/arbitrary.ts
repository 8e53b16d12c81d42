/** Arbitrary thread events: of every type and of its declared form, about few ids, so that they meet; some erased. */
import fc from 'fast-check';
import { z } from 'zod';
import { threadEvents, type ThreadEvent } from '../../src/thread/events.ts';
import { approvalId, callId, executionId, type RunId } from '../../src/thread/ids.ts';
import { DANA, HOUR_MS, KEY, LEO, ME, MIA, terms } from './stage.ts';

const RUNS = ['r1', 'r2', 'r3'] as RunId[];
const CALLS = RUNS.flatMap(run => [callId(KEY, run, 0, 0), callId(KEY, run, 1, 0), callId(KEY, run, 1, 1)]);
const APPROVALS = CALLS.slice(0, 4).map(call => approvalId(KEY, 'r1' as RunId, call));
const EXECUTIONS = CALLS.slice(0, 4).flatMap(call => [executionId(call, 1), executionId(call, 2)]);

const digest = fc.constantFrom('a'.repeat(64), 'b'.repeat(64));
const text = fc.constantFrom('', 'hello', '__proto__', 'constructor', '\u202e');
const stamp = fc.constantFrom('1.000001', '2.000001', '3.000001', '__proto__');
const small = fc.nat(3);
const time = fc.integer({ min: 0, max: 8 * HOUR_MS });

/** Fields that name something of the thread; every other field is made from its schema. */
const NAMED: Record<string, fc.Arbitrary<unknown>> = {
  run: fc.constantFrom(...RUNS),
  call: fc.constantFrom(...CALLS),
  approval: fc.constantFrom(...APPROVALS),
  execution: fc.constantFrom(...EXECUTIONS),
  ts: stamp,
  messages: fc.array(stamp, { maxLength: 3 }),
  message: stamp,
  author: fc.constantFrom(DANA, MIA, LEO),
  by: fc.constantFrom(DANA, MIA, LEO),
  holder: fc.constantFrom(ME, 'node2/1'),
  terms: fc.constantFrom(terms(), terms({ quorum: 2 })),
  requesters: fc.array(fc.constantFrom(DANA, MIA), { maxLength: 2 }),
  channel: fc.constant(KEY.channel),
  key: fc.constantFrom('k1', 'k2', '__proto__'),
};
for (const name of ['digest', 'callDigest', 'ruleDigest', 'tool', 'policy', 'content']) NAMED[name] = digest;
for (const name of ['requestedAtMs', 'expiresAtMs', 'untilMs', 'startByMs', 'endsByMs']) NAMED[name] = time;

function ofSchema(schema: z.ZodType, name = ''): fc.Arbitrary<unknown> {
  const named = name === '' ? undefined : NAMED[name];
  if (named && schema.safeParse(fc.sample(named, { numRuns: 1, seed: 1 })[0]).success) return named;
  if (schema instanceof z.ZodObject)
    return fc
      .record(
        Object.fromEntries(
          Object.entries(schema.shape as Record<string, z.ZodType>)
            .filter(([, field]) => !(field instanceof z.ZodExactOptional))
            .map(([key, field]) => [key, ofSchema(field, key)]),
        ),
      )
      .chain(required =>
        fc
          .record(
            Object.fromEntries(
              Object.entries(schema.shape as Record<string, z.ZodType>)
                .filter(([, field]) => field instanceof z.ZodExactOptional)
                .map(([key, field]) => [key, ofSchema((field as z.ZodExactOptional<z.ZodType>).unwrap(), key)]),
            ),
            { requiredKeys: [] },
          )
          .map(optional => ({ ...required, ...optional })),
      );
  if (schema instanceof z.ZodArray)
    return fc.array(ofSchema(schema.element as z.ZodType, name.replace(/s$/, '')), { maxLength: 3 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodNullable) return fc.option(ofSchema(schema.unwrap() as z.ZodType, name), { freq: 4 });
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber && !schema.safeParse(0).success) return fc.integer({ min: 1, max: 3 });
  if (schema instanceof z.ZodNumber) return schema.safeParse(-1).success ? time : small;
  if (schema instanceof z.ZodRecord) return fc.dictionary(text, fc.constantFrom(1, 'a', null), { maxKeys: 2 });
  if (schema.safeParse('a'.repeat(64)).success && !schema.safeParse('a').success) return digest;
  if (schema.safeParse('hello').success && !schema.safeParse('').success) return fc.constantFrom('hello', 'other');
  return text;
}

/** One event of this version, whole or with its body erased. */
export const anyEvent: fc.Arbitrary<ThreadEvent> = fc.oneof(
  ...Object.entries(threadEvents).map(([type, declared]) =>
    fc
      .tuple(ofSchema(declared.facts), ofSchema(declared.body.unwrap()), fc.integer({ min: 0, max: 3 }))
      .map(
        ([facts, body, erased]) => ({ type, ...(facts as object), body: erased === 0 ? null : body }) as ThreadEvent,
      ),
  ),
);
