import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Capture, HEAD_BYTES, TAIL_BYTES, type Kept } from '../../src/tools/capture.ts';
import { cappedResult, RESULT_BYTES, shownOutput } from '../../src/tools/output.ts';
import { words } from '../../src/tools/words.ts';

const { en } = words;

function captured(chunks: readonly Uint8Array[]): Kept {
  const capture = new Capture();
  for (const chunk of chunks) capture.add(chunk);
  return capture.kept;
}

const chunks = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .integer({ min: 0, max: 3 * TAIL_BYTES })
      .map(length => Buffer.from('0123456789é'.repeat(length)).subarray(0, length)),
  ),
  { maxLength: 12 },
);

test('a capture keeps exactly the first 8 KB and the last 24 KB of any stream, however it is cut into chunks', () => {
  fc.assert(
    fc.property(chunks, stream => {
      const all = Buffer.concat(stream);
      const { head, tail, total } = captured(stream);
      expect(total).toBe(all.length);
      expect(all.subarray(0, HEAD_BYTES).equals(head)).toBe(true);
      const rest = all.subarray(HEAD_BYTES);
      expect(rest.subarray(Math.max(0, rest.length - TAIL_BYTES)).equals(tail)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('output is shown as valid Unicode without control characters, and never longer than four times what is kept', () => {
  fc.assert(
    fc.property(chunks, stream => {
      const shown = shownOutput(captured(stream), en);
      expect(shown.isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex -- these are the characters that must not pass
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(shown.length).toBeLessThan(4 * (HEAD_BYTES + TAIL_BYTES) + 100);
    }),
    { numRuns: 60 },
  );
});

test('text that fits is shown whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), text => {
      expect(shownOutput(captured([Buffer.from(text)]), en)).toBe(text);
    }),
  );
});

test('a long text is cut at character borders, and the marker counts every byte that was left out', () => {
  const text = '界'.repeat(30_000);
  const shown = shownOutput(captured([Buffer.from(text)]), en);
  const [, head = '', left = '', tail = ''] = /^(界+)\n\[… ([\d,]+) bytes left out …\]\n(界+)$/.exec(shown) ?? [];
  expect(Buffer.byteLength(head) + Number(left.replaceAll(',', '')) + Buffer.byteLength(tail)).toBe(90_000);
  expect(Buffer.byteLength(head)).toBeGreaterThan(HEAD_BYTES - 4);
  expect(Buffer.byteLength(tail)).toBeGreaterThan(TAIL_BYTES - 4);
});

test('bytes that are no text show as escapes, terminal codes too, and line ends become line feeds', () => {
  const bytes = Buffer.concat([
    Buffer.from('caf\xe9 ', 'latin1'),
    Buffer.from('\u001b[31mred\u001b[0m\r\nplain text, plain text\rx'),
  ]);
  expect(shownOutput(captured([bytes]), en)).toBe('caf\\xe9 \\x1b[31mred\\x1b[0m\nplain text, plain text\nx');
});

test('output that is mostly no text is named, not shown', () => {
  expect(shownOutput(captured([Buffer.alloc(100_000)]), en)).toBe('[binary output, 100,000 bytes, not shown]');
});

test('a result of up to 64 KB stays whole; a longer one keeps its start and its end', () => {
  const whole = 'é'.repeat(RESULT_BYTES / 2);
  expect(cappedResult(whole, en)).toBe(whole);
  const cut = cappedResult(`start ${'é'.repeat(RESULT_BYTES)} end`, en);
  expect(cut).toMatch(/^start é+\n\[… [\d,]+ bytes left out …\]\né+ end$/);
  expect(Buffer.byteLength(cut)).toBeLessThan(HEAD_BYTES + TAIL_BYTES + 60);
});

test('a result that is no valid Unicode becomes so, so that it can be stored', () => {
  expect(cappedResult('a\ud800b', en)).toBe('a\ufffdb');
});
