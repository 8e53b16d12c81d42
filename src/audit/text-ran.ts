/** Owns what a record says in a terminal of what ran: the look before it, each attempt with its result, doubts. */
import type { Checked, Doubt, Ran } from '../thread/record.ts';
import type { Sign } from '../thread/thread.ts';
import { brief, facts, moment, quote, utc, who, type Pen } from './pen.ts';
import { ranWords } from './words.ts';

export function checkedLine(pen: Pen, { atMs, facts: bound }: Checked): string {
  const also = Object.keys(bound).length > 0 ? `, ${facts(pen, bound)}` : '';
  return `${utc(atMs)}  arguments, rule, rights, freeze, definition${also}: unchanged`;
}

export function ranLines(pen: Pen, ran: Ran): string[] {
  const began = ran.startedAtMs ?? ran.claimedAtMs;
  const span = ran.endedAtMs === null ? moment(began) : `${moment(began)} – ${utc(ran.endedAtMs)}`;
  const kept = ran.result?.digest ?? null;
  const digest = kept === null ? '' : `; result digest ${brief(kept)}`;
  const holder = ran.holder === null ? '' : `, by process ${ran.holder}`;
  const head = `${span}  attempt ${ran.attempt}, key ${ran.key.slice(0, 4)}…${holder}; ${ranWords(ran)}${digest}`;
  return [head, ...resultLines(pen, ran)];
}

/** The text as far as the commit holds it, and how much more is kept beside. */
function resultLines(pen: Pen, { text, result }: Ran): string[] {
  if (text === null || text === '') return [];
  const bytes = Buffer.byteLength(text);
  const rest =
    result !== null && result.bytes > bytes
      ? [`  (its first ${bytes} of ${result.bytes} bytes; the rest is kept as result ${result.blob ?? ''})`]
      : [];
  const lines = pen.show.text(text).replace(/\n$/, '').split('\n');
  return [...lines.map(line => `  | ${line}`), ...rest];
}

const signWords = (pen: Pen, { line, atMs }: Sign): string =>
  `; last sign${atMs === null ? '' : ` ${utc(atMs)}`}: ${quote(pen, line)}`;

export function doubtLine(pen: Pen, doubt: Doubt): string {
  const at = utc(doubt.atMs);
  switch (doubt.is) {
    case 'in_doubt':
      return `${at}  nobody knows whether it ran${doubt.lastSign === null ? '' : signWords(pen, doubt.lastSign)}`;
    case 'checked':
      return `${at}  the tool itself was asked: ${doubt.found}`;
    case 'reported':
      return `${at}  its process told late: ${doubt.as === 'ran' ? 'what came of it' : 'it had not started'}`;
    case 'said':
      return `${at}  ${who(pen, doubt.by)} said: ${doubt.as}`;
  }
}
