import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal } from '../../src/thread/commit.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import { MAX_REPLY_BYTES } from '../../src/thread/decide/reply.ts';
import { threadLog } from '../../src/thread/ids.ts';
import { isWellFormed, wellFormed } from '../../src/thread/well-formed.ts';
import { KEY, ME, MIA, Stage } from './stage.ts';

const CUT_UP = 'a\ud800b';

describe('a reply of any size', () => {
  test('keeps the arguments that fit together, and refuses the calls beyond as too long', () => {
    const stage = new Stage().asks(...Array.from({ length: 5 }, (_, n) => ({ args: `${n}${'x'.repeat(60_000)}` })));
    const codes = stage.run().calls.map(id => stage.thread.calls[id]?.state);
    expect(codes.map(state => state?.is)).toEqual(['waiting', 'waiting', 'waiting', 'refused', 'refused']);
    expect(codes[3]).toMatchObject({ code: 'too_long' });
    expect(stage.call(3).args).toBeNull();
    expect(stage.call(3).raw).toMatch(/^"3x{198}… \[\+\d+\]$/);
    const size = JSON.stringify(stage.commits.at(-1)).length;
    expect(size).toBeLessThan(MAX_REPLY_BYTES + 16 * 1024);
  });

  test('keeps a text that anybody means to write whole, and cuts any other where it is seen', () => {
    const answer = (text: string): string | null => {
      const stage = new Stage();
      stage.say('write a book');
      stage.take();
      stage.start();
      stage.reply(text);
      return stage.run().answer;
    };
    expect(answer('é'.repeat(60_000))).toBe('é'.repeat(60_000));
    expect(answer('x'.repeat(500_000))).toMatch(/^x{32768}… \[\+467232\]$/);
  });
});

describe('text with lone surrogates', () => {
  test('wherever it comes from is stored with U+FFFD in their place, and the commit can be sealed', () => {
    const stage = new Stage();
    stage.say(CUT_UP, undefined, { name: CUT_UP });
    stage.take();
    stage.start();
    stage.reply(CUT_UP, { bind: { [CUT_UP]: CUT_UP }, note: { a: [CUT_UP] }, rule: CUT_UP });
    stage.click('approve', MIA, { reason: CUT_UP, actor: stage.actor(MIA, { name: CUT_UP }) });
    stage.claim(stage.call(), { bind: { [CUT_UP]: CUT_UP }, rule: CUT_UP });
    stage.ended(stage.call(), { result: CUT_UP, code: CUT_UP });
    expect(stage.outcomes()).toEqual(['done']);
    expect(isWellFormed(stage.commits)).toBe(true);
    expect(stage.approval().bind).toEqual({ 'a\ufffdb': 'a\ufffdb' });
  });

  test('is repaired without touching anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(wellFormed(value)).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string(), (value, name) => {
        const whole = wellFormed({ [name]: [value, CUT_UP] });
        expect(isWellFormed(whole)).toBe(true);
        expect(whole[name]?.[1]).toBe('a\ufffdb');
        expect(wellFormed(whole)).toBe(whole);
      }),
    );
    expect(wellFormed([1, null, undefined, true, CUT_UP])).toEqual([1, null, undefined, true, 'a\ufffdb']);
  });

  test('in arguments is refused, never repaired: what would run is what the model wrote [T-A4c]', () => {
    const stage = new Stage().asks({ raw: JSON.stringify({ path: CUT_UP }) });
    expect(stage.call().state).toMatchObject({ is: 'refused', code: 'invalid_arguments' });
    const { events } = decide(stage.thread, { type: 'take', holder: ME, lengthMs: 1 }, stage.nowMs);
    expect(
      seal(threadLog(KEY), { after: stage.thread.head, events, atMs: 1, writer: ME, nonce: 'n', salt: 's' }),
    ).toBeDefined();
  });
});
