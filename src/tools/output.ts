/**
 * Owns how bytes and long texts become a result: cut at character borders with a marker that counts what was left out;
 * bytes that are no text shown as escapes, or, when most are, not at all.
 */
import { isUtf8 } from 'node:buffer';
import { Capture, type Kept } from './capture.ts';
import type { Words } from './words.ts';

/** A longer result is cut. What `read_file` may give fits. */
export const RESULT_BYTES = 64 * 1024;
/** With more than this part of escapes, output counts as binary. */
const BINARY_SHARE = 0.3;

/** Everything in C0 and C1 but tab and line feed, which stay. */
// oxlint-disable-next-line no-control-regex -- these are the characters that must not pass
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Bytes that the lead byte of a UTF-8 sequence announces; 1 for anything that is no lead byte. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** The bytes without a sequence that was cut off at their end. */
function wholeEnd(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  return lead >= 0 && lead + sequenceLength(bytes[lead] ?? 0) > bytes.length ? bytes.subarray(0, lead) : bytes;
}

/** The bytes without the rest of a sequence that was cut off at their start. */
function wholeStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;

/** Text of bytes; what is no UTF-8 as `\xNN`, one escape a byte. */
function decoded(bytes: Uint8Array): { readonly text: string; readonly escapes: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), escapes: 0 };
  let text = '';
  let escapes = 0;
  for (let at = 0; at < buffer.length;) {
    const lead = buffer[at] ?? 0;
    const sequence = buffer.subarray(at, at + sequenceLength(lead));
    if (isUtf8(sequence)) {
      text += sequence.toString('utf8');
      at += sequence.length;
    } else {
      text += hex(lead);
      escapes += 1;
      at += 1;
    }
  }
  return { text, escapes };
}

/** Text that may be shown: line ends are line feeds, other control characters escapes. */
function shownPart(bytes: Uint8Array): { readonly text: string; readonly escapes: number } {
  const { text, escapes } = decoded(bytes);
  let controls = 0;
  const shown = text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL, character => {
    controls += 1;
    return hex(character.charCodeAt(0));
  });
  return { text: shown, escapes: escapes + controls };
}

/** What a program wrote, as text for people and the model; '' when it wrote nothing. */
export function shownOutput({ head, tail, total }: Kept, say: Words): string {
  const cut = total > head.length + tail.length;
  const parts = cut ? [wholeEnd(head), wholeStart(tail)] : [Buffer.concat([head, tail])];
  const shown = parts.map(shownPart);
  const kept = parts.reduce((sum, part) => sum + part.length, 0);
  if (shown.reduce((sum, part) => sum + part.escapes, 0) > kept * BINARY_SHARE) return say.binaryOutput(total);
  return shown.map(part => part.text).join(`\n${say.leftOut(total - kept)}\n`);
}

/** A tool's result, valid Unicode, whole up to 64 KB, else its first 8 KB and last 24 KB. */
export function cappedResult(result: string, say: Words): string {
  const text = result.toWellFormed();
  if (Buffer.byteLength(text) <= RESULT_BYTES) return text;
  const bytes = Buffer.from(text);
  const capture = new Capture();
  capture.add(bytes);
  const { head, tail } = capture.kept;
  const [first, last] = [wholeEnd(head), wholeStart(tail)];
  const leftOut = bytes.length - first.length - last.length;
  return `${Buffer.from(first).toString('utf8')}\n${say.leftOut(leftOut)}\n${Buffer.from(last).toString('utf8')}`;
}
