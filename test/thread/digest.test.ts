import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { damageOf, eventsFrom, partsOf, seal, type Commit, type Head } from '../../src/thread/commit.ts';
import { approvalDigest, callDigest, digestOf, ruleDigest, type ApprovalContent } from '../../src/thread/digest.ts';
import type { Event, Json } from '../../src/thread/events.ts';
import {
  threadLog,
  type ChannelId,
  type Digest,
  type LogKey,
  type TeamId,
  type WriterId,
} from '../../src/thread/ids.ts';
import { ANA, DANA, KEY, LEADS, MIA, terms } from './stage.ts';

const NO = 'f'.repeat(64) as Digest;

describe('the call digest', () => {
  const call = { thread: KEY, server: 'builtin', tool: 'execute', definition: digestOf('a'), args: { a: [1], b: 'x' } };

  test('says what the same call is: team, thread, server, tool, definition and arguments, and nothing else [F-H11, S-66]', () => {
    const digest = callDigest(call);
    expect(callDigest({ ...call, args: { b: 'x', a: [1] } })).toBe(digest);
    const others = [
      { ...call, thread: { ...KEY, team: 'T0OTHER01' as TeamId } },
      { ...call, thread: { ...KEY, channel: 'C0OTHER01' as ChannelId } },
      { ...call, server: 'k8s' },
      { ...call, tool: 'execute2' },
      { ...call, definition: digestOf('b') },
      { ...call, args: { a: [1], b: 'x ' } },
      { ...call, args: { a: ['1'], b: 'x' } },
    ];
    expect(new Set([digest, ...others.map(callDigest)]).size).toBe(others.length + 1);
  });

  test('covers the raw arguments: invisible and look-alike characters make another call [T-A4c]', () => {
    const plain = callDigest({ ...call, args: 'rm a' });
    for (const args of ['rm\u200b a', 'rm\u00a0a', 'rm \u0430', '\u202erm a'])
      expect(callDigest({ ...call, args })).not.toBe(plain);
  });
});

describe('the approval digest', () => {
  const content: ApprovalContent = {
    callDigest: digestOf('call'),
    requesters: [DANA, ANA],
    bind: { replicas: 6 },
    ruleDigest: ruleDigest({ id: 'a', terms: terms() }),
    expiresAtMs: 1_000,
    round: 1,
    salt: 'salt',
  };

  test('changes with everything that was shown and decided on, and not with the order of the requesters [F-H1, S-62]', () => {
    const digest = approvalDigest(content);
    expect(approvalDigest({ ...content, requesters: [ANA, DANA] })).toBe(digest);
    const others: ApprovalContent[] = [
      { ...content, callDigest: NO },
      { ...content, requesters: [DANA] },
      { ...content, bind: { replicas: 8 } },
      { ...content, bind: { replicas: '6' } },
      { ...content, ruleDigest: ruleDigest({ id: 'a', terms: terms({ quorum: 2 }) }) },
      { ...content, ruleDigest: ruleDigest({ id: 'b', terms: terms() }) },
      { ...content, ruleDigest: ruleDigest({ id: 'a', terms: terms({ ladder: [{ afterMs: 0, scopes: [LEADS] }] }) }) },
      { ...content, expiresAtMs: 1_001 },
      { ...content, round: 2 },
      { ...content, salt: 'other' },
    ];
    expect(new Set([digest, ...others.map(approvalDigest)]).size).toBe(others.length + 1);
  });
});

const LOG = threadLog(KEY);
const draft = (events: readonly Event[], after = { number: 0, hash: '' }) => ({
  after,
  events,
  atMs: 5,
  writer: 'node1/1' as WriterId,
  nonce: 'nonce',
  salt: 'salt',
});
const answered = (value: Json): Event => ({
  type: 'question.answered',
  question: 'q',
  by: MIA,
  key: 'k',
  body: { value, name: 'Mia' },
});
const readBack = (commit: Commit): Event[] | undefined => {
  const { facts, body } = partsOf(commit);
  return eventsFrom(JSON.parse(facts), JSON.parse(body));
};
/** What is found of a commit whose texts are those of its events. */
const found = (key: LogKey, previous: Head, commit: Commit) => {
  const { facts, body } = partsOf(commit);
  return damageOf(key, previous, commit, { facts, body: commit.events[0]?.body === null ? null : body });
};

describe('a commit', () => {
  test('gives back false, 0, "", [] and every other JSON value exactly [F-A6]', () => {
    for (const value of [false, 0, '', [], {}, null])
      expect(readBack(seal(LOG, draft([answered(value)])))).toEqual([answered(value)]);
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        if (!JSON.stringify(plain).isWellFormed() || JSON.stringify(plain).includes('__proto__')) return;
        if (/\\ud[89a-f]/i.test(JSON.stringify(plain))) return;
        expect(readBack(seal(LOG, draft([answered(plain)])))).toEqual([answered(plain)]);
      }),
    );
  });

  test('holds things that look like serialised objects as the inert data they are [T-A23]', () => {
    const shapes: Json[] = [
      { lc: 1, type: 'constructor', id: ['x'], kwargs: { a: 1 } },
      { $ref: '#/definitions/x' },
      JSON.parse('{"constructor": {"prototype": {"polluted": true}}}') as Json,
    ];
    for (const shape of shapes) {
      expect(readBack(seal(LOG, draft([answered(shape)])))).toEqual([answered(shape)]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    }
  });

  test('is found out when facts, body, place, time or writer are changed, and verifies without its erased body [T-A23, T-D7]', () => {
    const first = seal(LOG, draft([answered('a')]));
    const second = seal(LOG, { ...draft([answered('b')], first), atMs: 2, nonce: 'other' });
    expect(found(LOG, { number: 0, hash: '' }, first)).toBeUndefined();
    // Time may step back; order comes from the number and the chain.
    expect(found(LOG, first, second)).toBeUndefined();
    const wrong: Commit[] = [
      { ...second, atMs: 3 },
      { ...second, writer: 'node2/1' as WriterId },
      { ...second, nonce: 'third' },
      { ...second, number: 3 },
      { ...second, events: [{ ...answered('b'), by: ANA } as Event] },
      { ...second, events: [...second.events, answered('c')] },
    ];
    for (const commit of wrong) expect(found(LOG, first, commit)).toBe('chain');
    expect(found(LOG, first, { ...second, events: [answered('c')] })).toBe('body');
    expect(found(LOG, second, second)).toBe('chain');
    expect(found(threadLog({ ...KEY, team: 'T0OTHER01' as TeamId }), first, second)).toBe('chain');
    const erased = { ...second, events: second.events.map(event => ({ ...event, body: null }) as Event), salt: '' };
    expect(found(LOG, first, erased)).toBeUndefined();
    const { facts, body } = partsOf(second);
    expect(damageOf(LOG, first, second, { facts: facts.replace(',', ', '), body }), 'the text itself').toBe('chain');
    expect(damageOf(LOG, first, second, { facts, body: `${body} ` })).toBe('body');
  });

  test('whose events do not have their declared form is not read at all [F-C6, F-C7]', () => {
    const facts = { type: 'question.answered', question: 'q', by: MIA, key: 'k' };
    expect(eventsFrom([facts], [{ value: 1, name: 'Mia' }])).toBeDefined();
    for (const [wrongFacts, body] of [
      [[{ ...facts, type: 'approval.granted' }], [{}]],
      [[{ ...facts, type: '__proto__' }], [{}]],
      [[{ ...facts, by: '' }], [{ value: 1, name: 'Mia' }]],
      [[facts], [{ value: 1 }]],
      [[facts], {}],
      [{}, []],
    ])
      expect(eventsFrom(wrongFacts, body)).toBeUndefined();
  });
});
